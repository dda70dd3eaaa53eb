"""Plans and the RetrievalSets they were made from."""

import sqlite3

from ctxcode.model.canonical import canonical_json
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import PlanId, SessionId
from ctxcode.model.plan import ContextPlan, PlannedRequest
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.store.codec import UnreadableError, column_text, pack, unpack
from ctxcode.store.texts import save_texts

_AFTER_ALL = "\U0010ffff"

_INSERT_RETRIEVAL = "INSERT OR IGNORE INTO retrieval (id, body) VALUES (?, ?)"
_INSERT_PLAN = """
INSERT INTO plan (id, created_at, session, prompt, mode, model, tokens, retrieval_id, payload_hash, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
  created_at = max(created_at, excluded.created_at),
  session = coalesce(session, excluded.session),
  retrieval_id = coalesce(retrieval_id, excluded.retrieval_id)
"""
_IDS_FROM = "SELECT id FROM plan WHERE id >= ? AND id < ? ORDER BY id LIMIT 6"
_SELECT_PLAN = "SELECT body FROM plan WHERE id = ?"
_SELECT_NEWEST = "SELECT body, created_at FROM plan ORDER BY created_at DESC, id LIMIT ?"
_SELECT_RETRIEVAL = (
    "SELECT retrieval.body FROM plan JOIN retrieval ON retrieval.id = plan.retrieval_id WHERE plan.id = ?"
)
_SELECT_SESSION = "SELECT session FROM plan WHERE id = ?"


def save_plan(
    connection: sqlite3.Connection,
    request: PlannedRequest,
    retrieval: RetrievalSet | None,
    session: SessionId | None,
    at: float,
) -> None:
    """Store a plan with its texts, payload and RetrievalSet; a plan stored before becomes the newest again."""
    plan = request.plan
    texts = list(request.texts)
    payload_hash = None
    if request.payload is not None and plan.payload_hash is not None:
        payload_hash = plan.payload_hash
        texts.append((payload_hash, canonical_json(request.payload.wire)))
    save_texts(connection, texts)
    if retrieval is not None:
        connection.execute(_INSERT_RETRIEVAL, (retrieval.id, pack(retrieval)))
    connection.execute(
        _INSERT_PLAN,
        (
            plan.id,
            at,
            None if session is None else column_text(session),
            column_text(plan.prompt),
            plan.mode.value,
            column_text(plan.model),
            plan.tokens,
            None if retrieval is None else retrieval.id,
            payload_hash,
            pack(plan),
        ),
    )


def read_plan(connection: sqlite3.Connection, plan_id: str) -> ContextPlan | None:
    """Return a plan by id or unique prefix; None when there is none. Raises UsageError when several begin so."""
    prefix = column_text(plan_id)
    ids = [str(row[0]) for row in connection.execute(_IDS_FROM, (prefix, prefix + _AFTER_ALL))]
    if not ids:
        return None
    if len(ids) > 1 and prefix not in ids:
        listed = ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
        raise UsageError(f"several plans begin with {plan_id!r}: {listed}", "Give more characters of the id.")
    row = connection.execute(_SELECT_PLAN, (prefix if prefix in ids else ids[0],)).fetchone()
    return unpack(row[0], ContextPlan)


def newest_plans(
    connection: sqlite3.Connection, limit: int
) -> tuple[tuple[tuple[ContextPlan, float], ...], tuple[str, ...]]:
    """Return the newest plans with the time they were stored, and sentences about those that can't be read."""
    found, complaints = [], []
    for body, at in connection.execute(_SELECT_NEWEST, (limit,)):
        try:
            found.append((unpack(body, ContextPlan), float(at)))
        except UnreadableError as error:
            complaints.append(str(error))
    return tuple(found), tuple(complaints)


def read_retrieval(connection: sqlite3.Connection, plan_id: PlanId) -> RetrievalSet | None:
    """Return the RetrievalSet a plan was made from."""
    row = connection.execute(_SELECT_RETRIEVAL, (column_text(plan_id),)).fetchone()
    return None if row is None else unpack(row[0], RetrievalSet)


def session_of(connection: sqlite3.Connection, plan_id: PlanId) -> SessionId | None:
    """Return the session a plan was first made in; None when it was made outside any."""
    row = connection.execute(_SELECT_SESSION, (column_text(plan_id),)).fetchone()
    return None if row is None or row[0] is None else SessionId(row[0])
