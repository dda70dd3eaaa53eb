"""Events of pins, activation, the state anchor, branches and capsules; see ``model.event`` for the whole union."""

from dataclasses import dataclass
from typing import ClassVar

from ctxcode.model.conversation import Usage
from ctxcode.model.engine.activation import ItemSignals, ItemUse, Promotion, ShownSection
from ctxcode.model.engine.capsule import Capsule
from ctxcode.model.engine.cluster import QueryCluster
from ctxcode.model.ids import ItemId, PlanId


@dataclass(frozen=True, slots=True)
class PinFollowed:
    """The code of a pin moved, was renamed or was edited; the pin went along."""

    kind: ClassVar[str] = "pin-followed"
    version: ClassVar[int] = 1
    item: ItemId
    to: ItemId
    """The item it is now; the same one when only its lines changed."""
    fingerprint: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinBroken:
    """The code of a pin is gone and was found nowhere else; the pin stays, marked."""

    kind: ClassVar[str] = "pin-broken"
    version: ClassVar[int] = 1
    item: ItemId


@dataclass(frozen=True, slots=True)
class TurnReflected:
    """What a turn said about items; takes effect when the turn completes."""

    kind: ClassVar[str] = "turn-reflected"
    version: ClassVar[int] = 1
    turn: int
    signals: tuple[ItemSignals, ...]
    """By item id."""
    promoted: tuple[Promotion, ...] = ()
    """What is leased from now on."""
    anchor: str | None = None
    """The state block of the reply, else the notes a tool call gave; None when there are none and the old ones stay."""
    suggested: tuple[Promotion, ...] = ()
    """What the model asked the user to pin, with its reasons."""
    passed_over: tuple[Promotion, ...] = ()
    """What was named and is not leased, with why not; the liveliest first."""
    uses: tuple[ItemUse, ...] = ()
    """What of the shown code the model used."""
    shown: tuple[ShownSection, ...] = ()
    """How much code was shown, and how much of that used."""
    cluster: QueryCluster | None = None
    """What the conversation is about since this turn; None in what was written before there were any."""


@dataclass(frozen=True, slots=True)
class SuggestionDismissed:
    """The user does not want an item suggested as a pin again."""

    kind: ClassVar[str] = "suggestion-dismissed"
    version: ClassVar[int] = 1
    item: ItemId


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """The user marked the beginning of a task; leases of the one before end."""

    kind: ClassVar[str] = "task-started"
    version: ClassVar[int] = 1
    title: str


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """The user marked the end of the task; its leases end."""

    kind: ClassVar[str] = "task-finished"
    version: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class AnchorChanged:
    """The state anchor was edited, made anew or cleared outside a turn."""

    kind: ClassVar[str] = "anchor-changed"
    version: ClassVar[int] = 1
    text: str
    """Empty when it was cleared."""
    by: str = "user"
    """``user`` or ``model``."""


@dataclass(frozen=True, slots=True)
class WindowChanged:
    """The rolling window was set."""

    kind: ClassVar[str] = "window-changed"
    version: ClassVar[int] = 1
    turns: int
    """Most turns of history; 0 for all that fit."""


@dataclass(frozen=True, slots=True)
class TurnRemoved:
    """One turn was taken out of the branch's history."""

    kind: ClassVar[str] = "turn-removed"
    version: ClassVar[int] = 1
    turn: int


@dataclass(frozen=True, slots=True)
class TurnsUndone:
    """The branch went back to how it was before a turn; it and all later ones are gone from it."""

    kind: ClassVar[str] = "turns-undone"
    version: ClassVar[int] = 1
    first: int


@dataclass(frozen=True, slots=True)
class BranchForked:
    """A branch was made from another one, as that was when a turn had completed. It is not open yet."""

    kind: ClassVar[str] = "branch-forked"
    version: ClassVar[int] = 1
    name: str
    parent: str
    turn: int
    """The last turn both share; 0 for none."""


@dataclass(frozen=True, slots=True)
class BranchSwitched:
    """Another branch was opened; what happens from now on happens on it."""

    kind: ClassVar[str] = "branch-switched"
    version: ClassVar[int] = 1
    name: str


@dataclass(frozen=True, slots=True)
class StrategyChosen:
    """Another context strategy was chosen."""

    kind: ClassVar[str] = "strategy-chosen"
    version: ClassVar[int] = 1
    name: str


@dataclass(frozen=True, slots=True)
class StrategyRemembered:
    """A strategy remembers something new of a branch; it is undone with the turn it was made after."""

    kind: ClassVar[str] = "strategy-remembered"
    version: ClassVar[int] = 1
    strategy: str
    branch: str
    turn: int
    """The newest turn there was."""
    text: str
    through: int
    """The newest turn it stands for; 0 for none."""
    note: str = ""
    """What the transcript says about it; empty for nothing."""
    model: str = ""
    """Who wrote it; empty when no model did."""
    plan_ids: tuple[PlanId, ...] = ()
    """The requests it was written with."""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class StrategyReverted:
    """What a strategy remembered last of the open branch was taken back."""

    kind: ClassVar[str] = "strategy-reverted"
    version: ClassVar[int] = 1
    strategy: str


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A model was asked beside the conversation, and what that took; what is kept of its answer is another event."""

    kind: ClassVar[str] = "model-asked"
    version: ClassVar[int] = 1
    about: str
    """The item id of a capsule, ``anchor``, or the name of a strategy that could use nothing of it."""
    model: str
    plan_ids: tuple[PlanId, ...]
    usage: Usage | None = None
    cost_estimate: float | None = None
    """Dollars for the prompt alone, for when nothing was reported; None when the price is not known."""


@dataclass(frozen=True, slots=True)
class CapsuleWritten:
    """A capsule was kept; it takes the place of an earlier one on the same subject."""

    kind: ClassVar[str] = "capsule-written"
    version: ClassVar[int] = 1
    capsule: Capsule


@dataclass(frozen=True, slots=True)
class CapsuleRemoved:
    """The user removed a capsule."""

    kind: ClassVar[str] = "capsule-removed"
    version: ClassVar[int] = 1
    item: ItemId


LocalEvent = (
    PinFollowed
    | PinBroken
    | TurnReflected
    | SuggestionDismissed
    | TaskStarted
    | TaskFinished
    | AnchorChanged
    | WindowChanged
)
"""About the branch that is open, and nothing a transcript shows."""
RewritingEvent = TurnRemoved | TurnsUndone
"""They take turns out of the branch that is open."""
TreeEvent = BranchForked | BranchSwitched
StrategyEvent = StrategyRemembered | StrategyReverted
CapsuleEvent = CapsuleWritten | CapsuleRemoved
"""About the repository, whatever session or branch is open."""
EngineEvent = LocalEvent | RewritingEvent | TreeEvent | StrategyEvent | StrategyChosen | CapsuleEvent | ModelAsked
