"""Capsules at the keyboard: asked for, looked at, kept or stopped."""

import asyncio

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea
from ui.fake_capsules import WRITTEN
from ui.fake_door import FakeDoor
from ui.pilot import chat_of, expect, opened, shown

from ctxcode.model.engine.capsule import Capsule
from ctxcode.model.engine.event import CapsuleRemoved, CapsuleWritten, ModelAsked
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import ItemId
from ctxcode.tui.glyphs import ASCII
from ctxcode.tui.screens.capsule.commands import CapsuleCommands
from ctxcode.tui.screens.capsule.dialog import CapsuleDialog
from ctxcode.tui.screens.dialog.picker import PickerDialog
from ctxcode.tui.screens.memory.dialog import EditDialog, TextDialog

QUERIES = ItemId("capsule:folder:src/queries")


def plainly(door: FakeDoor, said: list[str]) -> CapsuleCommands:
    """Return the commands as ``--plain`` has them."""
    return CapsuleCommands(door, ASCII, said.append, previews=False)


def kept(door: FakeDoor) -> list[Capsule]:
    return [event.capsule for event in door.history() if isinstance(event, CapsuleWritten)]


async def command(pilot: Pilot[None], text: str) -> None:
    chat_of(pilot).prompt.fill(text)
    await pilot.press("enter")


async def test_what_a_model_wrote_is_looked_at_before_it_is_kept() -> None:
    door = FakeDoor()
    door.capsules.gate.clear()
    async with opened(door) as pilot:
        await command(pilot, "/capsule src/queries the joins")
        await expect(pilot, lambda: "gpt-x sums up src/queries/ (14 files)" in shown(pilot), "what it will take")
        assert "2,130 tok · $0.003 · Esc stops it" in shown(pilot)
        door.capsules.gate.set()
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the draft")
        assert "by gpt-x, sure to 0.60, took 2,140 + 120 tok, $0.004" in shown(pilot)
        assert [] == kept(door)
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: bool(kept(door)), "the kept capsule")
        assert [WRITTEN, "gpt-x"] == [kept(door)[0].text, kept(door)[0].source]


async def test_a_draft_that_is_left_is_not_kept_and_its_cost_is() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await command(pilot, "/capsule src/queries")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the draft")
        await pilot.press("escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the session")
        assert [] == kept(door)
        assert isinstance(door.history()[-1], ModelAsked)


async def test_escape_stops_a_model_that_is_asked_and_nothing_comes_of_it() -> None:
    door = FakeDoor()
    door.capsules.gate.clear()
    async with opened(door) as pilot:
        await command(pilot, "/capsule src/queries")
        await expect(pilot, lambda: "Esc stops it" in shown(pilot), "the request")
        await pilot.press("escape")
        await expect(pilot, lambda: "stopped" in shown(pilot), "that it was stopped")
        door.capsules.gate.set()
        await asyncio.sleep(0)
        await pilot.pause()
        assert pilot.app.screen is chat_of(pilot)
        assert [] == kept(door)


async def test_an_equals_sign_without_a_text_opens_the_editor() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await command(pilot, "/capsule src/queries = Joins live here.")
        await expect(pilot, lambda: bool(kept(door)), "the first text")
        await command(pilot, "/capsule src/queries =")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the editor")
        area = pilot.app.screen.query_one(TextArea)
        assert "Joins live here." == area.text
        area.text = "Joins and orders."
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: len(kept(door)) == 2, "the second text")
        assert ["Joins and orders.", "user"] == [kept(door)[1].text, kept(door)[1].source]


async def test_the_list_shows_renews_and_removes() -> None:
    door = FakeDoor()
    for name in ("a/x", "b/y"):
        subject, _ = await door.capsules.subject(name)
        await door.capsules.write(subject, f"What {name} is for.")
    door.capsules.stale.add(ItemId("capsule:folder:b/y"))
    async with opened(door) as pilot:
        await command(pilot, "/capsules")
        await expect(pilot, lambda: isinstance(pilot.app.screen, CapsuleDialog), "the list")
        await expect(pilot, lambda: "△ stale" in shown(pilot), "the rows")
        assert "a/x/" in shown(pilot)
        await pilot.press("j", "enter")
        await expect(pilot, lambda: isinstance(pilot.app.screen, TextDialog), "the text")
        assert "What b/y is for." in shown(pilot)
        await pilot.press("escape", "r")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the user's own text")
        assert "What b/y is for." == pilot.app.screen.query_one(TextArea).text
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: len(kept(door)) == 3, "the same text for the code as it is now")
        assert "user" == kept(door)[-1].source
        await command(pilot, "/capsules")
        await expect(pilot, lambda: isinstance(pilot.app.screen, CapsuleDialog), "the list")
        await pilot.press("d")
        await expect(pilot, lambda: "d again removes the capsule of a/x/" in shown(pilot), "the question")
        await pilot.press("j", "k")
        await expect(pilot, lambda: "d again" not in shown(pilot), "no question")
        await pilot.press("d", "d")
        await expect(pilot, lambda: "a/x/" not in shown(pilot), "one row")
        assert CapsuleRemoved(ItemId("capsule:folder:a/x")) == door.history()[-1]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_a_row_of_the_list_stays_one_line_on_a_small_screen(size: tuple[int, int]) -> None:
    door = FakeDoor()
    draft = await (await door.capsules.request((await door.capsules.subject("a/x"))[0], "")).send()
    await door.capsules.keep(draft, draft.text)
    async with opened(door, size) as pilot:
        await command(pilot, "/capsules")
        await expect(pilot, lambda: "✔ fresh" in shown(pilot), "the row")
        (line,) = [line for line in shown(pilot).splitlines() if "✔ fresh" in line]
        assert "a/x/" in line
        assert "ago" in line


async def test_renewing_what_a_model_wrote_asks_the_model_again() -> None:
    door = FakeDoor()
    draft = await (await door.capsules.request((await door.capsules.subject("a/x"))[0], "")).send()
    await door.capsules.keep(draft, draft.text)
    async with opened(door) as pilot:
        await command(pilot, "/capsules")
        await expect(pilot, lambda: "✔ fresh" in shown(pilot), "the row")
        await pilot.press("r")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the new draft")
        await pilot.press("ctrl+s")
        await expect(pilot, lambda: len(kept(door)) == 2, "the renewed capsule")
        assert "gpt-x" == kept(door)[-1].source


async def test_an_empty_list_says_what_would_fill_it() -> None:
    async with opened(FakeDoor()) as pilot:
        await command(pilot, "/capsules")
        await expect(pilot, lambda: "No capsule yet" in shown(pilot), "the empty list")
        await pilot.press("d", "r", "j", "enter", "escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the session")


async def test_a_list_to_choose_from_that_is_empty_takes_every_key() -> None:
    async with opened(FakeDoor()) as pilot:
        pilot.app.push_screen(PickerDialog("Which one?", (), "There is none."))
        await expect(pilot, lambda: "There is none." in shown(pilot), "the empty list")
        await pilot.press("j", "k", "enter", "escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the session")


async def test_a_folder_that_is_typed_is_what_enter_means() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat_of(pilot).prompt.fill("/capsule models/sql")
        await expect(pilot, lambda: chat_of(pilot).completer.is_open, "the menu")
        assert "▤ sql/" in shown(pilot)
        await pilot.press("enter")
        await expect(pilot, lambda: isinstance(pilot.app.screen, EditDialog), "the draft")
        last = door.history()[-1]
        assert isinstance(last, ModelAsked)
        assert ItemId("capsule:folder:django/db/models/sql") == last.about


async def test_without_a_screen_the_text_is_kept_and_printed() -> None:
    door, said = FakeDoor(), list[str]()
    commands = plainly(door, said)
    assert "No capsule yet" in (await commands.run("capsules", "")).text
    answer = await commands.run("capsule", "src/queries")
    assert (WRITTEN, "Ctrl+C stops it") == (answer.text, said[0][-15:])
    door.capsules.stale.add(QUERIES)
    listed = await commands.run("capsules", "")
    assert "src/queries/  ! stale  by gpt-x, sure to 0.60" in listed.text
    assert "not sent to the model before it is renewed" in (await commands.run("capsules", "show src/queries")).text
    await commands.run("capsules", "renew src/queries/")
    assert 2 == len(kept(door))
    await commands.run("capsules", "remove src/queries")
    assert CapsuleRemoved(QUERIES) == door.history()[-1]


@pytest.mark.parametrize(
    "words", ["capsule ", "capsule a b = c", "capsules eat it", "capsules show", "capsules show x"]
)
async def test_words_that_are_off_are_refused_with_what_to_do(words: str) -> None:
    name, _, argument = words.partition(" ")
    with pytest.raises(UsageError) as refused:
        await plainly(FakeDoor(), []).run(name, argument)
    assert refused.value.hint
