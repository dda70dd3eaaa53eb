"""A ContextPlan as a bill: sections, rows and folds, in the order the drawer and the command line show them."""

from dataclasses import dataclass, replace
from enum import StrEnum

from ctxcode.model.pin import SuggestedPin
from ctxcode.model.plan import EXCLUDING, ContextMode, ContextPlan, Detail, PlanItem, ReasonType, Section
from ctxcode.tui.bill.group import Group, grouped


class Part(StrEnum):
    """A section of the bill."""

    PINNED = "pinned"
    SCAFFOLD = "scaffold"
    RETRIEVED = "retrieved"
    HISTORY = "history"
    ANCHOR = "anchor"
    TOOLS = "tool results"
    REQUEST = "request"
    EXCLUDED = "excluded"
    SUGGESTED = "suggested pins"


class RowKind(StrEnum):
    """What a row is."""

    SECTION = "section"
    ITEM = "item"
    FOLD = "fold"
    """Several items shown as one line until opened."""
    SUGGESTION = "suggestion"
    EMPTY = "empty"
    """Says what would fill an empty section."""
    NOTE = "note"
    """Says how what stands below it was looked for."""
    OVERHEAD = "overhead"
    """Separators and per-message tokens: no item, but on the bill."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the bill."""

    key: str
    """Stable across plans: an item's id, or the section's or fold's name."""
    kind: RowKind
    part: Part
    tokens: int = 0
    item: PlanItem | None = None
    items: tuple[PlanItem, ...] = ()
    """What a section or fold holds."""
    is_open: bool = True
    reason: ReasonType | None = None
    """Of a fold of excluded items."""
    suggestion: SuggestedPin | None = None
    label: str = ""
    """Of a group the user asked for: what its rows have in common. Of an empty section: why it is empty just now. Of a
    note: what it says."""


_PART_OF = {
    Section.SYSTEM: Part.REQUEST,
    Section.TOOLS: Part.REQUEST,
    Section.PIN: Part.PINNED,
    Section.SCAFFOLD: Part.SCAFFOLD,
    Section.SUMMARY: Part.HISTORY,
    Section.ANCHOR: Part.ANCHOR,
    Section.HISTORY: Part.HISTORY,
    Section.TOUCHPOINT: Part.RETRIEVED,
    Section.MESSAGE: Part.REQUEST,
    Section.TOOL_ATOM: Part.TOOLS,
}
_ALWAYS_SHOWN = frozenset({Part.PINNED, Part.RETRIEVED, Part.EXCLUDED})
_INCLUDED_PARTS = (Part.PINNED, Part.SCAFFOLD, Part.RETRIEVED, Part.HISTORY, Part.ANCHOR, Part.TOOLS)
_SMALL_GROUP = 3
_BEING_READ = "the code is not read yet"


def section_part(section: Section) -> Part:
    """Return the section of the bill that a section of the payload belongs to."""
    return _PART_OF[section]


def part_of(item: PlanItem) -> Part:
    """Return the section of the bill an item stands in."""
    return _PART_OF[item.section] if item.included else Part.EXCLUDED


def is_dropped(item: PlanItem) -> bool:
    """Return whether the user took it out."""
    return not item.included and any(reason.type is ReasonType.DROPPED_BY_USER for reason in item.reasons)


def excluding_reason(item: PlanItem) -> ReasonType:
    """Return why an excluded item is out: its first excluding reason, else ``strategy``."""
    return next((reason.type for reason in item.reasons if reason.type in EXCLUDING), ReasonType.STRATEGY)


def bill(
    plan: ContextPlan,
    suggested: tuple[SuggestedPin, ...] = (),
    toggled: frozenset[str] = frozenset(),
    group: Group = Group.NONE,
) -> tuple[Row, ...]:
    """Return the rows of a plan, top to bottom, what was retrieved and what is left out grouped as asked.

    Sections and groups of what was retrieved are open and other folds closed unless their key is in ``toggled``.
    """
    parts: dict[Part, list[PlanItem]] = {part: [] for part in Part}
    for item in plan.items:
        # A pin that does not fit is what the user has to act on: it stays where the pins are.
        is_unfitting_pin = item.section is Section.PIN and item.id in plan.over_budget
        parts[Part.PINNED if is_unfitting_pin else part_of(item)].append(item)
    rows: list[Row] = []
    # Without a revision there is no index yet.
    is_unread = not plan.index_revision and plan.mode is not ContextMode.OFF
    for part in _INCLUDED_PARTS:
        if parts[part] or part in _ALWAYS_SHOWN:
            found = _section(part, parts[part], toggled, group if part is Part.RETRIEVED else Group.NONE)
            if is_unread and part is Part.RETRIEVED:
                found = [replace(row, label=_BEING_READ) if row.kind is RowKind.EMPTY else row for row in found]
            if part is Part.RETRIEVED and found[0].is_open:
                found[1:1] = _notes(plan)
            rows += found
    rows += _request(parts[Part.REQUEST], plan.overhead_tokens, toggled)
    rows += _excluded(parts[Part.EXCLUDED], toggled, group)
    return (*rows, *_suggestions(suggested))


def _notes(plan: ContextPlan) -> list[Row]:
    """Return how the question was read, and which one it goes on from."""
    before = plan.goes_on_from.strip().partition("\n")[0]
    said = {"read": plan.search_notice, "before": f"goes on from “{before}”" if before else ""}
    return [Row(f"note:{key}", RowKind.NOTE, Part.RETRIEVED, label=label) for key, label in said.items() if label]


def _heading(part: Part, items: list[PlanItem], toggled: frozenset[str], extra_tokens: int = 0) -> Row:
    tokens = sum(item.tokens for item in items) + extra_tokens
    key = f"section:{part.value}"
    return Row(key, RowKind.SECTION, part, tokens, items=tuple(items), is_open=key not in toggled)


def _item_row(item: PlanItem, part: Part) -> Row:
    return Row(str(item.id), RowKind.ITEM, part, item.tokens, item=item)


def _fold(key: str, part: Part, items: list[PlanItem], toggled: frozenset[str]) -> list[Row]:
    reason = excluding_reason(items[0]) if part is Part.EXCLUDED else None
    tokens = sum(item.tokens for item in items)
    is_open = key in toggled
    head = Row(key, RowKind.FOLD, part, tokens, items=tuple(items), is_open=is_open, reason=reason)
    return [head, *(_item_row(item, part) for item in items if is_open)]


def group_key(part: Part, name: str) -> str:
    """Return the key of a group the user asked for."""
    return f"group:{part.value}:{name}"


def _groups(part: Part, items: list[PlanItem], toggled: frozenset[str], group: Group) -> list[Row]:
    """Return items in the groups asked for, each below a row with what it has in common."""
    rows: list[Row] = []
    for name, held in grouped(items, group).items():
        key, tokens = group_key(part, name), sum(item.tokens for item in held)
        is_open = (key in toggled) is (part is Part.EXCLUDED)
        rows.append(Row(key, RowKind.FOLD, part, tokens, items=tuple(held), is_open=is_open, label=name))
        rows += [_item_row(item, part) for item in held if is_open]
    return rows


def _section(part: Part, items: list[PlanItem], toggled: frozenset[str], group: Group) -> list[Row]:
    heading = _heading(part, items, toggled)
    if not heading.is_open:
        return [heading]
    if not items:
        return [heading, Row(f"empty:{part.value}", RowKind.EMPTY, part)]
    if group is not Group.NONE:
        return [heading, *_groups(part, items, toggled, group)]
    tail = [item for item in items if part is Part.RETRIEVED and item.detail.richness <= Detail.SIGNATURE.richness]
    if len(tail) <= _SMALL_GROUP:
        tail = []
    full = [item for item in items if item not in tail]
    rows = [heading, *(_item_row(item, part) for item in full)]
    return rows + _fold("fold:signatures", part, tail, toggled) if tail else rows


def _request(items: list[PlanItem], overhead_tokens: int, toggled: frozenset[str]) -> list[Row]:
    heading = _heading(Part.REQUEST, items, toggled, overhead_tokens)
    if not heading.is_open:
        return [heading]
    rows = [heading, *(_item_row(item, Part.REQUEST) for item in items)]
    if overhead_tokens:
        rows.append(Row("overhead", RowKind.OVERHEAD, Part.REQUEST, overhead_tokens))
    return rows


def _excluded(items: list[PlanItem], toggled: frozenset[str], group: Group) -> list[Row]:
    heading = _heading(Part.EXCLUDED, items, toggled)
    if not heading.is_open:
        return [heading]
    if not items:
        return [heading, Row("empty:excluded", RowKind.EMPTY, Part.EXCLUDED)]
    if group in {Group.FILE, Group.KIND}:
        return [heading, *_groups(Part.EXCLUDED, items, toggled, group)]
    groups: dict[ReasonType, list[PlanItem]] = {}
    for item in items:
        groups.setdefault(excluding_reason(item), []).append(item)
    # What the user dropped comes first: it is the one thing only they can bring back.
    ordered = sorted(
        groups, key=lambda reason: (reason is not ReasonType.DROPPED_BY_USER, -len(groups[reason]), reason)
    )
    rows = [heading]
    for reason in ordered:
        rows += _fold(f"fold:excluded:{reason.value}", Part.EXCLUDED, groups[reason], toggled)
    return rows


def _suggestions(suggested: tuple[SuggestedPin, ...]) -> list[Row]:
    heading = Row("section:suggested pins", RowKind.SECTION, Part.SUGGESTED)
    if not suggested:
        return [heading, Row("empty:suggested", RowKind.EMPTY, Part.SUGGESTED)]
    return [
        heading,
        *(
            Row(f"suggested:{pin.item}", RowKind.SUGGESTION, Part.SUGGESTED, suggestion=pin)
            for pin in sorted(suggested, key=lambda pin: str(pin.item))
        ),
    ]
