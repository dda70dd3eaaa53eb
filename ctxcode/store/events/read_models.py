"""What the journal says, seen as rows for a list."""

import sqlite3
from collections.abc import Iterable, Sequence

from ctxcode.model.conversation import SessionSummary, StoppedBy
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    ModelChanged,
    SessionRenamed,
    SessionStarted,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import PlanId, SessionId
from ctxcode.store.codec import UnreadableError
from ctxcode.store.events.rows import EncodedEvent, decode_event

_LONGEST_TITLE = 80

# Another title makes no session a newer one.
# Reads the covering index alone; the few bodies it names come in a second step.
_SESSIONS = """
SELECT session, max(CASE WHEN kind <> 'session-renamed' THEN at END) AS updated_at, sum(kind = 'turn-started') AS turns,
  max(CASE WHEN kind = 'session-renamed' THEN id END),
  min(CASE WHEN kind = 'turn-started' THEN id END),
  max(CASE WHEN kind IN ('session-started', 'model-changed') THEN id END),
  sum(kind = 'turn-completed') > sum(kind = 'reply-finished')
FROM event GROUP BY session HAVING turns > 0 ORDER BY updated_at DESC, session LIMIT ?
"""
_PROMPTS = "SELECT id FROM event WHERE kind = 'turn-started' ORDER BY id DESC LIMIT ?"
_USAGES = """
SELECT session, kind, version, body FROM (
  SELECT id, session, kind, version, body FROM event
  WHERE kind IN ('context-planned', 'tools-called', 'reply-continued', 'reply-finished', 'strategy-remembered',
    'capsule-drafted')
  ORDER BY id DESC LIMIT ?
) ORDER BY session, id
"""
_ENDS = """
SELECT id, kind FROM event
WHERE session = ? AND kind IN ('turn-started', 'tools-called', 'reply-continued', 'reply-finished', 'turn-completed')
ORDER BY id
"""
_EVENT = "SELECT kind, version, body FROM event WHERE id = ?"


def session_summaries(connection: sqlite3.Connection, limit: int) -> tuple[SessionSummary, ...]:
    """Return sessions with at least one turn, newest first."""
    rows = connection.execute(_SESSIONS, (limit,)).fetchall()
    return tuple(
        SessionSummary(
            id=SessionId(session),
            title=_title(_events(connection, (renamed, first_turn))),
            turns=turns - (_refused(connection, session) if has_unanswered else 0),
            updated_at=float(updated_at),
            model=_model(_events(connection, (model,))),
        )
        for session, updated_at, turns, renamed, first_turn, model, has_unanswered in rows
    )


def _refused(connection: sqlite3.Connection, session: str) -> int:
    """Return how many turns of a session asked nothing: their request did not fit, or was above a cap."""
    unanswered, is_answered = [], False
    for number, kind in connection.execute(_ENDS, (session,)).fetchall():
        if kind == TurnCompleted.kind and not is_answered:
            unanswered.append(number)
        is_answered = kind not in (TurnStarted.kind, TurnCompleted.kind)
    ends = _events(connection, unanswered)
    return sum(isinstance(end, TurnCompleted) and end.stopped_by is StoppedBy.LIMIT for end in ends)


def recent_prompts(connection: sqlite3.Connection, limit: int) -> tuple[str, ...]:
    """Return what was asked in any session, newest first, each text once."""
    ids = [row[0] for row in connection.execute(_PROMPTS, (limit,))]
    asked = [event.prompt for event in _events(connection, ids) if isinstance(event, TurnStarted)]
    return tuple(dict.fromkeys(asked))


def usage_events(connection: sqlite3.Connection, limit: int) -> tuple[tuple[DurableEvent, ...], ...]:
    """Return the newest events that tell of requests and what they took, by session, each oldest first."""
    found: dict[str, list[DurableEvent]] = {}
    for session, *row in connection.execute(_USAGES, (limit,)):
        try:
            found.setdefault(session, []).append(decode_event(EncodedEvent(*row)))
        except UnreadableError:
            continue
    return tuple(tuple(events) for events in found.values())


def _events(connection: sqlite3.Connection, ids: Iterable[int | None]) -> list[DurableEvent]:
    found = []
    for number in ids:
        row = connection.execute(_EVENT, (number,)).fetchone() if number is not None else None
        if row is None:
            continue
        try:
            found.append(decode_event(EncodedEvent(*row)))
        except UnreadableError:
            # A list still shows the session; opening it tells what could not be read.
            continue
    return found


def _title(events: list[DurableEvent]) -> str:
    """Return the title given last, else the first prompt on one line."""
    for event in events:
        match event:
            case SessionRenamed(title=text) | TurnStarted(prompt=text) if text.strip():
                line = " ".join(text[: 4 * _LONGEST_TITLE].split())
                return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1]}…"
            case _:
                pass
    return ""


def _model(events: list[DurableEvent]) -> str:
    return next((event.model for event in events if isinstance(event, SessionStarted | ModelChanged)), "")


def request_events(events: Sequence[DurableEvent], plan_id: PlanId) -> tuple[DurableEvent, ...]:
    """Return the events from the last time a plan was made on until its turn completed or its next request began."""
    starts = [at for at, event in enumerate(events) if isinstance(event, ContextPlanned) and event.plan_id == plan_id]
    if not starts:
        return ()
    found = [events[starts[-1]]]
    for event in events[starts[-1] + 1 :]:
        if isinstance(event, ContextPlanned | TurnStarted):
            break
        found.append(event)
        if isinstance(event, TurnCompleted):
            break
    return tuple(found)
