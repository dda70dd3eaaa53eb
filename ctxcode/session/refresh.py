"""One index refresh at a time, in a thread, with its progress as events."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator

from ctxcode.model.event import IndexProgressed, IndexRefreshed
from ctxcode.model.source import IndexReport
from ctxcode.session.ports import Indexer

POLL_SECONDS = 0.05


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
