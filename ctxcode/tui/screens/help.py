"""Keys and commands on one page."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ctxcode.tui.commands import COMMANDS
from ctxcode.tui.keys import GROUPS

_COLUMN = 24


def help_text() -> Content:
    """Return every key and command with what it does, from the tables they are made from."""
    lines: list[Content] = []
    for title, keys in GROUPS:
        lines += [Content(""), Content.styled(title, "bold $primary")]
        lines += [_line(key.shown, key.tooltip) for key in keys]
    lines += [Content(""), Content.styled("Commands", "bold $primary")]
    for command in COMMANDS:
        aliases = ", ".join(f"/{alias}" for alias in command.aliases)
        lines.append(_line(command.usage, command.summary + (f" (also {aliases})" if aliases else "")))
    return Content("\n").join(lines[1:])


def _line(what: str, does: str) -> Content:
    return Content.styled(f"  {what:<{_COLUMN}}", "bold") + Content.styled(f" {does}", "$muted")


class HelpScreen(ModalScreen[None]):
    """The help page."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,ctrl+c", "dismiss(None)", "Close", id="help.close", tooltip="Close the help", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Yield the page in a scrolling dialog."""
        with Vertical(classes="dialog tall"):
            with VerticalScroll():
                yield Static(help_text(), markup=False)
            yield Static(Content.styled("Esc closes", "$muted"), markup=False, classes="hint")
