"""What the user does about strategies, and what they remember after a turn."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from ctxcode.action.limits import Limits
from ctxcode.context.difference import difference
from ctxcode.context.strategies.port import Completed, ComposeRequest, ContextStrategy, Memory, Proposal
from ctxcode.context.strategies.rolling_summary import RollingSummary
from ctxcode.context.strategies.told import clipped
from ctxcode.model.engine.difference import PlanDifference
from ctxcode.model.engine.event import ModelAsked, StrategyChosen, StrategyRemembered, StrategyReverted
from ctxcode.model.engine.strategy import StrategyMemory, StrategyRow
from ctxcode.model.errors import ModelError, UsageError
from ctxcode.model.passing.event import StrategyFailed
from ctxcode.session.adapters import Adapters
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.memory.branch import BranchState
from ctxcode.session.ports import ChatModel
from ctxcode.session.strategy.catalogue import StrategyCatalogue
from ctxcode.session.strategy.worker import remembered
from ctxcode.session.strategy.writer import StrategyWriter

_FOCUS_CHARS = 500


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands for a strategy that a session was left with and that can't be used any more."""

    name: str
    why: str

    async def compose(self, request: ComposeRequest) -> Proposal:
        """Refuse: the window is used in its place."""
        del request
        raise UsageError(self.why)

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        """Remember nothing."""
        del done
        return None


@dataclass(slots=True)
class InUse:
    """The strategy of a session, and what is going on with it."""

    strategy: ContextStrategy
    is_settling: bool = False
    failure: str = ""
    """What was last said about its failing."""


def resumed(catalogue: StrategyCatalogue, name: str) -> InUse:
    """Return the strategy a session is left with; one that settings name has to be usable.

    Raises UsageError or SettingsError.
    """
    try:
        return InUse(catalogue.open(name))
    except UsageError as error:
        if name == catalogue.setting.name:
            raise
        return InUse(Unusable(name, str(error)))


def memory_of(branch: BranchState, strategy: ContextStrategy) -> Memory:
    """Return what a strategy remembers of a branch."""
    known = branch.memory(strategy.name)
    return Memory(known.text, known.through) if known is not None else Memory()


@dataclass(frozen=True, slots=True)
class Strategies:
    """The strategies of a session; see ``door.StrategyDoor`` for what it promises."""

    _ledger: Ledger
    _adapters: Adapters
    _in_use: InUse
    _model: ChatModel
    _assembler: Assembler
    _ask: Callable[[str], Ask]
    """A prompt as the next request."""
    _limits: Limits
    """What the session may spend."""

    @property
    def name(self) -> str:
        """The name of the strategy in use."""
        return self._in_use.strategy.name

    @property
    def memory(self) -> StrategyMemory | None:
        """What the strategy in use remembers of the open branch; None for nothing."""
        return self._ledger.state.branch.memory(self.name)

    async def rows(self) -> tuple[StrategyRow, ...]:
        """Return every strategy that can be chosen."""
        return await asyncio.to_thread(self._adapters.strategies().rows, self._in_use.strategy)

    async def choose(self, name: str) -> StrategyChosen:
        """Use another strategy from the next turn on. Raises UsageError or SettingsError."""
        strategy = await asyncio.to_thread(self._adapters.strategies().open, name)
        if name == self.name:
            raise UsageError(f"The strategy {name!r} is in use already.", "/strategy lists them.")
        event = await self._record(StrategyChosen(name))
        self._in_use.strategy, self._in_use.failure = strategy, ""
        return event

    async def preview(self, name: str, prompt: str) -> PlanDifference:
        """Return what another strategy would change about the next request; changes and stores nothing."""
        strategy = await asyncio.to_thread(self._adapters.strategies().open, name)
        ask = self._ask(prompt)
        other = replace(ask, strategy=strategy, memory=memory_of(self._ledger.state.branch, strategy))
        now, _ = await asyncio.to_thread(self._assembler.assemble, ask)
        then, _ = await asyncio.to_thread(self._assembler.assemble, other)
        if then.plan.notice:
            raise UsageError(then.plan.notice, "The window would be used in its place.")
        return difference(now.plan, then.plan)

    async def revert(self) -> StrategyReverted:
        """Take back what the strategy remembered last of this branch. Raises UsageError when there is nothing."""
        if self.memory is None:
            raise UsageError(f"The strategy {self.name!r} remembers nothing of this branch.", "/strategy lists them.")
        return await self._record(StrategyReverted(self.name))

    async def settle(self) -> AsyncGenerator[StrategyRemembered | StrategyFailed, None]:
        """Let the strategy bring what it remembers up to date; for after each turn, beside whatever comes next.

        Closing it ends a running request. Does nothing while another one is at it.
        """
        if self._in_use.is_settling:
            return
        self._in_use.is_settling = True
        try:
            event = await self._settled()
        finally:
            self._in_use.is_settling = False
        if event is not None:
            yield event

    async def compact(self, focus: str) -> AsyncGenerator[StrategyRemembered | StrategyChosen, None]:
        """Fold all turns but the newest into a summary, a few at a time, then use the strategy that sends it.

        What has been folded when it fails or is closed stays so. Raises UsageError when there is nothing to fold,
        ModelError when nobody writes the summary.
        """
        own = await asyncio.to_thread(self._adapters.strategies().open, RollingSummary.name)
        if self._in_use.is_settling:
            raise UsageError("The conversation is being remembered just now.", "Try again in a moment.")
        self._in_use.is_settling = True
        try:
            has_folded = False
            while isinstance(own, RollingSummary) and (once := self._folding_all(own)) is not None:
                made, wrong = await self._remembered(once, focus)
                if made is None:
                    raise ModelError(f"No summary was written: {wrong or 'the conversation has changed.'}")
                has_folded = True
                yield made
                if self.name != own.name:
                    yield await self.choose(own.name)
        finally:
            self._in_use.is_settling = False
        if not has_folded:
            raise UsageError("There is nothing to fold yet.", "/compact folds all turns but the newest.")

    def _folding_all(self, own: RollingSummary) -> RollingSummary | None:
        branch = self._ledger.state.branch
        return own.folding_all(self._assembler.past.worth_telling(branch.turns), memory_of(branch, own).through)

    async def _settled(self) -> StrategyRemembered | StrategyFailed | None:
        made, wrong = await self._remembered(self._in_use.strategy)
        if wrong and wrong != self._in_use.failure:
            self._in_use.failure = wrong
            return StrategyFailed(self.name, wrong)
        if made is not None:
            self._in_use.failure = ""
        return made

    async def _remembered(
        self, strategy: ContextStrategy, focus: str | None = None
    ) -> tuple[StrategyRemembered | None, str]:
        """Return what a strategy has remembered of the open branch, now recorded, and why it is nothing if it failed.

        With a ``focus``, possibly empty, the user asks for it: what they took back before does not count.
        """
        branch = self._ledger.state.branch
        history = await asyncio.to_thread(self._assembler.past.worth_telling, branch.turns)
        if not history or (focus is None and history[-1] is not branch.turns[-1]):
            return None, ""
        last = history[-1]
        writer = StrategyWriter(
            self._adapters,
            self._ledger.id,
            self._model,
            branch.name,
            last.number,
            limits=self._limits,
            events=self._ledger.events,
            focus=clipped(focus or "", _FOCUS_CHARS),
        )
        done = Completed(
            history=history,
            memory=memory_of(branch, strategy),
            declined=branch.declined.get(strategy.name, 0) if focus is None else 0,
            budget_tokens=self._ledger.state.budget_tokens,
            count=self._assembler.counter.count,
            write=writer,
        )
        made, wrong = await remembered(strategy, done)
        now = next((one for one in self._ledger.state.branches if one.name == branch.name), None)
        # Meanwhile the turns may have been taken back, or a memory of them.
        is_current = now is not None and last in now.turns and now.memory(strategy.name) == branch.memory(strategy.name)
        if made is None or not is_current:
            if writer.usage is not None:
                spent = ModelAsked(strategy.name, writer.wrote, tuple(writer.plan_ids), writer.usage, writer.cost)
                await self._record(spent)
            return None, wrong
        event = StrategyRemembered(
            strategy=strategy.name,
            branch=branch.name,
            turn=last.number,
            text=made.text,
            through=made.through,
            note=made.note,
            model=writer.wrote,
            plan_ids=tuple(writer.plan_ids),
            usage=writer.usage,
        )
        return await self._record(event), ""

    async def _record(self, event: EventT) -> EventT:
        return await asyncio.to_thread(self._ledger.record, event)
