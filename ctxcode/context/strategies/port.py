"""The port of context strategies: what one is given, what it answers, and what a package that brings one has to do.

A strategy is a frozen dataclass: its fields are its settings, all with defaults, of text, numbers, truth values and
tables; ``__post_init__`` raises ValueError for values that make no sense. It names itself with ``name: ClassVar[str]``
and its docstring's first line says what it does. A package offers it under the entry point group
``ctxcode.strategies``; ``strategies.invariants`` is the test-suite every strategy has to pass.

``compose`` decides which of the conversation is offered for a request; the planner then fits it into the budget, whole
turns only. It may be called at any time, for previews too, so it changes nothing. What a strategy wants to remember it
returns from ``on_turn_complete``; it comes back, per branch, with the next request, and is undone with its turns.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from ctxcode.model.conversation import Turn
from ctxcode.model.engine.strategy import Related
from ctxcode.model.plan import ContextMode, Reason, ReasonType

GROUP = "ctxcode.strategies"
"""The entry point group of strategies."""
SMALLEST_FACTOR = 0.5
LARGEST_FACTOR = 4.0
"""How far a strategy may move the active context, as factors of what the user set."""
STEP_SHARE = 0.25
"""How much of what the user set it may move by in one turn."""


class TurnSearch(Protocol):
    """Finds earlier turns of the branch by what the question is about."""

    def related(self, limit: int) -> tuple[Related, ...]:
        """Return the turns most about it, best first; none for a question that only says to go on."""
        ...

    def about(self, turn: Turn) -> Related:
        """Return how much one turn is about it."""
        ...


@dataclass(frozen=True, slots=True)
class Memory:
    """What a strategy remembers of a branch."""

    text: str = ""
    through: int = 0
    """The newest turn it stands for; those up to it need not be offered any more."""
    note: str = ""
    """What the transcript says about it; empty for nothing."""


@dataclass(frozen=True, slots=True)
class ComposeRequest:
    """A request for which the conversation is to be chosen."""

    prompt: str
    branch: str
    turn: int
    """The number of the turn that is being asked."""
    iteration: int
    """Which request of that turn this is, from 0."""
    mode: ContextMode
    model: str
    system: str
    """The system prompt; it is always sent, first."""
    tools: tuple[str, ...]
    """The names of the tools the model may call."""
    retrieved: tuple[str, ...]
    """The titles of what was found in the repository, best first."""
    history: Sequence[Turn]
    """The completed turns of the branch that are worth telling, oldest first."""
    window_turns: int
    """Most turns the user wants sent; 0 for all that fit."""
    budget_tokens: int
    """The active context as the user set it."""
    is_budget_fixed: bool
    """The user gave it for this request; it is not to be moved."""
    memory: Memory
    """What ``on_turn_complete`` returned last."""
    search: TurnSearch
    tokens_of: Callable[[Turn], int]
    """What a turn costs."""
    count: Callable[[str], int]
    """What a text costs."""


_RECENT = (Reason(ReasonType.RECENT),)
_OLDER = Reason(ReasonType.OUTSIDE_WINDOW)
_STRATEGY = (Reason(ReasonType.STRATEGY),)


@dataclass(frozen=True, slots=True)
class Offer:
    """A turn that is to be sent if it fits."""

    turn: int
    score: float = 0.0
    reasons: tuple[Reason, ...] = _RECENT
    is_bare: bool = False
    """Without its tool calls and their results."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Turns that are not to be sent."""

    first: int
    last: int
    """Both inclusive; numbers in between that the history lacks count for nothing."""
    reason: Reason = _OLDER


@dataclass(frozen=True, slots=True)
class Block:
    """A text that is sent in the place of turns."""

    name: str
    """Short, unique in a proposal: ``summary``."""
    title: str
    """What stands above it, and in its row."""
    text: str
    through: int = 0
    """The newest turn it stands for."""
    reasons: tuple[Reason, ...] = _STRATEGY


@dataclass(frozen=True, slots=True)
class Proposal:
    """Which of a conversation is to be sent: every turn of the history in one of the two."""

    offers: tuple[Offer, ...] = ()
    """Most wanted first; the newest turn before all others."""
    left_out: tuple[LeftOut, ...] = ()
    blocks: tuple[Block, ...] = ()
    has_gaps: bool = False
    """A turn that does not fit does not end the history: less wanted ones are still tried."""
    budget_tokens: int | None = None
    """The active context wanted: half to four times of what the user set; None for just that."""


class Writer(Protocol):
    """Lets a model write something. What it is asked is stored as a plan."""

    async def __call__(self, instruction: str, text: str, *, model: str = "") -> str:
        """Return the reply to a text, by a named model or the one in use.

        Raises ModelError when the model fails or what is asked does not fit it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Completed:
    """A branch after a turn has completed."""

    history: Sequence[Turn]
    """The completed turns that are worth telling, oldest first."""
    memory: Memory
    declined: int
    """The newest turn of a memory that the user took back; 0 for none."""
    budget_tokens: int
    count: Callable[[str], int]
    write: Writer


class ContextStrategy(Protocol):
    """Chooses what of a conversation is sent."""

    @property
    def name(self) -> str:
        """What it is called in settings and plans."""
        ...

    async def compose(self, request: ComposeRequest) -> Proposal:
        """Return what is to be sent. Changes nothing; the same request gives the same proposal."""
        ...

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        """Return what to remember from now on; None for what it is. Runs beside the user's next steps."""
        ...


def setting_values(strategy: ContextStrategy) -> dict[str, object]:
    """Return a strategy's settings by name; every strategy is a dataclass of them."""
    kind: type[Any] = type(strategy)
    return {row.name: getattr(strategy, row.name) for row in fields(kind)}


def left_out_but(history: Sequence[Turn], offers: Sequence[Offer], reason: Reason | None = None) -> tuple[LeftOut, ...]:
    """Return the turns of a history that are not offered, as few ranges as possible; the cost is that of the offers."""
    places = sorted(bisect_left(history, offer.turn, key=_number) for offer in offers)
    ranges: list[LeftOut] = []
    start = 0
    for place in (*places, len(history)):
        if place > start:
            first, last = history[start].number, history[place - 1].number
            ranges.append(LeftOut(first, last, reason) if reason is not None else LeftOut(first, last))
        start = place + 1
    return tuple(ranges)


def covered(history: Sequence[Turn], through: int) -> int:
    """Return how many turns of a history a memory stands for."""
    return bisect_right(history, through, key=_number)


def _number(turn: Turn) -> int:
    return turn.number
