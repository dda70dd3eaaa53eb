"""What passes between ctxcode and the process that calls models: one JSON object a line."""

import json

import msgspec

from ctxcode.llm.price_list import ModelFacts
from ctxcode.llm.providers import Endpoint
from ctxcode.llm.retry import Deadlines, RetryPolicy
from ctxcode.model.chat import ModelRequest, ReplyEnd, RetryPause
from ctxcode.model.conversation import ModelInfo


class Known(msgspec.Struct, frozen=True):
    """A model and all that is known of it."""

    info: ModelInfo
    endpoint: Endpoint
    facts: ModelFacts | None
    deadlines: Deadlines
    retry: RetryPolicy | None


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Import what models are called with."""

    number: int


class Check(msgspec.Struct, frozen=True, tag="check"):
    """Find out whether a model's provider is one."""

    number: int
    model: Known


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Begin a reply."""

    number: int
    model: Known
    request: ModelRequest


class Embed(msgspec.Struct, frozen=True, tag="embed"):
    """Make vectors of texts."""

    number: int
    model: Known
    texts: tuple[str, ...]


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Nobody waits for that any more."""

    number: int


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A piece of a reply."""

    number: int
    text: str


class CallBegun(msgspec.Struct, frozen=True, tag="call-begun"):
    """A tool call begins."""

    number: int
    name: str


class Paused(msgspec.Struct, frozen=True, tag="paused"):
    """A request waits before it is sent again."""

    number: int
    pause: RetryPause


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The last of a reply; of a ``Load`` or ``Check`` without one."""

    number: int
    end: ReplyEnd | None = None


class Embedded(msgspec.Struct, frozen=True, tag="embedded"):
    """The vectors of the texts, in their order."""

    number: int
    vectors: tuple[bytes, ...]


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Why there is no more of it."""

    number: int
    kind: str
    """The error's class, one of the tree below ModelError."""
    words: str
    hint: str


Wish = Load | Check | Call | Embed | Stop
Answer = Text | CallBegun | Paused | Embedded | Ended | Failed


def line_of(message: Wish | Answer) -> bytes:
    """Return a message as a line."""
    # Not msgspec's own JSON: half of a surrogate pair, which a model may send, is text to Python and not to it.
    return json.dumps(msgspec.to_builtins(message)).encode() + b"\n"


def wish_in(line: bytes) -> Wish:
    """Return what a line asks for. Raises ValueError for nonsense."""
    wish: Wish = msgspec.convert(json.loads(line), Wish)
    return wish


def answer_in(line: bytes) -> Answer:
    """Return what a line answers. Raises ValueError for nonsense."""
    answer: Answer = msgspec.convert(json.loads(line), Answer)
    return answer
