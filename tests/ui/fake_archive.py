"""Stored sessions of the fake repository."""

import time
from dataclasses import dataclass, field

from ctxcode.model.conversation import SessionSummary
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.errors import SessionInUseError
from ctxcode.model.event import DurableEvent, SessionRenamed, TurnStarted
from ctxcode.model.ids import SessionId


@dataclass
class FakeArchive:
    """Promises what ``ArchiveDoor`` does, over the journals in memory."""

    journals: dict[SessionId, list[DurableEvent]]
    id: SessionId
    elsewhere: set[SessionId] = field(default_factory=set)
    """What another process has open."""

    async def calibrations(self) -> tuple[Calibration, ...]:
        return (Calibration("gpt-x", 3, 1_000, 1_050),)

    async def prompts(self) -> tuple[str, ...]:
        asked = [
            event.prompt for journal in self.journals.values() for event in journal if isinstance(event, TurnStarted)
        ]
        return tuple(dict.fromkeys(reversed(asked)))

    async def sessions(self) -> tuple[SessionSummary, ...]:
        rows = []
        for number, (session, journal) in enumerate(self.journals.items()):
            titles = [event.title for event in journal if isinstance(event, SessionRenamed)]
            turns = sum(isinstance(event, TurnStarted) for event in journal)
            if turns:
                age_seconds = 7_300.0 * (len(self.journals) - number)
                rows.append(
                    SessionSummary(session, titles[-1] if titles else "", turns, time.time() - age_seconds, "gpt-x")
                )
        return tuple(reversed(rows))

    async def rename(self, title: str, session: SessionId | None = None) -> SessionRenamed:
        self._claim(session)
        event = SessionRenamed(title)
        self.journals[session or self.id].append(event)
        return event

    async def delete(self, session: SessionId) -> None:
        self._claim(session)
        del self.journals[session]

    def _claim(self, session: SessionId | None) -> None:
        if session in self.elsewhere:
            raise SessionInUseError(f"Session {session!r} is open in another window.", "Close it there first.")
