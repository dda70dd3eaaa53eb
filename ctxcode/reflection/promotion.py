"""What keeps coming up: leased by the engine, or suggested to the user as a sticky pin."""

from collections.abc import Collection, Iterable

from ctxcode.model.engine.activation import ActiveItem, ItemSignals, Promotion, SignalKind
from ctxcode.model.ids import ItemId
from ctxcode.model.pin import Pin, PinKind, SuggestedPin
from ctxcode.reflection.activation import Activation, updated

PROMOTED_FROM = 1.0
"""Activation from which a thin card that is named again is leased."""
_PROMOTION_TURNS, _PROMOTION_REFERENCES = 3, 2
_MOST_TOLD = 10
_MOST_PROMOTED = 3
"""Items leased in one turn: more would change the context faster than anybody can follow."""
SUGGESTED_FROM = 1.5
_SUGGESTION_TURNS, _SUGGESTION_REFERENCES = 5, 3
_MOST_SUGGESTED = 5
_PINNABLE = ("symbol:", "file:")


def promotions(
    table: Activation, turn: int, said: Iterable[ItemSignals], pins: Iterable[Pin], dropped: Collection[ItemId]
) -> tuple[Promotion, ...]:
    """Return what is to be leased after a turn: shown in it, activation ≥ 1, named in two of the last three turns."""
    rows = tuple(said)
    after = updated(table, turn, rows)
    taken = {pin.item for pin in pins if pin.kind is not PinKind.EPHEMERAL} | set(dropped)
    found = [
        after[row.item]
        for row in rows
        if SignalKind.IN_PLAN in row.signals and row.item not in taken and row.item.startswith(_PINNABLE)
    ]
    chosen = [
        item
        for item in sorted(found, key=_liveliest)
        if item.value >= PROMOTED_FROM and _references(item, turn, _PROMOTION_TURNS) >= _PROMOTION_REFERENCES
    ]
    return tuple(Promotion(item.item, _evidence(item, turn, _PROMOTION_TURNS)) for item in chosen[:_MOST_PROMOTED])


def passed_over(
    table: Activation, turn: int, said: Iterable[ItemSignals], pins: Iterable[Pin], promoted: Iterable[Promotion]
) -> tuple[Promotion, ...]:
    """Return what was shown and named in a turn and is not leased because of it, with why not; the liveliest first."""
    rows = tuple(said)
    after = updated(table, turn, rows)
    pinned = {pin.item: pin.kind for pin in pins if pin.kind is not PinKind.EPHEMERAL}
    gone = {row.item for row in promoted}
    named = [
        after[row.item]
        for row in rows
        if SignalKind.IN_PLAN in row.signals and row.is_reference and row.item.startswith(_PINNABLE)
    ]
    found = [item for item in sorted(named, key=_liveliest) if item.item not in gone]
    return tuple(Promotion(item.item, _why_not(item, turn, pinned.get(item.item))) for item in found[:_MOST_TOLD])


def _why_not(item: ActiveItem, turn: int, pin: PinKind | None) -> str:
    if pin is not None:
        return f"{pin.value} already"
    references = _references(item, turn, _PROMOTION_TURNS)
    if references < _PROMOTION_REFERENCES:
        return f"named in {references} of the last {_PROMOTION_TURNS} turns, {_PROMOTION_REFERENCES} are needed"
    if item.value < PROMOTED_FROM:
        return f"activation {item.value:.1f}, {PROMOTED_FROM:.1f} is needed"
    return f"dropped, or {_MOST_PROMOTED} livelier ones were leased"


def suggestions(
    table: Activation,
    turn: int,
    pins: Iterable[Pin],
    refused: Collection[ItemId],
    wished: Iterable[Promotion] = (),
) -> tuple[SuggestedPin, ...]:
    """Return what should perhaps be pinned for good: activation ≥ 1.5, named in three of the last five turns.

    ``refused`` are the items the user dropped or does not want suggested; ``turn`` is the last completed one;
    ``wished`` is what the model asked for, newest first, and comes before what the engine found.
    """
    taken = {pin.item for pin in pins if pin.kind is PinKind.STICKY} | set(refused)
    chosen = [
        item
        for item in sorted(table.values(), key=_liveliest)
        if item.value >= SUGGESTED_FROM
        and item.item not in taken
        and item.item.startswith(_PINNABLE)
        and _references(item, turn, _SUGGESTION_TURNS) >= _SUGGESTION_REFERENCES
    ]
    found = {row.item: row.evidence for row in wished if row.item not in taken}
    for item in chosen:
        found.setdefault(item.item, _evidence(item, turn, _SUGGESTION_TURNS))
    return tuple(SuggestedPin(item, _title(item), why) for item, why in list(found.items())[:_MOST_SUGGESTED])


def _liveliest(item: ActiveItem) -> tuple[float, int, str]:
    return (-item.value, -(item.referenced[-1] if item.referenced else 0), item.item)


def _references(item: ActiveItem, turn: int, turns: int) -> int:
    return sum(turn - turns < at <= turn for at in item.referenced)


def _evidence(item: ActiveItem, turn: int, turns: int) -> str:
    return f"named in {_references(item, turn, turns)} of the last {turns} turns, activation {item.value:.1f}"


def _title(item: ItemId) -> str:
    text = item.partition(":")[2]
    return text.rpartition("::")[2] or text
