"""What is known of a user and a terminal before the app starts, and where choices are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.tui.prompt.hints import ALL_SEEN
from ctxcode.tui.terminal.ground import Ground
from ctxcode.tui.terminal.keyboard import TABLE, Keyboard

if TYPE_CHECKING:
    from ctxcode.model.check import SettingRow
    from ctxcode.model.source import RepositoryInfo

AUTO = "auto"
"""The name that stands for the theme of the terminal's background."""


def _keep_nothing(_choice: object) -> None:
    """Keep a choice for this run only."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """Where a message that is written and not sent waits for the next start; by themselves nowhere."""

    kept: "Callable[[RepositoryInfo], str]" = lambda _repository: ""
    """Reads what is kept for a repository and its branch; blocks."""
    keep: "Callable[[RepositoryInfo, str], None]" = lambda _repository, _text: None
    """Keeps a text, or nothing any more for an empty one; blocks."""
    waits: bool = False
    """A new session was asked for: what was written in another is not in its prompt, but a key away."""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The settings in force, to be shown, and where the user's own files are."""

    rows: "Callable[[], tuple[SettingRow, ...]]" = tuple
    """Reads them anew; raises CtxcodeError for a file that is broken by now."""
    file: Path | None = None
    """The user's own file, which need not exist."""
    exports: Path = Path()
    """The folder of exports for which no file is named; it need not exist."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices of a user and a terminal."""

    theme: str | None = None
    """The theme that was chosen; None or ``auto`` to choose by the terminal's background."""
    ground: Ground | None = None
    """The terminal's background, where it is known before the terminal is asked."""
    user_themes: Path | None = None
    """The folder of the user's own themes."""
    plain_glyphs: bool = False
    rings: bool = False
    """The bell is rung when a long answer has ended."""
    keyboard: Keyboard = TABLE
    """What the settings put in place of the keys' table."""
    settings: SettingsPage = SettingsPage()
    """What ``/settings`` shows."""
    keep_theme: Callable[[str], None] = _keep_nothing
    """Remembers a theme for the next start; raises CtxcodeError when it can't."""
    keep_ground: Callable[[str], None] = _keep_nothing
    """Remembers this terminal's background, so that the next first picture has it."""
    hints_seen: int = ALL_SEEN
    """Of the hints for newcomers."""
    keep_hints: Callable[[int], None] = _keep_nothing
    """Remembers how many hints were seen."""
    drafts: Drafts = Drafts()
    """What was written and not sent."""
    log: Path | None = None
    """The file that holds what went wrong behind the screen."""

    @property
    def follows_ground(self) -> bool:
        """The theme is chosen by the terminal's background."""
        return self.theme in {None, AUTO}
