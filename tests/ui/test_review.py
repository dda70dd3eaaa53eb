"""Proposed edits on screen: the diff in the place of the prompt, and the keys that decide."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import WIDE, ask, chat_of, expect, opened, shown

from ctxcode.model.conversation import ToolCall, ToolResult, ToolStatus
from ctxcode.model.edit.change import ChangeKind, DecidedBy, EditState, FileChange, FileOutcome, FileVerdict, Hunk
from ctxcode.model.edit.event import EditsProposed, EditsSettled, EditsUndone
from ctxcode.model.event import ToolAnswered, ToolsCalled, TurnStarted
from ctxcode.tui.screens.edit.pane import ReviewPane
from ctxcode.tui.screens.memory.conversation_commands import ConversationCommands

HOSTILE = "\x1b[31mred\u202e[/b]\n"
CHANGES = (
    FileChange(
        "shop/price.py",
        ChangeKind.MODIFIED,
        (
            Hunk(5, 5, ("VAT = 19\n",), ("VAT = 7\n",), ("import os\n", "\n"), ("\n",)),
            Hunk(20, 20, (), ("def free() -> int:\n", "    return 0"), ("    pass\n",)),
        ),
        "aa",
    ),
    FileChange("shop/new.py", ChangeKind.CREATED, (Hunk(1, 1, (), (HOSTILE,)),)),
    FileChange("shop/old.py", ChangeKind.RENAMED, (), "bb", "shop/older.py"),
)


@asynccontextmanager
async def reviewing(door: FakeDoor, size: tuple[int, int] = WIDE) -> AsyncGenerator[Pilot[None], None]:
    """Open the app, send a message and wait until the diff takes keys."""
    door.fake_edits.proposed = door.fake_edits.proposed or CHANGES
    async with opened(door, size) as pilot:
        chat_of(pilot).submit("lower the tax")
        await expect(pilot, lambda: pane_of(pilot).display, "the diff")
        await expect(pilot, lambda: pane_of(pilot).diff.is_ready, "keys that count")
        yield pilot


def pane_of(pilot: Pilot[None]) -> ReviewPane:
    return chat_of(pilot).review


async def over(pilot: Pilot[None]) -> None:
    await expect(pilot, lambda: chat_of(pilot).turn is None, "the end of the turn")
    assert not pane_of(pilot).display
    assert chat_of(pilot).prompt.has_focus


async def test_all_is_accepted_with_one_key() -> None:
    door = FakeDoor()
    async with reviewing(door) as pilot:
        assert chat_of(pilot).query_one("#ask").display is False
        text = shown(pilot)
        assert "The model wants to change 3 files" in text
        assert "waiting for your answer" in text or "VAT = 7" in text
        await pilot.press("A")
        await over(pilot)
    ((number, verdicts, by, _),) = door.fake_edits.decided
    assert (1, DecidedBy.USER) == (number, by)
    assert tuple(FileVerdict(change.path) for change in CHANGES) == verdicts


async def test_hunks_and_files_are_answered_one_by_one() -> None:
    door = FakeDoor()
    async with reviewing(door) as pilot:
        await pilot.press("y", "enter")
        await expect(pilot, lambda: "Some hunks have no answer yet" in shown(pilot), "what is missing")
        assert [] == door.fake_edits.decided
        await pilot.press("n", "F", "f", "enter")
        await over(pilot)
        assert "Some hunks have no answer yet" not in shown(pilot)
    ((_, verdicts, _, _),) = door.fake_edits.decided
    assert (FileVerdict("shop/price.py", (0,)), FileVerdict.no("shop/new.py"), FileVerdict("shop/old.py")) == verdicts


async def test_the_diff_has_the_keys_again_after_a_look_at_the_context() -> None:
    async with reviewing(FakeDoor()) as pilot:
        await pilot.press("f2", "escape")
        await expect(pilot, lambda: pane_of(pilot).diff.has_focus, "the keys")
        await pilot.press("A")
        await over(pilot)


async def test_a_diff_the_overlay_covers_takes_no_keys_until_it_is_seen() -> None:
    door = FakeDoor()
    door.fake_edits.proposed = CHANGES
    async with opened(door, (80, 24)) as pilot:
        await pilot.press("f2")
        chat_of(pilot).submit("lower the tax")
        await expect(pilot, lambda: pane_of(pilot).display and pane_of(pilot).diff.is_ready, "the diff")
        await pilot.press("A")
        assert pane_of(pilot).display
        await pilot.press("escape", "A")
        await over(pilot)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 18), (40, 12)])
async def test_how_to_finish_is_said_at_any_size_and_no_key_is_cut(size: tuple[int, int]) -> None:
    async with reviewing(FakeDoor(), size) as pilot:
        lines = shown(pilot).splitlines()
        (at,) = [number for number, line in enumerate(lines) if "y n hunk   Enter done   A all" in line]
        if size[0] >= 60:
            assert (lines[at] + lines[at + 1]).count("S session") == 1
        assert "line 5" in shown(pilot), "the diff"


async def test_rejecting_asks_why_and_esc_leads_back() -> None:
    door = FakeDoor()
    async with reviewing(door) as pilot:
        await pilot.press("R", "escape")
        assert pane_of(pilot).display
        assert pane_of(pilot).diff.has_focus
        await pilot.press("R", *"keep it", "enter")
        await over(pilot)
    ((_, verdicts, by, note),) = door.fake_edits.decided
    assert (DecidedBy.USER, "keep it") == (by, note)
    assert not any(verdict.is_accepted for verdict in verdicts)


async def test_a_yes_can_hold_for_the_turn_and_the_session() -> None:
    for key, by in (("T", DecidedBy.TURN), ("S", DecidedBy.SESSION)):
        door = FakeDoor()
        async with reviewing(door) as pilot:
            await pilot.press(key)
            await over(pilot)
        assert [by] == [row[2] for row in door.fake_edits.decided]


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 18)])
async def test_files_that_changed_meanwhile_show_a_new_diff(size: tuple[int, int]) -> None:
    door = FakeDoor()
    door.fake_edits.renewals = 1
    async with reviewing(door, size) as pilot:
        await pilot.press("A")
        words = "△ the files changed meanwhile: this is the new diff"
        await expect(pilot, lambda: words in " ".join(shown(pilot).split()), "the new diff")
        await expect(pilot, lambda: pane_of(pilot).diff.is_ready, "keys that count")
        await pilot.press("A")
        await over(pilot)


async def test_keys_typed_before_the_diff_was_there_answer_nothing() -> None:
    door = FakeDoor()
    door.fake_edits.proposed = CHANGES
    async with opened(door) as pilot:
        chat_of(pilot).submit("lower the tax")
        await expect(pilot, lambda: pane_of(pilot).display, "the diff")
        pane_of(pilot).diff._quiet_until = float("inf")
        await pilot.press("A", "y", "enter", "S", "R")
        await pilot.pause()
        assert ([], True) == (door.fake_edits.decided, pane_of(pilot).diff.has_focus)


async def test_esc_interrupts_and_gives_the_prompt_back() -> None:
    door = FakeDoor()
    async with reviewing(door) as pilot:
        await pilot.press("escape")
        await over(pilot)
    assert [] == door.fake_edits.decided


async def test_an_answer_that_is_refused_says_why_and_the_diff_stays() -> None:
    door = FakeDoor()
    async with reviewing(door) as pilot:
        door.fake_edits.refuses = "The answer is for another diff."
        await pilot.press("A")
        await expect(pilot, lambda: "for another diff" in shown(pilot), "the refusal")
        assert pane_of(pilot).display


async def test_old_and_new_stand_side_by_side_where_there_is_room() -> None:
    async with reviewing(FakeDoor(), (140, 40)) as pilot:
        row = next(line for line in shown(pilot).splitlines() if "VAT = 19" in line)
        assert row.index("- VAT = 19") < row.index("+ VAT = 7")
    async with reviewing(FakeDoor(), (80, 24)) as pilot:
        rows = [line for line in shown(pilot).splitlines() if "VAT =" in line]
        assert ["-", "+"] == [row.split("VAT")[0].strip()[-1] for row in rows]


async def test_hostile_text_of_a_diff_is_shown_and_does_nothing() -> None:
    async with reviewing(FakeDoor(), (100, 50)) as pilot:
        text = shown(pilot)
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "[31mred" in text
        assert "[/b]" in text
        assert "no line end" in text


async def test_the_diff_of_the_session_and_undoing_say_what_they_are_about() -> None:
    door = FakeDoor()
    door.fake_edits.differences = CHANGES
    async with opened(door) as pilot:
        await ask(pilot, "hello")
        chat_of(pilot).submit("/diff")
        await expect(pilot, lambda: "VAT = 7" in shown(pilot), "the diff")
        (frame,) = pilot.app.screen.query(".dialog")
        assert frame.region.x == 120 - frame.region.right, "it stands in the middle"
        await pilot.resize_terminal(60, 20)
        await expect(pilot, lambda: frame.region.right <= 60 and "VAT = 7" in shown(pilot), "the diff, narrower")
        assert (60, 20) == tuple(chat_of(pilot).size), "what lies below was laid out anew too"
        await pilot.press("escape")
        door.fake_edits.files = ("shop/price.py", "shop/new.py")
        answer = await ConversationCommands(door).run("undo", "")
        assert answer.said.startswith("it changed shop/price.py, shop/new.py: /undo yes")
        assert () == answer.events
        answer = await ConversationCommands(door).run("undo", "files")
        assert "restored shop/price.py" == answer.said
        answer = await ConversationCommands(door).run("undo", "yes")
        assert "turn 1 is taken back; restored shop/price.py, shop/new.py" == answer.said


async def test_a_decided_edit_stays_as_a_line_that_opens_into_its_diff() -> None:
    call = ToolCall("call_1", "propose_edit", '{"path": "shop/price.py"}')
    change = replace(CHANGES[0], calls=("call_1",))
    async with opened(FakeDoor()) as pilot:
        chat = chat_of(pilot)
        for event in (
            TurnStarted(1, "lower the tax"),
            ToolsCalled(1, 0, "I lower it.", (call,)),
            EditsProposed(1, 1, (change,)),
            EditsSettled(1, 1, (FileOutcome(change.path, EditState.APPLIED),)),
            ToolAnswered(1, 0, call, ToolResult(ToolStatus.OK, "Applied: shop/price.py", 9)),
        ):
            chat.fold(event)
        chat.show()
        await expect(pilot, lambda: "propose_edit shop/price.py  · applied" in shown(pilot), "the line")
        assert "✎1" in shown(pilot), "the header counts the files that were edited"
        assert "VAT = 7" not in shown(pilot)
        await pilot.press("ctrl+o")
        await expect(pilot, lambda: "+ VAT = 7" in shown(pilot), "the diff")
        await pilot.press("ctrl+o")
        await expect(pilot, lambda: "VAT = 7" not in shown(pilot), "the line alone")
        chat.fold(EditsUndone(1, ("shop/price.py",)))
        chat.show()
        await expect(pilot, lambda: "propose_edit shop/price.py  · undone since" in shown(pilot), "that it is undone")
        assert "✎" not in shown(pilot)
