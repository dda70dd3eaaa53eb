"""Starts the app: paints first, opens the session behind the first picture, and returns the exit code."""

import asyncio
import gc
import logging
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen
from textual.worker import WorkerFailed

from ctxcode.model.errors import CtxcodeError
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.clean import clean_line
from ctxcode.tui.screens.opening import OpeningScreen
from ctxcode.tui.terminal.collector import LOOK_SECONDS, IdleCollector
from ctxcode.tui.terminal.setup import Setup

if TYPE_CHECKING:
    from textual.driver import Driver

    from ctxcode.session.door import Door

log = logging.getLogger(__name__)

_NAMES = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
_SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
_KEYED = tuple(getattr(signal, name) for name in _NAMES[2:] if hasattr(signal, name))
"""What a terminal sends to all it runs for Ctrl+C and Ctrl+\\; not for keys of the app, which get to it as they are."""
_PATIENCE_SECONDS = 5.0
"""How long an app that was told to end may take: with its terminal gone it can be stuck in a write for ever."""

_SWITCH_SECONDS = 0.001
"""After that long a thread that computes lets the event loop go on; by itself Python gives it five times as much."""
_KEEP_TITLE, _OLD_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal's own stack of window titles."""
OpenDoor = Callable[[], "Door"]
"""Opens the session; blocks; raises CtxcodeError."""


class StartingApp(CtxcodeApp):
    """The app before it has a session: the first paint waits for no import, database or file it can do without."""

    def __init__(self, open_door: OpenDoor, setup: Setup) -> None:
        super().__init__(None, setup)
        self._open_door = open_door
        self._opening = OpeningScreen(self.glyphs)
        self.failure: CtxcodeError | None = None
        """Why there is no session."""
        self.collector = IdleCollector()
        # Textual drops keys while nothing has the focus; these wait until something has.
        self._held: list[events.Key | events.Paste] | None = []
        self._is_away = False
        """Another program has the terminal."""

    async def on_event(self, event: events.Event) -> None:
        """Hold what is typed before the first picture and while one screen takes over from the other."""
        if isinstance(event, events.InputEvent | events.Paste | events.Resize):
            self.collector.pressed()
        if self._held is not None and isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._held.append(event)
        else:
            await super().on_event(event)

    async def _release(self) -> None:
        """Hand on what was held, in order."""
        while self._held:
            await super().on_event(self._held.pop(0))
        self._held = None

    def get_driver_class(self) -> "type[Driver]":
        """Return Textual's driver; on Unix ours, which, where no theme was chosen, also asks for the background."""
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from ctxcode.tui.terminal.driver import AskingDriver, ReadingDriver  # noqa: PLC0415 - Unix only

        return AskingDriver if self.setup.follows_ground else ReadingDriver

    def get_default_screen(self) -> Screen[None]:
        """Return the frame; the session's screen comes to lie over it."""
        return self._opening

    def on_mount(self) -> None:
        """Restore the terminal also when the process is told to end."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in _SIGNALS:
                # Not the loop's own handlers: they never run while the loop waits for a terminal that is gone.
                signal.signal(number, lambda number, _frame: self._on_signal(loop, number))

    def _on_signal(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        if self._is_away and number in _KEYED:
            # Meant for the editor that has the terminal.
            return
        late = threading.Timer(_PATIENCE_SECONDS, os._exit, (128 + number,))
        late.daemon = True
        late.start()
        if number == getattr(signal, "SIGHUP", None) and _is_terminal_gone():
            _let_go_of_terminal()
        loop.call_soon_threadsafe(self._end, 128 + number)

    def _end(self, return_code: int) -> None:
        self.call_later(self.leave, return_code)

    def _fatal_error(self) -> None:
        """End with one sentence in place of Textual's traceback, which goes to the log."""
        from rich.text import Text  # noqa: PLC0415 - only needed here

        error: BaseException | None = self._exception
        if isinstance(error, WorkerFailed):
            error = error.error
        log.critical("the app stopped", exc_info=error)
        details = f"; the details are in {clean_line(str(self.setup.log), 300)}" if self.setup.log is not None else ""
        self.panic(Text(f"ctxcode stopped: {clean_line(repr(error), 300)}. The session is kept{details}."))

    async def on_ready(self) -> None:
        """Open the session once the first picture is out."""
        await self._release()
        self.run_worker(self._begin(), group="opening", exit_on_error=True)
        self.set_interval(LOOK_SECONDS, self._collect)

    def _collect(self) -> None:
        if (chat := self.chat) is None or chat.turn is not None or chat.state.indexing is not None:
            self.collector.touched()
        self.collector.tick()

    async def _begin(self) -> None:
        try:
            self.door = await asyncio.to_thread(self._opened_door)
        except CtxcodeError as error:
            self.failure = error
            self.exit(return_code=error.exit_code)
            return
        # What is loaded stays, and no collection has to look through it while keys are waiting.
        gc.freeze()
        gc.enable()
        chat = self.make_chat()
        title = f"ctxcode {clean_line(self.door.repository.name, 80)}"
        self._tell_title(title)
        self.app_suspend_signal.subscribe(self, lambda _: self._go_away(), immediate=True)
        self.app_resume_signal.subscribe(self, lambda _: self._come_back(title))
        self._held = []
        # The old prompt answers after the keys it was sent before.
        await self._opening.prompt.settled()
        await self.push_screen(chat)
        if self._opening.prompt.text:
            chat.prompt.take(self._opening.prompt.draft)
        self.say_complaint()
        for action in self._opening.wanted:
            await chat.run_action(action)
        for text in self._opening.sent:
            chat.submit(text)
        await self._release()

    def _go_away(self) -> None:
        self._write(_OLD_TITLE)
        self._is_away = True

    def _come_back(self, title: str) -> None:
        self._is_away = False
        self._tell_title(title)

    def _tell_title(self, title: str) -> None:
        """Name the terminal's window; the name before comes back at the end, and while another program has it."""
        self._write(f"{_KEEP_TITLE}\x1b]2;{title}\x07")

    def _write(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def _opened_door(self) -> "Door":
        # Imported in the thread: by the time the session is open its screen is loaded too.
        from ctxcode.tui.screens import chat  # noqa: F401, PLC0415 - see above
        from ctxcode.tui.widgets import markdown  # noqa: PLC0415 - see above

        door = self._open_door()
        if door.history():
            markdown.load()
        return door


def _is_terminal_gone() -> bool:
    """Return whether nothing is left that could be restored; asked to hang up with the terminal there, it can be."""
    watched = select.poll()
    watched.register(0, 0)
    return bool(watched.poll(0))


def _let_go_of_terminal() -> None:
    """Send what is still written to a terminal that has gone nowhere, so that the app can end in good order."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)


def run_app(open_door: OpenDoor, setup: Setup) -> int:
    """Run the app until it ends; return the process's exit code: not 0 after a crash or a signal.

    Raises the CtxcodeError with which the session could not be opened, the terminal being restored.
    """
    app = StartingApp(open_door, setup)
    app.collector.begin()
    if app.is_plain:
        from ctxcode.tui.terminal.scroll_bar import use_whole_cells  # noqa: PLC0415 - hardly anybody needs it

        use_whole_cells()
    sys.setswitchinterval(_SWITCH_SECONDS)
    app.run()
    if sys.stderr.isatty():
        sys.stderr.write(_OLD_TITLE)
        sys.stderr.flush()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
