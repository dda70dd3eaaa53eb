"""Keys and commands on one page, searched by what is typed."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Input, Static

from ctxcode.tui.clean import clean_line
from ctxcode.tui.commands import COMMANDS
from ctxcode.tui.glyphs import ASCII, UNICODE, Glyphs
from ctxcode.tui.keys import GROUPS
from ctxcode.tui.screens.dialog.dialog import Dialog
from ctxcode.tui.terminal.keyboard import Keyboard
from ctxcode.tui.widgets.text.line_view import LineView
from ctxcode.tui.widgets.text.shortened import shortened

_COLUMN = 20
_NARROW_COLUMN = 18
_NARROW = 64
_ID_GAP = 2
_CELLS, _MARGINS = 100, 4
"""The dialog's width, as the style sheet has it, and its border and padding."""
_HINTS = (
    "{} PgUp PgDn scroll   Esc closes   names at the right: [keys] in the settings",
    "{} scroll   Esc closes   at the right: names for [keys]",
    "{} scroll   Esc closes",
)
"""The widest that fits is shown, with the arrow keys."""


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One key or command."""

    group: str
    what: str
    """What is pressed or typed."""
    does: str
    label: str
    id: str = ""
    """How the settings call it; empty for what can't be rebound."""

    def is_about(self, words: list[str]) -> bool:
        """Return whether all words, in small letters, are in it."""
        text = f"{self.group} {self.what} {self.does} {self.label} {self.id}".casefold()
        return all(word in text for word in words)


def help_rows(keyboard: Keyboard) -> list[HelpRow]:
    """Return every key and command."""
    rows = [
        HelpRow(title, keyboard.shown_for(key), key.tooltip, key.label, key.id)
        for title, keys in GROUPS
        for key in keys
    ]
    for command in COMMANDS:
        aliases = ", ".join(f"/{alias}" for alias in command.aliases)
        does = command.summary + (f" (also {aliases})" if aliases else "")
        rows.append(HelpRow("Commands", command.usage, does, command.name))
    return rows


def help_lines(glyphs: Glyphs, typed: str, width: int) -> list[Content]:
    """Return the rows that hold every typed word, under their groups, in columns."""
    return [line for _, line in _owned_lines(glyphs, typed, width)]


def _owned_lines(glyphs: Glyphs, typed: str, width: int) -> list[tuple[object, Content]]:
    """Return the same with the row, or the group's name, that each line is of."""
    words = typed.casefold().split()
    lines: list[tuple[object, Content]] = []
    group = ""
    for row in help_rows(glyphs.keyboard):
        if not row.is_about(words):
            continue
        if row.group != group:
            lines += [(row.group, Content("")), (row.group, Content.styled(row.group, "bold $primary"))]
            group = row.group
        lines += [(row, line) for line in _row_lines(row, width, is_plain=glyphs.keyboard.is_plain)]
    nothing = f"no key or command is about {clean_line(typed, 60)!r}"
    return lines[1:] or [("", Content.styled(nothing, "$muted"))]


@lru_cache(maxsize=512)
def _row_lines(row: HelpRow, width: int, *, is_plain: bool) -> tuple[Content, ...]:
    """Return what is pressed in the first column, what it does in the second, how settings call it at the end."""
    column = _COLUMN if width >= _NARROW else _NARROW_COLUMN
    what = shortened(Content.styled(row.what, "bold"), max(column, width - 2), ASCII if is_plain else UNICODE)
    heads = (
        [what.pad_right(column - what.cell_length)] if what.cell_length < column - 1 else [what, Content(" " * column)]
    )
    room = max(8, width - column - 2)
    shows_id = bool(row.id) and width >= _NARROW
    does = Content(row.does).wrap(room)
    if shows_id and room - does[-1].cell_length - len(row.id) < _ID_GAP:
        does = Content(row.does).wrap(room - len(row.id) - _ID_GAP)
    if shows_id:
        does[-1] = does[-1].pad_right(room - does[-1].cell_length - len(row.id)) + Content.styled(row.id, "$muted")
    lines = [Content("  ") + head for head in heads[:-1]]
    first = Content("  ") + heads[-1]
    return (*lines, first + does[0], *(Content(" " * (column + 2)) + line for line in does[1:]))


class HelpPage(LineView, can_focus=False):
    """The rows that are about what is typed."""

    typed: reactive[str] = reactive("", init=False)

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs

    def on_resize(self) -> None:
        """Lay the rows out for the new width."""
        with self.place_kept():
            self._rebuild()

    def watch_typed(self) -> None:
        """Show what is about the typed words, from the first row on."""
        self._rebuild()
        self.scroll_home(animate=False)

    def _rebuild(self) -> None:
        if width := self.scrollable_content_region.width:
            # A cell stays free before the scroll bar.
            lines = _owned_lines(self._glyphs, self.typed, width - 1)
            self.show_lines([line for _, line in lines], [owner for owner, _ in lines])


class HelpScreen(Dialog[None]):
    """The help page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,ctrl+c", "dismiss(None)", "Close", id="help.close", tooltip="Close the help", show=False),
        Binding("up", "scroll(-1)", "Up", id="help.up", tooltip="Scroll up", show=False, priority=True),
        Binding("down", "scroll(1)", "Down", id="help.down", tooltip="Scroll down", show=False, priority=True),
        Binding("pageup", "scroll(-10)", "Page up", id="help.page_up", tooltip="Scroll up a page", show=False),
        Binding("pagedown", "scroll(10)", "Page down", id="help.page_down", tooltip="Scroll down a page", show=False),
        Binding(
            "home", "scroll_to(True)", "Top", id="help.top", tooltip="Scroll to the top", show=False, priority=True
        ),
        Binding(
            "end", "scroll_to(False)", "End", id="help.end", tooltip="Scroll to the end", show=False, priority=True
        ),
    ]

    def __init__(self, glyphs: Glyphs, words: str = "") -> None:
        super().__init__(glyphs)
        self._words = words

    def compose(self) -> ComposeResult:
        """Yield the search and the page in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            yield Input(self._words, placeholder="search keys and commands", compact=True, select_on_focus=False)
            yield HelpPage(self.glyphs)
            yield Static(markup=False, classes="hint")

    def on_resize(self) -> None:
        """Tell what there is room for."""
        hint = self.query_one(".hint", Static)
        cells = min(_CELLS, self.app.size.width * 95 // 100) - _MARGINS
        hints = [words.format(self.glyphs.keyboard.arrows) for words in _HINTS]
        words = next((words for words in hints if len(words) <= cells), hints[-1])
        hint.update(Content.styled(words, "$muted"))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what is about the typed words."""
        self.query_one(HelpPage).typed = event.value

    def action_scroll(self, lines: int) -> None:
        """Scroll the page."""
        self.query_one(HelpPage).scroll_relative(y=lines, animate=False)

    def action_scroll_to(self, is_top: bool) -> None:  # noqa: FBT001 - Textual gives it by position
        """Scroll to one end of the page."""
        page = self.query_one(HelpPage)
        (page.scroll_home if is_top else page.scroll_end)(animate=False)
