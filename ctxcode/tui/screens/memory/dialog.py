"""A dialog that shows a long text."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ctxcode.tui.clean import clean


class TextDialog(ModalScreen[None]):
    """Shows a text, scrolled with the arrow and page keys."""

    CSS_PATH = "../dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", "Close", id="text.close", tooltip="Close the text", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading = title
        self.text = text

    def compose(self) -> ComposeResult:
        """Yield the title and the text in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            with VerticalScroll():
                yield Static(Content(clean(self.text)), markup=False)
            yield Static(Content.styled("↑ ↓ PgUp PgDn scroll   Esc closes", "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Let the keys scroll."""
        self.query_one(VerticalScroll).focus()
