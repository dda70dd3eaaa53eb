"""One turn: plan, send, stream, and record what happened, whatever happens."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

from ctxcode.action.continuation import CONTINUE, MOST_CONTINUATIONS
from ctxcode.action.loop_guard import LoopProfile, finding, has_begun, note, stage_after
from ctxcode.action.reply import Verdict, verdict
from ctxcode.action.tool_call import MOST_REPAIRS, checked, ids_in
from ctxcode.feedback.usage import usage_of
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, RetryPause, TextChunk
from ctxcode.model.conversation import LoopStage, StoppedBy, ToolRound, Usage
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.errors import CtxcodeError, EmptyReplyError, ModelOverflowError
from ctxcode.model.event import Event, LoopNoticed, ReplyContinued, ReplyFinished, ToolsCalled, TurnCompleted
from ctxcode.model.passing.event import ReplyBegun, ReplyChunked, ReplyDelayed
from ctxcode.model.plan import ContextPlan, Payload, PlannedRequest
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.session.assemble import Ask
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.memory.reflect import TurnFacts, reflected
from ctxcode.session.ports import ChatModel
from ctxcode.session.turn.calls import CallRunner
from ctxcode.session.turn.keeping import ReplyKeeper
from ctxcode.session.turn.planning import RequestPlanner
from ctxcode.session.turn.reply import Reply
from ctxcode.session.turn.words import (
    ONLY_THOUGHTS,
    UNUSABLE_CALLS,
    context_planned,
    not_continued,
    opening,
    outcome,
    over_budget,
)

SHRUNK_SHARE = 0.6
"""What is left of a request that the provider found too long, however it counts."""


@dataclass(slots=True)
class TurnRunner:
    """Runs one turn of a session."""

    ledger: Ledger
    model: ChatModel
    planner: RequestPlanner
    calls: CallRunner
    profile: LoopProfile
    keeper: ReplyKeeper
    _reply: Reply = field(default_factory=Reply)
    _failure: Verdict | None = None
    _planned: tuple[ContextPlan, RetrievalSet | None] | None = None
    _is_too_long: bool = False
    """The provider refused the last request for its length."""
    _most_tokens: int | None = None
    """Set once a request of the turn was too long."""
    _estimated_tokens: int | None = None
    """Of the request that is being answered; None once what it took is part of an event."""
    _repairs: int = 0
    _notices: int = 0
    """How often the loop guard has spoken."""
    _is_answered: bool = False
    """The last reply is recorded, as far as it came."""
    _is_over: bool = False

    @property
    def ask(self) -> Ask:
        """What the turn is about."""
        return self.planner.ask

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
            self.planner.stop()
            self.keeper.stop()
            self.ledger.is_busy = False

    async def _steps(self) -> AsyncGenerator[Event, None]:
        for event in opening(self.ask, has_title=bool(self.ledger.state.title)):
            yield await self._record(event)
        try:
            async with aclosing(self.planner.begin()) as happening:
                async for happened in happening:
                    yield happened
        except CtxcodeError as error:
            yield await self._complete(Verdict(StoppedBy.ERROR, str(error), error.hint))
            return
        for iteration in range(self.profile.most_requests):
            async with aclosing(self._iteration(iteration)) as steps:
                async for step in steps:
                    yield step
            if self._is_over:
                return

    async def _iteration(self, iteration: int) -> AsyncGenerator[Event, None]:
        """Plan, ask, and either run the tools the model called or end the turn."""
        circle = finding(self._rounds, self.profile)
        stage = stage_after(self._notices) if circle is not None else None
        if circle is not None and stage is not None:
            self._notices += 1
            yield await self._record(
                LoopNoticed(self.ask.turn, iteration, circle.pattern, stage, circle.times, circle.subject)
            )
        is_last = stage is LoopStage.STOP or iteration == self.profile.most_requests - 1
        told = (circle, stage) if circle is not None and stage is not None else None
        said = note(iteration, self._rounds, self.profile, told)
        ask = replace(self.ask, rounds=self._rounds, note=said, trim_from=self.profile.trim_from)
        async with aclosing(self._replied(ask, iteration, is_last=is_last)) as steps:
            async for step in steps:
                yield step
        if self._is_over:
            return
        end = self._reply.end
        if end is not None and (end.calls or end.is_thought) and not is_last and self._failure is None:
            async with aclosing(self._tools(iteration, end)) as events:
                async for event in events:
                    yield event
            return
        event, self._is_answered = self._reply_event(), True
        yield await self._record(event)
        if self._failure is None and self._planned is not None:
            yield await self._record(await asyncio.to_thread(self._reflected, *self._planned))
        most = self.profile.most_requests if is_last else 0
        yield await self._complete(self._failure or outcome(self._reply, stage, most))

    async def _replied(self, ask: Ask, iteration: int, *, is_last: bool) -> AsyncGenerator[Event, None]:
        """Get one reply: with a shorter request if need be, and with more of them where it is cut at its limit."""
        self._reply = Reply()
        for is_shrunk in (False, True):
            ask = replace(ask, most_tokens=self._most_tokens)
            async with aclosing(self._request_step(ask, is_last=is_last, is_shrunk=is_shrunk)) as steps:
                async for step in steps:
                    yield step
            if self._is_over:
                return
            if not self._is_too_long:
                break
        ask = replace(ask, note=" ".join(one for one in (ask.note, CONTINUE) if one))
        while self._reply.goes_on and self._failure is None:
            ask = replace(ask, so_far=self._reply.said)
            async with aclosing(self._continuation(ask, iteration)) as steps:
                async for step in steps:
                    yield step
        if rest := self._reply.finish():
            yield self._shown(rest)

    async def _request_step(self, ask: Ask, *, is_last: bool, is_shrunk: bool) -> AsyncGenerator[Event, None]:
        """Plan and send one request; after one that the provider finds too long the next is shorter, once a turn."""
        before, self._failure, self._is_too_long = self._failure, None, False
        try:
            planned, retrieved = await self.planner.planned(ask)
            async with aclosing(self.planner.rest()) as waits:
                async for wait in waits:
                    yield wait
            if not await self.planner.is_in_step(planned):
                for moved in await self.planner.moved():
                    yield moved
                planned, retrieved = await self.planner.planned(ask)
            self._estimated_tokens = planned.plan.tokens
            await self.planner.save(planned, retrieved)
        except CtxcodeError as error:
            yield await self._complete(Verdict(StoppedBy.ERROR, str(error), error.hint))
            return
        self._planned = planned.plan, retrieved
        refusal = self.planner.refusal(planned)
        yield await self._record(
            replace(context_planned(self.ask.turn, planned.plan, self.model.info), is_shrunk=is_shrunk)
        )
        if planned.payload is None or refusal is not None:
            yield await self._complete(refusal or before or over_budget(planned.plan))
            return
        async with aclosing(self._streamed(self._request(planned, planned.payload, is_last=is_last))) as chunks:
            async for shown in chunks:
                yield shown
        self._is_too_long = self._is_too_long and self._most_tokens is None
        if self._is_too_long:
            self._most_tokens = int(planned.plan.tokens * SHRUNK_SHARE)

    async def _continuation(self, ask: Ask, iteration: int) -> AsyncGenerator[Event, None]:
        """Ask for the rest of a reply; where that can't be, the reply stays as it is and the turn says why."""
        reply, at_limit = self._reply, verdict(FinishReason.LENGTH, "")
        try:
            planned, retrieved = await self.planner.planned(ask)
            refusal = self.planner.refusal(planned)
            if planned.payload is None or refusal is not None:
                self._failure = at_limit if refusal is None else not_continued(refusal)
                return
            await self.planner.save(planned, retrieved)
        except CtxcodeError as error:
            self._failure = Verdict(StoppedBy.ERROR, str(error), error.hint)
            return
        usage, times = self._used(), reply.continuations + 1
        reply.go_on()
        yield await self._record(ReplyContinued(self.ask.turn, iteration, times, MOST_CONTINUATIONS, reply.text, usage))
        self._planned, self._estimated_tokens = (planned.plan, retrieved), planned.plan.tokens
        yield await self._record(context_planned(self.ask.turn, planned.plan, self.model.info))
        async with aclosing(self._streamed(self._request(planned, planned.payload, is_last=True))) as chunks:
            async for shown in chunks:
                yield shown
        if self._is_too_long:
            self._failure, self._is_too_long = at_limit, False

    async def _streamed(self, request: ModelRequest) -> AsyncGenerator[ReplyChunked | ReplyDelayed | ReplyBegun, None]:
        """Yield what may be shown of a reply while it arrives; its end or its failure is kept."""
        reply, turn, is_delayed = self._reply, self.ask.turn, False
        try:
            async with aclosing(self.model.stream(request)) as stream:
                async for chunk in stream:
                    if isinstance(chunk, RetryPause):
                        is_delayed = True
                        yield ReplyDelayed.of(turn, chunk)
                        continue
                    if is_delayed:
                        is_delayed = False
                        yield ReplyBegun(turn)
                    if isinstance(chunk, ReplyEnd):
                        reply.end = chunk
                    elif isinstance(chunk, TextChunk) and (shown := reply.take(chunk.text)):
                        yield self._shown(shown)
        except CtxcodeError as error:
            if isinstance(error, EmptyReplyError) and reply.continuations:
                # There was nothing left to say.
                reply.end = ReplyEnd(FinishReason.STOP)
                return
            self._failure = Verdict(StoppedBy.ERROR, str(error), error.hint)
            self._is_too_long = isinstance(error, ModelOverflowError) and not reply.has_begun
        if rest := reply.pause():
            yield self._shown(rest)

    async def _tools(self, iteration: int, end: ReplyEnd) -> AsyncGenerator[Event, None]:
        """Run a reply's calls side by side; their results are told in the calls' order. Thoughts alone have none."""
        is_cut = end.finish_reason is not FinishReason.STOP
        taken = ids_in([*self._rounds, *(made for turn in self.ask.history for made in turn.rounds)])
        names, place = [spec.name for spec in self.ask.tools], f"{self.ask.turn}_{iteration}"
        batch = checked(end.calls, names, place, taken, is_cut=is_cut)
        calls = tuple(one.call for one in batch.calls)
        usage, said, self._reply = self._used(), self._reply.text, Reply()
        yield await self._record(ToolsCalled(self.ask.turn, iteration, said, calls, usage))
        async with aclosing(self.calls.run(self.ask.turn, iteration, batch.calls)) as events:
            async for event in events:
                yield event
        # Once a tool has run, thoughts alone are a circle, and the loop guard's.
        is_of_use = batch.is_sound and (bool(calls) or has_begun(self._rounds))
        self._repairs = 0 if is_of_use else self._repairs + 1
        if self._repairs > MOST_REPAIRS:
            yield await self._complete(UNUSABLE_CALLS if calls else ONLY_THOUGHTS)

    @property
    def _rounds(self) -> tuple[ToolRound, ...]:
        """The turn's tool calls so far, as journalled."""
        opened = self.ledger.state.open_turn
        return opened.rounds if opened is not None else ()

    def _request(self, planned: PlannedRequest, payload: Payload, *, is_last: bool) -> ModelRequest:
        return ModelRequest(
            messages=payload.messages,
            max_output_tokens=planned.plan.limits.output_reserve_tokens,
            question=self.ask.prompt,
            tools=payload.tools,
            may_call_tools=not is_last,
        )

    def _shown(self, text: str) -> ReplyChunked:
        self.keeper.keep(text)
        return ReplyChunked(self.ask.turn, text)

    def _reply_event(self) -> ReplyFinished:
        return ReplyFinished(self.ask.turn, self._reply.text, self.model.info.name, self._used())

    def _used(self) -> Usage | None:
        """Return what the request took that is being answered, once: wherever the turn is closed, it counts once."""
        estimated, self._estimated_tokens = self._estimated_tokens, None
        return None if estimated is None else usage_of(estimated, self._reply.end)

    def _reflected(self, plan: ContextPlan, retrieved: RetrievalSet | None) -> TurnReflected:
        said = "\n\n".join([*(made.said for made in self._rounds), self._reply.text])
        mine = [one for one in self.ledger.state.edits if one.number in self.calls.edits.numbers]
        rejected = tuple(row for one in mine for row in one.rejected)
        written = tuple(row for one in mine for row in one.written)
        assembler = self.planner.assembler
        meant = partial(assembler.past.closeness, self.ask.prompt, semantic=assembler.semantic)
        facts = TurnFacts(self.ask.turn, self.ask.prompt, said, plan, retrieved, self._rounds, rejected, written, meant)
        found = reflected(facts, self.ledger.state.branch, assembler.graph)
        # Only a reply that was finished can be trusted to have kept its notes.
        end = self._reply.end
        is_whole = end is not None and end.finish_reason is FinishReason.STOP
        wishes = self.calls.tools.wishes
        notes = self._reply.state if is_whole and self._reply.state is not None else wishes.notes
        return replace(found, anchor=notes, suggested=wishes.suggestions)

    async def _complete(self, how: Verdict) -> TurnCompleted:
        self._is_over = True
        return await self._record(TurnCompleted(self.ask.turn, how.stopped_by, how.error, how.hint))

    async def _record(self, event: EventT) -> EventT:
        return await self.ledger.written(event)

    def _interrupt(self) -> None:
        """Record the text so far and the interruption; runs while the task is being cancelled, so it does not wait."""
        state = self.ledger.state
        if self._is_over or state.open_turn is None or state.open_turn.number != self.ask.turn:
            return
        self._is_over = True
        self._reply.finish()
        if self._reply.text and not self._is_answered:
            self.ledger.record(self._reply_event())
        self.ledger.record(TurnCompleted(self.ask.turn, StoppedBy.INTERRUPTED))
