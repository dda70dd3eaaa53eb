"""Makes the README's recording, an animated GIF, from the real app on a real repository.

    python assets/make_recording.py REPOSITORY

Writes ``tour.gif`` beside this file. What is needed stands in ``pictures.py``. The question is about Django's source.
"""

import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from pictures import COLOURS, opened, picture, settled, typed
from PIL import Image
from textual.pilot import Pilot

from ctxcode.bootstrap.application import open_application

HERE = Path(__file__).parent
SIZE = (120, 32)
PIXELS = 1080
QUESTION = "how does QuerySet.filter reach Query.join?"
NEXT_QUESTION = "and when is the join an outer one?"
_LETTERS = 6
"""Typed from one picture to the next."""


@dataclass(slots=True)
class Film:
    """Pictures and how long each is shown."""

    pilot: Pilot[None]
    pictures: list[Image.Image] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def shoot(self, seconds: float) -> None:
        """Take a picture that is shown for so long."""
        self.pictures.append(picture(self.pilot.app, PIXELS))
        self.seconds.append(seconds)

    async def press(self, *keys: str, seconds: float) -> None:
        """Press keys and show what they did."""
        await self.pilot.press(*keys)
        await settled(self.pilot)
        self.shoot(seconds)

    async def type(self, text: str) -> None:
        """Type a text as people do, some letters at a time."""
        for at in range(0, len(text), _LETTERS):
            await typed(self.pilot, text[at : at + _LETTERS])
            await self.pilot.pause(0.05)
            self.shoot(0.12)
        await settled(self.pilot)
        self.shoot(1.4)

    def save(self, path: Path) -> None:
        """Write the pictures with one palette, each only where it differs from the one before."""
        sheet = Image.new("RGB", (PIXELS, sum(image.height for image in self.pictures)))
        top = 0
        for image in self.pictures:
            sheet.paste(image, (0, top))
            top += image.height
        palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
        frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in self.pictures]
        durations = [round(1000 * seconds) for seconds in self.seconds]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
        sys.stdout.write(
            f"{path} {path.stat().st_size / 1024:.0f} KiB, {len(frames)} pictures, {sum(self.seconds):.0f} s\n"
        )


async def make(repository: Path) -> None:
    """Ask, look at the context, change it, and see what the next question would send."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "XDG_DATA_HOME": f"{home}/data", "XDG_CONFIG_HOME": f"{home}/config"}
        application = open_application(repository, overrides={}, environment=environment)
        await asyncio.to_thread(application.adapters.indexer.refresh, lambda *_: None, lambda: False)
        async with opened(application.session(None), "ember", SIZE) as pilot:
            film = Film(pilot)
            film.shoot(2.0)
            await film.type(QUESTION)
            await film.press("enter", seconds=2.0)
            await film.press("f2", seconds=2.0)
            for _ in range(5):
                await pilot.press("j")
                film.shoot(0.18)
            await film.press("w", seconds=2.6)
            await film.press("w", "p", seconds=1.8)
            await film.press("minus", seconds=1.8)
            await film.press("tab", seconds=0.6)
            await film.type(NEXT_QUESTION)
            await film.press("ctrl+f", seconds=2.4)
            film.save(HERE / "tour.gif")


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1])))
