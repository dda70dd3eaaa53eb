"""Turns with the tool calls in them, sessions, models and the use of tokens."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

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

    def plus(self, other: "Usage | None") -> "Usage":
        """Return the sum with another request's; what one of them does not know is left out of the sum."""
        if other is None:
            return self
        return Usage(
            estimated=self.estimated + other.estimated,
            prompt=_sum(self.prompt, other.prompt),
            completion=_sum(self.completion, other.completion),
            cost=_sum(self.cost, other.cost),
        )


_Number = TypeVar("_Number", int, float)


def _sum(one: _Number | None, other: _Number | None) -> _Number | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    schema: str
    """JSON schema of its arguments, as canonical JSON."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model wrote it."""

    id: str
    """Unique in its reply; where the model sent none, or one twice, it was made up."""
    name: str
    arguments: str
    """JSON text, unchecked."""


class ToolStatus(StrEnum):
    """What became of a tool call."""

    OK = "ok"
    ABSENT = "absent"
    """What was asked for does not exist; the result proves it."""
    REPEATED = "repeated"
    """The same call was answered before in this turn."""
    REFUSED = "refused"
    """Outside what the tool may touch, or not allowed in this run."""
    REJECTED = "rejected"
    """The user said no."""
    FAILED = "failed"
    INVALID = "invalid"
    """Unknown tool, or arguments that do not fit its schema; nothing was run."""
    SKIPPED = "skipped"
    """Not run: another call of the reply was invalid, or there were too many."""
    INTERRUPTED = "interrupted"

    @property
    def is_failure(self) -> bool:
        """Whether the model did not get what it asked for."""
        return self not in (ToolStatus.OK, ToolStatus.ABSENT, ToolStatus.REPEATED)


class FileFate(StrEnum):
    """What a command did to a file."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class TouchedFile:
    """A file of the repository that is not as it was before a command."""

    path: str
    fate: FileFate


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool call was answered with."""

    status: ToolStatus
    text: str
    """What the model reads, within the tool's limit."""
    tokens: int = 0
    withheld: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the text."""
    exit_code: int | None = None
    """Of a command that ended by itself."""
    touched: tuple[TouchedFile, ...] = ()
    """The files a command changed, by path; the first hundred."""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """One iteration of a turn that did not end it: what the model said, its calls, and a result for each.

    Without a call it was thoughts alone, of which nothing is kept.
    """

    said: str
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...] = ()
    """As many as there are calls."""


class LoopPattern(StrEnum):
    """How a turn goes in circles."""

    SAME_CALL = "same-call"
    IDLE = "idle"
    """Replies whose calls did not run, or that were thoughts alone."""
    SAME_THEME = "same-theme"
    NO_NEWS = "no-news"


class LoopStage(StrEnum):
    """What is done about it, one after the other."""

    NUDGE = "nudge"
    ASK = "ask"
    """The model is told to ask the user."""
    STOP = "stop"
    """The model has to answer with what it knows."""


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
    rounds: tuple[ToolRound, ...] = ()
    """Its tool calls, oldest first."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A row of the session list."""

    id: SessionId
    title: str
    turns: int
    """Without those whose request was not sent: it did not fit, or was above a cap."""
    updated_at: float
    """Seconds since the epoch."""
    model: str = ""

    def is_titled(self, words: str) -> bool:
        """Return whether the title has all these words, whatever their order and case."""
        title = self.title.casefold()
        return all(word in title for word in words.casefold().split())


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
    supports_tools: bool = False

    @property
    def is_offline(self) -> bool:
        """The offline navigator, which is no language model."""
        return self.name == "navigator"


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """A model that may be meant by a few typed letters."""

    info: ModelInfo
    origin: str = ""
    """Why it is near at hand, in a word or two: ``in use``, ``used before``, the server that lists it."""
    missing_key: str = ""
    """The environment variable that has to hold its key; empty when nothing is missing as far as is known."""
    address: str = ""
    """Where its requests go, when that is not its provider."""
