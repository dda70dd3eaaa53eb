"""What goes into the journal comes out of it."""

import dataclasses
import types
import typing
import zlib
from enum import StrEnum
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.event import DurableEvent
from ctxcode.model.plan import ContextPlan
from ctxcode.model.retrieval import Query, RetrievalSet
from ctxcode.store.codec import UnreadableError, bytes_text, pack, text_bytes, to_json, unpack
from ctxcode.store.events.rows import decode_event, encode_event

EVENT_TYPES = typing.get_args(DurableEvent)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
SCALARS: dict[object, st.SearchStrategy[object]] = {
    str: ANY_TEXT,
    int: st.integers(min_value=-(2**63), max_value=2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    types.NoneType: st.none(),
}


@cache
def values(hint: typing.Any) -> st.SearchStrategy[typing.Any]:
    """Return a strategy for everything a field of ``model`` can be declared as."""
    hint = getattr(hint, "__supertype__", hint)
    arguments = typing.get_args(hint)
    if hint in SCALARS:
        return SCALARS[hint]
    if typing.get_origin(hint) is tuple:
        if arguments[-1] is ...:
            return st.lists(values(arguments[0]), max_size=3).map(tuple)
        return st.tuples(*(values(member) for member in arguments))
    if arguments:
        return st.one_of(*(values(member) for member in arguments))
    if issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    hints = typing.get_type_hints(hint)
    return st.builds(hint, **{field.name: values(hints[field.name]) for field in dataclasses.fields(hint)})


@pytest.mark.parametrize("event_type", EVENT_TYPES, ids=lambda event: event.kind)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_an_event_survives_the_journal(event_type: typing.Any, data: st.DataObject) -> None:
    event = data.draw(values(event_type))
    assert event == decode_event(encode_event(event))


@settings(deadline=None, max_examples=40)
@given(plan=values(ContextPlan))
def test_a_plan_survives_storing(plan: ContextPlan) -> None:
    assert plan == unpack(pack(plan), ContextPlan)


@settings(deadline=None, max_examples=40)
@given(retrieval=values(RetrievalSet))
def test_a_retrieval_set_survives_storing(retrieval: RetrievalSet) -> None:
    assert retrieval == unpack(pack(retrieval), RetrievalSet)


@settings(deadline=None)
@given(text=ANY_TEXT)
def test_any_text_survives_storing(text: str) -> None:
    assert text == bytes_text(text_bytes(text))


def test_every_event_kind_is_unique() -> None:
    assert len(EVENT_TYPES) == len({event.kind for event in EVENT_TYPES})


def test_what_was_packed_with_zlib_is_read_too_and_what_is_broken_is_told() -> None:
    query = Query("why", (("why", 1.0),))
    packed = pack(query)
    assert query == unpack(zlib.compress(to_json(query)), Query)
    for broken in (packed[:-5], zlib.compress(to_json(query))[:-5], b"", b"nothing of the kind"):
        with pytest.raises(UnreadableError):
            unpack(broken, Query)
