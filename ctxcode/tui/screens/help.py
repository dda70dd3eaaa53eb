"""Keys and commands on one page, searched by what is typed."""

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ctxcode.tui.clean import clean_line
from ctxcode.tui.commands import COMMANDS
from ctxcode.tui.keys import GROUPS
from ctxcode.tui.terminal.keyboard import Keyboard

_COLUMN = 26


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


def help_text(keyboard: Keyboard, typed: str = "") -> Content:
    """Return the rows that hold every typed word, under their groups."""
    words = typed.casefold().split()
    lines: list[Content] = []
    group = ""
    for row in help_rows(keyboard):
        if not row.is_about(words):
            continue
        if row.group != group:
            lines += [Content(""), Content.styled(row.group, "bold $primary")]
            group = row.group
        lines.append(_line(row))
    if not lines:
        return Content.styled(f"no key or command is about {clean_line(typed, 60)!r}", "$muted")
    return Content("\n").join(lines[1:])


def _line(row: HelpRow) -> Content:
    gap = "" if len(row.what) <= _COLUMN else "\n  " + " " * _COLUMN
    line = Content.styled(f"  {row.what:<{_COLUMN}}", "bold") + Content.styled(f"{gap} {row.does}", "$muted")
    return line + Content.styled(f"  {row.id}", "$faint") if row.id else line


class HelpScreen(ModalScreen[None]):
    """The help page."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,ctrl+c", "dismiss(None)", "Close", id="help.close", tooltip="Close the help", show=False),
        Binding("up", "scroll(-1)", "Up", id="help.up", tooltip="Scroll up", show=False, priority=True),
        Binding("down", "scroll(1)", "Down", id="help.down", tooltip="Scroll down", show=False, priority=True),
        Binding("pageup", "scroll(-10)", "Page up", id="help.page_up", tooltip="Scroll up a page", show=False),
        Binding("pagedown", "scroll(10)", "Page down", id="help.page_down", tooltip="Scroll down a page", show=False),
    ]

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__()
        self._keyboard = keyboard

    def compose(self) -> ComposeResult:
        """Yield the search and the page in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            yield Input(placeholder="search keys and commands", compact=True)
            with VerticalScroll(can_focus=False):
                yield Static(help_text(self._keyboard), markup=False)
            yield Static(Content.styled("↑ ↓ PgUp PgDn scroll   Esc closes", "$muted"), markup=False, classes="hint")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what is about the typed words."""
        self.query_one("VerticalScroll Static", Static).update(help_text(self._keyboard, event.value))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_scroll(self, lines: int) -> None:
        """Scroll the page."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
