"""Carries out the commands that show a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcode.model.errors import UsageError
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.memory.commands import Answer
from ctxcode.tui.screens.pages.words import Said, messages_text, settings_text, usage_text
from ctxcode.tui.state import ScreenState
from ctxcode.tui.terminal.setup import SettingsPage

if TYPE_CHECKING:
    from collections.abc import Awaitable


@dataclass(frozen=True, slots=True)
class PageCommands:
    """Commands that ask the screen's own state. They raise UsageError for words that are off."""

    state: Callable[[], ScreenState]
    said: Callable[[], Sequence[Said]]
    settings: SettingsPage
    glyphs: Glyphs

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset(self._runs)

    @property
    def _runs(self) -> "dict[str, Callable[[str], Awaitable[Answer]]]":
        return {"cost": self._cost, "settings": self._settings, "messages": self._messages}

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _cost(self, argument: str) -> Answer:
        _refuse(argument, "/cost")
        state = self.state()
        others = sum(len(turns) for turns in state.others.values())
        return Answer(title="Tokens and cost", text=usage_text(state.turns, others, self.glyphs))

    async def _settings(self, argument: str) -> Answer:
        page = self.settings
        if page.file is None:
            raise UsageError("There is no settings file here.", "Start ctxcode from the command line.")
        if argument == "edit":
            return Answer(f"{page.file} counts from the next start on", edit=page.file)
        if argument:
            raise UsageError(f"/settings knows no {argument!r}.", "/settings, /settings edit")
        return Answer(title="Settings", text=settings_text(page.rows(), str(page.file)))

    async def _messages(self, argument: str) -> Answer:
        _refuse(argument, "/messages")
        return Answer(title="Messages", text=messages_text(self.said()))


def _refuse(argument: str, command: str) -> None:
    if argument:
        raise UsageError(f"{command} takes no {argument!r}.", command)
