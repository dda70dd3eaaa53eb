"""Which rows of a plan are shown, and in which order and groups within a section."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ctxcode.model.pin import SuggestedPin
from ctxcode.model.plan import ContextPlan, PlanItem, ReasonType, Section
from ctxcode.tui.bill.cycle import Cycle
from ctxcode.tui.bill.group import Group, grouped
from ctxcode.tui.rows import Part, Row, bill, group_key


class Shows(Cycle):
    """Which rows are shown."""

    ALL = "everything"
    INCLUDED = "what is sent"
    EXCLUDED = "what is left out"


class Order(Cycle):
    """How the rows of a section are ordered."""

    PAYLOAD = "as sent"
    TOKENS = "by tokens"
    SCORE = "by score"
    PLACE = "by file"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the user chose to see of a plan, and how."""

    shows: Shows = Shows.ALL
    order: Order = Order.PAYLOAD
    group: Group = Group.NONE
    toggled: frozenset[str] = frozenset()
    """Sections that are closed and groups that are open, by key."""

    @property
    def words(self) -> str:
        """What is not as it is by default, in words; empty when all is."""
        parts = [self.shows.value if self.shows is not Shows.ALL else ""]
        parts.append(self.order.value if self.order is not Order.PAYLOAD else "")
        parts.append(self.group.value if self.group is not Group.NONE else "")
        return ", ".join(part for part in parts if part)

    def toggle(self, key: str) -> "Arrangement":
        """Return it with one section or group closed or opened."""
        return replace(self, toggled=self.toggled ^ {key})


_KEYS: dict[Order, Callable[[PlanItem], tuple[object, ...]]] = {
    Order.TOKENS: lambda item: (-item.tokens, item.id),
    Order.SCORE: lambda item: (-item.score, item.id),
    Order.PLACE: lambda item: (item.path, item.start_line, item.id),
}
_EXCLUDED_GROUPS = frozenset(f"fold:excluded:{reason.value}" for reason in ReasonType)


def arranged(plan: ContextPlan, suggested: tuple[SuggestedPin, ...], arrangement: Arrangement) -> tuple[Row, ...]:
    """Return the rows of a plan as the user wants to see them."""
    key = _KEYS.get(arrangement.order)
    if key is not None:
        # What happened when stays in its order: history is no list to rank.
        turns = [item for item in plan.items if item.section is Section.HISTORY]
        others = sorted((item for item in plan.items if item.section is not Section.HISTORY), key=key)
        plan = replace(plan, items=(*turns, *others))
    toggled = arrangement.toggled
    if arrangement.shows is Shows.EXCLUDED:
        # There is room for them now: the groups begin open.
        left_out = [item for item in plan.items if not item.included]
        toggled ^= _EXCLUDED_GROUPS | {group_key(Part.EXCLUDED, name) for name in grouped(left_out, arrangement.group)}
    rows = bill(plan, suggested, toggled, arrangement.group)
    if arrangement.shows is Shows.INCLUDED:
        return tuple(row for row in rows if row.part not in {Part.EXCLUDED, Part.SUGGESTED})
    if arrangement.shows is Shows.EXCLUDED:
        return tuple(row for row in rows if row.part is Part.EXCLUDED)
    return rows
