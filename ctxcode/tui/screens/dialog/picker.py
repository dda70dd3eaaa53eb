"""A dialog that offers rows to choose one from."""

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.screens.dialog.row_list import RowList
from ctxcode.tui.widgets.text.shortened import shortened


@dataclass(frozen=True, slots=True)
class Choice:
    """One row."""

    key: str
    words: str
    note: str = ""
    mark: str = ""
    """What stands before the words."""


class PickerDialog(Dialog[str | None]):
    """Returns the chosen row's key; None when it was closed."""

    ROW_CELLS: ClassVar = 64
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,ctrl+c", "dismiss(None)", "Close", id="picker.close", tooltip="Close without choosing", show=False
        ),
        Binding("j", "down", "Down", id="picker.down", tooltip="Select the row below", show=False),
        Binding("k", "up", "Up", id="picker.up", tooltip="Select the row above", show=False),
    ]

    def __init__(
        self, title: str, choices: tuple[Choice, ...], empty: str, current: str = "", glyphs: Glyphs = UNICODE
    ) -> None:
        super().__init__(glyphs)
        self._heading = title
        self._choices = choices
        self._empty = empty
        self._current = current
        self.told = ""
        """What is said below the rows."""

    def compose(self) -> ComposeResult:
        """Title and rows, or what would fill them."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._heading, "bold $primary"), markup=False, classes="title")
            if self._choices:
                cells = self.row_cells(self.ROW_CELLS)
                yield RowList(
                    *(Option(choice_row(choice, cells, self.glyphs), id=choice.key) for choice in self._choices),
                    markup=False,
                )
            else:
                yield Static(Content.styled(self._empty, "$muted"), markup=False)
            if self.told:
                yield Static(Content.styled(self.told, "$muted"), markup=False, classes="hint")
            yield Static(Content.styled("Enter takes it   Esc closes", "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Select the current row."""
        keys = [choice.key for choice in self._choices]
        if keys:
            self.query_one(OptionList).highlighted = keys.index(self._current) if self._current in keys else 0

    def on_resize(self) -> None:
        """Draw the rows to the new width."""
        cells = self.row_cells(self.ROW_CELLS)
        for rows in self.query(OptionList):
            for number, choice in enumerate(self._choices):
                rows.replace_option_prompt_at_index(number, choice_row(choice, cells, self.glyphs))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen row."""
        self.dismiss(event.option.id)

    def action_down(self) -> None:
        """Select the row below, if there are rows."""
        for rows in self.query(OptionList):
            rows.action_cursor_down()

    def action_up(self) -> None:
        """Select the row above, if there are rows."""
        for rows in self.query(OptionList):
            rows.action_cursor_up()


def choice_row(choice: Choice, cells: int, glyphs: Glyphs = UNICODE) -> Content:
    """Return a row: its words at the left, its note at the right."""
    words = Content(choice.mark + (clean_line(choice.words, 200) or "untitled"))
    room = cells - len(choice.note) - 2
    words = shortened(words, room, glyphs)
    return words.pad_right(max(2, room + 2 - words.cell_length)) + Content.styled(choice.note, "$muted")
