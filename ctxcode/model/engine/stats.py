"""What sessions came to: tokens, costs, tools, edits, and what of the shown code was used."""

from dataclasses import dataclass

from ctxcode.model.engine.activation import Promotion, UseKind
from ctxcode.model.ids import ItemId


@dataclass(frozen=True, slots=True)
class ModelStats:
    """What one model was sent and answered."""

    model: str
    turns: int
    requests: int
    estimated: int
    """Prompt tokens as planned, of all requests."""
    measured: int
    """Requests whose prompt the provider counted."""
    measured_estimate: int
    """As planned, of those."""
    prompt: int
    """As the provider counted it, of those."""
    completion: int
    cost: float
    """US dollars, of the requests with a price."""
    unpriced: int
    """Requests without one."""
    good: int
    bad: int
    """Replies by the user's marks."""


@dataclass(frozen=True, slots=True)
class SectionStats:
    """What one section of the requests held."""

    section: str
    requests: int
    """In how many it stood."""
    items: int
    tokens: int
    shown_items: int
    """Of code, in the last request of each turn that came to an end."""
    shown_tokens: int
    used_items: int
    """Of those, what the model named, read or edited."""
    used_tokens: int


@dataclass(frozen=True, slots=True)
class ToolStats:
    """How often one tool was called, and what came of it."""

    tool: str
    calls: int
    statuses: tuple[tuple[str, int], ...]
    """How often each, the most frequent first."""
    errors: int
    tokens: int
    """Of the results."""


@dataclass(frozen=True, slots=True)
class ItemStats:
    """An item of code: in how many turns it was shown, and used."""

    item: ItemId
    shown: int
    used: int
    ways: tuple[tuple[UseKind, int], ...]


@dataclass(frozen=True, slots=True)
class TurnPromotion:
    """What was leased after a turn, or was named in it and was not."""

    turn: int
    is_leased: bool
    promotion: Promotion


@dataclass(frozen=True, slots=True)
class Stats:
    """Sessions together."""

    sessions: int
    turns: int
    outcomes: tuple[tuple[str, int], ...]
    """Turns by what ended them, ``running`` for those that go on."""
    cost: float
    """US dollars: as reported, else the estimate of what was sent."""
    models: tuple[ModelStats, ...]
    sections: tuple[SectionStats, ...]
    """In payload order."""
    tools: tuple[ToolStats, ...]
    edits: tuple[tuple[str, int], ...]
    """Files by what became of their changes."""
    checks: tuple[tuple[str, int], ...]
    """Commands by what came of them, the user's own among them."""
    used: tuple[ItemStats, ...]
    """What was used most."""
    unused: tuple[ItemStats, ...]
    """What was shown most and never used."""
    promotions: tuple[TurnPromotion, ...]
    """The newest, newest first."""
    good: int
    bad: int
    """Replies by the user's marks."""

    @property
    def shown_items(self) -> int:
        """Items of code that were shown at the end of a turn."""
        return sum(row.shown_items for row in self.sections)

    @property
    def used_items(self) -> int:
        """Those of them that were used."""
        return sum(row.used_items for row in self.sections)
