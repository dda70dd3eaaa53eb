"""Taking a session out of the database, with all that was stored for it alone."""

import sqlite3

from ctxcode.model.ids import SessionId
from ctxcode.model.plan import ContextPlan
from ctxcode.store.codec import UnreadableError, column_text, unpack

_DELETE_EVENTS = "DELETE FROM event WHERE session = ? AND kind NOT IN ('capsule-written', 'capsule-removed')"
_PLANS_OF = "SELECT body, payload_hash FROM plan WHERE session = ?"
_ALL_PLANS = "SELECT body, payload_hash FROM plan"
_DELETE_PLANS = "DELETE FROM plan WHERE session = ?"
_DELETE_RETRIEVALS = (
    "DELETE FROM retrieval WHERE id NOT IN (SELECT retrieval_id FROM plan WHERE retrieval_id IS NOT NULL)"
)
_DELETE_TEXT = "DELETE FROM text WHERE hash = ?"


def delete_session(connection: sqlite3.Connection, session: SessionId) -> None:
    """Delete a session's events but those of capsules, its plans, and the texts no other plan refers to."""
    key = column_text(session)
    texts = _texts(connection.execute(_PLANS_OF, (key,)).fetchall())
    connection.execute(_DELETE_EVENTS, (key,))
    connection.execute(_DELETE_PLANS, (key,))
    connection.execute(_DELETE_RETRIEVALS)
    if texts:
        kept = _texts(connection.execute(_ALL_PLANS))
        connection.executemany(_DELETE_TEXT, [(text,) for text in sorted(texts - kept)])


def _texts(rows: "sqlite3.Cursor | list[tuple[bytes, str | None]]") -> set[str]:
    """Return the keys of the texts that plans refer to; of a plan that can't be read only its payload's."""
    found: set[str] = set()
    for body, payload_hash in rows:
        if payload_hash is not None:
            found.add(payload_hash)
        try:
            found.update(item.text for item in unpack(body, ContextPlan).items if item.text is not None)
        except UnreadableError:
            continue
    return found
