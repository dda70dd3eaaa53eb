"""One answer: Markdown drawn line by line in a single widget, whole or while it streams."""

import asyncio
import sys
import time

from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import Reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from ctxcode.tui.clean import clean
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.widgets.markdown import MarkdownText, Spot
from ctxcode.tui.widgets.text.colours import Colours, found_colours

_REST = 4.0
"""How many times as long as it took to find colours is rested before more are."""


class MarkdownView(Widget):
    """Shows a Markdown text that may grow, drawing the lines that are visible.

    For another width than before, the column it stands in says which lines are laid out and when.
    """

    # Textual's own asks for another layout each time a layout has made the widget larger, which nothing here needs.
    virtual_size = Reactive(Size(0, 0))

    def __init__(self, text: str = "", *, glyphs: Glyphs = UNICODE, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._colours = Colours()
        self._document = MarkdownText(clean(text), glyphs, self._colours)
        self._is_colouring = False

    def update(self, text: str) -> None:
        """Show another text; cheap when it begins with the one shown."""
        cleaned = clean(text)
        if cleaned == self._document.text:
            return
        before, width = self._document.rows, self.size.width
        self._document.text = cleaned
        # Laying out the whole conversation is what costs; most words only go on in the last line.
        self.refresh(layout=not width or self.rows_at(width) != before)
        self._colour()

    def _colour(self) -> None:
        """Find the colours of long code beside the event loop, not all the time while it grows."""
        if self._colours.wanted and not self._is_colouring and self.is_attached:
            self._is_colouring = True
            self.run_worker(self._find_colours(), group="colours", exit_on_error=False)

    async def _find_colours(self) -> None:
        while self._colours.wanted:
            started = time.monotonic()
            self._colours.keep(await asyncio.to_thread(found_colours, dict(self._colours.wanted)))
            taken = time.monotonic() - started
            self._document.recoloured()
            self.refresh(layout=True)
            await asyncio.sleep(_REST * taken)
        self._is_colouring = False

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's signature
        """Return the width there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as above
        """Return the number of lines there are for a width so far."""
        return self.rows_at(width)

    def rows_at(self, width: int) -> int:
        """Return the number of lines, those that wait to be laid out for the width with the rows they had before."""
        self.lay_out(width, 0, 0)
        return self._document.rows

    def lay_out(self, width: int, first: int = 0, end: int = sys.maxsize, *, most: int = sys.maxsize) -> int:
        """Lay out for a width what stands in some rows, at most so many portions; return how many it were."""
        count = self._document.lay_out(width, first, end, most=most)
        if count:
            self._styles_cache.clear()
            self._colour()
        return count

    def is_laid_out(self, width: int) -> bool:
        """Return whether no line is of another width."""
        return self._document.is_laid_out(width)

    def spot(self, row: int) -> Spot:
        """Return what stands in a line."""
        return self._document.spot(row)

    def row_of(self, spot: Spot) -> int:
        """Return the line where what stood in another one is now."""
        return self._document.row_of(spot)

    def render_line(self, y: int) -> Strip:
        """Return one line, with the selection on it."""
        width = self.size.width
        style = self.visual_style
        if y >= self._document.rows:
            return Strip.blank(width, style.rich_style)
        line = self._document.line(y)
        span = self.text_selection.get_span(y) if self.text_selection is not None else None
        if span is not None:
            end = len(line.plain) if span[1] == -1 else span[1]
            selected = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            line = line.stylize(selected, span[0], end)
        segments: list[Segment] = []
        x = 0
        for text, text_style in line.render(style, end="", parse_style=self._get_style):
            segments.append(Segment(text, (style + text_style).rich_style_with_offset(x, y)))
            x += len(text)
        return Strip(segments).adjust_cell_length(width, style.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is shown."""
        text = "\n".join(line.plain.rstrip() for line in self._document.shown)
        return selection.extract(text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 - Textual's signature
        """Draw anew when the selection changes."""
        self.refresh()
