"""The keys that answer a diff, in the lines there is room for."""

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

_KEYS = ("y n hunk", "Enter done", "A all", "R none", "f F file", "e edit", "T this turn", "S session")
"""Those nobody can do without first."""
_GAP = "   "
_LOW_ROWS = 16
"""A lower terminal has no second line for them."""


def key_lines(width: int, most: int) -> list[str]:
    """Return the keys that fit into at most so many lines; none is broken."""
    lines = [""]
    for key in _KEYS:
        longer = f"{lines[-1]}{_GAP}{key}" if lines[-1] else key
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(key)
        else:
            break
    return lines


class ReviewKeys(Widget):
    """One line of keys, or two where there is room."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return how many lines they take."""
        return len(key_lines(width, 1 if viewport.height < _LOW_ROWS else 2))

    def render(self) -> Content:
        """Return the lines."""
        return Content.styled("\n".join(key_lines(self.size.width, max(1, self.size.height))), "$muted")
