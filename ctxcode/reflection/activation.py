"""How alive items are in a conversation: ``a ← 0.7·a + Σ signals``, clipped to 0…3, once per completed turn."""

from collections.abc import Iterable, Mapping
from functools import cache

from ctxcode.model.engine.activation import REFERENCES, ActivationUpdate, ActiveItem, ItemSignals, SignalKind
from ctxcode.model.ids import ItemId

DECAY = 0.7
MOST = 3.0
WEIGHTS = {
    SignalKind.USER_REFERENCE: 1.0,
    SignalKind.MODEL_REFERENCE: 0.6,
    SignalKind.IN_PLAN: 0.1,
    SignalKind.HOP_TARGET: 0.2,
    SignalKind.RETRIEVED: 0.2,
    SignalKind.TOOL_ERROR: -0.3,
    SignalKind.EDIT_REJECTED: -0.5,
}
_FORGOTTEN = 0.02
"""Below this an item that nothing speaks for is no longer kept."""
_KEPT_REFERENCES = 8
_KEPT_UPDATES = 6
_UNKNOWN = ActiveItem(ItemId(""), 0.0)

Activation = Mapping[ItemId, ActiveItem]
"""The items of a branch that are alive, by id."""


def updated(table: Activation, turn: int, said: Iterable[ItemSignals]) -> Activation:
    """Return the table after one more completed turn, every update with its terms."""
    signals = {row.item: row.signals for row in said}
    made: dict[ItemId, ActiveItem] = {}
    for item in sorted(table.keys() | signals.keys()):
        _, value, referenced, updates = table.get(item) or _UNKNOWN
        after = kept = round(DECAY * value, 6)
        terms = signals.get(item, ())
        if terms:
            raised, is_reference = _meaning(terms)
            after = round(min(MOST, max(0.0, kept + raised)), 6)
            referenced = (*referenced, turn)[-_KEPT_REFERENCES:] if is_reference else referenced
        if after >= _FORGOTTEN or item in signals:
            update = ActivationUpdate(turn, value, kept, terms, after)
            made[item] = ActiveItem(item, after, referenced, (*updates[1 - _KEPT_UPDATES :], update))
    return made


@cache
def _meaning(terms: tuple[SignalKind, ...]) -> tuple[float, bool]:
    """Return what signals add to an activation, and whether one of them names the item."""
    return sum(WEIGHTS[signal] for signal in terms), not REFERENCES.isdisjoint(terms)


def activation_of(table: Activation, item: ItemId) -> float:
    """Return an item's activation; 0 for one that is not alive."""
    found = table.get(item)
    return found.value if found is not None else 0.0
