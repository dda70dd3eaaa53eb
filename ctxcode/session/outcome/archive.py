"""The repository's stored sessions, the open one among them."""

import asyncio
from dataclasses import dataclass

from ctxcode.feedback.calibration import calibrations
from ctxcode.model.conversation import SessionSummary
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.errors import UsageError
from ctxcode.model.event import SessionRenamed
from ctxcode.model.ids import SessionId
from ctxcode.session.ledger import Ledger, claimed

MAX_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Archive:
    """See ``door.ArchiveDoor``."""

    ledger: Ledger

    async def calibrations(self) -> tuple[Calibration, ...]:
        """Return how well token estimates met what providers counted, by model."""
        return calibrations(await asyncio.to_thread(self.ledger.journal.usages))

    async def prompts(self) -> tuple[str, ...]:
        """Return what was asked, newest first."""
        return await asyncio.to_thread(self.ledger.journal.prompts)

    async def sessions(self) -> tuple[SessionSummary, ...]:
        """Return the sessions, newest first."""
        return await asyncio.to_thread(self.ledger.journal.sessions)

    async def rename(self, title: str, session: SessionId | None = None) -> SessionRenamed:
        """Give a session, or the open one, a title."""
        title = " ".join(title.split())[:MAX_TITLE_CHARS]
        if not title:
            raise UsageError("Which title?", "/rename TITLE")
        event = SessionRenamed(title)
        if session is None or session == self.ledger.id:
            return await asyncio.to_thread(self.ledger.record, event)
        await asyncio.to_thread(self._rename, session, event)
        return event

    async def delete(self, session: SessionId) -> None:
        """Delete a session with all that was stored for it alone."""
        if session == self.ledger.id:
            raise UsageError("This session is open.", "Open another one first: /new")
        await asyncio.to_thread(self._delete, session)

    def _rename(self, session: SessionId, event: SessionRenamed) -> None:
        with claimed(self.ledger.journal, session, "Rename it there: /rename TITLE"):
            self.ledger.journal.append(session, event, self.ledger.clock())

    def _delete(self, session: SessionId) -> None:
        with claimed(self.ledger.journal, session, "Close it there first."):
            self.ledger.journal.delete_session(session)
