"""What every dialog has in common: it floats over the dimmed session and opens with one layout."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.console import RenderableType
from rich.segment import Segment
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen

from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.terminal.portioned import PortionedScreen

if TYPE_CHECKING:
    from rich.style import Style

Result = TypeVar("Result")
_SHARE = 95
"""Per cent of the screen's width that a dialog has at most."""
_FRAME_CELLS = 5
"""A dialog's border and padding, and a scroll bar."""


class Dialog(ModalScreen[Result], PortionedScreen[Result], Generic[Result]):
    """A screen over the dimmed one below it; what is in it has the class ``dialog``."""

    # Absolute: a relative path would be looked for beside the module of a subclass.
    CSS_PATH = Path(__file__).with_name("dialog.tcss")

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.glyphs = glyphs
        """What it draws with."""

    def row_cells(self, most: int) -> int:
        """Return how many cells a row of a list may take: what a frame and a scroll bar leave, at most ``most``."""
        return min(most, self.app.size.width * _SHARE // 100 - _FRAME_CELLS)

    def render(self) -> RenderableType:
        """Return the screen below, dimmed."""
        background = super().render()
        if isinstance(background, BackgroundScreen):
            return DimmedScreen(background.screen, background.color)
        return background


class DimmedScreen(BackgroundScreen):
    """Textual's own, that mixes each style with the tint once and not for each of its segments."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Color) -> Iterable[Segment]:
        """Yield the segments with the tint, without links."""
        dimmed: dict[Style | None, Style | None] = {}
        for text, style, control in segments:
            if style not in dimmed:
                (tinted,) = BackgroundScreen.process_segments([Segment(text, style, None)], color)
                dimmed[style] = tinted.style
            yield Segment(text, style if control else dimmed[style], control)
