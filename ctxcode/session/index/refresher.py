"""One index refresh at a time, in a thread, with its progress as events."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing

from ctxcode.model.event import IndexProgressed, IndexRefreshed
from ctxcode.model.source import IndexReport
from ctxcode.session.ports import Indexer

POLL_SECONDS = 0.05
_SHOWN_FILES = 50
"""Changed files from which following them shows its progress."""


class IndexRefresher:
    """Runs the indexer, never twice at once."""

    def __init__(self, indexer: Indexer) -> None:
        self._indexer = indexer
        self._lock = threading.Lock()

    async def bring_up_to_date(self, *, wait_seconds: float) -> IndexReport | None:
        """Refresh before a request is planned.

        None when another refresh is still running after ``wait_seconds``: the caller goes on with what there is.
        Cancelling ends the refresh; what it has parsed is kept. Raises what the indexer raises.
        """
        cancelled = threading.Event()

        def run() -> IndexReport | None:
            deadline = time.monotonic() + wait_seconds
            while not self._lock.acquire(timeout=POLL_SECONDS):
                if cancelled.is_set() or time.monotonic() > deadline:
                    return None
            try:
                return self._indexer.refresh(lambda _done, _total, _phase: None, cancelled.is_set)
            finally:
                self._lock.release()

        try:
            return await asyncio.to_thread(run)
        except asyncio.CancelledError:
            cancelled.set()
            raise

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
        self, changes: Callable[[threading.Event], Iterator[None]]
    ) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Refresh after every change and yield what comes of it, nothing when nothing does; as in ``events``.

        ``changes`` blocks until the next one, or until its event is set.
        """
        stop = threading.Event()
        told, revision = changes(stop), ""
        try:
            while await asyncio.to_thread(_next, told):
                has_shown = False
                async with aclosing(self.events()) as events:
                    async for event in events:
                        if isinstance(event, IndexProgressed):
                            is_shown = event.phase == "parsing" and event.total_files >= _SHOWN_FILES
                        else:
                            is_shown = has_shown or event.revision != revision
                            revision = event.revision
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
