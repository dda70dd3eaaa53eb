"""What a turn waits for, and how it goes on, in words."""

from math import ceil

from ctxcode.model.chat import DelayReason
from ctxcode.model.passing.event import IndexAwaited, ReplyDelayed
from ctxcode.tui.number import elapsed, thousands

_REASONS = {
    DelayReason.RATE_LIMIT: "rate limited by the server",
    DelayReason.OVERLOADED: "the server is overloaded",
    DelayReason.SERVER_FAILED: "the server failed",
    DelayReason.NOTHING_ANSWERS: "nothing answers at the server's address",
    DelayReason.CONNECTION_BROKEN: "the connection broke",
}


def waiting_words(
    waiting: ReplyDelayed | IndexAwaited, waited_seconds: float = 0.0, turn_seconds: float | None = None
) -> str:
    """Return what is waited for, ``waited_seconds`` after it was told.

    ``turn_seconds`` is how long the turn has taken, told where nothing is counted down.
    """
    left = 0.0 if waiting.seconds is None else waiting.seconds - waited_seconds
    if isinstance(waiting, ReplyDelayed):
        when = f" in {_whole(left)}" if left > 0 else ""
        words = f"{_REASONS[waiting.reason]}: trying again{when} ({waiting.attempt} of {waiting.attempts})"
    else:
        # What has been read is put together however long that takes.
        is_limited = left > 0 and (waiting.progress is None or waiting.progress.phase in {"parsing", "elsewhere"})
        when = f", for {_whole(left)} at most" if is_limited else ""
        words = f"{_index_words(waiting)}{when}"
    return words if when or turn_seconds is None else f"{words} {elapsed(max(1.0, turn_seconds))}"


def _index_words(waiting: IndexAwaited) -> str:
    progress = waiting.progress
    if progress is None:
        return "waiting for the index"
    done, total = thousands(progress.done_files), thousands(progress.total_files)
    match progress.phase:
        case "parsing":
            what = "changed files" if waiting.seconds is None else "the rest"
            return f"indexing {what} first, {done} / {total} files"
        case "resolving":
            return f"resolving names in {done} files first"
        case "storing":
            return "storing the index first"
        case "elsewhere":
            return f"waiting for another ctxcode to index, {done} / {total} files"
    return "looking for changed files first"


def _whole(seconds: float) -> str:
    """Return seconds rounded up: what is counted down is over at nought."""
    return elapsed(float(max(1, ceil(seconds))))
