import json
from itertools import chain
from typing import Any

import pytest

from ctxcode.llm.wire.chunk import Tidier
from ctxcode.llm.wire.events import DONE, Event, EventReader
from ctxcode.llm.wire.thought import ThoughtFilter
from ctxcode.llm.wire.unpacked import NoReplyError


def read(*pieces: bytes) -> list[object]:
    reader = EventReader()
    events = [*chain.from_iterable(reader.feed(piece) for piece in pieces), *reader.finish()]
    return [event.data if isinstance(event, Event) else "done" for event in events]


@pytest.mark.parametrize(
    "written",
    [
        b'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: [DONE]\n\n',
        b'data:{"a": 1}\r\n\r\ndata:{"a": 2}\r\n\r\ndata:[DONE]',
        b'data: {"a": 1}\r\rdata: {"a": 2}\r\rdata: [DONE]\r\r',
        b'\xef\xbb\xbfdata: {"a": 1}\n\n: keep-alive\n\nid: 7\nretry: 10\ndata: {"a": 2}\n\ndata: [DONE]\n',
        b'data: {"a": 1}\ndata: {"a": 2}\ndata: [DONE]\n',
        b'\n\n: waiting\n\ndata: {\ndata: "a": 1}\n\nevent: message\ndata: {"a": 2}\n\ndata: [DONE]\n\n',
        b'{"a": 1}\n{"a": 2}\ndata: [DONE]\n',
    ],
)
def test_events_are_read_however_they_are_written_down_and_cut(written: bytes) -> None:
    expected = [{"a": 1}, {"a": 2}, "done"]
    assert expected == read(written)
    for size in (1, 2, 3, 7):
        assert expected == read(*(written[start : start + size] for start in range(0, len(written), size)))


def test_signs_that_arrive_in_two_halves_are_whole_and_rare_line_ends_end_no_line() -> None:
    text = "Grüße \u2028 \x85 世界 🏳️"
    raw = b"data: " + json.dumps({"a": text}, ensure_ascii=False).encode() + b"\n\n"
    assert [{"a": text}] == read(*(raw[place : place + 1] for place in range(len(raw))))


def test_one_json_text_is_one_whole_event() -> None:
    reader = EventReader()
    assert [] == list(reader.feed(b'\xef\xbb\xbf \n{"a":\n 1,\n'))
    assert [] == list(reader.feed(b'"b": 2}\n'))
    assert [Event({"a": 1, "b": 2}, is_whole=True)] == list(reader.finish())


def test_an_event_named_error_is_an_error() -> None:
    assert [{"error": {"message": "no"}}] == read(b'event: error\ndata: {"message": "no"}\n\n')


@pytest.mark.parametrize(
    "written", [b"<!doctype html><p>hi", b'data: {"a": \n\n', b"data: caf\xe9\n\n", b"[" * 200_000]
)
def test_what_is_no_json_is_no_reply(written: bytes) -> None:
    with pytest.raises(NoReplyError):
        read(written)


def test_what_comes_after_the_end_is_still_told_apart() -> None:
    assert [DONE] == list(EventReader().feed(b"data: [DONE]\n\n"))


def tidied(*events: object, is_whole: bool = False) -> tuple[str, list[dict[str, Any]], str | None, dict[str, Any]]:
    """Return the text, the calls' pieces, why it ended and what was counted."""
    tidier, text, calls, finish, usage = Tidier(), "", list[dict[str, Any]](), None, dict[str, Any]()
    for event in events:
        for chunk in tidier.chunks(event, is_whole=is_whole):
            usage = chunk.get("usage") or usage
            for choice in chunk["choices"]:
                text += choice["delta"].get("content", "")
                calls += choice["delta"].get("tool_calls", [])
                finish = choice["finish_reason"] or finish
    return text, calls, finish, usage


def delta(finish: object = None, **said: object) -> dict[str, object]:
    return {"choices": [{"delta": said, "finish_reason": finish}]}


def message(finish: object = "stop", **said: object) -> dict[str, object]:
    return {"choices": [{"message": said, "finish_reason": finish}]}


PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
    {"type": "text", "text": "All "},
    "is well.",
]


@pytest.mark.parametrize(
    "content", ["All is well.", PARTS, {"type": "text", "text": "All is well."}, "<think>hm</think>\n\nAll is well."]
)
def test_a_content_may_be_a_list_of_parts(content: object) -> None:
    assert "All is well." == tidied(delta(content=content))[0]
    assert "All is well." == tidied(message(content=content), is_whole=True)[0]


def test_a_refusal_is_said() -> None:
    assert "I can't." == tidied(delta(content=None, refusal="I can't."))[0]


@pytest.mark.parametrize(("sent", "kept"), [(7, "7"), (1.5, "1.5"), ("a", "a"), (None, None), ("", None), (True, None)])
def test_the_id_of_a_call_is_text_or_nothing(sent: object, kept: str | None) -> None:
    call = {"id": sent, "function": {"name": " read_file\n", "arguments": {"path": "a.py"}}}
    row = {
        "index": 0,
        "id": kept,
        "type": "function",
        "function": {"name": "read_file", "arguments": '{"path": "a.py"}'},
    }
    assert [row] == tidied(delta(tool_calls=[call]))[1]
    assert [row] == tidied(message(tool_calls=call), is_whole=True)[1]


def test_a_function_call_of_the_old_kind_is_a_tool_call() -> None:
    whole = message("function_call", content=None, function_call={"name": "f", "arguments": "{}"})
    _, calls, finish, _ = tidied(whole, is_whole=True)
    assert (("call_0", "f"), "tool_calls") == ((calls[0]["id"], calls[0]["function"]["name"]), finish)
    pieces = [delta(function_call={"name": "f"}), delta(function_call={"arguments": "{"})]
    _, calls, _, _ = tidied(*pieces, delta(function_call={"arguments": "}"}), delta("function_call"))
    assert [("call_0", "f", ""), (None, None, "{"), (None, None, "}")] == [
        (call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls
    ]
    assert {0} == {call["index"] for call in calls}


def test_calls_without_an_index_are_numbered_by_their_ids() -> None:
    one, other = {"id": "a", "function": {"name": "f"}}, {"id": "b", "function": {"name": "g"}}
    more = {"id": "a", "function": {"arguments": "{}"}}
    assert [0, 1, 0] == [call["index"] for call in tidied(delta(tool_calls=[one, other]), delta(tool_calls=[more]))[1]]


def test_only_the_first_of_several_choices_is_followed() -> None:
    both = [{"index": number, "delta": {"content": f"{number}"}} for number in (0, 1)]
    assert "00" == tidied({"choices": both}, {"choices": both[1:]}, {"choices": both[::-1]})[0]


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("STOP", "stop"),
        ("eos_token", "stop"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "content_filter"),
        (True, "stop"),
        ("", None),
        ("abort", None),
        (None, None),
    ],
)
def test_odd_reasons_for_the_end_are_understood(said: object, known: str | None) -> None:
    assert known == tidied(delta(said, content="x"))[2]


def test_a_whole_reply_is_finished_without_saying_so() -> None:
    assert ("All is well.", "stop") == tidied(message(None, content="All is well."), is_whole=True)[::2]


@pytest.mark.parametrize("count", [-1, 10**12, "12", None, True, float("nan"), [1]])
def test_what_can_not_be_a_count_is_no_count(count: object) -> None:
    assert {} == tidied({"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": 3}})[3]


def test_a_count_of_cached_tokens_is_at_most_that_of_all() -> None:
    usage = {"prompt_tokens": 10.0, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 50}}
    expected = {
        "prompt_tokens": 10,
        "completion_tokens": 3,
        "total_tokens": 13,
        "prompt_tokens_details": {"cached_tokens": 10},
    }
    assert expected == tidied({"choices": [], "usage": usage})[3]


@pytest.mark.parametrize(
    "event",
    [
        {"error": "it fell over"},
        {"error": {"message": "it fell over", "code": 500}},
        [{"error": {"message": "it fell over"}}],
        {"object": "error", "message": "it fell over"},
        {"detail": "it fell over"},
        {"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "it fell over"}}]},
    ],
)
def test_errors_in_any_shape_are_errors(event: object) -> None:
    assert ["it fell over"] == [chunk["error"]["message"] for chunk in Tidier().chunks(event)]


@pytest.mark.parametrize("event", ["text", 7, None, [], [1, 2]])
def test_other_json_is_no_reply(event: object) -> None:
    with pytest.raises(NoReplyError):
        list(Tidier().chunks(event))


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_thoughts_at_the_head_of_a_reply_are_told_apart(size: int) -> None:
    def split(text: str) -> tuple[str, str]:
        thoughts, said, thought = ThoughtFilter(), "", ""
        for start in range(0, len(text), size):
            more, hidden = thoughts.feed(text[start : start + size])
            said, thought = said + more, thought + hidden
        return said + thoughts.finish(), thought

    assert ("It <think>is</think> so.", "Hm, <b>?") == split("\n<think>Hm, <b>?</think>\n\nIt <think>is</think> so.")
    assert ("<thin air>", "") == split("<thin air>")
    assert ("<thi", "") == split("<thi")
    assert ("", "for ever") == (split("<think>for ever and a day")[0], split("<think>for ever and a day")[1][:8])
