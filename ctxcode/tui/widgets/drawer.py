"""The context overlay: what the model sees, why, what it costs and what was left out."""

from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ctxcode.model.pin import Pin, SuggestedPin
from ctxcode.model.plan import ContextPlan, PlanItem
from ctxcode.tui.bill.arrange import Arrangement, arranged
from ctxcode.tui.bill.bound import bound_words
from ctxcode.tui.format import unfitting
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import dollars, percent, thousands
from ctxcode.tui.rows import RowKind
from ctxcode.tui.terminal.backdrop import Backdrop
from ctxcode.tui.widgets.bars import spread
from ctxcode.tui.widgets.overlay.finder import Finder
from ctxcode.tui.widgets.overlay.meter import kinds_bar, plan_parts
from ctxcode.tui.widgets.plan_list import PlanList

_KEYS = (
    ("context.preview", "text"),
    ("context.pin", "pin"),
    ("context.sticky", "sticky"),
    ("context.drop", "drop"),
    ("context.more context.less", "detail"),
    ("context.why", "why"),
    ("context.find", "find"),
    ("context.dock", "type on"),
    ("context.close", "close"),
    ("context.filter", "filter"),
    ("context.sort", "sort"),
    ("context.group", "group"),
    ("context.earlier context.later", "plans"),
    ("context.edit", "edit"),
    ("context.fold context.unfold", "fold"),
)
"""Ids in order of importance: what does not fit is left out from the end."""


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
    is_outdated: bool = False
    """The index is another than when the plan was made."""
    arrangement: str = ""
    """What is not shown or ordered as by default, in words."""


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
        bar = kinds_bar(plan_parts(plan), used=used, limit=limit, cells=cells, glyphs=glyphs)
        second = spread(bar, said, width, self._glyphs)
        return Content("\n").join([spread(title + name, total, width, self._glyphs), second, self._third(plan)])

    def _third(self, plan: ContextPlan) -> Content:
        if plan.over_budget:
            words = f"{unfitting(plan)}: nothing is sent. Unpin, or /context budget N"
            return Content.styled(words[0].upper() + words[1:], "$error")
        dot = f" {self._glyphs.dot} "
        is_outdated = self.view is not None and self.view.is_outdated
        stale = Content.styled(f"{self._glyphs.stale} older than the index{dot}" if is_outdated else "", "$warning")
        whole = dot.join(filter(None, (bound_words(plan), f"{thousands(plan.tokens)} tok in the whole request"))) + dot
        whole += plan.model
        arrangement = self.view.arrangement if self.view else ""
        said = stale + Content.styled(whole, "$muted")
        return spread(said, Content.styled(arrangement, "bold $primary"), self.size.width, self._glyphs)


class DrawerKeys(Widget):
    """One line of the keys that act on a row."""

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def render(self) -> Content:
        """Return as many keys as fit."""
        line = Content("")
        for names, label in _KEYS:
            shown = " ".join(map(self._glyphs.keyboard.short, names.split()))
            part = Content.styled(shown, "bold") + Content.styled(f" {label}", "$muted")
            wider = line + Content("  ") + part if line.plain else part
            if wider.cell_length > self.size.width:
                break
            line = wider
        return line


class Drawer(Vertical, Backdrop):
    """The overlay; shows a PlanView and keeps the selection on the same item."""

    def __init__(self, glyphs: Glyphs = UNICODE, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._glyphs = glyphs
        self._arrangement = Arrangement()
        self._view: PlanView | None = None
        self._is_opening = False
        self.head = DrawerHead(glyphs)
        self.finder = Finder(glyphs)
        self.list = PlanList(glyphs)

    def compose(self) -> ComposeResult:
        """Head, rows, keys."""
        yield self.head
        yield self.finder
        yield self.list
        yield DrawerKeys(self._glyphs)

    @property
    def view(self) -> PlanView | None:
        """What is shown."""
        return self._view

    def open(self) -> None:
        """Come into view: another plan than the one that was looked at last is read from its top."""
        self._is_opening, self.display = not self.display, True

    def show(self, view: PlanView, keep: str | None = None) -> None:
        """Show a plan; ``keep`` names the item the selection stays on, wherever it has gone."""
        if self._is_opening and self._view is not None and self._view.plan.id != view.plan.id:
            self.list.restart()
        self._view, self._is_opening = view, False
        self.head.view = replace(view, arrangement=self._arrangement.words)
        selected = self.list.selected
        keep = keep or (selected.key if selected and self.list.is_touched else None)
        rows = arranged(view.plan, view.suggested, self._arrangement)
        if keep and keep not in {row.key for row in rows}:
            around = next((row.key for row in rows if row.kind is RowKind.FOLD and _holds(row.items, keep)), None)
            if around:
                self._arrangement = self._arrangement.toggle(around)
                rows = arranged(view.plan, view.suggested, self._arrangement)
        self.list.show(rows, {str(pin.item): pin for pin in view.pins}, keep)

    def on_plan_list_folded(self, event: PlanList.Folded) -> None:
        """Close or open a section or group."""
        event.stop()
        self._arrange(self._arrangement.toggle(event.key), event.key)

    def filter(self) -> None:
        """Show everything, what is sent, or what is left out."""
        self._arrange(replace(self._arrangement, shows=self._arrangement.shows.following))

    def sort(self) -> None:
        """Order the rows of the sections another way."""
        self._arrange(replace(self._arrangement, order=self._arrangement.order.following))

    def group(self) -> None:
        """Group what was retrieved and what is left out by nothing, file, reason or kind."""
        self._arrange(replace(self._arrangement, group=self._arrangement.group.following))

    def _arrange(self, arrangement: Arrangement, keep: str | None = None) -> None:
        self._arrangement = arrangement
        if self._view is not None:
            self.show(self._view, keep)


def _holds(items: tuple[PlanItem, ...], key: str) -> bool:
    return any(str(item.id) == key for item in items)
