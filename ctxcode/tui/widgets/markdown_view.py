"""One answer: Markdown drawn line by line in a single widget, whole or while it streams."""

from rich.segment import Segment
from textual.geometry import Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from ctxcode.tui.clean import clean
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.widgets.markdown import MarkdownText


class MarkdownView(Widget):
    """Shows a Markdown text that may grow. Lines are laid out once per width and drawn only when they are visible."""

    def __init__(self, text: str = "", *, glyphs: Glyphs = UNICODE, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._document = MarkdownText(clean(text), glyphs)

    def update(self, text: str) -> None:
        """Show another text; cheap when it begins with the one shown."""
        cleaned = clean(text)
        if cleaned != self._document.text:
            self._document.text = cleaned
            self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's signature
        """Return the width there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as above
        """Return the number of lines at a width."""
        return len(self._document.lines(width))

    def render_line(self, y: int) -> Strip:
        """Return one line, with the selection on it."""
        width = self.size.width
        lines = self._document.lines(width)
        style = self.visual_style
        if y >= len(lines):
            return Strip.blank(width, style.rich_style)
        line = lines[y]
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
        return Strip(segments).extend_cell_length(width, style.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is shown."""
        text = "\n".join(line.plain.rstrip() for line in self._document.lines(self.size.width))
        return selection.extract(text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 - Textual's signature
        """Draw anew when the selection changes."""
        self.refresh()
