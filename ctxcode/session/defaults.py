"""What a new session starts with."""

from dataclasses import dataclass

from ctxcode.action.limits import Limits
from ctxcode.action.loop_guard import LoopProfile
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.plan import ContextMode


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a new session starts with."""

    mode: ContextMode
    model: str
    budget_tokens: int
    output_reserve_tokens: int | None = None
    loops: tuple[tuple[str, LoopProfile], ...] = ()
    """Thresholds of the loop guard by model name pattern; the first that fits counts."""
    edits: EditPolicy = EditPolicy.ASK
    """Who decides on proposed edits."""
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    """The user's caps on a session."""
    is_attended: bool = False
    """Somebody is there to answer questions."""
    chosen: frozenset[str] = frozenset()
    """Which of ``mode``, ``model`` and ``budget_tokens`` the user just asked for: these hold in an old session too."""
