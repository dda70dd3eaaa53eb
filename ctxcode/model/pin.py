"""Pins: what the user or the engine wants considered first."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import ItemId


class PinKind(StrEnum):
    """How long a pin lives."""

    STICKY = "sticky"
    """By the user only; until unpinned."""
    LEASED = "leased"
    """For a number of completed turns, or for the task."""
    EPHEMERAL = "ephemeral"
    """A thin card, this turn."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned item of a branch."""

    item: ItemId
    kind: PinKind
    turns_left: int | None = None
    """Completed turns until a lease ends; None for sticky pins and for leases that end with the task."""
    by: str = "user"
    """``user``, ``model`` or ``engine``."""
    length: int | None = None
    """What ``turns_left`` is again when the item is referenced."""
    evidence: str = ""
    """Why somebody other than the user pinned it."""
    text: str = ""
    """What a note says; empty for everything else."""
    fingerprint: tuple[str, ...] = ()
    """Digests of its source lines, white space left out: how the pin finds code that moved or was renamed."""
    is_read_only: bool = False
    """The model is told not to edit it."""
    is_broken: bool = False
    """Its code was not there when the last request was planned."""
    referenced_at: int = 0
    """The last turn that named it; 0 for none."""

    @property
    def ends_with_task(self) -> bool:
        """A lease without a number of turns."""
        return self.kind is PinKind.LEASED and self.turns_left is None


@dataclass(frozen=True, slots=True)
class SuggestedPin:
    """An item somebody other than the user thinks should stay, with the evidence."""

    item: ItemId
    title: str
    evidence: str
