"""The command palette: every command in one line each, searched by what is typed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import Matcher
from textual.style import Style
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ctxcode.tui.clean import clean_line
from ctxcode.tui.commands import COMMANDS
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.screens.dialog.row_list import RowList
from ctxcode.tui.terminal.keyboard import Keyboard
from ctxcode.tui.widgets.text.shortened import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

_CELLS = 100
_MARGINS = 4
"""Cells of a row's two ends: border and padding."""
_KEYS_FROM = 66
"""Rows of this many cells also name the keys."""
_SUMMARY_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class Offer:
    """One command as the palette offers it."""

    command: str
    """What is put into the prompt: ``/mode heavy``."""
    argument: str
    """What has to follow it; empty when it can be run as it is."""
    summary: str
    keys: str = ""


def offers(keyboard: Keyboard) -> tuple[Offer, ...]:
    """Return every command, one that has few arguments with each of them."""
    made: list[Offer] = []
    for command in COMMANDS:
        keys = keyboard.shown(command.key) if command.key else ""
        if command.choices:
            made += [Offer(f"/{command.name} {name}".rstrip(), "", does, keys) for name, does in command.choices]
        else:
            argument = command.argument.partition(" [")[0] if command.needs_argument else ""
            made.append(Offer(f"/{command.name}", argument.rpartition("] ")[2], command.summary, keys))
    return tuple(made)


def found_offers(every: tuple[Offer, ...], typed: str) -> tuple[Offer, ...]:
    """Return what matches a text, best first; all of them for none."""
    if not typed.strip():
        return every
    matcher = Matcher(typed.strip())
    scores = {offer: _score(matcher, offer) for offer in every}
    return tuple(sorted((offer for offer in every if scores[offer] > 0), key=lambda offer: -scores[offer]))


def _score(matcher: Matcher, offer: Offer) -> float:
    return max(matcher.match(offer.command), _SUMMARY_WEIGHT * matcher.match(offer.summary))


def offer_row(offer: Offer, column: int, cells: int, typed: str = "", glyphs: Glyphs = UNICODE) -> Content:
    """Return a row of ``cells`` cells: the command in a column, what it does, its keys at the end."""
    matcher = Matcher(typed.strip(), match_style=Style(underline=True))
    name = matcher.highlight(offer.command) if typed.strip() else Content(offer.command)
    name = name.stylize_before("bold")
    if offer.argument:
        name += Content.styled(f" {offer.argument}", "$muted")
    name = shortened(name, column, glyphs)
    keys = Content.styled(f"  {offer.keys}", "$muted") if offer.keys and cells >= _KEYS_FROM else Content("")
    summary = shortened(Content.styled(offer.summary, "$muted"), cells - column - 2 - keys.cell_length, glyphs)
    line = name.pad_right(column - name.cell_length + 2) + summary
    return line.pad_right(max(0, cells - line.cell_length - keys.cell_length)) + keys


class PaletteDialog(Dialog[Offer | None]):
    """Returns the chosen command; None when it was closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c,ctrl+p", "dismiss(None)", "Close", id="palette.close", tooltip="Close", priority=True),
        Binding("up", "move('up')", "Up", id="palette.up", tooltip="Select the row above", priority=True),
        Binding("down", "move('down')", "Down", id="palette.down", tooltip="Select the row below", priority=True),
        Binding("pageup", "move('page_up')", "Page up", id="palette.page_up", tooltip="Move one page up"),
        Binding("pagedown", "move('page_down')", "Page down", id="palette.page_down", tooltip="Move one page down"),
    ]

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._offers = offers(glyphs.keyboard)
        self._found = self._offers

    def compose(self) -> ComposeResult:
        """Yield the search, the rows and the keys."""
        with Vertical(classes="dialog tall palette"):
            yield Input(placeholder="search commands", compact=True)
            yield RowList(markup=False)
            yield Static(markup=False, classes="empty")
            yield Static(Content.styled("Enter takes it   Esc closes", "$muted"), markup=False, classes="hint")

    def on_mount(self) -> None:
        """Leave the keys with the search."""
        self.query_one(OptionList).can_focus = False

    def on_resize(self) -> None:
        """Lay the rows out for the width there is; the selected one stays so."""
        self._show(self.query_one(OptionList).highlighted or 0)

    def on_input_changed(self) -> None:
        """Show what is searched."""
        self._show()

    def _show(self, at: int = 0) -> None:
        typed = self.query_one(Input).value
        self._found = found_offers(self._offers, typed)
        cells = min(_CELLS, self.app.size.width * 95 // 100) - _MARGINS
        column = min(max(len(f"{offer.command} {offer.argument}".rstrip()) for offer in self._offers), cells // 3)
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(offer_row(offer, column, cells - 1, typed, self.glyphs)) for offer in self._found])
        rows.highlighted = min(at, len(self._found) - 1) if self._found else None
        nothing = f"no command is about {clean_line(typed, 60)!r}"
        empty = self.query_one(".empty", Static)
        empty.display = not self._found
        empty.update(Content.styled(nothing, "$muted"))

    def on_input_submitted(self) -> None:
        """Return the selected command."""
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self._found):
            self.dismiss(self._found[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the command that was clicked."""
        self.dismiss(self._found[event.option_index])

    def action_move(self, way: str) -> None:
        """Select another row."""
        rows = self.query_one(OptionList)
        moves: dict[str, Callable[[], None]] = {
            "up": rows.action_cursor_up,
            "down": rows.action_cursor_down,
            "page_up": rows.action_page_up,
            "page_down": rows.action_page_down,
        }
        moves[way]()
