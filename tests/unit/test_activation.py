"""Activation by its formula; leases that count down, renew and end; promotion and suggestions with evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.engine.activation import ActiveItem, ItemSignals, SignalKind
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import Pin, PinKind
from ctxcode.reflection.activation import DECAY, MOST, WEIGHTS, Activation, activation_of, updated
from ctxcode.reflection.leases import aged, without_task_leases
from ctxcode.reflection.promotion import promotions, suggestions

ITEM, OTHER = ItemId("symbol:a.py::f"), ItemId("symbol:b.py::g")
NAMED = ItemSignals(ITEM, (SignalKind.USER_REFERENCE, SignalKind.IN_PLAN))
EXAMPLES = settings(max_examples=300, deadline=None)

signals = st.lists(st.sampled_from(list(SignalKind)), unique=True).map(tuple)
items = st.sampled_from([ItemId(f"symbol:a.py::f{n}") for n in range(5)])
turns = st.lists(st.dictionaries(items, signals, max_size=4), max_size=12)


def after(history: list[dict[ItemId, tuple[SignalKind, ...]]]) -> Activation:
    table: Activation = {}
    for number, said in enumerate(history, 1):
        table = updated(table, number, [ItemSignals(item, found) for item, found in said.items()])
    return table


@EXAMPLES
@given(turns)
def test_every_update_follows_the_formula_and_is_kept_with_its_terms(
    history: list[dict[ItemId, tuple[SignalKind, ...]]],
) -> None:
    for item in after(history).values():
        assert 0 <= item.value <= MOST
        for update in item.updates:
            expected = update.before * DECAY + sum(WEIGHTS[signal] for signal in update.signals)
            assert min(MOST, max(0.0, expected)) == pytest.approx(update.after, abs=1e-5)
        assert item.updates[-1].after == item.value
        pairs = zip(item.updates, item.updates[1:], strict=False)
        assert all(first.after == second.before and first.turn < second.turn for first, second in pairs)


@EXAMPLES
@given(turns)
def test_the_order_of_what_is_said_in_a_turn_does_not_matter(
    history: list[dict[ItemId, tuple[SignalKind, ...]]],
) -> None:
    assert after(history) == after([dict(reversed(said.items())) for said in history])


def test_what_nothing_speaks_for_is_forgotten() -> None:
    table = after([{ITEM: (SignalKind.USER_REFERENCE,)}, *({} for _ in range(12))])
    assert 0.0 == activation_of(table, ITEM)
    assert {} == table


@EXAMPLES
@given(st.integers(1, 9), st.lists(st.booleans(), max_size=20))
def test_a_lease_lasts_its_length_from_the_last_reference(length: int, named: list[bool]) -> None:
    pins: tuple[Pin, ...] = (Pin(ITEM, PinKind.LEASED, length, length=length),)
    left = length
    for turn, is_named in enumerate(named, 1):
        pins = aged(pins, turn, {ITEM} if is_named else ())
        left = length if is_named else left - 1
        assert [left] * (left > 0) == [pin.turns_left for pin in pins]
        if not pins:
            return


def test_sticky_pins_and_leases_for_the_task_do_not_count_down() -> None:
    pins = (Pin(ITEM, PinKind.STICKY), Pin(OTHER, PinKind.LEASED))
    assert pins == aged(aged(pins, 1), 2)
    assert (Pin(ITEM, PinKind.STICKY),) == without_task_leases(pins)


def test_what_is_named_twice_in_three_turns_is_leased_with_its_evidence() -> None:
    table = updated({}, 1, [NAMED])
    assert () == promotions({}, 1, [NAMED], (), ())
    (made,) = promotions(table, 2, [NAMED], (), ())
    assert (ITEM, "named in 2 of the last 3 turns, activation 1.9") == (made.item, made.evidence)
    idle = updated(updated(updated(table, 2, []), 3, []), 4, [])
    assert () == promotions(idle, 5, [NAMED], (), ())


@pytest.mark.parametrize("kind", [PinKind.STICKY, PinKind.LEASED])
def test_what_is_pinned_or_dropped_is_not_leased(kind: PinKind) -> None:
    table = updated({}, 1, [NAMED])
    assert () == promotions(table, 2, [NAMED], [Pin(ITEM, kind)], ())
    assert () == promotions(table, 2, [NAMED], (), [ITEM])
    assert promotions(table, 2, [NAMED], [Pin(ITEM, PinKind.EPHEMERAL, 1)], ())


def test_what_keeps_being_named_is_suggested_until_it_is_pinned_or_refused() -> None:
    table: Activation = {}
    for turn in range(1, 4):
        assert () == suggestions(table, turn - 1, (), ())
        table = updated(table, turn, [NAMED])
    (made,) = suggestions(table, 3, (), ())
    assert (ITEM, "f") == (made.item, made.title)
    assert "named in 3 of the last 5 turns" in made.evidence
    assert () == suggestions(table, 3, [Pin(ITEM, PinKind.STICKY)], ())
    assert () == suggestions(table, 3, (), [ITEM])


def test_at_most_five_are_suggested_the_liveliest_first() -> None:
    table = {
        ItemId(f"symbol:a.py::f{n}"): ActiveItem(ItemId(f"symbol:a.py::f{n}"), 1.5 + n / 10, (1, 2, 3))
        for n in range(9)
    }
    assert [f"f{n}" for n in range(8, 3, -1)] == [row.title for row in suggestions(table, 3, (), ())]
