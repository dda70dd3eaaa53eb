"""The budget as a bar cut by kind: one look for the overlay, the footer and the line under a message.

Part of the first picture: it imports little.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from ctxcode.model.plan import Section
from ctxcode.tui.number import filled_cells
from ctxcode.tui.rows import Part, section_part

if TYPE_CHECKING:
    from ctxcode.model.event import ContextPlanned
    from ctxcode.model.plan import ContextPlan
    from ctxcode.tui.glyphs import Glyphs

PART_COLOURS = {
    Part.PINNED: "$ctx-pin-sticky",
    Part.SCAFFOLD: "$ctx-scaffold",
    Part.RETRIEVED: "$ctx-retrieved",
    Part.HISTORY: "$ctx-history",
    Part.TOOLS: "$ctx-history",
    Part.ANCHOR: "$ctx-anchor",
    Part.REQUEST: "$muted",
    Part.EXCLUDED: "$ctx-excluded",
    Part.SUGGESTED: "$ctx-suggested",
}

_ORDER = (Part.PINNED, Part.SCAFFOLD, Part.ANCHOR, Part.HISTORY, Part.RETRIEVED, Part.REQUEST, Part.TOOLS)
"""Payload order."""
_FILLS = {
    Part.PINNED: 0,
    Part.SCAFFOLD: 1,
    Part.ANCHOR: 2,
    Part.HISTORY: 2,
    Part.RETRIEVED: 3,
    Part.REQUEST: 4,
    Part.TOOLS: 2,
}
_FREE = 5
_FIXED = frozenset({Section.SYSTEM, Section.TOOLS})
"""Not part of the active context."""


def plan_parts(plan: "ContextPlan") -> dict[Part, int]:
    """Return what each kind takes of a plan's active context, in tokens."""
    parts: dict[Part, int] = {}
    for item in plan.included:
        if item.section not in _FIXED:
            part = section_part(item.section)
            parts[part] = parts.get(part, 0) + item.tokens
    return parts


def planned_parts(planned: "ContextPlanned") -> dict[Part, int]:
    """Return what each kind took of a request's active context, in tokens."""
    parts: dict[Part, int] = {}
    for row in planned.sections:
        if row.section not in _FIXED:
            part = section_part(Section(row.section))
            parts[part] = parts.get(part, 0) + row.tokens
    return parts


def cells_of(parts: Mapping[Part, int], filled: int) -> dict[Part, int]:
    """Return how many of the filled cells each kind gets: in proportion, at least one each while there are enough."""
    used = [part for part in _ORDER if parts.get(part, 0) > 0]
    total = sum(parts[part] for part in used)
    least = 1 if filled >= len(used) else 0
    exact = {part: filled * parts[part] / total for part in used}
    cells = {part: max(least, int(exact[part])) for part in used}
    while (missing := filled - sum(cells.values())) and used:
        if missing > 0:
            part = max(used, key=lambda part: (exact[part] - cells[part], parts[part]))
            cells[part] += 1
        else:
            part = max((part for part in used if cells[part] > least), key=lambda part: cells[part] - exact[part])
            cells[part] -= 1
    return cells


def kinds_bar(parts: Mapping[Part, int], *, used: int, limit: int, cells: int, glyphs: "Glyphs") -> Content:
    """Return a bar: a stretch for each kind in payload order, then what is free.

    Without colour the stretches differ by their fill. Never empty when something is used, nor full when not.
    """
    filled = filled_cells(used, limit, cells)
    shares = cells_of(parts, filled) if any(parts.values()) else {Part.REQUEST: filled}
    bar = Content("")
    for part in _ORDER:
        if shares.get(part):
            bar += Content.styled(glyphs.kinds[_FILLS[part]] * shares[part], PART_COLOURS[part])
    return bar + Content.styled(glyphs.kinds[_FREE] * (cells - filled), "$meter-free")
