"""Makes the README's pictures from the real app on a real repository.

    python assets/make_screenshots.py REPOSITORY [FOLDER]

Writes those of the README beside this file or, with a FOLDER, every screen in every size, dark and light, into it.
What is needed stands in ``pictures.py``. The questions are about Django's source; what the app keeps goes into a
temporary folder.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from pictures import ask, few_colours, opened, picture, settled, typed
from textual.pilot import Pilot

from ctxcode.bootstrap.application import open_application
from ctxcode.model.ids import symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.session.session import Session

HERE = Path(__file__).parent
QUESTION = "how does the ORM decide between INNER and LEFT OUTER JOIN?"
PATH_QUESTION = "how does QuerySet.filter reach Query.join?"
PINNED = "JoinPromoter"
SIZES = ((60, 20), (80, 24), (120, 36), (120, 46), (200, 60))
THEMES = ("ember", "paper")
README = {
    ("start", 120, 36, "paper"): "start.png",
    ("why", 120, 36, "ember"): "why.png",
    ("forecast", 120, 46, "ember"): "context.png",
}
"""The pictures of the README, by screen, columns, rows and theme."""
_CELL_PIXELS = 13


async def make(repository: Path, folder: Path | None) -> None:
    """Drive the app through all screens, in all sizes and both grounds."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "XDG_DATA_HOME": f"{home}/data", "XDG_CONFIG_HOME": f"{home}/config"}
        application = open_application(repository, overrides={}, environment=environment)
        await asyncio.to_thread(application.adapters.indexer.refresh, lambda *_: None, lambda: False)
        for columns, rows in SIZES:
            for theme in THEMES:
                wanted = {name for name, *rest in README if rest == [columns, rows, theme]}
                if folder is not None or wanted:
                    session = application.session(None)
                    await screens(session, theme, (columns, rows), folder)


async def screens(session: Session, theme: str, size: tuple[int, int], folder: Path | None) -> None:
    """Write the screens of one session."""

    def write(pilot: Pilot[None], name: str) -> None:
        columns, rows = size
        file = README.get((name, columns, rows, theme))
        if folder is not None:
            path = folder / f"{name}-{columns}x{rows}-{theme}.png"
        elif file is not None:
            path = HERE / file
        else:
            return
        few_colours(picture(pilot.app, columns * _CELL_PIXELS)).save(path, optimize=True)

    async with opened(session, theme, size) as pilot:
        write(pilot, "start")
        await ask(pilot, PATH_QUESTION)
        write(pilot, "answer")
        for symbol in await session.find(PINNED):
            if symbol.qualname == PINNED:
                await session.memory.keep(symbol_item(symbol.id), PinKind.STICKY)
        await pilot.press("f2")
        await settled(pilot)
        await pilot.press(*"jjjjjj")
        await settled(pilot)
        write(pilot, "context")
        await pilot.press("w", "enter")
        await settled(pilot)
        write(pilot, "why")
        # Back to the first row: where one below a fold is selected, the fold opens.
        await pilot.press("w", "enter", *"kkkkkk", "tab")
        await typed(pilot, QUESTION)
        await settled(pilot)
        write(pilot, "forecast")
        await pilot.press("ctrl+p")
        await settled(pilot)
        write(pilot, "palette")
        await pilot.press("escape", "f1")
        await settled(pilot)
        write(pilot, "help")


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
