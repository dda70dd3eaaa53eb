"""The choice of themes: each is shown on the whole screen while it is selected."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.message import Message
from textual.widgets import OptionList

from ctxcode.model.check import SettingRow
from ctxcode.model.errors import SettingsError
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.dialog.picker import Choice, PickerDialog
from ctxcode.tui.terminal.setup import AUTO
from ctxcode.tui.themes import loaded_theme


class ThemeDialog(PickerDialog):
    """Returns the chosen theme's name; None to go back to the one before."""

    ROW_CELLS: ClassVar = 27

    class Previewed(Message):
        """A theme was selected and should be shown."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, choices: tuple[Choice, ...], current: str, told: str, glyphs: Glyphs) -> None:
        super().__init__("Themes", choices, "There is no theme.", current, glyphs)
        self.told = told

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the selected theme."""
        if event.option.id is not None:
            self.post_message(self.Previewed(event.option.id))


def theme_choices(names: Sequence[str], user_folder: Path | None) -> tuple[Choice, ...]:
    """Return themes as they can be chosen; reads all of them."""
    return tuple(Choice(name, name, _note(name, user_folder)) for name in names)


def origin_words(rows: Sequence[SettingRow], shown: str) -> str:
    """Return where the theme that is shown was set; and what the next start shows, if that is another one."""
    row = next((row for row in rows if row.name == "theme"), SettingRow("theme", "", ""))
    value = row.value or AUTO
    if not row.origin:
        return "the default" if shown == value else ""
    origin = clean_line(row.origin, 80)
    return f"set by {origin}" if shown == value else f"next start: {clean_line(value, 40)}, set by {origin}"


def _note(name: str, user_folder: Path | None) -> str:
    if name == AUTO:
        return "as the terminal"
    try:
        theme = loaded_theme(name, user_folder)
    except SettingsError:
        return "broken"
    return "dark" if theme.dark else "light"
