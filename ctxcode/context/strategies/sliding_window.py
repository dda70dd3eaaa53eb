"""The default strategy: the newest turns that fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ctxcode.context.strategies.port import Completed, ComposeRequest, Memory, Offer, Proposal, left_out_but
from ctxcode.model.conversation import Turn
from ctxcode.model.engine.strategy import DEFAULT_STRATEGY


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """Sends the newest turns that fit, each whole, without holes."""

    name: ClassVar[str] = DEFAULT_STRATEGY

    async def compose(self, request: ComposeRequest) -> Proposal:
        """Offer the newest turns; what is older than what fits is not looked at."""
        return self.proposal(request)

    def proposal(self, request: ComposeRequest) -> Proposal:
        """Return the offer at once: there is nothing to wait for."""
        offers = newest(request.history, request)
        return Proposal(offers, left_out_but(request.history, offers))

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        """Remember nothing."""
        del done
        return None


def newest(history: Sequence[Turn], request: ComposeRequest) -> tuple[Offer, ...]:
    """Offer turns from the newest back, one more than fits at most, within the window the user set."""
    offers: list[Offer] = []
    spent = 0
    for turn in reversed(history):
        is_full = request.window_turns > 0 and len(offers) >= request.window_turns
        if is_full or spent > request.budget_tokens:
            break
        spent += request.tokens_of(turn)
        offers.append(Offer(turn.number))
    return tuple(offers)
