"""The user's marks, and what journals add up to."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ctxcode.feedback.stats import stats_of
from ctxcode.model.engine.stats import Stats
from ctxcode.model.errors import UsageError
from ctxcode.model.event import DurableEvent, Mark, ReplyMarked
from ctxcode.model.ids import SessionId
from ctxcode.session.ledger import Ledger, recorded
from ctxcode.session.ports import Journal

MOST_NOTE_CHARS = 1_000
MOST_SESSIONS = 1_000


@dataclass(frozen=True, slots=True)
class Outcomes:
    """One session's; see ``door.OutcomeDoor``."""

    ledger: Ledger

    async def mark(self, mark: Mark, note: str = "") -> ReplyMarked:
        """Mark the last reply of the open branch."""
        state = self.ledger.state
        turn = next(
            (one for one in reversed(state.turns) if one.reply.strip() and not one.prompt.startswith("!")), None
        )
        if turn is None:
            raise UsageError("There is no reply to mark yet.", "Ask something first.")
        event = ReplyMarked(turn.number, mark, turn.model, " ".join(note.split())[:MOST_NOTE_CHARS])
        return await asyncio.to_thread(self.ledger.record, event)

    async def stats(self, *, everything: bool = False) -> Stats:
        """Return what this session came to, or all sessions of the repository."""
        own = tuple(self.ledger.events)
        if not everything:
            return await asyncio.to_thread(stats_of, (own,))
        return await asyncio.to_thread(repository_stats, self.ledger.journal, {self.ledger.id: own})


def repository_stats(
    journal: Journal, opened: Mapping[SessionId, Sequence[DurableEvent]] = MappingProxyType({})
) -> Stats:
    """Return what the newest thousand sessions of a repository came to; blocks.

    ``opened`` holds the events of those that this process writes: a turn of theirs may be running.
    """
    return stats_of(_journals(journal, opened))


def _journals(journal: Journal, opened: Mapping[SessionId, Sequence[DurableEvent]]) -> Iterable[Sequence[DurableEvent]]:
    for row in journal.sessions(MOST_SESSIONS):
        yield opened[row.id] if row.id in opened else recorded(journal, row.id)
