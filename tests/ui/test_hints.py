"""The hints of the first run: one at a time, out of the way, gone for good once they were followed or hidden."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import SETUP, WIDE, ask, chat_of, expect, shown

from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.prompt.hints import Hints


@asynccontextmanager
async def newcomer(kept: list[int], seen: int = 0) -> AsyncGenerator[Pilot[None], None]:
    app = CtxcodeApp(FakeDoor(), replace(SETUP, hints_seen=seen, keep_hints=kept.append))
    async with app.run_test(size=WIDE) as pilot:
        await expect(pilot, lambda: bool(chat_of(pilot).start_view.examples), "the start page")
        yield pilot


async def test_each_hint_stays_until_it_was_followed() -> None:
    kept: list[int] = []
    async with newcomer(kept) as pilot:
        await expect(pilot, lambda: "1 of 3  ask about this code, or press 1 to 3" in shown(pilot), "the first")
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: "2 of 3  F2 shows exactly what the model saw" in shown(pilot), "the second")
        await pilot.press("f2")
        await expect(pilot, lambda: "3 of 3  p pins a row, d leaves it out" in shown(pilot), "the third")
        await pilot.press("escape")
        await expect(pilot, lambda: "of 3  " not in shown(pilot), "no more")
        assert [1, 2, 3] == kept


async def test_escape_hides_all_of_them_and_does_nothing_else() -> None:
    kept: list[int] = []
    async with newcomer(kept) as pilot:
        await expect(pilot, lambda: "Esc hides the hints" in shown(pilot), "the first")
        await pilot.press("escape")
        await expect(pilot, lambda: "of 3  " not in shown(pilot), "none")
        await ask(pilot, "how are joins decided?")
        await pilot.press("escape")
        await expect(pilot, lambda: "Esc again goes back" in shown(pilot), "what escape does otherwise")
        assert [3] == kept


async def test_what_happens_is_said_before_a_hint() -> None:
    async with newcomer([]) as pilot:
        chat_of(pilot).submit("/nonsense")
        await expect(pilot, lambda: "no command /nonsense" in shown(pilot), "the error")
        assert "1 of 3" not in shown(pilot)


async def test_who_has_seen_them_sees_none() -> None:
    async with newcomer([], seen=3) as pilot:
        assert "of 3  " not in shown(pilot)


@pytest.mark.parametrize(
    ("examples", "words"),
    [(0, "this code · Esc"), (1, "press 1 · Esc"), (2, "press 1 or 2 · Esc"), (3, "press 1 to 3 · Esc")],
)
def test_the_digits_that_ask_are_named(examples: int, words: str) -> None:
    assert words in Hints(seen=0, examples=examples).words(UNICODE)
