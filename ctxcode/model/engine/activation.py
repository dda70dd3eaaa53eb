"""How alive an item is in a conversation."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ctxcode.model.ids import ItemId


class SignalKind(StrEnum):
    """What raises or lowers an item's activation."""

    USER_REFERENCE = "user-reference"
    MODEL_REFERENCE = "model-reference"
    IN_PLAN = "in-plan"
    HOP_TARGET = "hop-target"
    """Reached along an edge of the graph."""
    RETRIEVED = "retrieved"
    """For what the conversation is about now."""
    TOOL_ERROR = "tool-error"
    EDIT_REJECTED = "edit-rejected"


REFERENCES = frozenset({SignalKind.USER_REFERENCE, SignalKind.MODEL_REFERENCE})
"""The user or the model named the item."""


@dataclass(frozen=True, slots=True)
class ItemSignals:
    """What a turn said about one item."""

    item: ItemId
    signals: tuple[SignalKind, ...]
    """Each kind once, in the order of the enumeration."""

    @property
    def is_reference(self) -> bool:
        """The user or the model named it."""
        return not REFERENCES.isdisjoint(self.signals)


class ActivationUpdate(NamedTuple):
    """One turn's change of an activation, with the terms it was made of."""

    turn: int
    before: float
    kept: float
    """What the decay left of it."""
    signals: tuple[SignalKind, ...]
    after: float


class ActiveItem(NamedTuple):
    """An item's activation on a branch."""

    item: ItemId
    value: float
    """0 to 3."""
    referenced: tuple[int, ...] = ()
    """The last turns in which the user or the model named it, oldest first."""
    updates: tuple[ActivationUpdate, ...] = ()
    """The last updates, oldest first."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """An item that the engine leases because it keeps being named."""

    item: ItemId
    evidence: str


class UseKind(StrEnum):
    """How a model used what was shown to it."""

    NAMED = "named"
    """In its reply."""
    READ = "read"
    """Looked at more closely with a tool."""
    EDITED = "edited"
    """Changed, and the change was applied."""


@dataclass(frozen=True, slots=True)
class ItemUse:
    """An item that was shown in a turn, and what the model did with it."""

    item: ItemId
    ways: tuple[UseKind, ...]
    """Each once, in the order of the enumeration."""


@dataclass(frozen=True, slots=True)
class ShownSection:
    """What of the code a turn's last request showed in one section, and how much of it was used."""

    section: str
    items: int
    tokens: int
    used_items: int
    used_tokens: int
