"""Calls that models write into their replies as text, in the notations they were trained on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.llm.wire.written import WrittenCallFilter, calls_in, offered_in, written_before

OFFERED = {
    "read_file": {"path": {"type": "string"}, "start_line": {"type": "integer"}},
    "list_files": {"path": {"type": "string"}},
}
READ = '{"path": "a.py", "start_line": 3}'
ONE = ('{"name": "read_file", "arguments": ' + READ + "}",)
NOTATIONS = {
    "hermes": f"<tool_call>\n{ONE[0]}\n</tool_call>",
    "hermes cut": f"<tool_call>\n{ONE[0]}\n",
    "coder": "<tool_call>\n<function=read_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=start_line>\n3\n"
    "</parameter>\n</function>\n</tool_call>",
    "llama": f"<function=read_file>{READ}</function>",
    "python tag": '<|python_tag|>{"name": "read_file", "parameters": ' + READ + "}<|eom_id|>",
    "mistral": f"[TOOL_CALLS] [{ONE[0]}]",
    "mistral new": f"[TOOL_CALLS]read_file[ARGS]{READ}",
    "deepseek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n" + READ + "\n```"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    "deepseek new": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>" + READ + "<｜tool▁call▁end｜>",
    "kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>"
    + READ
    + "<|tool_call_end|><|tool_calls_section_end|>",
    "glm": "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.py</arg_value>\n<arg_key>start_line</arg_key>\n"
    "<arg_value>3</arg_value>\n</tool_call>",
    "bare": ONE[0],
    "fenced": f"```json\n{ONE[0]}\n```",
    "as text in JSON": '{"name": "read_file", "arguments": "{\\"path\\": \\"a.py\\", \\"start_line\\": 3}"}',
    "openai": '[{"type": "function", "function": ' + ONE[0] + "}]",
}


def filtered(*pieces: str, offered: object = None) -> tuple[str, tuple[tuple[str, str], ...]]:
    taken = WrittenCallFilter(OFFERED if offered is None else {})
    text = "".join([taken.feed(piece) for piece in pieces])
    rest, calls = taken.finish(has_calls=False)
    return text + rest, calls


@pytest.mark.parametrize("written", NOTATIONS.values(), ids=NOTATIONS.keys())
def test_each_notation_is_a_call(written: str) -> None:
    assert (("read_file", READ),) == calls_in(written, OFFERED)
    assert ("", (("read_file", READ),)) == filtered(*written)


def test_what_was_said_before_stays_text_and_made_up_answers_go() -> None:
    made_up = "\n<tool_response>\nall of a.py\n</tool_response>\nIt says so."
    text, calls = filtered("Let me look.\n\n", NOTATIONS["hermes"], "\n", NOTATIONS["coder"], made_up)
    assert ("Let me look.\n\n", ["read_file", "read_file"]) == (text, [name for name, _ in calls])


@pytest.mark.parametrize(
    "text",
    [
        f"Write `{NOTATIONS['hermes']}` to call it.",
        f"Like this:\n\n```\n{NOTATIONS['hermes']}\n```\n",
        f"{NOTATIONS['hermes']}\nThat is how a call looks.",
        '<tool_call>\n{"name": "rm", "arguments": {}}\n</tool_call>',
        "<tool_call>\n{nonsense}\n</tool_call>",
        '{"name": "my-package", "version": "1.0"}',
        "[1] see a.py",
        "```python\nx = 1\n```",
        "a < b, <tool",
        "",
    ],
)
def test_what_is_no_call_stays_as_it_is(text: str) -> None:
    assert (text, ()) == filtered(*text)


def test_without_tools_nothing_is_held_back() -> None:
    assert (NOTATIONS["hermes"], ()) == filtered(NOTATIONS["hermes"], offered={})


@given(
    st.lists(st.sampled_from(["<tool_call>", "</tool_call>", "```", "{", '"name"', "x", "\n", "[", "<", "`"])),
    st.data(),
)
def test_text_is_never_lost_however_it_is_cut(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert (text, ()) == filtered(*pieces)


def test_a_model_that_calls_as_the_protocol_has_it_only_quotes() -> None:
    tools = [{"type": "function", "function": {"name": "read_file", "parameters": {"properties": {}}}}]
    assert {"read_file": {}} == offered_in({"tools": tools, "messages": [{"role": "user"}]})
    assert {} == offered_in({"tools": tools, "tool_choice": "none", "messages": []})
    for call_id, is_looked_for in (("call_1", False), ("text00000", True)):
        messages = [{"role": "assistant", "tool_calls": [{"id": call_id}]}]
        assert is_looked_for == bool(offered_in({"tools": tools, "messages": messages}))


def test_calls_in_texts_are_numbered_through_a_conversation() -> None:
    assert 0 == written_before({"messages": [{"role": "user"}, {"role": "assistant", "tool_calls": [{"id": "a"}]}]})
    later = [{"role": "assistant", "tool_calls": [{"id": "text00006"}, {"id": "text00007"}]}, {"role": "user"}]
    assert 8 == written_before({"messages": later})
    assert 0 == written_before([])
