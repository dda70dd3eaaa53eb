"""A window that keeps what matters for the question: relevance and recency together, older turns brought back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ctxcode.context.strategies.conversation_state import importance, wanted_factor
from ctxcode.context.strategies.port import (
    LARGEST_FACTOR,
    SMALLEST_FACTOR,
    STEP_SHARE,
    Completed,
    ComposeRequest,
    LeftOut,
    Memory,
    Offer,
    Proposal,
    left_out_but,
)
from ctxcode.model.conversation import Turn
from ctxcode.model.engine.strategy import Related
from ctxcode.model.plan import Reason, ReasonType

_MOST_RECENT = 60
"""Turns that are weighed because they are recent."""
_FLOOR = 0.25
"""What is left of a turn's weight when it is not about the question at all, or very old."""
_NEAR_MISSES = 3
_CONSIDERED_FROM = 0.1


@dataclass(frozen=True, slots=True)
class SemanticWindow:
    """Weighs turns by what they have to do with the question and by age; brings back older ones; adapts its size."""

    half_life: float = 8.0
    """Turns after which recency counts half: 0.5 ** (age / half_life)."""
    similarity: float = 0.3
    """From which on a turn that is older than the recent ones is brought back, whole."""
    related: int = 6
    """How many of them at most."""
    adapts: bool = True
    """The active context grows and shrinks with the conversation."""
    name: ClassVar[str] = "semantic-window"

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        if not 0.1 <= self.half_life <= 10_000:
            raise ValueError("half_life has to be from 0.1 to 10,000 turns")
        if not 0.0 < self.similarity <= 1.0:
            raise ValueError("similarity has to be above 0 and at most 1")
        if not 0 <= self.related <= 50:
            raise ValueError("related has to be from 0 to 50")

    async def compose(self, request: ComposeRequest) -> Proposal:
        """Offer recent and related turns by weight, the newest first of all."""
        size = self._size(request)
        history = request.history
        recent = _recent(history, request, size)
        first_recent = recent[0].number if recent else 0
        found = request.search.related(self.related + _NEAR_MISSES) if history else ()
        older = [row for row in found if row.turn < first_recent]
        close = [row for row in older if row.similarity >= self.similarity][: self.related]
        turns = {turn.number: turn for turn in history[max(0, len(history) - len(recent)) :]}
        offers = [self._offer(turn, request.search.about(turn), history) for turn in turns.values()]
        offers += [Offer(row.turn, row.similarity, (_about(row),)) for row in close]
        newest = history[-1].number if history else 0
        offers.sort(key=lambda offer: (offer.turn != newest, -offer.score, -offer.turn))
        misses = _near_misses(older, {row.turn for row in close})
        rest = left_out_but(history, [*offers, *(Offer(row.first) for row in misses)])
        budget = None if request.is_budget_fixed or not self.adapts else size
        return Proposal(tuple(offers), (*misses, *rest), has_gaps=True, budget_tokens=budget)

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        """Remember the size the turn was asked with, for the next step from it."""
        if not self.adapts or not done.history:
            return None
        size = _stepped(done.memory, done.budget_tokens, done.history[-_MOST_RECENT - 1 : -1], done.history[-1].prompt)
        return Memory(str(size)) if str(size) != done.memory.text else None

    def _size(self, request: ComposeRequest) -> int:
        if request.is_budget_fixed or not self.adapts:
            return request.budget_tokens
        return _stepped(request.memory, request.budget_tokens, request.history[-_MOST_RECENT:], request.prompt)

    def _offer(self, turn: Turn, about: Related, history: Sequence[Turn]) -> Offer:
        """Return a recent turn with its weight: (relevance x recency), both with a floor, raised by what it holds."""
        age = history[-1].number - turn.number
        recency = 0.5 ** (age / self.half_life)
        flags = importance(turn)
        raised = sum(weight for _, weight in flags)
        score = (_FLOOR + (1 - _FLOOR) * about.similarity) * (_FLOOR + (1 - _FLOOR) * recency) * (1 + raised)
        reasons = [Reason(ReasonType.RECENT, round(recency, 4))]
        if about.terms or about.is_meant:
            reasons.append(_about(about))
        if flags:
            reasons.append(Reason(ReasonType.STRATEGY, round(raised, 4), tuple(flag for flag, _ in flags)))
        return Offer(turn.number, round(score, 6), tuple(reasons))


def _about(row: Related) -> Reason:
    if row.is_meant:
        return Reason(ReasonType.SEMANTIC, round(row.similarity, 4))
    return Reason(ReasonType.LEXICAL, round(row.similarity, 4), row.terms)


def _near_misses(older: Sequence[Related], close: set[int]) -> tuple[LeftOut, ...]:
    """Return the older turns that were nearly brought back."""
    rows = [row for row in older if row.turn not in close and row.similarity >= _CONSIDERED_FROM][:_NEAR_MISSES]
    return tuple(
        LeftOut(row.turn, row.turn, Reason(ReasonType.BELOW_THRESHOLD, round(row.similarity, 4), row.terms))
        for row in rows
    )


def _recent(history: Sequence[Turn], request: ComposeRequest, size: int) -> Sequence[Turn]:
    """Return the newest turns: twice of what fits, so that there is a choice; fewer when the user set a window."""
    most = min(_MOST_RECENT, request.window_turns or _MOST_RECENT, len(history))
    spent = 0
    for kept in range(most):
        spent += request.tokens_of(history[len(history) - 1 - kept])
        if spent > 2 * size:
            return history[len(history) - 1 - kept :]
    return history[len(history) - most :]


def _stepped(memory: Memory, base_tokens: int, history: Sequence[Turn], prompt: str) -> int:
    """Return the next size: towards what the conversation wants, by at most a quarter of what the user set."""
    before = int(memory.text) if memory.text.isdecimal() else base_tokens
    wanted = base_tokens * min(max(wanted_factor(history, prompt), SMALLEST_FACTOR), LARGEST_FACTOR)
    step = base_tokens * STEP_SHARE
    size = min(max(wanted, before - step), before + step)
    return int(min(max(size, base_tokens * SMALLEST_FACTOR), base_tokens * LARGEST_FACTOR))
