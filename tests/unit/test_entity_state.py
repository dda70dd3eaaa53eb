"""The declared state: schemas, values that fit them, what a model wrote, repaired once."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_inputs import words
from talk import asked, talk

from ctxcode.context.strategies.entity_state import DEFAULT_SCHEMA, EntityState
from ctxcode.context.strategies.invariants import breaches
from ctxcode.context.strategies.port import Completed, Memory
from ctxcode.context.strategies.schema import schema_complaint, value_complaint
from ctxcode.model.errors import ModelReplyError

HISTORY = talk("one", "two", "three")


class Replies:
    """Writes one reply after the other."""

    def __init__(self, *replies: str) -> None:
        self.left = list(replies)
        self.asked: list[str] = []

    async def __call__(self, instruction: str, text: str, *, model: str = "") -> str:
        self.asked.append(text)
        return self.left.pop(0)


def done(pen: Replies, memory: Memory | None = None, declined: int = 0) -> Completed:
    return Completed(HISTORY, memory or Memory(), declined, 1_000, words, pen)


async def test_it_keeps_the_invariants() -> None:
    lax = EntityState({"type": "object", "properties": {"goal": {"type": "string"}}, "additionalProperties": True})
    assert () == await breaches(lax)


async def test_the_state_is_sent_in_the_place_of_the_turns_it_holds() -> None:
    memory = Memory('{"goal": "x"}', 2)
    made = await EntityState().compose(asked(HISTORY, memory=memory))
    assert ([3], "state", 2) == ([offer.turn for offer in made.offers], made.blocks[0].name, made.blocks[0].through)
    full = await EntityState().compose(asked(HISTORY, memory=Memory('{"goal": "x"}', 3)))
    assert ((), 1) == (full.offers, len(full.blocks))


async def test_a_sound_object_is_kept_also_out_of_a_code_fence() -> None:
    pen = Replies('Here:\n```json\n{"goal": "retry", "files": ["a.py"]}\n```\n')
    made = await EntityState().on_turn_complete(done(pen))
    assert made is not None
    assert ({"goal": "retry", "files": ["a.py"]}, 3) == (json.loads(made.text), made.through)
    assert all(f"User: {turn.prompt}" in pen.asked[0] for turn in HISTORY)


@pytest.mark.parametrize(
    "bad",
    ["no object", '{"goal": ', '{"files": []}', '{"goal": 3}', '{"goal": "x", "extra": 1}', "{" * 3_000 + "}" * 3_000],
)
async def test_a_bad_object_is_sent_back_once_and_then_the_old_one_stays(bad: str) -> None:
    repaired = Replies(bad, '{"goal": "retry"}')
    made = await EntityState().on_turn_complete(done(repaired))
    assert (3, "That does not do" in repaired.asked[1]) == (made and made.through, True)
    with pytest.raises(ModelReplyError, match="stays as it was"):
        await EntityState().on_turn_complete(done(Replies(bad, bad)))


async def test_nothing_is_asked_when_all_is_held_or_was_taken_back() -> None:
    assert None is await EntityState().on_turn_complete(done(Replies(), Memory("{}", 3)))
    assert None is await EntityState().on_turn_complete(done(Replies(), declined=3))


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({}, "type should be one of"),
        ({"type": "string"}, "should be of type object"),
        ({"type": "object"}, "declare properties"),
        ({"type": "object", "properties": {"a": 1}}, "schema.a should be a table"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "schema.a: type should be one of"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}, "list declared properties"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}, "knows no 'pattern'"),
        ({"type": "object", "properties": {"a": {"type": "array", "maxItems": True}}}, "whole numbers"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_place(schema: dict[str, object], said: str) -> None:
    assert said in schema_complaint(schema)
    with pytest.raises(ValueError, match="schema"):
        EntityState(schema)


def test_the_default_schema_is_one() -> None:
    assert "" == schema_complaint(DEFAULT_SCHEMA)
    assert "" == value_complaint({"goal": "x", "decisions": ["a"], "open": []}, DEFAULT_SCHEMA)


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["goal", "files", "x"]), inner),
        max_leaves=8,
    )
)
def test_any_value_either_fits_or_is_told_why_not(value: object) -> None:
    said = value_complaint(value, DEFAULT_SCHEMA)
    is_object = isinstance(value, dict) and isinstance(value.get("goal"), str)
    assert is_object or said
    assert len(said) < 300
