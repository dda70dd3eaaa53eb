from dataclasses import replace

from ctxcode.model.conversation import FileFate, ToolCall, ToolResult, ToolRound, ToolStatus, TouchedFile
from ctxcode.model.edit.change import ChangeKind, FileChange, FileVerdict, Hunk
from ctxcode.model.edit.event import EditsProposed
from ctxcode.tui.edit.view import EditView
from ctxcode.tui.glyphs import ASCII, UNICODE
from ctxcode.tui.widgets.turn.tool_lines import tool_lines

READ = ToolCall("1", "read_file", '{"path": "src/x.py", "start_line": 1, "end_line": 80}')
OK = ToolResult(ToolStatus.OK, "the lines", 1_234)


def text(*rounds: ToolRound) -> str:
    return tool_lines(rounds, (), UNICODE).plain


def test_a_call_is_one_calm_line() -> None:
    assert "▸ read_file src/x.py 1–80  · 1.2k tok" == text(ToolRound("", (READ,), (OK,)))


def test_what_the_model_said_stands_above_its_calls() -> None:
    assert "Let me look.\n▸ read_file src/x.py 1–80  · 1.2k tok" == text(ToolRound("Let me look.\n", (READ,), (OK,)))


def test_a_call_that_runs_has_no_result_yet() -> None:
    assert "▸ read_file src/x.py 1–80  …" == text(ToolRound("", (READ,)))


def test_a_failure_is_opened_and_absence_is_none() -> None:
    refused = ToolResult(ToolStatus.REFUSED, "Refused: outside the repository.\n", 9)
    assert "✘ read_file src/x.py 1–80  · refused\n  Refused: outside the repository." == text(
        ToolRound("", (READ,), (refused,))
    )
    assert "▸ read_file src/x.py 1–80  · not there" == text(
        ToolRound("", (READ,), (ToolResult(ToolStatus.ABSENT, ""),))
    )


def test_arguments_are_shown_without_what_they_could_do_to_a_terminal() -> None:
    evil = ToolCall("1", "search_code", '{"query": "\\u001b]52;c;AAAA\\u0007[/b]\\u202e' + "x" * 500 + '"}')
    line = text(ToolRound("", (evil,), (OK,)))
    assert not {"\x1b", "\x07", "\u202e", "\n"} & set(line)
    assert "[/b]" in line
    assert len(line) < 250


def test_ascii_terminals_get_ascii() -> None:
    assert tool_lines((ToolRound("", (READ,), (OK,)),), (), ASCII).plain.isascii()


def test_an_edit_says_what_became_of_it_and_not_what_its_text_is() -> None:
    call = ToolCall("1", "propose_edit", '{"path": "shop/price.py", "old": "19", "new": "7"}')
    made = tool_lines((ToolRound("", (call,)),), (), UNICODE).plain
    assert "▸ propose_edit shop/price.py  pending …" == made
    for status, word in ((ToolStatus.OK, "applied"), (ToolStatus.REJECTED, "rejected")):
        made = tool_lines((ToolRound("", (call,), (ToolResult(status, "text\n-VAT = 19"),)),), (), UNICODE).plain
        assert f"propose_edit shop/price.py  · {word}" in made
        assert "VAT" not in made


def test_a_long_thought_is_capped_until_it_is_opened() -> None:
    said = "\n".join(f"thought {number}" for number in range(40))
    rounds = (ToolRound(said, (READ,), (OK,)),)
    assert "… 30 more lines" in tool_lines(rounds, (), UNICODE).plain
    assert "thought 39" in tool_lines(rounds, (), UNICODE, is_open=True).plain


def test_an_opened_call_shows_what_it_was_answered_with() -> None:
    long = ToolResult(ToolStatus.OK, "\n".join(f"line {number}" for number in range(30)), 90)
    opened = tool_lines((ToolRound("", (READ, READ), (OK, long)),), (), UNICODE, is_open=True).plain
    assert opened.startswith("▾ read_file src/x.py 1–80  · 1.2k tok\n  the lines\n▾ read_file")
    assert opened.endswith("  line 23\n  … 6 more lines")


def test_what_a_command_did_stands_below_its_line() -> None:
    call = ToolCall("1", "run_command", '{"command": "make"}')
    touched = (TouchedFile("a.py", FileFate.CHANGED), TouchedFile("b\x1b.py", FileFate.NEW))
    result = ToolResult(ToolStatus.OK, "exit code 2\n", 33, exit_code=2, touched=touched)
    made = text(ToolRound("", (call,), (result,)))
    assert "run_command make  · 33 tok · exit code 2\n  files it changed: a.py (changed), b" in made
    assert "\x1b" not in made


def test_an_opened_edit_shows_its_diff_once_it_is_decided() -> None:
    call = ToolCall("1", "propose_edit", '{"path": "a.py"}')
    change = FileChange("a.py", ChangeKind.MODIFIED, (Hunk(1, 1, ("x = 1\n",), ("x = 2\n",)),), calls=("1",))
    edits = (EditView(EditsProposed(1, 1, (change,))),)
    done = ToolRound("", (call,), (ToolResult(ToolStatus.OK, "Applied: a.py is changed"),))
    made = [
        tool_lines((one,), (), UNICODE, is_open=is_open, edits=edits).plain
        for one, is_open in ((done, True), (done, False), (ToolRound("", (call,)), True))
    ]
    assert ["+ x = 2" in one for one in made] == [True, False, False]
    assert "a.py  +1 -1" in made[0]
    undone = tool_lines((done,), (), UNICODE, edits=(replace(edits[0], undone=frozenset({"a.py"})),)).plain
    assert "propose_edit a.py  · undone since" == undone.removeprefix("▸ ")


def test_an_edit_of_which_only_some_was_accepted_says_so() -> None:
    call = ToolCall("1", "propose_edit", '{"path": "a.py"}')
    hunks = tuple(Hunk(line, line, ("x\n",), ("y\n",), calls=("1",)) for line in (1, 9))
    proposed = EditsProposed(1, 1, (FileChange("a.py", ChangeKind.MODIFIED, hunks, calls=("1",)),))
    done = ToolRound("", (call,), (ToolResult(ToolStatus.OK, "Applied"),))
    for accepted, words in (((0,), "applied in part"), (None, "applied"), ((0, 1), "applied")):
        edits = (EditView(proposed, verdicts=(FileVerdict("a.py", accepted),)),)
        assert f"▸ propose_edit a.py  · {words}" == tool_lines((done,), (), UNICODE, edits=edits).plain


def test_a_long_line_of_a_result_goes_on_below_its_beginning() -> None:
    made = ToolRound("", (READ,), (ToolResult(ToolStatus.OK, "word " * 40),))
    lines = tool_lines((made,), (), UNICODE, is_open=True, width=40).plain.split("\n")
    assert len(lines) > 4
    assert all(line.startswith("  ") and len(line) <= 40 for line in lines[1:])


def test_a_closed_call_is_one_line_and_what_it_failed_with_is_folded_below_its_beginning() -> None:
    call = ToolCall("7", "read_file", '{"path": "src/' + 40 * "very/" + 'deep.py"}')
    failed = ToolResult(ToolStatus.FAILED, "it can not be read: " + 20 * "and so on ")
    lines = tool_lines((ToolRound("", (call,), (failed,)),), (), UNICODE, width=60).plain.split("\n")
    assert "✘ read_file src/very/very" == lines[0][:25]
    assert lines[0].endswith("…  · failed")
    assert len(lines) > 3
    assert all(line.startswith("  ") and len(line) <= 60 for line in lines[1:])
