"""The list of a repository's sessions: searched by typing, opened, renamed and deleted with a key."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ctxcode.model.conversation import SessionSummary
from ctxcode.model.ids import SessionId
from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import when
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.screens.dialog.picker import Choice, choice_row
from ctxcode.tui.screens.dialog.row_list import RowList

_ROW_CELLS = 70
_ROOMY = 60
"""Rows of this many cells also say how many turns a session has."""
_KEYS = "Enter opens   Ctrl+R renames   Ctrl+D deletes   Esc closes"
_SHORT_KEYS = "Enter opens   ^R renames   ^D deletes   Esc closes"


class SessionDialog(Dialog[SessionId | None]):
    """Returns the session to open; None when it was closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "back", "Back", id="sessions.back", tooltip="Leave the renaming, else close"),
        Binding("up", "move(-1)", "Up", id="sessions.up", tooltip="Select the row above", priority=True),
        Binding("down", "move(1)", "Down", id="sessions.down", tooltip="Select the row below", priority=True),
        Binding("ctrl+r", "rename", "Rename", id="sessions.rename", tooltip="Give it another title", priority=True),
        Binding("ctrl+d", "delete", "Delete", id="sessions.delete", tooltip="Delete it, asked twice", priority=True),
    ]

    class Renamed(Message):
        """A session was given a title."""

        def __init__(self, dialog: "SessionDialog", session: SessionId, title: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.session = session
            self.title = title

    class Deleted(Message):
        """A session is to be deleted."""

        def __init__(self, dialog: "SessionDialog", session: SessionId) -> None:
            super().__init__()
            self.dialog = dialog
            self.session = session

    def __init__(self, sessions: tuple[SessionSummary, ...], current: SessionId, words: str, glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._words = words
        self._sessions = sessions
        self._current = current
        self._renaming: SessionSummary | None = None
        self._typed = ""
        """What was searched before a session was renamed."""
        self._listed: str | None = None
        """The words whose sessions are listed."""
        self._cells = _ROW_CELLS
        """Of a row."""
        self._doomed: SessionId | None = None
        """What the next Ctrl+D deletes."""

    def compose(self) -> ComposeResult:
        """Yield title, search, rows and keys."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Sessions", "bold $primary"), markup=False, classes="title")
            yield Input(self._words, placeholder="search titles", compact=True, select_on_focus=False)
            yield RowList(markup=False)
            yield Static(markup=False, classes="empty")
            yield Static(markup=False, classes="hint")

    def on_mount(self) -> None:
        """Show the rows; the keys stay with the search."""
        self.query_one(OptionList).can_focus = False
        self._cells = self.row_cells(_ROW_CELLS)
        self._show(self._current)

    def on_resize(self) -> None:
        """Draw the rows to the new width."""
        if self._renaming is None and self._cells != self.row_cells(_ROW_CELLS):
            self._cells = self.row_cells(_ROW_CELLS)
            self._show(self._selected.id if self._selected is not None else "")

    @property
    def _found(self) -> list[SessionSummary]:
        words = self._typed if self._renaming else self.query_one(Input).value
        return [row for row in self._sessions if row.is_titled(words)]

    @property
    def _selected(self) -> SessionSummary | None:
        at, found = self.query_one(OptionList).highlighted, self._found
        return found[at] if at is not None and at < len(found) else None

    def _show(self, keep: str = "") -> None:
        found, self._listed = self._found, self._typed if self._renaming else self.query_one(Input).value
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(choice_row(self._choice(row), self._cells, self.glyphs), id=row.id) for row in found])
        keys = [row.id for row in found]
        rows.highlighted = keys.index(SessionId(keep)) if keep in keys else 0 if keys else None
        empty = "No session has these words." if self._sessions else "The first message you send starts a session."
        self.query_one(".empty", Static).update("" if found else Content.styled(empty, "$muted"))
        self._say(self._keys)

    def _choice(self, row: SessionSummary) -> Choice:
        turns = f"{counted(row.turns, 'turn'):>9}  " if self._cells >= _ROOMY else ""
        mark = f"{self.glyphs.current} " if row.id == self._current else "  "
        return Choice(row.id, row.title, f"{turns}{when(row.updated_at):>12}", mark)

    @property
    def _keys(self) -> str:
        return _KEYS if self._cells >= _ROOMY else _SHORT_KEYS

    def _say(self, words: str, style: str = "$muted") -> None:
        self._doomed = None
        self.query_one(".hint", Static).update(Content.styled(words, style))

    def on_input_changed(self) -> None:
        """Show what is searched; the words that come back after a renaming find what they found."""
        if self._renaming is None and self.query_one(Input).value != self._listed:
            self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open what is selected, or take the new title."""
        if self._renaming is not None:
            self._take_title(self._renaming, " ".join(event.value.split()))
        elif self._selected is not None:
            self.dismiss(self._selected.id)

    def _take_title(self, row: SessionSummary, title: str) -> None:
        if not title:
            self._say("Type a title, or press Esc.", "$error")
            return
        self.post_message(self.Renamed(self, row.id, title))
        self._leave_renaming()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was clicked."""
        if event.option.id is not None:
            self.dismiss(SessionId(event.option.id))

    def refill(self, sessions: tuple[SessionSummary, ...]) -> None:
        """Show the sessions as they are now."""
        if not self.is_attached:
            return
        keep, at = self._selected, self.query_one(OptionList).highlighted
        self._sessions = sessions
        found = self._found
        if keep is not None and at is not None and found and keep.id not in {row.id for row in found}:
            keep = found[min(at, len(found) - 1)]
        self._show(keep.id if keep is not None else "")

    def refuse(self, words: str) -> None:
        """Say why what was asked for can't be done."""
        if self.is_attached:
            self._say(words, "$error")

    def action_move(self, step: int) -> None:
        """Select the next or previous row."""
        rows = self.query_one(OptionList)
        (rows.action_cursor_down if step > 0 else rows.action_cursor_up)()
        if self._renaming is None:
            self._say(self._keys)

    def action_rename(self) -> None:
        """Take a new title for the selected session."""
        row, field = self._selected, self.query_one(Input)
        if row is None or self._renaming is not None:
            return
        self._typed, self._renaming = field.value, row
        field.value, field.cursor_position = row.title, len(row.title)
        field.placeholder = "new title"
        self._say("Enter keeps the title   Esc leaves it as it was", "$primary")

    def _leave_renaming(self) -> None:
        field, row = self.query_one(Input), self._renaming
        self._renaming = None
        field.placeholder = "search titles"
        field.value, field.cursor_position = self._typed, len(self._typed)
        self._show(row.id if row is not None else "")

    def action_back(self) -> None:
        """Leave the renaming, else close."""
        if self._renaming is not None:
            self._leave_renaming()
        else:
            self.dismiss(None)

    def action_delete(self) -> None:
        """Delete the selected session when asked twice."""
        row = self._selected
        if row is None or self._renaming is not None:
            return
        if row.id == self._current:
            self._say("This session is open; open another one before you delete it.", "$error")
            return
        if self._doomed == row.id:
            self._say(self._keys)
            self.post_message(self.Deleted(self, row.id))
            return
        self._say(f"Ctrl+D again deletes {clean_line(row.title, 30)!r} and its plans for good", "$error")
        self._doomed = row.id
