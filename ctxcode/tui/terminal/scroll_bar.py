"""Scroll bars for terminals that have no signs for parts of a cell."""

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender


class WholeCells(ScrollBarRender):
    """A bar that begins and ends with a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def use_whole_cells() -> None:
    """Draw every bar of this process so."""
    ScrollBar.renderer = WholeCells
