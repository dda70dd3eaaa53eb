"""Driving the app in tests: open it on a door, wait for a state with a deadline."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from textual.pilot import Pilot
from ui.fake_door import FakeDoor

from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.screens.chat import ChatScreen
from ctxcode.tui.terminal.setup import Setup

DEADLINE_SECONDS = 10.0
WIDE = (120, 36)
SETUP = Setup(theme="ember")


async def expect(pilot: Pilot[None], holds: Callable[[], bool], what: str) -> None:
    """Let the app run until ``holds`` does; fail when it does not in time."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + DEADLINE_SECONDS
    while not holds():
        assert loop.time() < deadline, f"never came to be: {what}"
        await pilot.pause()


def chat_of(pilot: Pilot[None]) -> ChatScreen:
    """Return the session's screen."""
    app = pilot.app
    assert isinstance(app, CtxcodeApp)
    chat = app.chat
    assert chat is not None
    return chat


@asynccontextmanager
async def opened(
    door: FakeDoor, size: tuple[int, int] = WIDE, *, plain: bool = False
) -> AsyncGenerator[Pilot[None], None]:
    """Open the app and wait for the index."""
    app = CtxcodeApp(door, replace(SETUP, plain_glyphs=plain))
    async with app.run_test(size=size) as pilot:
        await expect(pilot, lambda: chat_of(pilot).state.index is not None, "a refreshed index")
        await expect(pilot, lambda: chat_of(pilot).start_view.stats is not None, "the index's figures")
        yield pilot


async def ask(pilot: Pilot[None], text: str) -> None:
    """Type a message, send it and wait for its end."""
    chat = chat_of(pilot)
    before = len(chat.state.turns)
    chat.prompt.fill(text)
    await pilot.press("enter")
    await expect(pilot, lambda: len(chat.state.turns) > before and chat.turn is None, "the end of the turn")


def shown(pilot: Pilot[None]) -> str:
    """Return the text on the screen, line by line."""
    width, height = pilot.app.size
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text[:width] for strip in strips[:height])
