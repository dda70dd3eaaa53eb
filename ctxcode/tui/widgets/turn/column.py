"""The column turns stand in: what is seen is laid out first, and what is read stays where it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.layout import DockArrangeResult, WidgetPlacement
from textual.widget import Widget
from textual.widgets import Static

from ctxcode.tui.terminal.backdrop import Backdrop
from ctxcode.tui.widgets.markdown import Spot
from ctxcode.tui.widgets.markdown_view import MarkdownView

_PORTIONS = 24
"""Portions of texts that nobody sees and that are laid out in one go for another width."""
_NEXT_SECONDS = 0.03
"""How long after each the next of them are: keys come before."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands in the first row that is seen."""

    widget: Widget
    row: int
    """From the widget's top; in the space above it less than 0."""
    spot: Spot | None = None
    """In a text, whose rows are others for another width."""


class Column(VerticalScroll, Backdrop, can_focus=False):
    """Scrolls widgets below one another, among them long texts.

    For another width than before, only the texts that are seen are laid out with the screen; the rest follows in
    portions, or when it comes into view. Above what is read rows may come and go: it stays where it is.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.above = Static(markup=False, classes="earlier")
        """The line that tells what comes before; never what is read."""
        self._textuals: DockArrangeResult | None = None
        """Where Textual put everything, with the rows texts had then; it is kept until a widget changes."""
        self._arranged: DockArrangeResult | None = None
        """The same with the rows they have now."""
        self._place: _Place | None = None
        self._kept_y = -1
        """Where the place was kept; the user is elsewhere after scrolling."""
        self._waits = False
        """A text has rows of another width."""
        self._is_asked = False
        """More of them are about to be laid out."""
        self._due = 0
        """Portions to lay out with the next layout though nobody sees them."""

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:  # noqa: FBT001, FBT002 - Textual's
        """Return where everything stands, with what is seen laid out for the width."""
        arranged = super().arrange(size, optimal)
        if arranged is self._textuals and self._arranged is not None and not self._waits:
            return self._arranged
        self._textuals = arranged
        place = None if self._follows else self._place_in(arranged.widgets)
        while True:
            placements = _stacked(arranged.placements)
            top = self._top(placements, place, size.height)
            if not self._lay_out(placements, top, top + size.height):
                break
        if not self._follows:
            self._stay(top)
        self._arranged = DockArrangeResult(placements, arranged.widgets, arranged.scroll_spacing)
        self._lay_out_later(placements)
        return self._arranged

    @property
    def _follows(self) -> bool:
        """The newest line is followed."""
        return self._anchored and not self._anchor_released

    def _place_in(self, widgets: set[Widget]) -> _Place | None:
        """Return what is read, by where everything stood before."""
        row = round(self.scroll_y)
        if self._place is not None and row == self._kept_y and self._place.widget in widgets:
            return self._place
        for placement in self._arranged.placements if self._arranged is not None else ():
            widget, region = placement.widget, placement.region
            if region.bottom > row and widget is not self.above and widget in widgets:
                inside = row - region.y - widget.gutter.top
                spot = widget.spot(inside) if isinstance(widget, MarkdownView) and inside >= 0 else None
                self._place = _Place(widget, row - region.y, spot)
                return self._place
        return None

    def _top(self, placements: list[WidgetPlacement], place: _Place | None, height: int) -> int:
        """Return the first row that is seen."""
        total = placements[-1].region.bottom + placements[-1].margin.bottom if placements else 0
        top = total if self._follows else round(self.scroll_y)
        if place is not None:
            region = next(placement.region for placement in placements if placement.widget is place.widget)
            top = region.y + min(place.row, region.height - 1)
            if place.spot is not None and isinstance(place.widget, MarkdownView):
                top = region.y + place.widget.gutter.top + place.widget.row_of(place.spot)
        return max(0, min(top, total - height))

    def _lay_out(self, placements: list[WidgetPlacement], first: int, end: int) -> bool:
        """Lay out the texts in these rows and what else is due; return whether there was anything to lay out."""
        count = 0
        for view, region in _texts(placements):
            width, top = region.width - view.gutter.width, region.y + view.gutter.top
            if region.y < end and region.bottom > first:
                count += view.lay_out(width, first - top, end - top)
            if self._due and not view.is_laid_out(width):
                done = view.lay_out(width, most=self._due)
                self._due -= done
                count += done
        self._due = 0
        return count > 0

    def _stay(self, top: int) -> None:
        """Show the row that what is read stands in now."""
        self._kept_y = top
        if top != round(self.scroll_y):
            # As Textual follows the last line: without a look at how far there was to scroll before.
            self.set_reactive(Widget.scroll_y, float(top))
            self.set_reactive(Widget.scroll_target_y, float(top))
            self.vertical_scrollbar.position = top

    def _lay_out_later(self, placements: list[WidgetPlacement]) -> None:
        self._waits = not all(view.is_laid_out(region.width - view.gutter.width) for view, region in _texts(placements))
        if self._waits and not self._is_asked:
            self._is_asked = True
            self.set_timer(_NEXT_SECONDS, self._lay_out_more)

    def _lay_out_more(self) -> None:
        self._is_asked = False
        self._due = _PORTIONS
        self.refresh(repaint=False, layout=True)


def _texts(placements: Iterable[WidgetPlacement]) -> list[tuple[MarkdownView, Region]]:
    return [(one.widget, one.region) for one in placements if isinstance(one.widget, MarkdownView)]


def _stacked(placements: Iterable[WidgetPlacement]) -> list[WidgetPlacement]:
    """Return the widgets below one another, each text with the rows it has now."""
    made, shift = [], 0
    for placement in placements:
        region, view = placement.region.translate((0, shift)), placement.widget
        if isinstance(view, MarkdownView):
            gutter = view.gutter
            rows = view.rows_at(region.width - gutter.width) + gutter.height
            shift += rows - region.height
            region = Region(region.x, region.y, region.width, rows)
        made.append(placement._replace(region=region))
    return made
