"""One index refresh at a time, in a thread, with its progress as events."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from ctxcode.model.errors import StoreError
from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed
from ctxcode.model.source import IndexReport
from ctxcode.model.symbol import IndexStats
from ctxcode.session.index.turn import ELSEWHERE
from ctxcode.session.ports import Indexer

T = TypeVar("T")

POLL_SECONDS = 0.05
FIRST_INDEX_SECONDS = 600.0
"""How long a request waits for the beginning of a repository's index: without any there is nothing to plan with."""
LATER_INDEX_SECONDS = 10.0
"""How long it waits for a refresh that goes on: a branch switch of thousands of files takes some seconds."""
GROWING_INDEX_SECONDS = 30.0
"""How long it waits for the rest of a first index of which there is a beginning: most are whole by then."""
TELL_SECONDS = 0.5
"""How often a request that waits says how it stands; nothing is said of a shorter wait."""
_LOOK_SECONDS = 1.0
"""After so long it is looked again whether there is a beginning by now."""
_SHOWN_FILES = 50
"""Changed files from which following them shows its progress."""


@dataclass(frozen=True, slots=True)
class Wait:
    """How it stands with what a request waits for."""

    seconds: float | None
    """Until it is waited for no longer; None where all of it is needed."""
    progress: IndexProgressed | None
    """How far it is; None while another refresh goes on."""


class CatchUp:
    """A refresh before a request is planned: one can begin with what is known early, and must wait for the rest."""

    def __init__(self, work: "Callable[[CatchUp], IndexReport | None]") -> None:
        """Begin it in a thread: ``work`` gets this, to tell how it stands and to see whether to stop."""
        self._cancelled = threading.Event()
        self._ahead = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._progress: IndexProgressed | None = None
        self.ends_at: float | None = None
        """When it is waited for no longer, on the monotonic clock; None where all of it is needed."""
        self._running = asyncio.ensure_future(asyncio.to_thread(work, self))
        self._running.add_done_callback(self._end)

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits any more."""
        return self._cancelled.is_set()

    def note_ahead(self) -> None:
        """Say, in the thread, that something can be asked for."""
        self._loop.call_soon_threadsafe(self._ahead.set)

    def note(self, done_files: int, total_files: int, phase: str) -> None:
        """Say, in the thread, how far it is."""
        self._progress = IndexProgressed(done_files, total_files, phase)

    async def ahead(self) -> AsyncGenerator[Wait, None]:
        """Wait until what was changed lately is indexed, or all is; yield now and then how it stands.

        Raises what the indexer raises.
        """
        ahead = asyncio.ensure_future(self._ahead.wait())
        try:
            async with aclosing(self._waits(ahead)) as waits:
                async for wait in waits:
                    yield wait
        finally:
            ahead.cancel()
        if self._running.done():
            self._running.result()

    async def rest(self) -> AsyncGenerator[Wait, None]:
        """Wait for the end of it; yield now and then how it stands."""
        async with aclosing(self._waits(self._running)) as waits:
            async for wait in waits:
                yield wait

    async def whole(self) -> IndexReport | None:
        """Return the end of it: None when another refresh was still running. Raises what the indexer raises."""
        try:
            return await asyncio.shield(self._running)
        except asyncio.CancelledError:
            self.stop()
            raise

    def stop(self) -> None:
        """End it: nobody waits any more. What it has parsed is kept."""
        self._cancelled.set()

    async def _waits(self, awaited: "asyncio.Future[T]") -> AsyncGenerator[Wait, None]:
        """Yield how it stands, whenever that has changed, until something is there; whoever leaves ends the refresh."""
        told: object = None
        try:
            while not (await asyncio.wait({awaited}, timeout=TELL_SECONDS))[0]:
                ends_at, progress = self.ends_at, self._progress
                if told != (ends_at, progress):
                    told = ends_at, progress
                    yield Wait(None if ends_at is None else max(0.0, ends_at - time.monotonic()), progress)
        finally:
            if not awaited.done():
                self.stop()

    def _end(self, running: "asyncio.Future[IndexReport | None]") -> None:
        self._ahead.set()
        if not running.cancelled():
            # Whoever waits hears of it; when nobody does, nobody need.
            running.exception()


class IndexRefresher:
    """Runs the indexer, never twice at once."""

    def __init__(self, indexer: Indexer, stats: Callable[[], IndexStats]) -> None:
        """Take the indexer and what says, blocking, what the index holds."""
        self._indexer = indexer
        self._stats = stats
        self._lock = threading.Lock()

    def catch_up(self) -> CatchUp:
        """Begin to refresh before a request is planned.

        The beginning of the very first index is waited for. A later one comes to nothing when another refresh is still
        running after a moment: the caller goes on with what there is. So it does when this one has to read the rest of
        a first index that was paused, and that takes long; what it has read by then is published.
        """

        def run(catch_up: CatchUp) -> IndexReport | None:
            begun = time.monotonic()
            while not self._acquired(catch_up):
                patience = self._patience()
                if catch_up.is_cancelled or time.monotonic() - begun > patience:
                    return None
                catch_up.ends_at = begun + patience if patience < FIRST_INDEX_SECONDS else None
            ends_at = begun + GROWING_INDEX_SECONDS
            is_over = self._growing_until(ends_at)
            try:
                catch_up.ends_at = ends_at if self._is_growing() else None
                return self._indexer.refresh(
                    catch_up.note, lambda: catch_up.is_cancelled or is_over(), note_ahead=catch_up.note_ahead
                )
            finally:
                self._lock.release()

        return CatchUp(run)

    def _patience(self) -> float:
        """Return how many seconds are waited in all, by what there is to plan with."""
        stats = self._stats()
        if not stats.symbols:
            return FIRST_INDEX_SECONDS
        return GROWING_INDEX_SECONDS if stats.pending else LATER_INDEX_SECONDS

    def _growing_until(self, ends_at: float) -> Callable[[], bool]:
        """Return what says whether that time has come and there is a beginning to plan with, but not all."""
        looks_at = ends_at

        def is_over() -> bool:
            nonlocal looks_at
            now = time.monotonic()
            if now < looks_at:
                return False
            # Asked for each file; the index is seldom looked at.
            looks_at = now + _LOOK_SECONDS
            return self._is_growing()

        return is_over

    def _is_growing(self) -> bool:
        """Return whether there is a beginning of an index, but not all of it."""
        try:
            stats = self._stats()
        except StoreError:
            # A refresh builds a damaged one again, or says what is wrong.
            return False
        return bool(stats.symbols and stats.pending)

    def _acquired(self, catch_up: CatchUp) -> bool:
        """Return whether no refresh is running any more, after a second at the latest; then one may begin."""
        deadline = time.monotonic() + _LOOK_SECONDS
        while not (is_acquired := self._lock.acquire(timeout=POLL_SECONDS)):
            if catch_up.is_cancelled or time.monotonic() > deadline:
                break
        return is_acquired

    async def events(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Refresh and yield progress, newest only, then IndexRefreshed. Closing the generator cancels the refresh.

        Raises what the indexer raises.
        """
        cancelled = threading.Event()
        latest: list[IndexProgressed] = []

        def note(done: int, total: int, phase: str) -> None:
            latest[:] = [IndexProgressed(done, total, phase)]

        def run() -> IndexReport:
            with self._lock:
                return self._indexer.refresh(note, cancelled.is_set)

        task = asyncio.create_task(asyncio.to_thread(run))
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=POLL_SECONDS)
                if latest and not task.done():
                    yield latest.pop()
            yield _refreshed(task.result())
        finally:
            cancelled.set()

    async def follow(
        self, changes: Callable[[threading.Event], Iterator[None]], branch: Callable[[], str]
    ) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Refresh after every change and yield what comes of it, nothing when nothing does; as in ``events``.

        ``changes`` blocks until the next one, or until its event is set. ``branch`` says what was checked out at the
        last refresh: another one is told of also where all files are as they were.
        """
        stop = threading.Event()
        told, shown = changes(stop), ("", "")
        try:
            while await asyncio.to_thread(_next, told):
                has_shown = False
                async with aclosing(self.events()) as events:
                    async for event in events:
                        if isinstance(event, IndexProgressed):
                            is_shown = event.phase in {"parsing", ELSEWHERE} and event.total_files >= _SHOWN_FILES
                        else:
                            now = event.revision, branch()
                            is_shown = has_shown or now != shown
                            shown = now
                        if is_shown:
                            has_shown = True
                            yield event
        finally:
            stop.set()


def _next(changes: Iterator[None]) -> bool:
    return next(changes, _END) is not _END


_END = object()


def _refreshed(report: IndexReport) -> IndexRefreshed:
    return IndexRefreshed(
        revision=report.revision,
        files=report.files,
        symbols=report.symbols,
        edges=report.edges,
        parsed=report.parsed,
        seconds=report.seconds,
        skipped=len(report.skipped),
    )
