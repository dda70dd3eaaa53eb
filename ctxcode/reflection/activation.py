"""How alive items are in a conversation: ``a ← 0.7·a + Σ signals``, clipped to 0…3, once per completed turn."""

from collections.abc import Iterable, Mapping

from ctxcode.model.engine.activation import ActivationUpdate, ActiveItem, ItemSignals, SignalKind
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

Activation = Mapping[ItemId, ActiveItem]
"""The items of a branch that are alive, by id."""


def updated(table: Activation, turn: int, said: Iterable[ItemSignals]) -> Activation:
    """Return the table after one more completed turn, every update with its terms."""
    signals = {row.item: row for row in said}
    made: dict[ItemId, ActiveItem] = {}
    for item in sorted({*table, *signals}):
        found = _updated(table.get(item) or ActiveItem(item, 0.0), turn, signals.get(item))
        if found.value >= _FORGOTTEN or item in signals:
            made[item] = found
    return made


def _updated(before: ActiveItem, turn: int, said: ItemSignals | None) -> ActiveItem:
    item, value, referenced, updates = before
    kept = round(DECAY * value, 6)
    after = kept
    if said is not None:
        after = round(min(MOST, max(0.0, kept + sum(WEIGHTS[signal] for signal in said.signals))), 6)
        referenced = (*referenced, turn)[-_KEPT_REFERENCES:] if said.is_reference else referenced
    update = ActivationUpdate(turn, value, kept, said.signals if said is not None else (), after)
    return ActiveItem(item, after, referenced, (*updates[1 - _KEPT_UPDATES :], update))


def activation_of(table: Activation, item: ItemId) -> float:
    """Return an item's activation; 0 for one that is not alive."""
    found = table.get(item)
    return found.value if found is not None else 0.0
