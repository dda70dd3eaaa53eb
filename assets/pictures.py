"""Pictures of the app: what it shows as SVG, drawn to pixels by librsvg, with few colours.

Needs ``rsvg-convert``, the Fira Code font (Debian: librsvg2-bin, fonts-firacode) and Pillow.
"""

import io
import re
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from PIL import Image
from textual.pilot import Pilot

from ctxcode.session.session import Session
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.terminal.setup import Setup

COLOURS = 128
_ENDLESS = {"index", "draft"}
"""The groups of the workers that follow edits and keep what is typed, as long as the app is open."""
_KEYS = {" ": "space", "?": "question_mark", ".": "full_stop", "@": "at", "/": "slash"}


def picture(app: CtxcodeApp, pixels: int) -> Image.Image:
    """Return what the app shows, so many pixels wide; the font's address is taken out: nothing is fetched."""
    svg = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title=""), flags=re.DOTALL)
    # librsvg drops the no-break spaces a text begins with unless it is told to keep them.
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    command = ["rsvg-convert", "--width", str(pixels)]
    made = subprocess.run(command, input=svg.encode(), capture_output=True, check=True)
    return Image.open(io.BytesIO(made.stdout)).convert("RGB")


def few_colours(image: Image.Image) -> Image.Image:
    """Return a picture with a palette of its own: a terminal has few colours, and the file is a third of the size."""
    return image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


@asynccontextmanager
async def opened(session: Session, theme: str, size: tuple[int, int]) -> AsyncGenerator[Pilot[None], None]:
    """Open the app on a session and wait for its start page."""
    app = CtxcodeApp(session, Setup(theme=theme))
    async with app.run_test(size=size) as pilot:
        while app.chat is None or not app.chat.start_view.examples:
            await pilot.pause(0.05)
        app.chat.prompt.cursor_blink = False
        await settled(pilot)
        yield pilot


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no worker runs but those that never end, and nothing is left to draw."""
    await pilot.pause(0.4)
    workers = pilot.app.workers
    while running := [worker for worker in workers if worker.group not in _ENDLESS and not worker.is_finished]:
        await workers.wait_for_complete(running)
    await pilot.pause(0.2)


async def typed(pilot: Pilot[None], text: str) -> None:
    """Type a text."""
    await pilot.press(*(_KEYS.get(letter, letter) for letter in text))


async def ask(pilot: Pilot[None], question: str) -> None:
    """Type a question and wait for its answer."""
    await typed(pilot, question)
    await pilot.press("enter")
    await settled(pilot)
