"""The requests of one turn, planned from an index that is in step with the files."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from ctxcode.action.limits import Limits, over_limits
from ctxcode.action.reply import Verdict
from ctxcode.feedback.usage import asked_turns, prompt_cost, spent_dollars
from ctxcode.model.conversation import ModelInfo
from ctxcode.model.engine.event import PinBroken, PinFollowed
from ctxcode.model.passing.event import IndexAwaited
from ctxcode.model.plan import PlannedRequest
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.index.refresher import CatchUp, Wait
from ctxcode.session.ledger import Ledger
from ctxcode.session.memory.pins import moves

_UNLIMITED = Limits()


@dataclass(slots=True)
class RequestPlanner:
    """Plans what a turn sends, and says when it must not be sent."""

    ledger: Ledger
    model: ModelInfo
    assembler: Assembler
    ask: Ask
    """What the turn is about, with the pins where their code is now."""
    catch_up: Callable[[], CatchUp]
    """Begins to re-index what changed, so that no stale span is sent."""
    limits: Limits = _UNLIMITED
    _catching_up: CatchUp | None = None
    """The index is perhaps not in step yet; no request is sent before."""
    _is_behind: bool = False
    """Another refresh went on for too long to be waited for."""
    _seen_revision: str = ""
    """The index's when the last plan was begun."""

    async def begin(self) -> AsyncGenerator[IndexAwaited | PinFollowed | PinBroken, None]:
        """Let the index catch up as far as what was changed lately, and pins follow their code."""
        self._catching_up = self.catch_up()
        async with aclosing(self._catching_up.ahead()) as waits:
            async for wait in waits:
                yield self._awaited(wait)
        for move in await self.moved():
            yield move

    def stop(self) -> None:
        """End what the index is still catching up with: nothing more is planned."""
        if self._catching_up is not None:
            self._catching_up.stop()

    async def planned(self, ask: Ask) -> tuple[PlannedRequest, RetrievalSet | None]:
        """Plan in a thread; a cancellation ends what an embedding model is being asked for it."""
        ask = replace(ask, pins=self.ask.pins, is_behind=self._is_behind)
        try:
            self._seen_revision, made = await asyncio.to_thread(self._made, ask)
        except asyncio.CancelledError:
            if self.assembler.semantic is not None:
                self.assembler.semantic.stop()
            raise
        return made

    async def rest(self) -> AsyncGenerator[IndexAwaited, None]:
        """Wait until all files have been looked at."""
        if self._catching_up is not None:
            async with aclosing(self._catching_up.rest()) as waits:
                async for wait in waits:
                    yield self._awaited(wait)

    async def is_in_step(self, planned: PlannedRequest) -> bool:
        """Return whether a plan was made from what the files are now, all of which were looked at."""
        has_changed = planned.has_changed and not self._is_behind
        catching_up, self._catching_up = self._catching_up, None
        if catching_up is None and not has_changed:
            return True
        report = await catching_up.whole() if catching_up is not None else None
        if has_changed and (catching_up is None or report is not None):
            # What was changed after it was looked at takes another look, at this alone.
            report = await self.catch_up().whole()
        self._is_behind = report is None
        if report is None or has_changed:
            return False
        return self._seen_revision == planned.plan.index_revision == report.revision

    async def moved(self) -> list[PinFollowed | PinBroken]:
        """Let pins follow their code; return what became of them, nothing where the index can't tell."""
        if self._is_behind:
            return []
        looked_at = self.assembler.graph, self.assembler.workspace
        found = await asyncio.to_thread(moves, self.ask.pins, *looked_at)
        told = [await self.ledger.written(move) for move in found]
        self.ask = replace(self.ask, pins=self.ledger.state.pins)
        return told

    async def save(self, planned: PlannedRequest, retrieved: RetrievalSet | None) -> None:
        """Store a plan before it is told of."""
        ledger = self.ledger
        await asyncio.to_thread(ledger.journal.save_plan, planned, retrieved, ledger.id, ledger.clock())

    def refusal(self, planned: PlannedRequest) -> Verdict | None:
        """Return why the user's caps keep a request from being sent."""
        if planned.payload is None:
            return None
        events = self.ledger.events
        cost = prompt_cost(self.model, planned.plan.tokens)
        return over_limits(self.limits, spent=spent_dollars(events), prompt_cost=cost, turns=asked_turns(events))

    def _awaited(self, wait: Wait) -> IndexAwaited:
        return IndexAwaited(self.ask.turn, wait.seconds, wait.progress)

    def _made(self, ask: Ask) -> tuple[str, tuple[PlannedRequest, RetrievalSet | None]]:
        return self.assembler.graph.stats().revision, self.assembler.assemble(ask)
