"""The conversation database: the event journal and what is stored beside it.

What reads and writes events is imported by the methods that do: a single question stores its plan and no event.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.store import plans, texts
from ctxcode.store.codec import UnreadableError, column_text
from ctxcode.store.database import Database
from ctxcode.store.disk import Claims, claims_beside
from ctxcode.store.migration import read_migrations

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from ctxcode.model.conversation import SessionSummary
    from ctxcode.model.engine.capsule import Capsule
    from ctxcode.model.event import DurableEvent
    from ctxcode.model.ids import PlanId, SessionId, TextHash
    from ctxcode.model.plan import ContextPlan, Payload, PlannedRequest
    from ctxcode.model.retrieval import RetrievalSet

MIGRATIONS = Path(__file__).parent / "migrations"

_INSERT_EVENT = "INSERT INTO event (session, kind, version, at, body) VALUES (?, ?, ?, ?, ?)"
_DELETE_LATER = "DELETE FROM event WHERE session = ? AND id > ? AND kind = ?"
_SELECT_EVENTS = "SELECT kind, version, body FROM event WHERE session = ? ORDER BY id"
_SELECT_CAPSULES = (
    "SELECT kind, version, body FROM event WHERE kind IN ('capsule-written', 'capsule-removed') ORDER BY id"
)


class SqliteJournal:
    """Sessions, plans and texts of one repository in one SQLite file.

    Safe to call from any thread; several processes may share the file. What a method has written survives the
    process's death. Every method raises StoreError when the file can't be used.
    """

    def __init__(self, path: Path, *, is_kept: bool = True) -> None:
        """Open or create the file, or a copy in memory. Raises StoreError; ``notices`` tell of a damaged one."""
        self._database = Database(path, read_migrations(MIGRATIONS), is_kept=is_kept)
        self._notices: dict[str, None] = {}
        self._whole: dict[str, int] = {}
        """By session: the newest event that left none of its pieces of a reply, so that few are looked at."""
        self._claims = Claims(claims_beside(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should be told, in sentences: a damaged file, events that could not be read."""
        return (*self._database.notices, *self._notices)

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        self._claims.close()
        self._database.close()

    def claim(self, session: SessionId) -> bool:
        """Return whether this process alone writes a session from now on; false while another process does."""
        return self._claims.take(session)

    def is_elsewhere(self, session: SessionId) -> bool:
        """Return whether another process writes a session."""
        return self._claims.is_elsewhere(session)

    def give_up(self, session: SessionId) -> None:
        """Let other processes write a session."""
        self._claims.give_up(session)

    def append(self, session: SessionId, event: DurableEvent, at: float) -> None:
        """Journal an event durably; ``at`` is seconds since the epoch. A whole reply takes the place of its pieces."""
        from ctxcode.store.events.rows import PIECE, WHOLE, encode_event

        row, key = encode_event(event), column_text(session)
        with self._database.write() as connection:
            if row.kind in WHOLE:
                connection.execute(_DELETE_LATER, (key, self._whole.get(key, 0), PIECE))
            made = connection.execute(_INSERT_EVENT, (key, row.kind, row.version, at, row.body))
        if row.kind in WHOLE and made.lastrowid is not None:
            self._whole[key] = made.lastrowid

    def events(self, session: SessionId) -> tuple[DurableEvent, ...]:
        """Return a session's events, oldest first; what a newer version wrote is left out with a notice."""
        from ctxcode.store.events.rows import EncodedEvent, decode_event

        with self._database.read() as connection:
            rows = connection.execute(_SELECT_EVENTS, (column_text(session),)).fetchall()
        found = []
        for row in rows:
            try:
                found.append(decode_event(EncodedEvent(*row)))
            except UnreadableError as error:
                self._notices.setdefault(f"A part of session {session!r} is left out: {error}.")
        return tuple(found)

    def capsules(self) -> tuple[Capsule, ...]:
        """Return the capsules in force, of whatever session, by item id."""
        with self._database.read() as connection:
            rows = connection.execute(_SELECT_CAPSULES).fetchall()
        if not rows:
            return ()
        from ctxcode.store.events.capsules import kept_capsules

        return kept_capsules(rows)

    def sessions(self, limit: int = 100) -> tuple[SessionSummary, ...]:
        """Return sessions with at least one turn, newest first."""
        from ctxcode.store.events.read_models import session_summaries

        with self._database.read() as connection:
            return session_summaries(connection, limit)

    def prompts(self, limit: int = 500) -> tuple[str, ...]:
        """Return what was asked in this repository's sessions, newest first, each text once."""
        from ctxcode.store.events.read_models import recent_prompts

        with self._database.read() as connection:
            return recent_prompts(connection, limit)

    def usages(self, limit: int = 3_000) -> tuple[tuple[DurableEvent, ...], ...]:
        """Return the newest events that tell of requests and what they took, by session, each oldest first."""
        from ctxcode.store.events.read_models import usage_events

        with self._database.read() as connection:
            return usage_events(connection, limit)

    def delete_session(self, session: SessionId) -> None:
        """Delete a session with its plans and the texts only they refer to; an unknown one is no error.

        Capsules are the repository's and stay.
        """
        from ctxcode.store.events.removal import delete_session

        with self._database.write() as connection:
            delete_session(connection, session)

    def save_plan(
        self, request: PlannedRequest, retrieval: RetrievalSet | None, session: SessionId | None, at: float
    ) -> None:
        """Store a plan, its payload, its texts and its RetrievalSet; storing the same plan twice is no error."""
        with self._database.write() as connection:
            plans.save_plan(connection, request, retrieval, session, at)

    def plan(self, plan_id: str) -> ContextPlan | None:
        """Return a stored plan by id or unique prefix; None when there is none.

        Raises UsageError when several plans begin so.
        """
        with self._database.read() as connection:
            return plans.read_plan(connection, plan_id)

    def plans(self, limit: int = 50) -> tuple[tuple[ContextPlan, float], ...]:
        """Return the newest stored plans with the time they were stored."""
        with self._database.read() as connection:
            found, complaints = plans.newest_plans(connection, limit)
        self._notices.update(dict.fromkeys(f"A plan is left out: {complaint}." for complaint in complaints))
        return found

    def retrieval(self, plan_id: PlanId) -> RetrievalSet | None:
        """Return the RetrievalSet a plan was made from."""
        with self._database.read() as connection:
            return plans.read_retrieval(connection, plan_id)

    def text(self, key: TextHash) -> str | None:
        """Return a stored text: an item's rendered text, or a payload's canonical JSON."""
        with self._database.read() as connection:
            return texts.read_text(connection, key)

    def payload(self, key: TextHash) -> Payload | None:
        """Return a stored payload. Raises UnreadableError when the text under the key is none."""
        from ctxcode.store.payloads import payload_from

        text = self.text(key)
        return None if text is None else payload_from(text)

    def session_of(self, plan_id: PlanId) -> SessionId | None:
        """Return the session a plan was first made in; None when it was made outside any."""
        with self._database.read() as connection:
            return plans.session_of(connection, plan_id)

    def request_events(self, plan_id: PlanId) -> tuple[DurableEvent, ...]:
        """Return what a session journalled from a plan on until its turn completed."""
        from ctxcode.store.events.read_models import request_events

        session = self.session_of(plan_id)
        return () if session is None else request_events(self.events(session), plan_id)

    def damage(self) -> str:
        """Return what a full check finds wrong with the file; empty when it is sound. Reads all of it."""
        return self._database.damage()
