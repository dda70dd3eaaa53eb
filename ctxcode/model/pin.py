"""Pins: what the user or the engine wants considered first."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import ItemId


class PinKind(StrEnum):
    """How long a pin lives."""

    STICKY = "sticky"
    """By the user only; until unpinned."""
    LEASED = "leased"
    """For a number of completed turns."""
    EPHEMERAL = "ephemeral"
    """This turn."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned item of a branch."""

    item: ItemId
    kind: PinKind
    turns_left: int | None = None
    """Completed turns until a lease ends; None for sticky pins."""
    by: str = "user"
    """``user``, ``model`` or ``engine``."""


@dataclass(frozen=True, slots=True)
class SuggestedPin:
    """An item somebody other than the user thinks should stay, with the evidence."""

    item: ItemId
    title: str
    evidence: str
