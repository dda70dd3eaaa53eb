"""What a front end may ask about what came of turns."""

from typing import Protocol

from ctxcode.model.engine.stats import Stats
from ctxcode.model.event import Mark, ReplyMarked


class OutcomeDoor(Protocol):
    """Marks and what sessions came to. Methods raise CtxcodeError."""

    async def mark(self, mark: Mark, note: str = "") -> ReplyMarked:
        """Mark the last reply of the open branch. Raises UsageError when there is none."""
        ...

    async def stats(self, *, everything: bool = False) -> Stats:
        """Return what this session came to, or ``everything``: all sessions of the repository."""
        ...
