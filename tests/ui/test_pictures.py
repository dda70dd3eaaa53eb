"""A few pictures of the screen: what nobody would think to assert."""

from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import SETUP, ask, chat_of, expect, shown

from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.terminal.setup import Setup

_SAME_FRAMES = 8


class SnapCompare(Protocol):
    def __call__(self, app: App[None], *, terminal_size: tuple[int, int], run_before: object) -> bool: ...


async def settled(pilot: Pilot[None]) -> None:
    chat = chat_of(pilot)
    chat.prompt.cursor_blink = False
    await expect(pilot, lambda: bool(chat.start_view.examples), "the start page")


async def with_overlay(pilot: Pilot[None]) -> None:
    await settled(pilot)
    await ask(pilot, "how are joins decided?")
    chat = chat_of(pilot)
    await expect(pilot, lambda: bool(chat.transcript.query(".user")), "the turn")
    await pilot.press("f2")
    await expect(pilot, lambda: bool(chat.drawer.list.rows), "the rows")
    await pilot.press("down", "down")

    def is_at_rest() -> bool:
        return all(one.is_finished or one.group == "draft" for one in chat.workers)

    await expect(pilot, is_at_rest, "the end of all work")
    await still(pilot)


async def still(pilot: Pilot[None]) -> None:
    """Let the app run until it draws the same several times: lines that wrap anew move what is scrolled to later."""
    frames = [shown(pilot)]

    def is_still() -> bool:
        frames.append(shown(pilot))
        return len(set(frames[-_SAME_FRAMES:])) == 1 and len(frames) >= _SAME_FRAMES

    await expect(pilot, is_still, "a screen that stays")


def test_the_start_page(snap_compare: SnapCompare) -> None:
    assert snap_compare(CtxcodeApp(FakeDoor(), SETUP), terminal_size=(80, 24), run_before=settled)


@pytest.mark.parametrize("size", [(120, 36), (60, 20)], ids=["wide", "narrow"])
def test_the_overlay(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    assert snap_compare(CtxcodeApp(FakeDoor(), SETUP), terminal_size=size, run_before=with_overlay)


def test_plain_glyphs_in_a_light_theme(snap_compare: SnapCompare) -> None:
    app = CtxcodeApp(FakeDoor(), Setup(theme="paper", plain_glyphs=True))
    assert snap_compare(app, terminal_size=(100, 24), run_before=with_overlay)
