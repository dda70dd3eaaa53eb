"""One turn: plan, send, stream, and record what happened, whatever happens."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from ctxcode.action.reply import Verdict, verdict
from ctxcode.action.state_block import StateBlockFilter
from ctxcode.feedback.usage import prompt_cost, usage_of
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    Event,
    ReplyChunked,
    ReplyFinished,
    SectionTokens,
    SessionRenamed,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.plan import ContextPlan, PlannedRequest
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.memory.reflect import TurnFacts, reflected
from ctxcode.session.ports import ChatModel
from ctxcode.session.report import over_budget_sentence

TITLE_CHARS = 60


@dataclass(slots=True)
class TurnRunner:
    """Runs one turn of a session."""

    ledger: Ledger
    model: ChatModel
    assembler: Assembler
    ask: Ask
    bring_up_to_date: Callable[[], Awaitable[None]]
    """Re-indexes what changed, so that no stale span is sent."""
    _reply: list[str] = field(default_factory=list)
    _state: StateBlockFilter = field(default_factory=StateBlockFilter)
    _end: ReplyEnd | None = None
    _estimated_tokens: int = 0
    _is_over: bool = False

    async def run(self) -> AsyncGenerator[Event, None]:
        """Yield the turn's events; each durable one is journalled before it is yielded.

        A model's failure ends in TurnCompleted; closing the generator records the interruption and ends the request.
        """
        self.ledger.is_busy = True
        try:
            async with aclosing(self._steps()) as events:
                async for event in events:
                    yield event
        except (asyncio.CancelledError, GeneratorExit):
            self._interrupt()
            raise
        finally:
            self.ledger.is_busy = False

    async def _steps(self) -> AsyncGenerator[Event, None]:
        for event in self._opening():
            yield await self._record(event)
        try:
            await self.bring_up_to_date()
            for move in await asyncio.to_thread(self.assembler.pin_moves, self.ask.pins):
                yield await self._record(move)
            self.ask = replace(self.ask, pins=self.ledger.state.pins)
            planned, retrieved = await asyncio.to_thread(self.assembler.assemble, self.ask)
            self._estimated_tokens = planned.plan.tokens
            await asyncio.to_thread(self._save, planned, retrieved)
        except CtxcodeError as error:
            yield await self._complete(Verdict(StoppedBy.ERROR, str(error), error.hint))
            return
        yield await self._record(self._planned_event(planned.plan))
        if planned.payload is None:
            yield await self._complete(_over_budget(planned.plan))
            return
        failure: Verdict | None = None
        try:
            async with aclosing(self.model.stream(self._request(planned))) as stream:
                async for chunk in stream:
                    if isinstance(chunk, TextChunk):
                        if shown := self._shown(chunk.text):
                            yield ReplyChunked(self.ask.turn, shown)
                    else:
                        self._end = chunk
            if rest := self._shown(""):
                yield ReplyChunked(self.ask.turn, rest)
        except CtxcodeError as error:
            failure = Verdict(StoppedBy.ERROR, str(error), error.hint)
        yield await self._record(self._reply_event())
        if failure is None:
            yield await self._record(await asyncio.to_thread(self._reflected, planned.plan, retrieved))
        yield await self._complete(failure or self._verdict())

    def _opening(self) -> tuple[DurableEvent, ...]:
        """Return the events that open the turn; the first prompt also names the session."""
        started = TurnStarted(self.ask.turn, self.ask.prompt)
        if self.ledger.state.title:
            return (started,)
        line = " ".join(self.ask.prompt.split())
        title = line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
        return (started, SessionRenamed(title)) if title else (started,)

    def _save(self, planned: PlannedRequest, retrieved: RetrievalSet | None) -> None:
        self.ledger.journal.save_plan(planned, retrieved, self.ledger.id, self.ledger.clock())

    def _request(self, planned: PlannedRequest) -> ModelRequest:
        assert planned.payload is not None  # noqa: S101 - the caller has just looked
        return ModelRequest(
            messages=planned.payload.messages,
            max_output_tokens=planned.plan.limits.output_reserve_tokens,
            question=self.ask.prompt,
        )

    def _planned_event(self, plan: ContextPlan) -> ContextPlanned:
        sections: dict[str, SectionTokens] = {}
        for item in plan.included:
            name = item.section.value
            before = sections.get(name, SectionTokens(name, 0, 0))
            sections[name] = SectionTokens(name, before.items + 1, before.tokens + item.tokens)
        return ContextPlanned(
            turn=self.ask.turn,
            plan_id=plan.id,
            mode=plan.mode,
            model=plan.model,
            active_tokens=plan.active_tokens,
            budget_tokens=plan.limits.budget_tokens,
            total_tokens=plan.tokens,
            sections=tuple(sections.values()),
            excluded=len(plan.excluded),
            cost_estimate=prompt_cost(self.model.info, plan.tokens),
            over_budget=plan.over_budget,
            strategy=plan.strategy,
            notice=plan.notice,
        )

    def _reply_event(self) -> ReplyFinished:
        usage = usage_of(self._estimated_tokens, self._end)
        return ReplyFinished(self.ask.turn, "".join(self._reply), self.model.info.name, usage)

    def _shown(self, text: str) -> str:
        """Return what may be shown of the reply after one more piece, the last one being empty."""
        shown = self._state.feed(text) if text else self._state.finish()
        self._reply.append(shown)
        return shown

    def _reflected(self, plan: ContextPlan, retrieved: RetrievalSet | None) -> TurnReflected:
        facts = TurnFacts(self.ask.turn, self.ask.prompt, "".join(self._reply), plan, retrieved)
        found = reflected(facts, self.ledger.state.branch, self.assembler.graph)
        # Only a reply that was finished can be trusted to have kept its notes.
        is_whole = self._end is not None and self._end.finish_reason is FinishReason.STOP
        return replace(found, anchor=self._state.state) if is_whole else found

    def _verdict(self) -> Verdict:
        if self._end is None:
            return Verdict(StoppedBy.ERROR, "The model's stream ended without an end.", "Send it again to retry.")
        return verdict(self._end.finish_reason, "".join(self._reply) or self._state.state or "")

    async def _complete(self, outcome: Verdict) -> TurnCompleted:
        self._is_over = True
        return await self._record(TurnCompleted(self.ask.turn, outcome.stopped_by, outcome.error, outcome.hint))

    async def _record(self, event: EventT) -> EventT:
        """Journal an event; a cancellation waits for the write, so that nothing is recorded after the interruption."""
        writing = asyncio.ensure_future(asyncio.to_thread(self.ledger.record, event))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait({writing})
            raise

    def _interrupt(self) -> None:
        """Record the text so far and the interruption; runs while the task is being cancelled, so it does not wait."""
        state = self.ledger.state
        if self._is_over or state.open_turn is None or state.open_turn.number != self.ask.turn:
            return
        self._is_over = True
        self._shown("")
        if any(self._reply):
            self.ledger.record(self._reply_event())
        self.ledger.record(TurnCompleted(self.ask.turn, StoppedBy.INTERRUPTED))


def _over_budget(plan: ContextPlan) -> Verdict:
    """Return why nothing was sent."""
    return Verdict(
        StoppedBy.LIMIT,
        f"Nothing was sent: {over_budget_sentence(plan)}",
        "Unpin something in the context overlay, or raise the limit with /context budget N or --budget N.",
    )
