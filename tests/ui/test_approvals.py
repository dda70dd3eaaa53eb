"""The question before a command runs: all of it shown, nothing answered by accident, every answer delivered."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual import events
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened, shown

from ctxcode.model.command.approval import Answer, AnswerKind, Approval, Danger, Grant, Sandbox, Trust
from ctxcode.model.command.shape import Doubt
from ctxcode.model.passing.event import ApprovalAsked
from ctxcode.tui.approval.dialog import ApprovalDialog
from ctxcode.tui.approval.words import command_words, why_lines
from ctxcode.tui.glyphs import UNICODE

PYTEST = Approval(
    id=1,
    command="python -m pytest tests/queries -q",
    directory="/home/you/django",
    sandbox=Sandbox("bubblewrap"),
    timeout_seconds=120,
    by_user=False,
    exact=Grant(("python", "-m", "pytest", "tests/queries", "-q")),
    pattern=Grant(("python", "-m", "pytest"), takes_more=True),
)
FREE = replace(PYTEST, sandbox=Sandbox(problem="bubblewrap (bwrap) is not installed"), exact=None, pattern=None)
UNTRUSTED = replace(PYTEST, trust=Trust(is_trusted=False, files=(("Makefile", "1"), ("setup.py", "2"))))
DANGEROUS = replace(
    PYTEST, command="rm -rf ~", exact=None, pattern=None, doubts=(Doubt.EXPANSION,), dangers=(Danger.HOME,)
)


def dialog(pilot: Pilot[None]) -> ApprovalDialog:
    return chat_of(pilot).query_one(ApprovalDialog)


@asynccontextmanager
async def asked(
    door: FakeDoor, approval: Approval, size: tuple[int, int] = (120, 36)
) -> AsyncGenerator[Pilot[None], None]:
    async with opened(door, size) as pilot:
        chat_of(pilot).fold(ApprovalAsked(approval))
        await expect(pilot, lambda: bool(chat_of(pilot).query(ApprovalDialog)), "the question")
        await expect(pilot, lambda: dialog(pilot).is_armed, "a dialog that takes keys")
        yield pilot


async def closed(pilot: Pilot[None]) -> None:
    chat = chat_of(pilot)
    await expect(pilot, lambda: not chat.query(ApprovalDialog) and chat.prompt.display, "the prompt again")
    assert chat.prompt.has_focus


@pytest.mark.parametrize(
    ("approval", "keys", "answer"),
    [
        (PYTEST, "y", Answer(AnswerKind.ONCE)),
        (PYTEST, "a", Answer(AnswerKind.EXACT)),
        (PYTEST, "p", Answer(AnswerKind.PATTERN)),
        (PYTEST, "w", Answer(AnswerKind.ONCE, has_network=True)),
        (PYTEST, "escape", Answer(AnswerKind.NO)),
        (PYTEST, "n s l o w enter", Answer(AnswerKind.NO, why="slow")),
        (PYTEST, "n enter", Answer(AnswerKind.NO)),
        (UNTRUSTED, "y a p w t", Answer(AnswerKind.ONCE)),
        (FREE, "a p w y", Answer(AnswerKind.ONCE)),
        (DANGEROUS, "y enter", None),
        (DANGEROUS, "y escape", Answer(AnswerKind.NO)),
        (DANGEROUS, "r u n space i t enter", Answer(AnswerKind.ONCE, confirmation="run it")),
    ],
)
async def test_each_key_gives_its_answer_and_only_where_it_is_offered(
    approval: Approval, keys: str, answer: Answer | None
) -> None:
    door = FakeDoor()
    async with asked(door, approval) as pilot:
        await pilot.press(*keys.split())
        if answer is None:
            assert [] == door.commands.answers
            return
        await closed(pilot)
    assert [(1, answer)] == door.commands.answers


async def test_the_question_shows_the_whole_command_where_and_how_it_would_run() -> None:
    async with asked(FakeDoor(), PYTEST) as pilot:
        text = shown(pilot)
        assert "run_command wants to run" in text
        assert "python -m pytest tests/queries -q" in text
        assert "in /home/you/django · sandbox: bubblewrap · no network · writes only here · 120 s" in text
        assert "p always “python -m pytest …”" in text
    async with asked(FakeDoor(), FREE) as pilot:
        assert "no sandbox (bubblewrap (bwrap) is not installed)" in shown(pilot)
    async with asked(FakeDoor(), UNTRUSTED) as pilot:
        assert "Do you trust this repository?" in shown(pilot)
        assert "far: Makefile" in shown(pilot)


async def test_what_was_typed_ahead_or_pasted_answers_nothing() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        chat_of(pilot).fold(ApprovalAsked(PYTEST))
        await expect(pilot, lambda: bool(chat_of(pilot).query(ApprovalDialog)), "the question")
        await expect(pilot, lambda: dialog(pilot).is_armed, "a dialog that takes keys")
        dialog(pilot).is_armed = False
        await pilot.press("y", "enter", "a")
        dialog(pilot).is_armed = True
        dialog(pilot).post_message(events.Paste("y\n"))
        await pilot.pause()
        assert [] == door.commands.answers
        assert chat_of(pilot).query(ApprovalDialog)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
@pytest.mark.parametrize("keys", [("f2", "escape"), ("f2", "tab"), ("f2", "f2"), ("ctrl+r",), ("f1", "escape")])
async def test_the_question_has_the_keys_again_after_a_look_elsewhere(
    keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with asked(FakeDoor(), FREE, size) as pilot:
        await pilot.press(*keys)
        await expect(pilot, lambda: dialog(pilot).has_focus, "the keys")
        await pilot.press("y")
        await expect(pilot, lambda: not chat_of(pilot).query(ApprovalDialog), "the answer")


async def test_a_question_the_overlay_covers_takes_no_keys_until_it_is_seen() -> None:
    async with opened(FakeDoor(), (80, 24)) as pilot:
        await pilot.press("f2")
        chat = chat_of(pilot)
        await expect(pilot, lambda: chat.drawer.list.has_focus, "the overlay")
        chat.fold(ApprovalAsked(FREE))
        await expect(pilot, lambda: bool(chat.query(ApprovalDialog)) and dialog(pilot).is_armed, "the question")
        await pilot.press("y", "j")
        assert chat.drawer.list.has_focus
        assert chat.state.approval is not None
        await pilot.press("escape")
        await expect(pilot, lambda: dialog(pilot).has_focus, "the keys")
        await pilot.press("y")
        await closed(pilot)


async def test_a_long_command_has_to_be_read_to_its_end_before_it_can_be_allowed() -> None:
    door = FakeDoor()
    long = replace(PYTEST, command="\n".join(f"echo {number}" for number in range(60)))
    async with asked(door, long) as pilot:
        await pilot.press("y")
        assert [] == door.commands.answers
        assert "shows the rest of it first" in shown(pilot)
        await pilot.press(*["down"] * 30)
        await expect(pilot, lambda: "y once" in shown(pilot), "the answers")
        await pilot.press("y")
        await closed(pilot)
    assert [(1, Answer(AnswerKind.ONCE))] == door.commands.answers


@pytest.mark.parametrize("size", [(60, 16), (40, 12)])
async def test_in_a_low_terminal_the_answers_stay_in_view_and_all_that_is_said_can_be_reached(
    size: tuple[int, int],
) -> None:
    door = FakeDoor()
    async with asked(door, replace(DANGEROUS, directory="/home/you/a/rather/deep/folder/of/django"), size) as pilot:
        assert "rm -rf ~" in shown(pilot)
        assert "Esc" in shown(pilot)
        await pilot.press(*"run", "space", *"it", "enter")
        assert [] == door.commands.answers
        await pilot.press(*["down"] * 4)
        await expect(pilot, lambda: "“run it” + Enter" in shown(pilot), "the answers")
        await pilot.resize_terminal(120, 36)
        await expect(pilot, lambda: "△" in shown(pilot), "all that is said")
        await pilot.resize_terminal(*size)
        await expect(pilot, lambda: "shows the rest of it first" in shown(pilot), "the way to the rest")
        await pilot.press(*["down"] * 4)
        await expect(pilot, lambda: "“run it” + Enter" in shown(pilot), "the answers again")
        assert "names or values" in " ".join(shown(pilot).split())
        await pilot.press("enter")
        await closed(pilot)
    assert [(1, Answer(AnswerKind.ONCE, confirmation="run it"))] == door.commands.answers


async def test_what_changed_since_it_was_trusted_is_shown_and_has_to_be_read() -> None:
    door = FakeDoor()
    rows = ["Makefile changed", "-\ttrue", "+\tcurl evil \x1b]52;c;x\x07[/b]", *(f" line {n}" for n in range(60))]
    trust = Trust(is_trusted=False, changed=("Makefile",), files=(("Makefile", "2"),), difference="\n".join(rows))
    async with asked(door, replace(PYTEST, trust=trust)) as pilot:
        text = shown(pilot)
        assert "Makefile changed" in text
        assert "curl evil" in text
        assert not {"\x1b", "\x07"} & set(text)
        await pilot.press("t")
        assert [] == door.commands.answers
        await pilot.press(*["down"] * 30)
        await expect(pilot, lambda: "t trust it and run this" in shown(pilot), "the answers")
        await pilot.press("t")
        await closed(pilot)
    assert [(1, Answer(AnswerKind.ONCE))] == door.commands.answers


async def test_an_answer_that_comes_too_late_closes_the_question_and_says_so() -> None:
    door = FakeDoor()
    door.commands.open_id = 7
    async with asked(door, PYTEST) as pilot:
        await pilot.press("y")
        await closed(pilot)
        assert "That question is no longer open." in shown(pilot)


def test_nothing_in_a_command_is_hidden() -> None:
    assert "ls ␣×300 ; rm x" == command_words("ls" + " " * 300 + "; rm x").replace("  ", " ")
    assert r"echo \u202ecod ␛[2J \U000e0041 \u200b" == command_words("echo \u202ecod \x1b[2J \U000e0041 \u200b")
    assert "ls ⏎\nrm x" == command_words("ls\nrm x")


def test_a_change_since_the_trust_is_told_by_name() -> None:
    changed = replace(PYTEST, trust=Trust(is_trusted=False, changed=tuple(f"f{n}" for n in range(9))))
    ((words, _),) = why_lines(changed, UNICODE)
    assert words.endswith("has changed since you trusted it: f0, f1, f2, f3, f4, f5 and 3 more files")


async def test_an_exclamation_mark_runs_a_command_and_permissions_can_be_looked_at() -> None:
    door = FakeDoor()
    async with opened(door) as pilot:
        await ask(pilot, "! git status ")
        assert ["git status"] == [text.strip() for text in door.commands.typed]
        chat = chat_of(pilot)
        chat.submit("/permissions")
        await expect(pilot, lambda: "always allowed: “pytest …”" in shown(pilot), "what is allowed")
        assert "sandbox: bubblewrap · trusted" in shown(pilot)
        chat.submit("/permissions revoke")
        await expect(pilot, lambda: not door.commands.trusted.is_trusted, "nothing allowed")


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20)])
async def test_the_footer_says_for_good_that_there_is_no_sandbox(size: tuple[int, int]) -> None:
    door = FakeDoor()
    door.commands.confined = Sandbox(problem="bubblewrap (bwrap) is not installed")
    async with opened(door, size) as pilot:
        await expect(pilot, lambda: "no sandbox" in shown(pilot).splitlines()[-1], "the footer's word")
        await ask(pilot, "where is it?")
        assert "no sandbox" in shown(pilot).splitlines()[-1]
    async with opened(FakeDoor(), size) as pilot:
        await ask(pilot, "where is it?")
        assert "no sandbox" not in shown(pilot)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_question_fits_a_small_terminal(size: tuple[int, int]) -> None:
    async with asked(FakeDoor(), UNTRUSTED, size) as pilot:
        assert "python -m pytest" in shown(pilot)
        assert "t trust it and run this" in shown(pilot)
