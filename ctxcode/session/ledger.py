"""A session's journal and what it adds up to, kept in step: an event is written first and folded after."""

import asyncio
import threading
from dataclasses import dataclass, field
from typing import TypeVar

from ctxcode.model.errors import SessionInUseError
from ctxcode.model.event import DurableEvent, SessionStarted
from ctxcode.model.ids import SessionId
from ctxcode.session.ports import Clock, Journal
from ctxcode.session.state import SessionState, folded

EventT = TypeVar("EventT", bound=DurableEvent)


@dataclass(slots=True)
class Ledger:
    """One session's record."""

    id: SessionId
    journal: Journal
    clock: Clock
    state: SessionState
    """As of the last event; before ``load`` the defaults of a new session."""
    events: list[DurableEvent] = field(default_factory=list)
    is_busy: bool = False
    """A turn is running: the branch can't be left or rewritten."""
    is_writing: bool = False
    """A model is writing a capsule."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def load(self) -> None:
        """Read what was journalled for this session before; blocks."""
        self.events = list(self.journal.events(self.id))
        self.state = folded(self.state, self.events)

    def record(self, event: EventT) -> EventT:
        """Journal an event and return it; blocks; any thread may call.

        A new session's start is journalled before its first event.
        """
        with self._lock:
            if not self.events and not isinstance(event, SessionStarted):
                self.journal.claim(self.id)
                self.record(SessionStarted(self.id, self.state.mode, self.state.model, self.state.api_base))
            self.journal.append(self.id, event, self.clock())
            self.events.append(event)
            self.state = folded(self.state, (event,))
            return event

    async def written(self, event: EventT) -> EventT:
        """Journal an event in a thread; a cancellation waits for the write, so that nothing is recorded after it."""
        writing = asyncio.ensure_future(asyncio.to_thread(self.record, event))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait({writing})
            raise


def claim(journal: Journal, session: SessionId | None) -> None:
    """Make sure that this process alone writes a session; None for a new one.

    Raises SessionInUseError while another process does: the turns of two would mingle.
    """
    if session is not None and not journal.claim(session):
        hint = "Go on there, or begin a new one: ctxcode --new"
        raise SessionInUseError(f"Session {session!r} is open in another window.", hint)


def change(journal: Journal, left: SessionId, session: SessionId | None) -> None:
    """Leave a session to other processes and claim another. Raises as ``claim`` does, and then leaves nothing."""
    claim(journal, session)
    if session != left:
        journal.give_up(left)
