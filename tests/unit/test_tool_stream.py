from types import SimpleNamespace
from typing import Any

from ctxcode.llm.tool_stream import MAX_CALLS, CallAssembler
from ctxcode.model.chat import WrittenCall


def delta(index: int | None, call_id: str | None, name: str | None, arguments: Any) -> SimpleNamespace:
    function = SimpleNamespace(name=name, arguments=arguments)
    return SimpleNamespace(index=index, id=call_id, function=function)


def assembled(*deltas: SimpleNamespace) -> tuple[tuple[WrittenCall, ...], list[str]]:
    calls, begun = CallAssembler(), list[str]()
    for one in deltas:
        piece = SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(tool_calls=[one]))])
        begun += calls.take(piece)
    return calls.written(), begun


def test_interleaved_pieces_go_to_their_calls() -> None:
    calls, begun = assembled(
        delta(0, "a", "f", ""),
        delta(1, "b", "g", ""),
        delta(0, None, None, '{"x"'),
        delta(1, None, None, "{}"),
        delta(0, None, None, ": 1}"),
    )
    assert (WrittenCall("a", "f", '{"x": 1}'), WrittenCall("b", "g", "{}")) == calls
    assert ["f", "g"] == begun


def test_calls_that_are_all_numbered_zero_are_told_apart_by_their_ids() -> None:
    calls, _ = assembled(delta(0, "a", "f", "{}"), delta(0, "b", "g", "{"), delta(0, "b", None, "}"))
    assert (WrittenCall("a", "f", "{}"), WrittenCall("b", "g", "{}")) == calls


def test_without_an_index_a_name_begins_a_call() -> None:
    calls, _ = assembled(delta(None, None, "f", "{"), delta(None, None, None, "}"), delta(None, None, "f", "{}"))
    assert (WrittenCall(None, "f", "{}"), WrittenCall(None, "f", "{}")) == calls


def test_calls_without_ids_that_are_all_numbered_zero_are_told_apart_where_one_is_whole() -> None:
    calls, begun = assembled(
        *(
            delta(0, None, "f", '{"x"'),
            delta(0, None, "f", ": 1}"),
            delta(0, None, "g", ""),
            delta(0, None, None, "{}"),
        ),
        *(delta(0, None, "f", "{}"), delta(0, None, "f", "")),
    )
    assert (WrittenCall(None, "f", '{"x": 1}'), WrittenCall(None, "g", "{}"), WrittenCall(None, "f", "{}")) == calls
    assert ["f", "g", "f"] == begun


def test_an_id_that_comes_after_the_name_is_its_calls() -> None:
    calls, _ = assembled(delta(0, None, "f", "{"), delta(0, "a", None, "}"), delta(1, None, "g", "{}"))
    assert (WrittenCall("a", "f", "{}"), WrittenCall(None, "g", "{}")) == calls


def test_a_name_that_is_sent_with_every_piece_stands_once() -> None:
    calls, begun = assembled(delta(0, "a", "f", "{"), delta(0, "a", "f", "}"))
    assert (((WrittenCall("a", "f", "{}"),)), ["f"]) == (calls, begun)


def test_arguments_may_come_as_an_object_or_not_at_all() -> None:
    calls, _ = assembled(delta(0, "a", "f", {"x": 1}), delta(1, "b", "g", None))
    assert ('{"x": 1}', "") == (calls[0].arguments, calls[1].arguments)


def test_arguments_that_come_whole_and_then_in_pieces_stand_once() -> None:
    calls, _ = assembled(delta(0, "a", "f", '{"x": 1}'), delta(0, None, None, '{"x"'), delta(0, None, None, ": 1}"))
    assert '{"x": 1}' == calls[0].arguments
    calls, _ = assembled(delta(0, "a", "f", '{"x": 1}'), delta(0, None, None, '{"x": 2}'))
    assert '{"x": 1}{"x": 2}' == calls[0].arguments


def test_pieces_without_tool_calls_are_passed_over() -> None:
    calls = CallAssembler()
    empty = SimpleNamespace(delta=SimpleNamespace(tool_calls=None))
    for piece in (SimpleNamespace(), SimpleNamespace(choices=[]), SimpleNamespace(choices=[empty])):
        assert [] == list(calls.take(piece))


def test_calls_without_end_are_noticed() -> None:
    calls = CallAssembler()
    for number in range(MAX_CALLS + 1):
        tools = [delta(number, str(number), "f", "{}")]
        list(calls.take(SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(tool_calls=tools))])))
    assert calls.is_too_much


def test_a_character_that_comes_in_two_halves_is_whole_and_half_of_one_stays_to_be_refused() -> None:
    calls, _ = assembled(delta(0, "a", "f", '{"x": "\ud83d'), delta(0, "a", None, '\ude00 \ud83d"}'))
    assert (WrittenCall("a", "f", '{"x": "\N{GRINNING FACE} \ud83d"}'),) == calls
