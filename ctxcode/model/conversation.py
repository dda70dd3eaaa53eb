"""Turns, sessions and the use of tokens."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import PlanId, SessionId


class StoppedBy(StrEnum):
    """What ended a turn."""

    ANSWER = "answer"
    LOOP_GUARD = "loop-guard"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of one request: our estimate beside what the provider counted."""

    estimated: int
    """Prompt tokens as planned."""
    prompt: int | None = None
    """Prompt tokens the provider reports; None when it reports none."""
    completion: int | None = None
    cost: float | None = None
    """US dollars; None when the model's price is not known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange as history holds it."""

    number: int
    """1-based, per branch."""
    prompt: str
    reply: str
    plan_id: PlanId | None
    stopped_by: StoppedBy
    model: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A row of the session list."""

    id: SessionId
    title: str
    turns: int
    updated_at: float
    """Seconds since the epoch."""
    model: str = ""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of the model in use without asking it."""

    name: str
    """A litellm model string, or ``navigator`` for the offline responder."""
    context_tokens: int
    max_output_tokens: int
    tokenizer: str
    is_known: bool
    """False when the context length is a cautious guess."""
    input_cost_per_token: float | None = None
    output_cost_per_token: float | None = None

    @property
    def is_offline(self) -> bool:
        """The offline navigator, which is no language model."""
        return self.name == "navigator"
