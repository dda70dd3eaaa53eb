"""Containers of which nothing is seen but their background."""

from textual.containers import Horizontal, Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Backdrop(Widget):
    """Draws one line for all of its lines; named last among the bases, as styles are inherited from the first.

    Textual draws every line of every container anew when its size changes, though most of them are covered: half the
    time of painting a large screen.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a part of the widget."""
        return super().render_lines(Region(crop.x, 0, crop.width, 1)) * crop.height


class Across(Horizontal, Backdrop):
    """Widgets beside one another."""


class Down(Vertical, Backdrop):
    """Widgets below one another."""
