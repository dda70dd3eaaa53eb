"""Makes the README's pictures from the real app on a real repository.

    python assets/make_screenshots.py REPOSITORY

Writes ``context.png``, ``chat.png`` and, in a light theme, ``start.png`` beside this file; needs ``rsvg-convert``
(librsvg) and the Fira Code font (Debian: librsvg2-bin, fonts-firacode). The questions are about Django's source; what
the app keeps goes into a temporary folder.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from ctxcode.bootstrap import open_application
from ctxcode.model.ids import symbol_item
from ctxcode.model.pin import PinKind
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.terminal.setup import Setup

HERE = Path(__file__).parent
CONTEXT_QUESTION = "how does the ORM decide between INNER and LEFT OUTER JOIN?"
CHAT_QUESTION = "how does QuerySet.filter reach Query.join?"


def write_png(app: CtxcodeApp, name: str) -> None:
    """Write what the app shows; the font's address is taken out, so that nothing is fetched."""
    svg = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="ctxcode"), flags=re.DOTALL)
    # librsvg drops the no-break spaces a text begins with unless it is told to keep them.
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    with tempfile.NamedTemporaryFile("w", suffix=".svg", encoding="utf-8") as file:
        file.write(svg)
        file.flush()
        subprocess.run(["rsvg-convert", "--width", "1600", "-o", str(HERE / name), file.name], check=True)


async def settled(app: CtxcodeApp, pilot: Pilot[None]) -> None:
    """Wait until no worker runs and nothing is left to draw."""
    await app.workers.wait_for_complete()
    await pilot.pause(0.3)


async def make(repository: Path) -> None:
    """Drive the app through all pictures."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "XDG_DATA_HOME": f"{home}/data", "XDG_CONFIG_HOME": f"{home}/config"}
        application = open_application(repository, overrides={}, environment=environment)
        application.adapters.indexer.refresh(lambda _done, _total, _phase: None, lambda: False)
        session = application.session(None)
        pinned = [symbol for symbol in await session.find("JoinPromoter") if symbol.qualname == "JoinPromoter"]
        for symbol in pinned:
            await session.memory.keep(symbol_item(symbol.id), PinKind.STICKY)
        app = CtxcodeApp(session, Setup(theme="ember"))
        async with app.run_test(size=(132, 40)) as pilot:
            await settled(app, pilot)
            await ask(app, pilot, CONTEXT_QUESTION)
            await pilot.press("f2")
            await settled(app, pilot)
            write_png(app, "context.png")
            await pilot.press("escape")
            await ask(app, pilot, CHAT_QUESTION)
            write_png(app, "chat.png")
        app = CtxcodeApp(session.open(None), Setup(theme="paper"))
        async with app.run_test(size=(112, 30)) as pilot:
            while app.chat is None or not app.chat.start_view.examples:
                await pilot.pause(0.1)
            await settled(app, pilot)
            write_png(app, "start.png")


async def ask(app: CtxcodeApp, pilot: Pilot[None], question: str) -> None:
    """Type a question and wait for its answer."""
    await pilot.press(*(KEYS.get(letter, letter) for letter in question), "enter")
    await settled(app, pilot)


KEYS = {" ": "space", "?": "question_mark", ".": "full_stop"}

if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1])))
