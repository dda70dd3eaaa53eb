"""The app: themes, screens, signals, quit. Nothing heavy is imported before the first paint."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from ctxcode.model.errors import CtxcodeError
from ctxcode.model.ids import SessionId
from ctxcode.tui.keys import APP_KEYS, bindings
from ctxcode.tui.line_filter import CleanFilter
from ctxcode.tui.terminal.complaint import sentence
from ctxcode.tui.terminal.setup import Setup
from ctxcode.tui.terminal.themed_app import ThemedApp

if TYPE_CHECKING:
    from ctxcode.session.door import Door
    from ctxcode.tui.screens.chat import ChatScreen
    from ctxcode.tui.screens.session_dialog import SessionDialog
    from ctxcode.tui.screens.session_screen import SessionScreen


LONG_SECONDS = 20.0
"""From then on an answer took long."""


class CtxcodeApp(ThemedApp):
    """One repository, one open session, full screen."""

    TITLE = "ctxcode"
    # Absolute: a relative path would be looked for beside the module of a subclass.
    CSS_PATH = Path(__file__).parent / "screens" / "chat.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(APP_KEYS)
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, door: "Door | None", setup: Setup) -> None:
        super().__init__(setup)
        self._opened = door
        self._chat: ChatScreen | None = None
        self._clean_filter = CleanFilter()
        self.set_class(self.is_plain, "-plain")
        self.set_keymap(dict(setup.keyboard.rebound))

    def get_line_filters(self) -> list[LineFilter]:
        """Return Textual's filters and, first of all, ours."""
        return [self._clean_filter, *super().get_line_filters()]

    def get_default_screen(self) -> Screen[None]:
        """Return the session's screen; other sessions come to lie over it."""
        return self.make_chat()

    def make_chat(self) -> "ChatScreen":
        """Return a new screen for the open session."""
        from ctxcode.tui.screens.chat import ChatScreen  # noqa: PLC0415 - the first paint goes without it

        self._chat = ChatScreen(self.door, self.glyphs, self.setup)
        return self._chat

    @property
    def door(self) -> "Door":
        """The open session."""
        assert self._opened is not None  # noqa: S101 - nothing that needs it is on the screen before
        return self._opened

    @door.setter
    def door(self, door: "Door") -> None:
        self._opened = door

    async def leave(self, return_code: int = 0) -> None:
        """Record an interrupted answer and end."""
        if (chat := self.chat) is not None:
            await chat.stop()
        self.exit(return_code=return_code)

    @property
    def chat(self) -> "ChatScreen | None":
        """The session's screen, whatever lies over it."""
        return self._chat

    async def on_event(self, event: events.Event) -> None:
        """Tell the session's screen of each key before it is dealt with."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded and (chat := self.chat) is not None:
            chat.key_pressed()
        await super().on_event(event)

    def say(self, words: str, *, is_error: bool = False) -> None:
        """Put a sentence into the status line."""
        if (chat := self.chat) is not None:
            chat.call_after_refresh(chat.say, words, is_error=is_error)

    async def action_quit(self) -> None:
        """Record an interrupted answer, then quit."""
        await self.leave()

    async def action_cancel(self) -> None:
        """Interrupt, clear or, the second time, quit. A selection is copied before this is asked."""
        chat = self.chat
        if chat is not None and self.screen is chat and chat.cancel():
            await self.leave()

    def action_redraw(self) -> None:
        """Draw everything anew."""
        self.refresh(layout=True)
        self.screen.refresh(layout=True)

    def action_help(self, words: str = "") -> None:
        """Show keys and commands, those about some words or all."""
        from ctxcode.tui.screens.help import HelpScreen  # noqa: PLC0415 - not needed for the first paint

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.glyphs, words))

    def action_command_palette(self) -> None:
        """Offer every command; one that takes a name is put into the prompt, ready to be completed."""
        from ctxcode.tui.screens.palette import PaletteDialog  # noqa: PLC0415 - as the help

        chat = self.chat
        if chat is None or self.screen is not chat:
            return
        self.push_screen(PaletteDialog(self.glyphs), lambda taken: chat.carry_out(taken) if taken else None)

    def on_chat_screen_turn_ended(self, event: "ChatScreen.TurnEnded") -> None:
        """Ring for an answer that one will have looked away from."""
        if self.setup.rings and event.seconds >= LONG_SECONDS:
            self.bell()

    def on_session_screen_hints_seen(self, event: "SessionScreen.HintsSeen") -> None:
        """Keep how far the user has come."""
        self.setup = replace(self.setup, hints_seen=event.count)
        self.setup.keep_hints(event.count)

    def on_chat_screen_sessions_wanted(self, event: "ChatScreen.SessionsWanted") -> None:
        """Offer the sessions of this repository."""
        self.run_worker(self._pick_session(event.words), group="sessions", exclusive=True, exit_on_error=False)

    async def _pick_session(self, words: str) -> None:
        from ctxcode.tui.screens.session_dialog import SessionDialog as Dialog  # noqa: PLC0415 - as the help

        try:
            sessions = await self.door.archive.sessions()
        except CtxcodeError as error:
            self.say(sentence(error), is_error=True)
            return
        dialog = Dialog(sessions, self.door.id, words, self.glyphs)
        self.push_screen(dialog, lambda chosen: self._open(chosen) if chosen else None)

    def on_session_dialog_renamed(self, event: "SessionDialog.Renamed") -> None:
        """Keep a session's new title."""
        self.run_worker(self._rename(event), group="sessions", exit_on_error=False)

    async def _rename(self, wanted: "SessionDialog.Renamed") -> None:
        try:
            renamed = await self.door.archive.rename(wanted.title, wanted.session)
            if wanted.session == self.door.id and (chat := self.chat) is not None:
                chat.fold(renamed)
            wanted.dialog.refill(await self.door.archive.sessions())
        except CtxcodeError as error:
            wanted.dialog.refuse(sentence(error))
            self.say(sentence(error), is_error=True)

    def on_session_dialog_deleted(self, event: "SessionDialog.Deleted") -> None:
        """Delete a session."""
        self.run_worker(self._delete(event), group="sessions", exit_on_error=False)

    async def _delete(self, wanted: "SessionDialog.Deleted") -> None:
        try:
            await self.door.archive.delete(wanted.session)
            wanted.dialog.refill(await self.door.archive.sessions())
        except CtxcodeError as error:
            wanted.dialog.refuse(sentence(error))
            self.say(sentence(error), is_error=True)

    def on_chat_screen_session_wanted(self, event: "ChatScreen.SessionWanted") -> None:
        """Open another session, or start one."""
        self._open(event.session)

    def _open(self, session: SessionId | None) -> None:
        if session != self.door.id:
            self.run_worker(self._switch(session), group="sessions", exclusive=True, exit_on_error=False)

    async def _switch(self, session: SessionId | None) -> None:
        try:
            door = await asyncio.to_thread(self.door.open, session)
        except CtxcodeError as error:
            self.say(sentence(error), is_error=True)
            return
        if (chat := self.chat) is not None:
            await chat.stop()
        self.door = door
        # The first screen is the app's own and stays; Textual can't do without one.
        is_first = len(self.screen_stack) == 1
        await (self.push_screen if is_first else self.switch_screen)(self.make_chat())
