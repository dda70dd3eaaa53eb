"""Events: facts about a session, past participle, frozen and serialisable.

Durable events are journalled before they are shown and rebuild the session; passing ones are not kept.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ctxcode.model.conversation import LoopPattern, LoopStage, StoppedBy, ToolCall, ToolResult, Usage
from ctxcode.model.edit.event import EditEvent
from ctxcode.model.engine.event import EngineEvent
from ctxcode.model.ids import ItemId, PlanId, SessionId
from ctxcode.model.passing.event import PassingEvent
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A session was opened for the first time."""

    kind: ClassVar[str] = "session-started"
    version: ClassVar[int] = 1
    session: SessionId
    mode: ContextMode
    model: str
    api_base: str = ""
    """The address the user gave for the model; empty for the provider's own."""


@dataclass(frozen=True, slots=True)
class SessionRenamed:
    """The session got a title; the first prompt gives the first one."""

    kind: ClassVar[str] = "session-renamed"
    version: ClassVar[int] = 1
    title: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The user sent a message."""

    kind: ClassVar[str] = "turn-started"
    version: ClassVar[int] = 1
    turn: int
    prompt: str
    """Without what was withheld from it."""
    withheld: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the prompt."""


@dataclass(frozen=True, slots=True)
class Withholding:
    """A row of a plan that something was taken out of."""

    title: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionTokens:
    """What one payload section holds."""

    section: str
    items: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextPlanned:
    """A plan was made for a request and stored."""

    kind: ClassVar[str] = "context-planned"
    version: ClassVar[int] = 1
    turn: int
    plan_id: PlanId
    mode: ContextMode
    model: str
    active_tokens: int
    budget_tokens: int
    total_tokens: int
    sections: tuple[SectionTokens, ...]
    """Included items by section, in payload order."""
    excluded: int
    cost_estimate: float | None = None
    """Dollars for the prompt alone; None when the price is not known."""
    over_budget: tuple[ItemId, ...] = ()
    strategy: str = ""
    is_shrunk: bool = False
    """The provider refused a longer request just before."""
    notice: str = ""
    """Why another strategy than the chosen one was used; empty when it was not."""
    search_notice: str = ""
    """Why retrieval did less than it was set to; empty when it did not."""
    withheld: tuple[Withholding, ...] = ()
    """What looks like a secret was taken out of these rows."""


@dataclass(frozen=True, slots=True)
class ToolsCalled:
    """The model called tools instead of ending its turn; without calls it only thought, and is asked again."""

    kind: ClassVar[str] = "tools-called"
    version: ClassVar[int] = 1
    turn: int
    iteration: int
    """0-based, in the turn."""
    said: str
    """What the model wrote before the calls."""
    calls: tuple[ToolCall, ...]
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """A tool call got its result; results come in the order of the calls."""

    kind: ClassVar[str] = "tool-answered"
    version: ClassVar[int] = 1
    turn: int
    iteration: int
    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True)
class LoopNoticed:
    """The turn goes in circles; told to the model at the end of the next request."""

    kind: ClassVar[str] = "loop-noticed"
    version: ClassVar[int] = 1
    turn: int
    iteration: int
    """The request that tells it."""
    pattern: LoopPattern
    stage: LoopStage
    times: int
    subject: str = ""
    """The call that was repeated."""


@dataclass(frozen=True, slots=True)
class ReplyContinued:
    """A reply was cut at the output limit, and the model is asked for the rest."""

    kind: ClassVar[str] = "reply-continued"
    version: ClassVar[int] = 1
    turn: int
    iteration: int
    """0-based, in the turn: which of its replies it is."""
    times: int
    """How often this reply was continued, this time included."""
    most: int
    """How often it may be."""
    text: str
    """All of the reply so far."""
    usage: Usage | None = None
    """Of the request that was cut."""


@dataclass(frozen=True, slots=True)
class ReplyArrived:
    """More of a reply was shown; journalled now and then, until the reply is, so that it outlives a killed process."""

    kind: ClassVar[str] = "reply-arrived"
    version: ClassVar[int] = 1
    turn: int
    text: str
    """What came since the one before."""


@dataclass(frozen=True, slots=True)
class ReplyFinished:
    """The turn's last reply ended; ``text`` is all of it, also when it was cut short."""

    kind: ClassVar[str] = "reply-finished"
    version: ClassVar[int] = 1
    turn: int
    text: str
    model: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class TurnCompleted:
    """Control returned to the user."""

    kind: ClassVar[str] = "turn-completed"
    version: ClassVar[int] = 1
    turn: int
    stopped_by: StoppedBy
    error: str = ""
    hint: str = ""


WholeReply = ToolsCalled | ReplyContinued | ReplyFinished | TurnCompleted
"""What holds all that had arrived of a reply, or says that nothing of it is kept: its pieces are journalled no more."""


class Mark(StrEnum):
    """What the user thinks of a reply."""

    GOOD = "good"
    BAD = "bad"
    NONE = "none"
    """They took their mark back."""


@dataclass(frozen=True, slots=True)
class ReplyMarked:
    """The user marked a reply; the last mark counts."""

    kind: ClassVar[str] = "reply-marked"
    version: ClassVar[int] = 1
    turn: int
    mark: Mark
    model: str
    """Who wrote the reply."""
    note: str = ""
    """Why, in the user's words."""


@dataclass(frozen=True, slots=True)
class ItemPinned:
    """An item was pinned, or its pin changed kind or length."""

    kind: ClassVar[str] = "item-pinned"
    version: ClassVar[int] = 1
    item: ItemId
    pin: PinKind
    turns_left: int | None = None
    by: str = "user"
    evidence: str = ""
    text: str = ""
    """What a note says."""
    fingerprint: tuple[str, ...] = ()
    """Digests of its source lines."""
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class ItemUnpinned:
    """A pin was taken away."""

    kind: ClassVar[str] = "item-unpinned"
    version: ClassVar[int] = 1
    item: ItemId


@dataclass(frozen=True, slots=True)
class ItemDropped:
    """The user took an item out of the context."""

    kind: ClassVar[str] = "item-dropped"
    version: ClassVar[int] = 1
    item: ItemId


@dataclass(frozen=True, slots=True)
class ItemRestored:
    """A dropped item may be included again."""

    kind: ClassVar[str] = "item-restored"
    version: ClassVar[int] = 1
    item: ItemId


@dataclass(frozen=True, slots=True)
class DetailChosen:
    """The user chose how much of an item is shown; None leaves it to the planner again."""

    kind: ClassVar[str] = "detail-chosen"
    version: ClassVar[int] = 1
    item: ItemId
    detail: Detail | None


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The context mode was switched."""

    kind: ClassVar[str] = "mode-changed"
    version: ClassVar[int] = 1
    mode: ContextMode


@dataclass(frozen=True, slots=True)
class ModelChanged:
    """Another model was chosen."""

    kind: ClassVar[str] = "model-changed"
    version: ClassVar[int] = 1
    model: str
    api_base: str = ""
    """As in SessionStarted."""


@dataclass(frozen=True, slots=True)
class BudgetChanged:
    """The active context's limit was set."""

    kind: ClassVar[str] = "budget-changed"
    version: ClassVar[int] = 1
    budget_tokens: int


DurableEvent = (
    SessionStarted
    | SessionRenamed
    | TurnStarted
    | ContextPlanned
    | ToolsCalled
    | ToolAnswered
    | LoopNoticed
    | ReplyContinued
    | ReplyArrived
    | ReplyFinished
    | TurnCompleted
    | ReplyMarked
    | ItemPinned
    | ItemUnpinned
    | ItemDropped
    | ItemRestored
    | DetailChosen
    | ModeChanged
    | ModelChanged
    | BudgetChanged
    | EngineEvent
    | EditEvent
)
Event = DurableEvent | PassingEvent
