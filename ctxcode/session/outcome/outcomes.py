"""The user's marks, and what journals add up to."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcode.feedback.stats import stats_of
from ctxcode.model.engine.stats import Stats
from ctxcode.model.errors import UsageError
from ctxcode.model.event import DurableEvent, Mark, ReplyMarked
from ctxcode.session.ledger import Ledger
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
        if not everything:
            return await asyncio.to_thread(stats_of, (tuple(self.ledger.events),))
        return await asyncio.to_thread(repository_stats, self.ledger.journal)


def repository_stats(journal: Journal) -> Stats:
    """Return what the newest thousand sessions of a repository came to; blocks."""
    return stats_of(_journals(journal))


def _journals(journal: Journal) -> Iterable[Sequence[DurableEvent]]:
    for row in journal.sessions(MOST_SESSIONS):
        yield journal.events(row.id)
