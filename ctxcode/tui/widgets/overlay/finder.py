"""The line in the overlay that finds any file or symbol, with what it found below."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.widgets.menu import Menu, MenuEntry


class Finder(Vertical):
    """Asks for what is typed, shows what was found, and tells which entry was taken."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", id="finder.up", tooltip="Select the entry above", show=False),
        Binding("down", "move(1)", "Down", id="finder.down", tooltip="Select the entry below", show=False),
        Binding("escape", "close", "Close", id="finder.close", tooltip="Back to the rows", show=False),
    ]

    class Typed(Message):
        """The text changed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Taken(Message):
        """An entry was chosen; ``value`` is an item id."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    class Closed(Message):
        """The user is done with it."""

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.input = Input(placeholder="find a symbol or file to pin", compact=True, select_on_focus=False)
        self.menu = Menu(glyphs)
        self.display = False

    def compose(self) -> ComposeResult:
        """Yield the line, then the entries."""
        yield self.input
        yield self.menu

    def open(self) -> None:
        """Appear, empty, with the keyboard."""
        self.display = True
        self.input.value = ""
        self.input.focus()
        self.post_message(self.Typed(""))

    def close(self) -> None:
        """Disappear."""
        self.display = False
        self.menu.hide()

    def show(self, entries: tuple[MenuEntry, ...], text: str) -> None:
        """Show what was found for a text, if that is still what is asked."""
        if text == self.input.value.strip():
            nothing = Content.styled(" nothing here is called so", "$muted")
            self.menu.show(entries, None if entries else nothing)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Ask for what is typed."""
        event.stop()
        self.post_message(self.Typed(event.value.strip()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the selected entry."""
        event.stop()
        self._take()

    def on_menu_clicked(self, event: events.Event) -> None:
        """Take the clicked entry."""
        event.stop()
        self._take()

    def _take(self) -> None:
        if (entry := self.menu.chosen) is not None:
            self.post_message(self.Taken(entry.value))

    def action_move(self, step: int) -> None:
        """Select another entry."""
        self.menu.move(step)

    def action_close(self) -> None:
        """Ask to be closed."""
        self.post_message(self.Closed())
