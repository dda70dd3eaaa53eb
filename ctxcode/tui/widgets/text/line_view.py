"""Lines of styled text that scroll: one widget that draws those in view, however many there are."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class LineView(ScrollView):
    """Draws lines that were laid out for its width."""

    def __init__(self, *, id: str | None = None, can_focus: bool | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, can_focus=can_focus)
        self._shown: Sequence[Content] = ()

    def show_lines(self, lines: Sequence[Content]) -> None:
        """Draw these lines from now on."""
        self._shown = lines
        self.virtual_size = Size(self.scrollable_content_region.width, len(lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line at ``y`` of what is in view."""
        number = y + int(self.scroll_offset.y)
        style, width = self.visual_style, self.size.width
        if number >= len(self._shown):
            return Strip.blank(width, style.rich_style)
        content = self.drawn(number)
        segments = [
            Segment(text, (style + text_style).rich_style)
            for text, text_style in content.render(style, end="", parse_style=self._get_style)
        ]
        return Strip(segments).adjust_cell_length(width, style.rich_style)

    def drawn(self, number: int) -> Content:
        """Return a line as it is drawn now."""
        return self._shown[number]
