import json

import pytest

from ctxcode.action.arguments import ListFiles, ReadFile, RequestCodeContext
from ctxcode.action.tool_call import MOST_CALLS, Batch, checked
from ctxcode.action.tools import arguments_type, tool_specs
from ctxcode.model.chat import WrittenCall
from ctxcode.model.conversation import ToolStatus

GOOD = WrittenCall("call_1", "read_file", '{"path": "a.py", "start_line": 3}')


def batch(*calls: WrittenCall) -> Batch:
    return checked(calls, [spec.name for spec in tool_specs()], "7_4")


def test_a_sound_call_has_its_arguments() -> None:
    made = batch(GOOD)
    assert (True, ReadFile(path="a.py", start_line=3)) == (made.is_sound, made.calls[0].arguments)
    assert GOOD.arguments == made.calls[0].call.arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "empty"),
        ("null", "expected an object, got NoneType"),
        ('["a.py"]', "expected an object, got list"),
        ('{"path": "a.py"', "Expecting"),
        ('{"path": "a.py"} and more', "Extra data"),
        ('{"path": null}', "Expected `str`, got `null`"),
        ('{"path": "a.py", "start_line": "3"}', "got `str`"),
        ('{"path": "a.py", "start_line": 0}', ">= 1"),
        ('{"path": "a.py", "start_line": NaN}', "NaN is no JSON"),
        ('{"path": "a.py", "path": ".env"}', "a key stands twice"),
        ('{"path": "a.py", "sudo": true}', "unknown field `sudo`"),
        ('{"path": "\\ud800"}', "surrogates not allowed"),
        ('{"path": "a.py", "start_line": 9, "end_line": 2}', "end_line is before start_line"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_arguments_are_strict_and_the_model_is_told_what_is_wrong(arguments: str, words: str) -> None:
    made = batch(WrittenCall("call_1", "read_file", arguments))
    refusal = made.calls[0].refusal
    assert refusal is not None
    assert (False, None, ToolStatus.INVALID) == (made.is_sound, made.calls[0].arguments, refusal.status)
    assert words in refusal.text
    assert isinstance(json.loads(made.calls[0].call.arguments), dict)


def test_long_arguments_that_were_not_run_with_are_sent_back_cut() -> None:
    wrong = batch(WrittenCall("call_1", "search_code", json.dumps({"query": "a" * 100_000})))
    assert ["cut"] == list(json.loads(wrong.calls[0].call.arguments))
    assert len(wrong.calls[0].call.arguments) < 1_000
    right = WrittenCall("call_1", "create_file", json.dumps({"path": "a.py", "content": "a" * 100_000}))
    assert right.arguments == batch(right).calls[0].call.arguments


def test_an_unknown_tool_is_answered_with_the_tools_there_are() -> None:
    made = batch(WrittenCall("call_1", "rm -rf", "{}"))
    refusal = made.calls[0].refusal
    assert refusal is not None
    assert "read_file" in refusal.text
    assert "rm_-rf" == made.calls[0].call.name


def test_nothing_of_a_reply_runs_when_one_call_is_broken() -> None:
    made = batch(GOOD, WrittenCall("call_2", "list_files", "{"))
    statuses = [one.refusal.status for one in made.calls if one.refusal is not None]
    assert [ToolStatus.SKIPPED, ToolStatus.INVALID] == statuses


@pytest.mark.parametrize("ids", [(None, "b"), ("", "b"), ("a", "a"), ("a b", "b"), ("x" * 60_000, "b")])
def test_calls_whose_server_gives_no_ids_or_one_twice_are_run_under_ids_of_their_own(
    ids: tuple[str | None, str | None],
) -> None:
    made = batch(*(WrittenCall(one, "list_files", "{}") for one in ids))
    assert [ListFiles(), ListFiles()] == [one.arguments for one in made.calls]
    assert 2 == len({one.call.id for one in made.calls} - {None, ""})
    assert {True} == {len(one.call.id) < 60 for one in made.calls}


def test_calls_past_the_most_are_answered_without_running() -> None:
    made = batch(*(WrittenCall(f"call_{number}", "list_files", "{}") for number in range(40)))
    assert made.is_sound
    assert MOST_CALLS == sum(one.arguments == ListFiles() for one in made.calls)
    assert 40 - MOST_CALLS == sum(one.refusal is not None for one in made.calls)


def test_code_context_wants_a_symbol_or_a_query() -> None:
    shape = arguments_type("request_code_context")
    assert RequestCodeContext is shape
    for arguments in ("{}", '{"symbol": "a", "query": "b"}'):
        refusal = batch(WrittenCall("call_1", "request_code_context", arguments)).calls[0].refusal
        assert refusal is not None
        assert "either symbol or query" in refusal.text


def test_schemas_are_closed_objects_that_name_what_is_required() -> None:
    schemas = {spec.name: json.loads(spec.schema) for spec in tool_specs()}
    assert all(schema["additionalProperties"] is False for schema in schemas.values())
    assert (["path"], ["symbol"]) == (schemas["read_file"]["required"], schemas["find_references"]["required"])
    assert {"type": "integer", "minimum": 1} == schemas["read_file"]["properties"]["start_line"]
    assert ["body", "card", "signature"] == sorted(schemas["request_code_context"]["properties"]["detail"]["enum"])


def test_a_made_up_id_is_no_other_calls() -> None:
    calls = batch(WrittenCall("call_7_4_1", "list_files", "{}"), WrittenCall(None, "list_files", "{}")).calls
    assert ["call_7_4_1", "call_7_4_1_"] == [one.call.id for one in calls]


def test_an_id_that_an_earlier_call_of_the_conversation_has_is_not_taken_again() -> None:
    written = [WrittenCall(one, "list_files", "{}") for one in ("call_0", "call_1", None)]
    made = checked(written, ["list_files"], "2_1", {"call_0", "call_2_1_2"})
    assert ["call_2_1_0", "call_1", "call_2_1_2_"] == [one.call.id for one in made.calls]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("read_file", {"file": "a.py"}, "It takes path (required), end_line and start_line."),
        ("find_references", {}, "It takes symbol (required)."),
        (
            "propose_edit",
            {"path": "a.py", "search": "a", "new": "b"},
            "It takes new (required), path (required), old and symbol.",
        ),
        ("suggest_pins", {"items": [{"symbol": "a"}]}, "It takes items (required; of each path, symbol and why)."),
    ],
)
def test_who_gives_wrong_arguments_is_told_which_there_are(name: str, arguments: object, words: str) -> None:
    refusal = batch(WrittenCall("call_1", name, json.dumps(arguments))).calls[0].refusal
    assert refusal is not None
    assert words in refusal.text
