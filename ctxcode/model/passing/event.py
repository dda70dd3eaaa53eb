"""Passing events: what goes on, shown while it does and never journalled."""

from dataclasses import dataclass
from typing import ClassVar

from ctxcode.model.chat import DelayReason, RetryPause
from ctxcode.model.command.approval import Approval
from ctxcode.model.plan import ContextPlan


@dataclass(frozen=True, slots=True)
class ReplyChunked:
    """A piece of the reply arrived."""

    kind: ClassVar[str] = "reply-chunked"
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class ReplyDelayed:
    """A request failed in a way that may be over in a while, and waits until it is sent again."""

    kind: ClassVar[str] = "reply-delayed"
    turn: int
    reason: DelayReason
    seconds: float
    """From now until it is sent."""
    attempt: int
    """The one that comes, from 1."""
    attempts: int
    """How many there are at most."""

    @classmethod
    def of(cls, turn: int, pause: RetryPause) -> "ReplyDelayed":
        """Return it for what a model's stream told."""
        return cls(turn, pause.reason, pause.seconds, pause.attempt, pause.attempts)


@dataclass(frozen=True, slots=True)
class ReplyBegun:
    """The reply to a request that was delayed arrives; what may be shown of it can come later."""

    kind: ClassVar[str] = "reply-begun"
    turn: int


@dataclass(frozen=True, slots=True)
class IndexProgressed:
    """The index refresh went on; newer ones replace older ones."""

    kind: ClassVar[str] = "index-progressed"
    done_files: int
    total_files: int
    phase: str
    """``scanning``, ``parsing``, ``resolving`` or ``storing``."""


@dataclass(frozen=True, slots=True)
class IndexRefreshed:
    """The index is up to date."""

    kind: ClassVar[str] = "index-refreshed"
    revision: str
    files: int
    symbols: int
    edges: int
    parsed: int
    seconds: float
    skipped: int


@dataclass(frozen=True, slots=True)
class IndexAwaited:
    """A request waits for the index; newer ones replace older ones."""

    kind: ClassVar[str] = "index-awaited"
    turn: int
    seconds: float | None
    """From now until no more is read for it, at the latest; None where it needs all."""
    progress: IndexProgressed | None = None
    """How far it is; None while another refresh goes on, which tells that itself."""


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """A command waits for the user's answer."""

    kind: ClassVar[str] = "approval-asked"
    approval: Approval


@dataclass(frozen=True, slots=True)
class ApprovalAnswered:
    """The question is closed."""

    kind: ClassVar[str] = "approval-answered"
    approval_id: int


@dataclass(frozen=True, slots=True)
class PlanPreviewed:
    """A plan for a prompt that was not sent; nothing was changed by it."""

    kind: ClassVar[str] = "plan-previewed"
    plan: ContextPlan


@dataclass(frozen=True, slots=True)
class StrategyFailed:
    """A strategy could not bring what it remembers up to date; what it had stays."""

    kind: ClassVar[str] = "strategy-failed"
    strategy: str
    error: str


PassingEvent = (
    ReplyChunked
    | ReplyDelayed
    | ReplyBegun
    | IndexProgressed
    | IndexRefreshed
    | IndexAwaited
    | PlanPreviewed
    | StrategyFailed
    | ApprovalAsked
    | ApprovalAnswered
)
