"""A session's journal and what it adds up to, kept in step: an event is written first and folded after."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import TypeVar

from ctxcode.model.errors import SessionInUseError
from ctxcode.model.event import DurableEvent, ReplyArrived, SessionStarted, TurnCompleted, TurnStarted, WholeReply
from ctxcode.model.ids import SessionId
from ctxcode.model.plan import ContextMode
from ctxcode.session.ports import Clock, Journal
from ctxcode.session.state import SessionState, folded
from ctxcode.session.threads import whole
from ctxcode.session.turn.unfinished import ending, without_pieces

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
    _owed: tuple[DurableEvent, ...] = ()
    """How a turn ended that nothing ended; journalled before the next event, so that reading writes nothing."""
    _shown: list[str] = field(default_factory=list)
    """The pieces of the running reply that are not journalled yet."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def load(self) -> None:
        """Read what was journalled for this session before; blocks.

        A turn that was left open counts as interrupted, unless another process is at it.
        """
        found = self.journal.events(self.id)
        state = folded(self.state, found)
        self._owed = _owed(self.journal, self.id, state, found)
        self.events = [*without_pieces(found), *self._owed]
        self.state = folded(state, self._owed)

    def record(self, event: EventT) -> EventT:
        """Journal an event and return it; blocks; any thread may call.

        A new session's start is journalled before its first event.
        """
        with self._lock:
            if not self.events and not isinstance(event, SessionStarted):
                self.journal.claim(self.id)
                self.record(SessionStarted(self.id, self.state.mode, self.state.model, self.state.api_base))
            if isinstance(event, TurnStarted):
                self.end_open_turn()
            self._pay()
            self.journal.append(self.id, event, self.clock())
            if isinstance(event, WholeReply | TurnStarted):
                self._shown.clear()
            self.events.append(event)
            self.state = folded(self.state, (event,))
            return event

    def end_open_turn(self) -> None:
        """Journal the end of a turn whose own could not be journalled, with all that was shown of its answer; blocks.

        For when no turn runs: before what follows on the last one, or takes it back, is made.
        """
        with self._lock:
            if self.state.open_turn is None or self.journal.is_elsewhere(self.id):
                return
            self.keep()
            found = self.journal.events(self.id)
            late = list(takewhile(lambda event: not isinstance(event, WholeReply | TurnStarted), reversed(found)))
            state = folded(self.state, [event for event in reversed(late) if isinstance(event, ReplyArrived)])
            self._owed = ending(state.open_turn, found)
            self.events += self._owed
            self.state = folded(state, self._owed)
            self._pay()

    def _pay(self) -> None:
        """Journal what is owed."""
        while self._owed:
            self.journal.append(self.id, self._owed[0], self.clock())
            self._owed = self._owed[1:]

    def show(self, text: str) -> None:
        """Take note of a piece of the reply that is shown; ``keep`` journals it. Does not block."""
        self._shown.append(text)

    def keep(self) -> None:
        """Journal what was shown of the reply since the last time; blocks; any thread may call."""
        with self._lock:
            pieces, turn = tuple(self._shown), self.state.open_turn
            if pieces and turn is not None:
                self.journal.append(self.id, ReplyArrived(turn.number, "".join(pieces)), self.clock())
                del self._shown[: len(pieces)]

    async def written(self, event: EventT) -> EventT:
        """Journal an event in a thread; a cancellation waits for the write, so that nothing is recorded after it."""
        return await whole(partial(self.record, event))


def recorded(journal: Journal, session: SessionId) -> list[DurableEvent]:
    """Return what ``Ledger.load`` would have of a session, oldest first; blocks."""
    found = journal.events(session)
    newest = next((event for event in reversed(found) if isinstance(event, TurnStarted | TurnCompleted)), None)
    owed: tuple[DurableEvent, ...] = ()
    if isinstance(newest, TurnStarted):
        blank = SessionState(mode=ContextMode.LIGHT, model="", budget_tokens=0)
        owed = _owed(journal, session, folded(blank, found), found)
    return [*without_pieces(found), *owed]


def _owed(
    journal: Journal, session: SessionId, state: SessionState, found: Sequence[DurableEvent]
) -> tuple[DurableEvent, ...]:
    """Return how the open turn ended; nothing while another process is at it."""
    if state.open_turn is None or journal.is_elsewhere(session):
        return ()
    return ending(state.open_turn, found)


_GO_ON = "Go on there, or begin a new one: ctxcode --new"


def claim(journal: Journal, session: SessionId | None, hint: str = _GO_ON) -> None:
    """Make sure that this process alone writes a session; None for a new one.

    Raises SessionInUseError, with ``hint``, while another process does: the turns of two would mingle.
    """
    if session is not None and not journal.claim(session):
        raise SessionInUseError(f"Session {session!r} is open in another window.", hint)


@contextmanager
def claimed(journal: Journal, session: SessionId, hint: str) -> Iterator[None]:
    """Have a session that is not the open one for a moment. Raises as ``claim`` does."""
    claim(journal, session, hint)
    try:
        yield
    finally:
        journal.give_up(session)


@contextmanager
def changed(journal: Journal, left: SessionId, session: SessionId | None) -> Iterator[None]:
    """Claim another session while it is opened, and leave one to other processes once it is.

    Raises as ``claim`` does; whatever is raised, nothing was changed.
    """
    claim(journal, session)
    let_go = session
    try:
        yield
        let_go = left
    finally:
        if session != left and let_go is not None:
            journal.give_up(let_go)
