import subprocess
import sys
from dataclasses import replace

import pytest
from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.ids import ItemId
from ctxcode.model.pin import SuggestedPin
from ctxcode.model.source import RepositoryInfo

MARKUP = "[/b] [id] [@click=app.quit]x[/]"
ESCAPES = "\x1b]52;c;ZXZpbA==\x07 \x1b[2J \x9b31m \u202egpj.exe"
STEERING = tuple(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t")


def hostile_door(text: str) -> FakeDoor:
    door = FakeDoor(reply=f"{text}\n\n```python\n{text}\n```\n\n- {text}\n")
    door.repository_info = RepositoryInfo(text, f"/home/{text}", text, is_git=True)
    door.suggestions = (SuggestedPin(ItemId(f"symbol:{text}"), text, text),)
    door.models["gpt-x"] = replace(door.models["gpt-x"], name=text)
    return door


@pytest.mark.parametrize("text", [MARKUP, ESCAPES], ids=["markup", "escapes"])
async def test_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    async with opened(hostile_door(text), (140, 60)) as pilot:
        await ask(pilot, text)
        chat = chat_of(pilot)
        chat.say(text, is_error=True)
        await pilot.press("f2")
        await expect(pilot, lambda: "suggested pins" in shown(pilot), "the overlay")
        screen = shown(pilot)
        assert [] == [character for character in STEERING if character in screen]
        assert "\u202e" not in screen
        if text is MARKUP:
            assert MARKUP in screen
        else:
            assert "␛]52;c;ZXZpbA==␇" in screen
        await pilot.press("escape", "ctrl+s")
        await expect(pilot, lambda: "Sessions" in shown(pilot), "the dialog")
        assert [] == [character for character in STEERING if character in shown(pilot)]


async def test_a_failure_with_markup_is_shown_literally() -> None:
    door = FakeDoor()
    door.error = (f"It failed: {MARKUP}", MARKUP)
    async with opened(door) as pilot:
        await ask(pilot, "why?")
        await expect(pilot, lambda: f"It failed: {MARKUP}" in shown(pilot), "the sentence")


@pytest.mark.parametrize("size", [(1, 1), (10, 4), (60, 20), (80, 24), (300, 100)])
async def test_every_size_can_be_drawn(size: tuple[int, int]) -> None:
    async with opened(FakeDoor(), size) as pilot:
        await ask(pilot, "how are joins decided?")
        await pilot.press("f2")
        await pilot.pause()
        assert size == tuple(pilot.app.size)


async def test_plain_glyphs_are_ascii_where_the_app_draws_them() -> None:
    async with opened(FakeDoor(reply="yes"), plain=True) as pilot:
        await ask(pilot, "why?")
        await pilot.press("f2")
        await expect(pilot, lambda: "RETRIEVED" in shown(pilot), "the overlay")
        # The scroll bar is Textual's.
        drawn = {character for character in shown(pilot) if not character.isascii()}
        assert set() == drawn - set("▁▂▃▄▅▆▇█")


def test_nothing_heavy_is_imported_before_the_first_paint() -> None:
    script = "import sys, ctxcode.tui.app; print(sorted({m.split('.')[0] for m in sys.modules}))"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    # Textual's own text box looks for tree_sitter, so that one can't be asked for.
    heavy = {"litellm", "sqlite3", "numpy", "tiktoken", "markdown_it", "pygments", "msgspec"}
    assert set() == {name for name in heavy if f"'{name}'" in said}
