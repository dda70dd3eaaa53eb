"""Events of pins, activation, the state anchor and branches; see ``model.event`` for the whole union."""

from dataclasses import dataclass
from typing import ClassVar

from ctxcode.model.engine.activation import ItemSignals, Promotion
from ctxcode.model.ids import ItemId


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


EngineEvent = PinFollowed | PinBroken | TurnReflected | SuggestionDismissed | TaskStarted | TaskFinished
"""All of them durable, all about the branch that is open."""
