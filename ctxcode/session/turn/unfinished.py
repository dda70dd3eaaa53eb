"""A turn that nothing ended: its process was killed, or the machine lost its power."""

from collections.abc import Sequence

from ctxcode.action.reply import spoken
from ctxcode.model.conversation import StoppedBy, Turn, Usage
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    ReplyArrived,
    ReplyFinished,
    TurnCompleted,
    TurnStarted,
    WholeReply,
)


def ending(turn: Turn | None, events: Sequence[DurableEvent]) -> tuple[DurableEvent, ...]:
    """Return what an interruption would have recorded of an open turn, from what had arrived of its reply.

    ``events`` are all that was journalled, oldest first. A call that was only half received was not journalled and is
    not run.
    """
    if turn is None:
        return ()
    text, completed = spoken(turn.reply), TurnCompleted(turn.number, StoppedBy.INTERRUPTED)
    last = next((event for event in reversed(events) if isinstance(event, WholeReply)), None)
    if not text or (isinstance(last, ReplyFinished) and last.turn == turn.number):
        return (completed,)
    return ReplyFinished(turn.number, text, turn.model, _estimate(events)), completed


def _estimate(events: Sequence[DurableEvent]) -> Usage | None:
    """Return what the request took that was being answered; None where what it took is recorded."""
    for event in reversed(events):
        if isinstance(event, ContextPlanned):
            return Usage(estimated=event.total_tokens)
        if isinstance(event, TurnStarted | WholeReply):
            return None
    return None


def without_pieces(events: Sequence[DurableEvent]) -> list[DurableEvent]:
    """Return events without what had arrived of replies: the end of their turn holds all of it."""
    return [event for event in events if not isinstance(event, ReplyArrived)]
