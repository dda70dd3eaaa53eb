"""Passing events: what goes on, shown while it does and never journalled."""

from dataclasses import dataclass

from ctxcode.model.command.approval import Approval
from ctxcode.model.plan import ContextPlan


@dataclass(frozen=True, slots=True)
class ReplyChunked:
    """Passing: a piece of the reply arrived."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class IndexProgressed:
    """Passing: the index refresh went on; newer ones replace older ones."""

    done_files: int
    total_files: int
    phase: str
    """``scanning``, ``parsing``, ``resolving`` or ``storing``."""


@dataclass(frozen=True, slots=True)
class IndexRefreshed:
    """Passing: the index is up to date."""

    revision: str
    files: int
    symbols: int
    edges: int
    parsed: int
    seconds: float
    skipped: int


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """Passing: a command waits for the user's answer."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class ApprovalAnswered:
    """Passing: the question is closed."""

    approval_id: int


@dataclass(frozen=True, slots=True)
class PlanPreviewed:
    """Passing: a plan for a prompt that was not sent; nothing was changed by it."""

    plan: ContextPlan


@dataclass(frozen=True, slots=True)
class StrategyFailed:
    """Passing: a strategy could not bring what it remembers up to date; what it had stays."""

    strategy: str
    error: str


PassingEvent = (
    ReplyChunked | IndexProgressed | IndexRefreshed | PlanPreviewed | StrategyFailed | ApprovalAsked | ApprovalAnswered
)
