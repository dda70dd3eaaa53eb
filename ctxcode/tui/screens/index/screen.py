"""A session on screen that keeps the index in step: reading the repository, pausing that, and saying how it stands."""

import time
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from ctxcode.model.errors import CtxcodeError
from ctxcode.model.event import ContextPlanned, Event
from ctxcode.model.passing.event import IndexAwaited, IndexProgressed, IndexRefreshed, ReplyDelayed
from ctxcode.tui.clean import clean_line
from ctxcode.tui.screens.examples import example_questions
from ctxcode.tui.screens.session_screen import SessionScreen


class IndexScreen(SessionScreen):
    """Refreshes the index once at the start, then follows edits."""

    _follows = False
    _has_failed = False
    """It does not follow, but nobody has paused it."""

    async def begin(self) -> None:
        """Read the repository, too."""
        await super().begin()
        self.work(self.follow_index, "index")

    async def follow_index(self) -> None:
        """Bring the index in step, then follow edits; after a failure, until a request could be planned, no more."""
        self.index_started_at, self._follows, self._has_failed = time.monotonic(), True, False
        self.update_start(is_halted=False)
        try:
            for happening in (self.door.refresh_index, self.door.follow_changes):
                async with aclosing(happening()) as events:
                    async for event in events:
                        self.post_message(self.Happened(event))
        except CtxcodeError:
            self._stop_following()
            self._has_failed = True
            raise

    def _stop_following(self) -> None:
        self._follows = False
        self.state = replace(self.state, indexing=None)
        self.update_start(is_indexing=False, is_halted=True)

    def fold(self, event: Event) -> None:
        """Show the figures of a refreshed index, and of a first one what it will hold as soon as that is known."""
        before = self.state.indexing
        if isinstance(event, IndexProgressed) and before is None:
            self.index_started_at = time.monotonic()
        elif isinstance(event, IndexAwaited | ReplyDelayed):
            self.waiting_since = time.monotonic()
        super().fold(event)
        match event:
            case IndexRefreshed():
                self._show_index()
                self.ask_forecast()
            case ContextPlanned() if self._has_failed:
                # What was in the way has gone: the folder is there again, say.
                self.work(self.follow_index, "index")
            case IndexProgressed(phase="parsing" | "elsewhere") if before is None or before.phase != event.phase:
                # The files to be read are known, or more of a large first index can be asked.
                self._show_index()
                if before is not None and before.phase == "resolving":
                    self.ask_forecast()

    def _show_index(self) -> None:
        self.work(self._load_stats, "stats")
        if self.drawer.display and not (self.pane.shows_next and self.prompt.text.strip()):
            self.work(self.pane.renew, "overlay-index")

    def control_index(self, wanted: str) -> None:
        """Pause or resume reading the repository, or say how it stands."""
        match wanted.casefold():
            case "pause" if self._follows:
                for worker in [worker for worker in self.workers if worker.group == "index"]:
                    worker.cancel()
                self._stop_following()
                self.door.rest_index()
                self.say("index paused; a question still brings it up to date; /index resume follows your edits again")
            case "pause":
                self._has_failed = False
                # A question may have let something go on since.
                self.door.rest_index()
                self.say("The index is paused already. /index resume follows your edits again")
            case "resume" if self._follows:
                self.say("The index follows your edits already. /index pause stops that")
            case "resume":
                self.work(self.follow_index, "index")
                self.say("index resumed")
            case "":
                stopped = "stopped by an error: a question or /index resume tries again"
                how = "follows your edits" if self._follows else stopped if self._has_failed else "paused"
                self.work(partial(self._tell_index, how), "command")
            case _:
                self.say(
                    f"/index knows no {clean_line(wanted, 40)!r}. /index, /index pause, /index resume", is_error=True
                )

    async def _tell_index(self, how: str) -> None:
        stats = await self.door.stats()
        held = f"{stats.files:,} files, {stats.symbols:,} symbols, {stats.edges:,} edges"
        self.say(f"{held}; {how}; ctxcode index lists what is left out and why")

    async def _load_stats(self) -> None:
        stats = await self.door.stats()
        self.update_start(stats=stats, is_indexing=self.state.indexing is not None)
        if self.state.turns and self.start_view.examples:
            # The start page is out of sight, and these do for when it comes back: edits follow one another.
            return
        examples = example_questions(await self.door.starters())
        self.prompt.examples = len(examples) if not self.state.turns else 0
        self.update_start(examples=examples)
