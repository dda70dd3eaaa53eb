"""What a front end may ask about what came of turns."""

from typing import Protocol

from ctxcode.model.conversation import SessionSummary
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.engine.stats import Stats
from ctxcode.model.event import Mark, ReplyMarked, SessionRenamed
from ctxcode.model.ids import SessionId


class OutcomeDoor(Protocol):
    """Marks and what sessions came to. Methods raise CtxcodeError."""

    async def mark(self, mark: Mark, note: str = "") -> ReplyMarked:
        """Mark the last reply of the open branch. Raises UsageError when there is none."""
        ...

    async def stats(self, *, everything: bool = False) -> Stats:
        """Return what this session came to, or ``everything``: all sessions of the repository."""
        ...


class ArchiveDoor(Protocol):
    """The repository's stored sessions. Methods raise CtxcodeError."""

    async def calibrations(self) -> tuple[Calibration, ...]:
        """Return how well token estimates met what providers counted, by model."""
        ...

    async def prompts(self) -> tuple[str, ...]:
        """Return what was asked in this repository's sessions, newest first."""
        ...

    async def sessions(self) -> tuple[SessionSummary, ...]:
        """Return this repository's sessions, newest first."""
        ...

    async def rename(self, title: str, session: SessionId | None = None) -> SessionRenamed:
        """Give a session of this repository, or the open one, a title.

        Raises UsageError for an empty one, SessionInUseError for a session that another process has open.
        """
        ...

    async def delete(self, session: SessionId) -> None:
        """Delete a session with all that was stored for it alone.

        Raises UsageError for the one that is open, SessionInUseError for one that another process has open.
        """
        ...
