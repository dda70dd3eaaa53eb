"""Lines of styled text that scroll: one widget that draws those in view, however many there are."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

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
        self._owners: Sequence[object] = ()

    def show_lines(self, lines: Sequence[Content], owners: Sequence[object] = ()) -> None:
        """Draw these lines from now on; ``owners`` says of each, in order, which part of the whole it is of."""
        self._shown, self._owners = lines, owners
        self.virtual_size = Size(self.scrollable_content_region.width, len(lines))
        self.refresh()

    @contextmanager
    def place_kept(self) -> Iterator[None]:
        """Have at the top of what is in view, when all is laid out for another width inside, what is there before."""
        first = int(self.scroll_offset.y)
        owner = self._owners[first] if first and first < len(self._owners) else None
        start, length = self._lines_of(owner)
        yield
        if owner is not None:
            new_start, new_length = self._lines_of(owner)
            self.scroll_to(y=new_start + (first - start) * new_length // length, animate=False, immediate=True)

    def _lines_of(self, owner: object) -> tuple[int, int]:
        """Return the first line of a part and how many it has."""
        mine = [number for number, one in enumerate(self._owners) if one == owner]
        return (mine[0], len(mine)) if mine else (0, 1)

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
