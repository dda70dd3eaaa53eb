"""The dialog that shows what a session has changed."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ctxcode.model.edit.change import FileChange
from ctxcode.tui.edit.diff import diff_lines
from ctxcode.tui.edit.review import Review
from ctxcode.tui.glyphs import Glyphs

_WIDTH = 86


class DiffDialog(ModalScreen[None]):
    """Shows changes as a diff, scrolled with the arrow and page keys."""

    CSS_PATH = "../dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", "Close", id="diff.close", tooltip="Close the diff", show=False),
    ]

    def __init__(self, title: str, changes: tuple[FileChange, ...], glyphs: Glyphs) -> None:
        super().__init__()
        self._heading = title
        self._lines = diff_lines(Review(changes=changes), _WIDTH, glyphs)

    def compose(self) -> ComposeResult:
        """Yield the title and the diff in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            with VerticalScroll():
                yield Static(Content("\n").join(line.content for line in self._lines), markup=False)
            yield Static(Content.styled("↑ ↓ PgUp PgDn scroll   Esc closes", "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Let the keys scroll."""
        self.query_one(VerticalScroll).focus()
