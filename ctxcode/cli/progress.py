"""Progress of the index on standard error, for people only."""

import sys
import time

from ctxcode.model.source import IndexReport
from ctxcode.session.ports import Indexer

QUIET_SECONDS = 0.3
"""Nothing is shown before this: a warm index should say nothing."""


def refresh_with_progress(indexer: Indexer) -> IndexReport:
    """Bring the index up to date; on a terminal one line tells how far it is."""
    started = time.monotonic()
    shown = False

    def show(done: int, total: int, phase: str) -> None:
        nonlocal shown
        if time.monotonic() - started < QUIET_SECONDS:
            return
        shown = True
        who = "another ctxcode is " if phase == "elsewhere" else ""
        how = "" if who else f", {phase}"
        print(f"\r\x1b[K{who}indexing {done:,} / {total:,} files{how}", end="", file=sys.stderr, flush=True)

    report = indexer.refresh(show if sys.stderr.isatty() else lambda _done, _total, _phase: None, lambda: False)
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return report
