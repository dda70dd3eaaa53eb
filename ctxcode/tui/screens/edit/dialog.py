"""The dialog that shows what a session has changed."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ctxcode.model.edit.change import FileChange
from ctxcode.tui.edit.diff import diff_lines
from ctxcode.tui.edit.review import Review
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.widgets.text.line_view import LineView


class DiffDialog(Dialog[None]):
    """Shows changes as a diff, scrolled with the arrow and page keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", "Close", id="diff.close", tooltip="Close the diff", show=False),
    ]

    def __init__(self, title: str, changes: tuple[FileChange, ...], glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._heading = title
        self._review = Review(changes=changes)

    def compose(self) -> ComposeResult:
        """Yield the title and the diff in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            yield LineView(can_focus=True)
            hint = f"{self.glyphs.keyboard.arrows} PgUp PgDn scroll   Esc closes"
            yield Static(Content.styled(hint, "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Let the keys scroll."""
        self.query_one(LineView).focus()

    def on_resize(self) -> None:
        """Lay the diff out for the width there is."""
        view = self.query_one(LineView)
        if width := view.scrollable_content_region.width:
            lines = diff_lines(self._review, width, self.glyphs)
            with view.place_kept():
                view.show_lines([line.content for line in lines], [line.place for line in lines])
