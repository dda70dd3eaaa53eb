import os
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input
from ui.fake_door import FakeDoor, Vault
from ui.pilot import SETUP, ask, chat_of, expect, opened, shown

from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.screens.session_dialog import SessionDialog
from ctxcode.tui.terminal.setup import SettingsPage


async def asked(questions: tuple[str, ...]) -> FakeDoor:
    """Return a door whose repository has a session for each question; the last one is open."""
    vault = Vault()
    door = FakeDoor(vault)
    for number, question in enumerate(questions):
        door = FakeDoor(vault) if number == 0 else door.open(None)
        async for _ in door.turn(question):
            pass
        await door.archive.rename(question)
    return door


async def dialog_of(pilot: Pilot[None]) -> SessionDialog:
    await pilot.press("ctrl+s")
    await expect(pilot, lambda: isinstance(pilot.app.screen, SessionDialog), "the list")
    dialog = pilot.app.screen
    assert isinstance(dialog, SessionDialog)
    return dialog


async def test_sessions_are_searched_by_typing_and_opened() -> None:
    async with opened(await asked(("how are joins decided?", "where is Q?", "what is a lookup?"))) as pilot:
        await dialog_of(pilot)
        await expect(pilot, lambda: "• what is a lookup?" in shown(pilot), "the open one marked")
        await pilot.press(*"joins")
        await expect(pilot, lambda: "where is Q?" not in shown(pilot), "what matches")
        await pilot.press("enter")
        await expect(pilot, lambda: chat_of(pilot).state.turns[0].prompt == "how are joins decided?", "that session")


async def test_the_words_behind_the_command_are_searched() -> None:
    async with opened(await asked(("how are joins decided?", "where is Q?", "what is a lookup?"))) as pilot:
        await pilot.press(*"/sessions JOINS", "enter")
        await expect(pilot, lambda: isinstance(pilot.app.screen, SessionDialog), "the list")
        await expect(pilot, lambda: "where is Q?" not in shown(pilot), "what matches")
        assert "how are joins decided?" in shown(pilot)
        await pilot.press(*["backspace"] * len("JOINS"))
        await expect(pilot, lambda: "where is Q?" in shown(pilot), "all of them")


async def test_a_search_without_a_match_says_so() -> None:
    async with opened(await asked(("how are joins decided?",))) as pilot:
        await dialog_of(pilot)
        await pilot.press(*"zzz")
        await expect(pilot, lambda: "No session has these words." in shown(pilot), "the empty state")
        await pilot.press("ctrl+d", "ctrl+r", "enter", "escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the conversation")


async def test_a_session_is_renamed_in_place() -> None:
    async with opened(await asked(("how are joins decided?", "where is Q?"))) as pilot:
        dialog = await dialog_of(pilot)
        await pilot.press("ctrl+r")
        await expect(pilot, lambda: dialog.query_one(Input).value == "where is Q?", "the title to change")
        dialog.query_one(Input).value = "  the  Q object "
        await pilot.press("enter")
        await expect(pilot, lambda: "• the Q object" in shown(pilot), "the new title")
        await pilot.press("escape")
        await expect(pilot, lambda: "the Q object" in shown(pilot).splitlines()[0], "the header")


async def test_a_session_that_was_renamed_stays_selected() -> None:
    async with opened(await asked(("how are joins decided?", "where is Q?", "what is a lookup?"))) as pilot:
        dialog = await dialog_of(pilot)
        await pilot.press("down", "ctrl+r")
        await expect(pilot, lambda: dialog.query_one(Input).value == "where is Q?", "its title")
        await pilot.press(*"!", "enter")
        await expect(pilot, lambda: "where is Q?!" in shown(pilot), "the new title")
        await expect(pilot, lambda: dialog.query_one(Input).value == "", "the search")
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "again deletes 'where is Q?!'" in shown(pilot), "the same session")


async def test_escape_leaves_the_renaming_and_keeps_the_title() -> None:
    async with opened(await asked(("how are joins decided?",))) as pilot:
        dialog = await dialog_of(pilot)
        await pilot.press(*"how", "ctrl+r", "x", "escape")
        await expect(pilot, lambda: "how" == dialog.query_one(Input).value, "the search")
        assert "• how are joins decided?" in shown(pilot)
        await pilot.press("space", "a")
        assert "how a" == dialog.query_one(Input).value


async def test_a_session_is_deleted_only_when_asked_twice_and_never_the_open_one() -> None:
    door = await asked(("how are joins decided?", "where is Q?"))
    async with opened(door) as pilot:
        await dialog_of(pilot)
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "This session is open" in shown(pilot), "the refusal")
        await pilot.press("down", "ctrl+d")
        await expect(pilot, lambda: "Ctrl+D again deletes" in shown(pilot), "the question")
        await pilot.press("up", "down", "ctrl+d")
        assert 2 == len(await door.archive.sessions())
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "how are joins decided?" not in shown(pilot), "the list without it")
        assert 1 == len(await door.archive.sessions())


@pytest.mark.parametrize("keys", [("ctrl+d", "ctrl+d"), ("ctrl+r", "enter")])
async def test_a_session_that_is_open_elsewhere_is_neither_deleted_nor_renamed(keys: tuple[str, ...]) -> None:
    door = await asked(("how are joins decided?", "where is Q?"))
    first = (await door.archive.sessions())[-1]
    door.archive.elsewhere.add(first.id)
    async with opened(door) as pilot:
        await dialog_of(pilot)
        await pilot.press("down", *keys)
        await expect(pilot, lambda: "is open in another window. Close it" in shown(pilot), "the refusal")
        assert first in [replace(row, updated_at=first.updated_at) for row in await door.archive.sessions()]


async def test_after_a_deletion_the_row_that_follows_is_selected() -> None:
    door = await asked(("how are joins decided?", "where is Q?", "what is a lookup?", "who calls Q?"))
    async with opened(door, (60, 20)) as pilot:
        await dialog_of(pilot)
        await pilot.press("down", "down", "ctrl+d")
        await expect(pilot, lambda: "│ good " in shown(pilot), "the whole question")
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "where is Q?" not in shown(pilot), "the list without it")
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "deletes 'how are joins decided?'" in shown(pilot), "the row that took its place")
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "how are joins" not in shown(pilot), "the list without it")
        await pilot.press("ctrl+d")
        await expect(pilot, lambda: "deletes 'what is a lookup?'" in shown(pilot), "the last row that is left")


async def test_export_writes_a_file_and_never_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    own = SettingsPage(exports=tmp_path / "state" / "exports")
    app = CtxcodeApp(FakeDoor(), replace(SETUP, settings=own))
    async with app.run_test(size=(160, 36)) as pilot:
        chat_of(pilot).submit("/export")
        await expect(pilot, lambda: "nothing to export yet" in shown(pilot), "the refusal")
        await ask(pilot, "how are joins decided?")
        chat_of(pilot).submit("/rename Joins")
        for command, name in (
            ("/export", "state/exports/ctxcode-joins.md"),
            ("/export html", "state/exports/ctxcode-joins.html"),
            ("/export notes.json", "notes.json"),
            ("/export", "state/exports/ctxcode-joins-2.md"),
            ("/export json kept", "kept/ctxcode-joins.json"),
        ):
            chat_of(pilot).submit(command)
            said = f"1 turn written to {tmp_path / name}"
            await expect(pilot, lambda said=said: said in chat_of(pilot).said[-1].words, said)  # type: ignore[misc]
            assert (tmp_path / name).stat().st_size
        chat_of(pilot).submit("/export nowhere/at/all.md")
        await expect(pilot, lambda: "can't be written" in shown(pilot), "the refusal")
    assert {"kept", "notes.json", "state"} == set(os.listdir(tmp_path))  # noqa: PTH208 - the names


async def test_in_a_narrow_terminal_a_row_of_a_list_is_one_line_and_the_keys_stay_in_view() -> None:
    door = FakeDoor()
    async with opened(door, (60, 20)) as pilot:
        await ask(pilot, "how are joins decided, and when are they promoted to outer joins again?")
        await dialog_of(pilot)
        await expect(pilot, lambda: "• how are joins" in shown(pilot), "the rows")
        assert "^D deletes   Esc closes" in shown(pilot)
        await pilot.press("escape")
        await expect(pilot, lambda: pilot.app.screen is chat_of(pilot), "the conversation")
        await pilot.app.run_action("theme")
        await expect(pilot, lambda: "Themes" in shown(pilot), "the themes")
        assert "as the terminal" in shown(pilot)
