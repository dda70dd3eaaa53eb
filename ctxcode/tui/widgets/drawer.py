"""The context overlay: what the model sees, why, what it costs and what was left out."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ctxcode.model.pin import Pin, SuggestedPin
from ctxcode.model.plan import ContextPlan, PlanItem
from ctxcode.tui.format import unfitting
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import dollars, filled_cells, percent, thousands
from ctxcode.tui.rows import Part, RowKind, bill, part_of
from ctxcode.tui.widgets.bars import spread
from ctxcode.tui.widgets.plan_list import PlanList
from ctxcode.tui.widgets.plan_row import part_colour

_BAR_PARTS = (Part.PINNED, Part.SCAFFOLD, Part.ANCHOR, Part.HISTORY, Part.RETRIEVED, Part.REQUEST)
_FILLS = {
    Part.PINNED: 0,
    Part.SCAFFOLD: 1,
    Part.ANCHOR: 2,
    Part.HISTORY: 2,
    Part.RETRIEVED: 3,
    Part.REQUEST: 4,
}
_KEYS = (
    ("Enter", "text"),
    ("p", "pin"),
    ("s", "sticky"),
    ("d", "drop"),
    ("w", "why"),
    ("Esc", "close"),
    ("H L", "plans"),
    ("← →", "fold"),
)
"""In order of importance: what does not fit is left out from the end."""


@dataclass(frozen=True, slots=True)
class PlanView:
    """A plan with what the overlay says about it."""

    plan: ContextPlan
    label: str
    """``next request`` or ``turn 4``."""
    pins: tuple[Pin, ...] = ()
    suggested: tuple[SuggestedPin, ...] = ()
    used_actual: int | None = None
    """Active tokens by the provider's count; None while they are estimated."""
    cost: float | None = None


def segmented_bar(plan: ContextPlan, cells: int, glyphs: Glyphs) -> Content:
    """Return the budget as a bar cut by kind in payload order, then what is free."""
    fixed = {"system", "tools"}
    tokens = dict.fromkeys(_BAR_PARTS, 0)
    for item in plan.included:
        if item.section.value not in fixed:
            tokens[part_of(item)] += item.tokens
    limit = max(1, plan.limits.budget_tokens)
    filled = filled_cells(plan.active_tokens, limit, cells)
    bar, done, used = Content(""), 0, 0
    for part in _BAR_PARTS:
        used += tokens[part]
        end = min(filled, round(filled * used / max(1, plan.active_tokens)))
        bar += Content.styled(glyphs.kinds[_FILLS[part]] * (end - done), part_colour(part))
        done = max(done, end)
    return bar + Content.styled(glyphs.kinds[5] * (cells - done), "$meter-free")


class DrawerHead(Widget):
    """Three lines: which plan, how full, what it costs."""

    view: reactive[PlanView | None] = reactive(None)

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the three lines' height."""
        return 3

    def render(self) -> Content:
        """Return the lines for the width there is."""
        view, width, glyphs = self.view, self.size.width, self._glyphs
        title = Content.styled("CONTEXT", "bold")
        if view is None:
            return title + Content.styled("\nno plan yet; it is made while you type", "$muted")
        plan = view.plan
        used = plan.active_tokens if view.used_actual is None else view.used_actual
        limit = plan.limits.budget_tokens
        name = Content.styled(f"  {view.label} {glyphs.dot} {plan.id[:4]}", "$muted")
        total = Content.styled(thousands(used), "bold $error" if plan.over_budget else "bold")
        total += Content.styled(f" / {thousands(limit)}", "$muted")
        notes = [percent(used, limit), "" if view.used_actual is not None else "~est", dollars(view.cost)]
        said = Content.styled(" ".join(note for note in notes if note), "$muted")
        cells = max(8, width - said.cell_length - 1)
        second = spread(segmented_bar(plan, cells, glyphs), said, width)
        return Content("\n").join([spread(title + name, total, width), second, self._third(plan)])

    def _third(self, plan: ContextPlan) -> Content:
        if plan.over_budget:
            words = f"{unfitting(plan)}: nothing is sent. Unpin, or /context budget N"
            return Content.styled(words[0].upper() + words[1:], "$error")
        return Content.styled(
            f"{thousands(plan.tokens)} tok in the whole request {self._glyphs.dot} {plan.model}", "$muted"
        )


class DrawerKeys(Widget):
    """One line of the keys that act on a row."""

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def render(self) -> Content:
        """Return as many keys as fit."""
        line = Content("")
        for key, label in _KEYS:
            shown = key if key.isascii() or self._glyphs is UNICODE else "Left Right"
            part = Content.styled(shown, "bold") + Content.styled(f" {label}", "$muted")
            wider = line + Content("  ") + part if line.plain else part
            if wider.cell_length > self.size.width:
                break
            line = wider
        return line


class Drawer(Vertical):
    """The overlay; shows a PlanView and keeps the selection on the same item."""

    def __init__(self, glyphs: Glyphs = UNICODE, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._glyphs = glyphs
        self._toggled: frozenset[str] = frozenset()
        self._view: PlanView | None = None
        self.head = DrawerHead(glyphs)
        self.list = PlanList(glyphs)

    def compose(self) -> ComposeResult:
        """Head, rows, keys."""
        yield self.head
        yield self.list
        yield DrawerKeys(self._glyphs)

    @property
    def view(self) -> PlanView | None:
        """What is shown."""
        return self._view

    def show(self, view: PlanView, keep: str | None = None) -> None:
        """Show a plan; ``keep`` names the item the selection stays on, wherever it has gone."""
        self._view = view
        self.head.view = view
        selected = self.list.selected
        keep = keep or (selected.key if selected else None)
        rows = bill(view.plan, view.suggested, self._toggled)
        if keep and keep not in {row.key for row in rows}:
            around = next((row.key for row in rows if row.kind is RowKind.FOLD and _holds(row.items, keep)), None)
            if around:
                self._toggled ^= {around}
                rows = bill(view.plan, view.suggested, self._toggled)
        self.list.show(rows, {str(pin.item): pin for pin in view.pins}, keep)

    def on_plan_list_folded(self, event: PlanList.Folded) -> None:
        """Close or open a section or group."""
        event.stop()
        self._toggled ^= {event.key}
        if self._view is not None:
            self.show(self._view, event.key)


def _holds(items: tuple[PlanItem, ...], key: str) -> bool:
    return any(str(item.id) == key for item in items)
