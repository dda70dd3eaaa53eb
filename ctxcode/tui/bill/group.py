"""How the rows of a plan are grouped within their section."""

from collections.abc import Iterable

from ctxcode.model.plan import PlanItem, ReasonType
from ctxcode.tui.bill.cycle import Cycle


class Group(Cycle):
    """What the rows of a group have in common."""

    NONE = "not grouped"
    FILE = "grouped by file"
    REASON = "grouped by reason"
    KIND = "grouped by kind"


_WAYS = {
    ReasonType.MENTIONED: "named by you",
    ReasonType.LEXICAL: "its words",
    ReasonType.SEMANTIC: "its meaning",
    ReasonType.GRAPH: "next to what was found",
    ReasonType.CENTRAL: "central in the graph",
    ReasonType.DEPENDENCY: "needed by another",
    ReasonType.RECENT: "recent",
}
"""What brought an item in, where that is told shortly."""


def grouped(items: Iterable[PlanItem], by: Group) -> dict[str, list[PlanItem]]:
    """Return items by what they have in common, groups and items in the order they are met."""
    groups: dict[str, list[PlanItem]] = {}
    for item in items:
        groups.setdefault(_name(item, by), []).append(item)
    return groups


def _name(item: PlanItem, by: Group) -> str:
    match by:
        case Group.FILE:
            return item.path or "no file"
        case Group.KIND:
            return item.kind
        case Group.REASON:
            strongest = max(item.reasons, key=lambda reason: (reason.type in _WAYS, reason.weight))
            return _WAYS.get(strongest.type, strongest.type.value)
        case Group.NONE:
            return ""
