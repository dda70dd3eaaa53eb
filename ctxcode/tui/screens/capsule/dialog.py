"""The list of a repository's capsules: looked into, renewed and removed with a key."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ctxcode.model.engine.capsule import CapsuleRow
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.ids import ItemId
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.capsule.words import NONE_YET, capsule_text, capsule_title, row_note
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.screens.dialog.picker import Choice, choice_row
from ctxcode.tui.screens.dialog.row_list import RowList
from ctxcode.tui.screens.memory.dialog import TextDialog
from ctxcode.tui.terminal.complaint import sentence

_ROW_CELLS = 86
_KEYS = "Enter shows   r renews   d removes   Esc closes"
Remove = Callable[[ItemId], Awaitable[tuple[CapsuleRow, ...]]]
"""Removes a capsule and returns those that are left."""


class CapsuleDialog(Dialog[CapsuleRow | None]):
    """Returns the capsule to renew; None when it was closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", "Close", id="capsules.close", tooltip="Close the list"),
        Binding("j", "move(1)", "Down", id="capsules.down", tooltip="Select the row below", show=False),
        Binding("k", "move(-1)", "Up", id="capsules.up", tooltip="Select the row above", show=False),
        Binding("r", "renew", "Renew", id="capsules.renew", tooltip="Ask the model in use for a new one"),
        Binding("d", "remove", "Remove", id="capsules.remove", tooltip="Remove it, asked twice"),
    ]

    def __init__(self, rows: tuple[CapsuleRow, ...], remove: Remove, glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._rows = rows
        self._remove = remove
        self._doomed: ItemId | None = None
        """What the next d removes."""

    def compose(self) -> ComposeResult:
        """Yield title, rows and keys."""
        with Vertical(classes="dialog text"):
            yield Static(Content.styled("Capsules", "bold $primary"), markup=False, classes="title")
            yield RowList(markup=False)
            yield Static(markup=False, classes="empty")
            yield Static(markup=False, classes="hint")

    def on_mount(self) -> None:
        """Show the rows; the keys are the list's."""
        self._show()
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        """Draw the rows to the new width."""
        self._show(self.query_one(OptionList).highlighted or 0)

    @property
    def _selected(self) -> CapsuleRow | None:
        at = self.query_one(OptionList).highlighted
        return self._rows[at] if at is not None and at < len(self._rows) else None

    def _show(self, at: int = 0) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        cells = self.row_cells(_ROW_CELLS)
        rows.add_options([Option(choice_row(self._choice(row, cells), cells, self.glyphs)) for row in self._rows])
        rows.highlighted = min(at, len(self._rows) - 1) if self._rows else None
        rows.display = bool(self._rows)
        self.query_one(".empty", Static).update("" if self._rows else Content.styled(NONE_YET, "$muted"))
        self._say(_KEYS if self._rows else "Esc closes")

    def _choice(self, row: CapsuleRow, cells: int) -> Choice:
        return Choice(row.capsule.item, capsule_title(row.capsule), row_note(row, self.glyphs, cells))

    def _say(self, words: str, style: str = "$muted") -> None:
        self._doomed = None
        self.query_one(".hint", Static).update(Content.styled(words, style))

    def on_option_list_option_highlighted(self) -> None:
        """Forget what was to be removed: another row is selected."""
        self._say(_KEYS)

    def on_option_list_option_selected(self) -> None:
        """Show the whole capsule."""
        row = self._selected
        if row is not None:
            self.app.push_screen(
                TextDialog(
                    f"Capsule of {capsule_title(row.capsule)}", capsule_text(row, self.glyphs), glyphs=self.glyphs
                )
            )

    def action_move(self, step: int) -> None:
        """Select the next or previous row."""
        rows = self.query_one(OptionList)
        (rows.action_cursor_down if step > 0 else rows.action_cursor_up)()

    def action_renew(self) -> None:
        """Return the selected capsule."""
        if self._selected is not None:
            self.dismiss(self._selected)

    def action_remove(self) -> None:
        """Remove the selected capsule when asked twice."""
        row = self._selected
        if row is None:
            return
        if self._doomed == row.capsule.item:
            self.run_worker(self._removed(row), group="remove", exclusive=True, exit_on_error=False)
            return
        self._say(f"d again removes the capsule of {capsule_title(row.capsule)[:40]}", "$error")
        self._doomed = row.capsule.item

    async def _removed(self, row: CapsuleRow) -> None:
        at = self._rows.index(row)
        try:
            self._rows = await self._remove(row.capsule.item)
        except CtxcodeError as error:
            self._say(sentence(error), "$error")
            return
        self._show(at)
