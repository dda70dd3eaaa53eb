"""The part of the screens' door that is about strategies: how the conversation is chosen that a request holds."""

from collections.abc import AsyncGenerator
from typing import Protocol

from ctxcode.model.engine.difference import PlanDifference
from ctxcode.model.engine.event import StrategyChosen, StrategyRemembered, StrategyReverted
from ctxcode.model.engine.strategy import StrategyMemory, StrategyRow
from ctxcode.model.passing.event import StrategyFailed


class StrategyDoor(Protocol):
    """The strategies of a session.

    The events it returns are already journalled, but for StrategyFailed, which is not kept. All may raise CtxcodeError.
    """

    @property
    def name(self) -> str:
        """The name of the strategy in use."""
        ...

    @property
    def memory(self) -> StrategyMemory | None:
        """What the strategy in use remembers of the open branch; None for nothing."""
        ...

    async def rows(self) -> tuple[StrategyRow, ...]:
        """Return every strategy, those of other packages too."""
        ...

    async def choose(self, name: str) -> StrategyChosen:
        """Use another strategy from the next turn on."""
        ...

    async def preview(self, name: str, prompt: str) -> PlanDifference:
        """Return what another strategy would change about the next request; changes and stores nothing."""
        ...

    async def revert(self) -> StrategyReverted:
        """Take back what the strategy remembered last of this branch."""
        ...

    def compact(self, focus: str) -> AsyncGenerator[StrategyRemembered | StrategyChosen, None]:
        """Fold all turns but the newest into a summary that keeps most of what ``focus`` is about, and send that.

        Raises UsageError when there is nothing to fold, ModelError when nobody writes the summary.
        """
        ...

    def settle(self) -> AsyncGenerator[StrategyRemembered | StrategyFailed, None]:
        """Let the strategy bring what it remembers up to date: for after each turn, beside whatever comes next.

        Closing it ends a running request. Does nothing while another one is at it.
        """
        ...
