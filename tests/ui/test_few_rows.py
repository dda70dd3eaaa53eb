"""What is typed is seen in a terminal of few rows."""

import pytest
from ui.fake_door import FakeDoor
from ui.pilot import ask, expect, opened, shown


@pytest.mark.parametrize("size", [(20, 5), (80, 5), (40, 6), (20, 9)])
async def test_the_prompt_is_there_in_few_rows(size: tuple[int, int]) -> None:
    async with opened(FakeDoor(), size) as pilot:
        await pilot.press(*"hello")
        await expect(pilot, lambda: "hello" in shown(pilot), "what is typed")
        await pilot.press("ctrl+c")
        await ask(pilot, "where is it?")
        await pilot.press(*"again")
        await expect(pilot, lambda: "again" in shown(pilot), "what is typed after an answer")


async def test_the_frame_goes_and_comes_back_with_the_rows() -> None:
    async with opened(FakeDoor(), (60, 20)) as pilot:
        await expect(pilot, lambda: "╭─" in shown(pilot), "the frame")
        await pilot.resize_terminal(60, 6)
        await expect(pilot, lambda: "╭─" not in shown(pilot), "no frame")
        await pilot.resize_terminal(60, 20)
        await expect(pilot, lambda: "╭─" in shown(pilot), "the frame again")
