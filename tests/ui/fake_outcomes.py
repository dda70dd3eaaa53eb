"""Marks and statistics of the fake door, from its own journal."""

from collections.abc import Callable, Sequence

from ctxcode.feedback.stats import stats_of
from ctxcode.model.engine.stats import Stats
from ctxcode.model.errors import UsageError
from ctxcode.model.event import DurableEvent, Mark, ReplyFinished, ReplyMarked


class FakeOutcomes:
    """What came of turns."""

    def __init__(self, history: Callable[[], Sequence[DurableEvent]], record: Callable[[DurableEvent], None]) -> None:
        self._history = history
        self._record = record

    async def mark(self, mark: Mark, note: str = "") -> ReplyMarked:
        replies = [event for event in self._history() if isinstance(event, ReplyFinished)]
        if not replies:
            raise UsageError("There is no reply to mark yet.", "Ask something first.")
        event = ReplyMarked(replies[-1].turn, mark, replies[-1].model, note)
        self._record(event)
        return event

    async def stats(self, *, everything: bool = False) -> Stats:
        del everything
        return stats_of([self._history()])
