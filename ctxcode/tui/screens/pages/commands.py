"""Carries out the commands that show a page."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ctxcode.model.errors import UsageError
from ctxcode.model.event import Mark
from ctxcode.model.naming.number import counted
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.export.conversation import export_wanted, file_name, gathered, save_new, written
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.screens.memory.commands import Answer
from ctxcode.tui.screens.pages.settings import in_force, settings_text
from ctxcode.tui.screens.pages.stats import stats_text
from ctxcode.tui.screens.pages.words import Said, messages_text, usage_text
from ctxcode.tui.state.view import ScreenState
from ctxcode.tui.terminal.setup import SettingsPage

if TYPE_CHECKING:
    from collections.abc import Awaitable


@dataclass(frozen=True, slots=True)
class PageCommands:
    """Commands that ask the screen's own state. They raise UsageError for words that are off."""

    door: Door
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
        return {
            "cost": self._cost,
            "settings": self._settings,
            "messages": self._messages,
            "stats": self._stats,
            "good": partial(self._mark, Mark.GOOD),
            "bad": partial(self._mark, Mark.BAD),
            "rename": self._rename,
            "export": self._export,
        }

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _cost(self, argument: str) -> Answer:
        _refuse(argument, "/cost")
        state = self.state()
        others = sum(len(turns) for turns in state.others.values())
        return Answer(title="Tokens and cost", text=usage_text(state.turns, others, self.glyphs))

    async def _stats(self, argument: str) -> Answer:
        if argument not in ("", "all"):
            raise UsageError(f"/stats knows no {argument!r}.", "/stats, /stats all")
        stats = await self.door.outcomes.stats(everything=bool(argument))
        title = "Statistics of this repository" if argument else "Statistics of this session"
        return Answer(title=title, text=stats_text(stats, self.glyphs))

    async def _mark(self, mark: Mark, note: str) -> Answer:
        """Mark the last reply; the same mark without a reason takes it back."""
        turn = next((one for one in reversed(self.state().turns) if one.reply and not one.prompt.startswith("!")), None)
        now = turn.mark.mark if turn is not None and turn.mark is not None else None
        event = await self.door.outcomes.mark(Mark.NONE if now is mark and not note else mark, note)
        said = "is not marked any more" if event.mark is Mark.NONE else f"is marked {event.mark.value}"
        return Answer(f"the answer of turn {event.turn} {said}", (event,))

    async def _settings(self, argument: str) -> Answer:
        page = self.settings
        if page.file is None:
            raise UsageError("There is no settings file here.", "Start ctxcode from the command line.")
        if argument == "edit":
            return Answer(f"{page.file} counts from the next start on", edit=page.file)
        if argument:
            raise UsageError(f"/settings knows no {argument!r}.", "/settings, /settings edit")
        rows = await asyncio.to_thread(page.rows)
        return Answer(title="Settings", text=settings_text(in_force(rows, self.door), str(page.file)))

    async def _messages(self, argument: str) -> Answer:
        _refuse(argument, "/messages")
        return Answer(title="Messages", text=messages_text(self.said()))

    async def _rename(self, argument: str) -> Answer:
        event = await self.door.archive.rename(argument)
        return Answer(f"this session is called {clean_line(event.title, 80)!r}", (event,))

    async def _export(self, argument: str) -> Answer:
        form, name = export_wanted(argument)
        conversation = await gathered(self.door)
        if not conversation.exchanges:
            raise UsageError("There is nothing to export yet.", "Ask something first.")
        text = await asyncio.to_thread(written, conversation, form)
        folder = self.settings.exports
        kept = await asyncio.to_thread(save_new, name, text, file_name(conversation, form), folder)
        return Answer(f"{counted(len(conversation.exchanges), 'turn')} written to {clean_line(str(kept), 1_000)}")


def _refuse(argument: str, command: str) -> None:
    if argument:
        raise UsageError(f"{command} takes no {argument!r}.", command)
