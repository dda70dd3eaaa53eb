"""What passes between the session and a chat model."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.conversation import ToolSpec
from ctxcode.model.plan import PayloadMessage


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model."""

    messages: tuple[PayloadMessage, ...]
    max_output_tokens: int
    question: str
    """The user's message alone; what the offline navigator answers."""
    tools: tuple[ToolSpec, ...] = ()
    may_call_tools: bool = True
    """False when the model has to answer with what it knows."""


class FinishReason(StrEnum):
    """How a reply ended, as the provider itself said."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content-filter"
    CUT = "cut"
    """The stream ended without the provider saying that it was finished."""


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallBegun:
    """The model has begun to write a tool call; its arguments may take long."""

    name: str


class DelayReason(StrEnum):
    """Why a request is sent again after a pause."""

    RATE_LIMIT = "rate-limit"
    """The server takes so many requests in a time."""
    OVERLOADED = "overloaded"
    SERVER_FAILED = "server-failed"
    NOTHING_ANSWERS = "nothing-answers"
    """The connection was refused."""
    CONNECTION_BROKEN = "connection-broken"


@dataclass(frozen=True, slots=True)
class RetryPause:
    """A request failed before anything of its reply had come, and is sent again after a pause."""

    reason: DelayReason
    seconds: float
    """From now until it is sent."""
    attempt: int
    """The one that comes, from 1."""
    attempts: int
    """How many there are at most."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call put together from a stream, with nothing checked."""

    id: str | None
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ReplyEnd:
    """The end of a reply; always the last thing a stream yields unless it raises."""

    finish_reason: FinishReason
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    calls: tuple[WrittenCall, ...] = ()
    """Empty when the connection or a filter cut the reply. At the output limit they are told and never run: a call
    that was cut may look complete."""
    is_thought: bool = False
    """The model thought and then ended, without a word and without a call."""


ModelChunk = TextChunk | ToolCallBegun | RetryPause | ReplyEnd
