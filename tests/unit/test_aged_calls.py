"""Answered calls as they are told again: what a model wrote must not fill the window it goes on in."""

import json

from plan_inputs import words

from ctxcode.context.turn.atom import ARGUMENT_CHARS, FRESH_CHARS, PAST_CHARS, past_rounds, tool_atoms
from ctxcode.model.conversation import ToolCall, ToolResult, ToolRound, ToolStatus

DONE = ToolResult(ToolStatus.OK, "created a.py")
CONTENT = "first line\n" + "value = 1\n" * 3_000 + "last line\n"


def written(number: int, content: str) -> ToolRound:
    arguments = json.dumps({"path": "a.py", "content": content})
    return ToolRound("", (ToolCall(f"call_{number}", "create_file", arguments),), (DONE,))


def test_a_file_that_was_written_is_told_by_its_ends() -> None:
    (atom,) = tool_atoms(1, [written(1, CONTENT)], words)
    told = json.loads(atom.call.arguments)
    assert "a.py" == told["path"]
    assert told["content"].startswith("first line\n")
    assert told["content"].endswith("last line\n")
    assert f"{len(CONTENT):,} characters in all" in told["content"]
    assert len(atom.call.arguments) < FRESH_CHARS + 500


def test_many_long_calls_share_the_room_and_short_ones_stay_whole() -> None:
    rounds = [*(written(number, CONTENT) for number in range(10)), written(10, "value = 1\n")]
    atoms = tool_atoms(1, rounds, words)
    assert rounds[-1].calls[0] == atoms[-1].call
    assert sum(len(atom.call.arguments) for atom in atoms) < 2 * ARGUMENT_CHARS


def test_a_past_turn_tells_less_of_what_was_written() -> None:
    (made,) = past_rounds([written(1, CONTENT)])
    assert len(made.calls[0].arguments) < 2 * PAST_CHARS
    assert "a.py" == json.loads(made.calls[0].arguments)["path"]


def test_half_of_a_surrogate_pair_can_still_be_sent() -> None:
    (atom,) = tool_atoms(1, [written(1, "\ud800" * 20_000)], words)
    assert "a.py" == json.loads(atom.call.arguments.encode())["path"]


def test_what_is_no_object_is_told_as_one() -> None:
    call = ToolCall("call_1", "create_file", "[" * 20_000)
    (atom,) = tool_atoms(1, [ToolRound("", (call,), (DONE,))], words)
    assert isinstance(json.loads(atom.call.arguments), dict)
