"""Dialogs that show a long text, or let it be edited."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static, TextArea

from ctxcode.tui.clean import clean
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.screens.dialog.dialog import Dialog


class TextDialog(Dialog[None]):
    """Shows a text, scrolled with the arrow and page keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", "Close", id="text.close", tooltip="Close the text", show=False),
    ]

    def __init__(self, title: str, text: str | Content, *, is_wide: bool = False, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._heading = title
        self._is_wide = is_wide
        self._content = text if isinstance(text, Content) else Content(clean(text))
        self.text = text.plain if isinstance(text, Content) else text

    def compose(self) -> ComposeResult:
        """Yield the title and the text in a scrolling dialog."""
        with Vertical(classes="dialog text wide" if self._is_wide else "dialog text"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            with VerticalScroll():
                yield Static(self._content, markup=False)
            hint = f"{self.glyphs.keyboard.arrows} PgUp PgDn scroll   Esc closes"
            yield Static(Content.styled(hint, "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Let the keys scroll."""
        self.query_one(VerticalScroll).focus()


class EditDialog(Dialog[str | None]):
    """Lets a text be edited; returns it, or None when it was left as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", id="edit.save", tooltip="Keep the text", show=False, priority=True),
        Binding(
            "escape,ctrl+c",
            "dismiss(None)",
            "Close",
            id="edit.close",
            tooltip="Leave it as it was",
            show=False,
            priority=True,
        ),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Yield the title and the text in an editor."""
        with Vertical(classes="dialog tall"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            yield TextArea(self._text, soft_wrap=True)
            yield Static(
                Content.styled("Ctrl+S keeps this text   Esc changes nothing", "$muted"), markup=False, classes="hint"
            )

    def action_save(self) -> None:
        """Return the text."""
        self.dismiss(self.query_one(TextArea).text)
