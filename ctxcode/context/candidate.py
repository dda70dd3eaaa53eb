"""What the planner chooses from, and the request that holds all a plan depends on."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

from ctxcode.model.conversation import ToolCall, ToolRound, ToolSpec
from ctxcode.model.ids import ItemId, RetrievalId, SymbolId
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Detail, PlanLimits, Reason, Section
from ctxcode.model.secret.text import DEFAULT_POLICY, SecretPolicy

SO_FAR = ItemId("reply")
"""The reply that is to be continued, as an item."""


@dataclass(frozen=True, slots=True)
class Level:
    """One rendering of a candidate."""

    detail: Detail
    text: str
    """Ends with a line break."""
    tokens: int
    lines: tuple[tuple[int, int], ...] = ()
    """The source lines whose text is in ``text``, 1-based, inclusive."""


class Renderings(Sequence[Level]):
    """Levels made when they are first looked at: of most that is retrieved only the one line is."""

    __slots__ = ("_made", "_makers")

    def __init__(self, first: Level, *makers: Callable[[], Level]) -> None:
        """Take the cheapest level, and what makes each of the others, always the same one."""
        self._made: list[Level | None] = [first, *(None for _ in makers)]
        self._makers = makers

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, place: int) -> Level: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Level, ...]: ...

    def __getitem__(self, place: int | slice) -> Level | tuple[Level, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(len(self))))
        level = self._made[place]
        if level is None:
            level = self._made[place] = self._makers[place % len(self) - 1]()
        return level

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Candidate:
    """Anything a plan could include."""

    id: ItemId
    section: Section
    kind: str
    title: str
    levels: Sequence[Level]
    """Cheapest first; never empty."""
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()
    symbol: SymbolId | None = None
    dotted: str = ""
    path: str = ""
    start_line: int = 0
    end_line: int = 0
    owner: "Candidate | None" = None
    """The type or ``impl`` block it stands in, whose line comes above its signature in the tail."""
    below_owner: Level | None = None
    """Its signature there."""
    is_chosen: bool = False
    """The user chose the level: it is the only one here, and comes before what ranks higher."""
    is_stale: bool = False
    """Its file no longer holds what the index saw; it is never sent."""

    @property
    def signature(self) -> Level | None:
        """Its one line, or None when the user chose another level."""
        return self.levels[0] if self.levels[0].detail is Detail.SIGNATURE else None

    def without_owner(self, gone: Collection[ItemId]) -> "Candidate":
        """Return the candidate without its owner when that is one of these."""
        return replace(self, owner=None, below_owner=None) if self.owner and self.owner.id in gone else self

    @property
    def richest(self) -> Level:
        """The fullest rendering there is."""
        return self.levels[-1]


@dataclass(frozen=True, slots=True)
class PinnedCandidate:
    """A candidate the plan considers first."""

    candidate: Candidate
    kind: PinKind
    turns_left: int | None = None
    activation: float = 0.0
    """Leases are taken by activation, then by their last reference, then by id."""
    referenced_at: int = 0
    """The last turn that named it; 0 for none."""

    @property
    def rank(self) -> tuple[float, int, str]:
        """Sorts the liveliest first."""
        return (-self.activation, -self.referenced_at, self.candidate.id)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A completed turn as history offers it: included whole or not at all."""

    candidate: Candidate
    prompt: str
    reply: str
    rank: int = 0
    """0 for what is wanted most; of equals the newer one is."""
    rounds: tuple[ToolRound, ...] = ()
    """Its tool calls, the results as short as they are sent."""


@dataclass(frozen=True, slots=True)
class ToolAtom:
    """A tool call of the current turn with its result: included with both or not at all."""

    candidate: Candidate
    """A level's text is the result at that length; its tokens are those of the call too."""
    call: ToolCall
    iteration: int
    said: str = ""
    """What the model wrote before its calls; goes with the first of them."""
    said_tokens: int = 0
    """Its part of each level's tokens."""


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """The tools the model may call."""

    candidate: Candidate
    specs: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """Everything a plan depends on; equal requests give equal plans."""

    prompt: str
    branch: str
    turn: int
    mode: ContextMode
    strategy: str
    model: str
    tokenizer: str
    limits: PlanLimits
    index_revision: str
    system: Candidate
    message: Candidate
    message_overhead_tokens: int
    """What a provider adds for each message."""
    is_budget_explicit: bool = False
    """The user gave this budget for this request: it alone bounds what is retrieved."""
    retrieval_id: RetrievalId | None = None
    pins: tuple[PinnedCandidate, ...] = ()
    expired: tuple[Candidate, ...] = ()
    """Leases that have just ended: listed, never sent."""
    anchor: Candidate | None = None
    """The state block the model keeps; None when there is none."""
    strategy_settings: str = ""
    """The strategy's settings, as canonical JSON."""
    blocks: tuple[Candidate, ...] = ()
    """What the strategy sends in the place of turns."""
    untold: tuple[tuple[Candidate, Reason], ...] = ()
    """Turns that the strategy does not offer, and why."""
    has_gaps: bool = False
    """A turn that does not fit does not end the history."""
    scaffold: tuple[Candidate, ...] = ()
    """The module tree, then central symbols."""
    history: tuple[Exchange, ...] = ()
    """Oldest first."""
    touchpoints: tuple[Candidate, ...] = ()
    """Best first."""
    dropped: tuple[ItemId, ...] = field(default=())
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The lines of the files the candidates' texts were read from, by path."""
    tools: ToolOffer | None = None
    atoms: tuple[ToolAtom, ...] = ()
    """Of the current turn, oldest first."""
    so_far: Candidate | None = None
    """The reply that was cut at the output limit and is to be continued."""
    note: Candidate | None = None
    """To the model, after everything else."""
    iteration: int = 0
    """Which request of the turn this is, from 0."""
    trim_from: tuple[int, int, int] = (10, 15, 20)
    """The requests from which on less of the conversation is sent: see ``window``."""
    secrets: SecretPolicy = DEFAULT_POLICY
    """What is withheld from the payload."""
