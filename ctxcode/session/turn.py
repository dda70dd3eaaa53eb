"""One turn: plan, send, stream, and record what happened, whatever happens."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from ctxcode.action.edit.change import EditArguments
from ctxcode.action.limits import Limits, over_limits
from ctxcode.action.loop_guard import LoopProfile, finding, note, stage_after
from ctxcode.action.reply import Verdict, verdict
from ctxcode.action.state_block import StateBlockFilter
from ctxcode.action.tool_call import MOST_REPAIRS, CheckedCall, checked
from ctxcode.feedback.usage import prompt_cost, spent_dollars, usage_of
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, TextChunk, WrittenCall
from ctxcode.model.conversation import LoopStage, StoppedBy, ToolResult, ToolRound, ToolStatus
from ctxcode.model.engine.event import TurnReflected
from ctxcode.model.errors import CtxcodeError, ModelOverflowError
from ctxcode.model.event import (
    ApprovalAsked,
    ContextPlanned,
    DurableEvent,
    Event,
    LoopNoticed,
    ReplyChunked,
    ReplyFinished,
    SectionTokens,
    SessionRenamed,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
    Withholding,
)
from ctxcode.model.plan import ContextPlan, Payload, PlannedRequest, ReasonType
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.command.questions import Questions
from ctxcode.session.edits.desk import Asked
from ctxcode.session.edits.run import EditRun
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.memory.pins import moves
from ctxcode.session.memory.reflect import TurnFacts, reflected
from ctxcode.session.ports import ChatModel
from ctxcode.session.report import over_budget_sentence
from ctxcode.session.tools.runner import ToolRunner

TITLE_CHARS = 60
SHRUNK_SHARE = 0.6
"""What is left of a request that the provider found too long, however it counts."""
_IN_CIRCLES = {
    LoopStage.ASK: Verdict(
        StoppedBy.LOOP_GUARD, "The model went in circles and was told to ask you.", "Answer it, or ask another way."
    ),
    LoopStage.STOP: Verdict(
        StoppedBy.LOOP_GUARD,
        "The model went in circles and had to answer with what it knew.",
        "Name the file or symbol it should look at, or ask another way.",
    ),
}
_UNUSABLE_CALLS = Verdict(
    StoppedBy.ERROR,
    f"The model sent tool calls that can't be run {MOST_REPAIRS + 1} times in a row.",
    "Ask again, use another model, or turn tools off with `tools = false` in settings.toml.",
)


_UNLIMITED = Limits()


@dataclass(slots=True)
class TurnRunner:
    """Runs one turn of a session."""

    ledger: Ledger
    model: ChatModel
    assembler: Assembler
    ask: Ask
    bring_up_to_date: Callable[[], Awaitable[None]]
    """Re-indexes what changed, so that no stale span is sent."""
    tools: ToolRunner
    edits: EditRun
    profile: LoopProfile
    questions: Questions = field(default_factory=lambda: Questions(is_attended=False))
    """Where what the tools have to ask comes from."""
    limits: Limits = _UNLIMITED
    _reply: list[str] = field(default_factory=list)
    _state: StateBlockFilter = field(default_factory=StateBlockFilter)
    _end: ReplyEnd | None = None
    _failure: Verdict | None = None
    _planned: tuple[ContextPlan, RetrievalSet | None] | None = None
    _is_too_long: bool = False
    """The provider refused the last request for its length."""
    _most_tokens: int | None = None
    """Set once a request of the turn was too long."""
    _estimated_tokens: int = 0
    _repairs: int = 0
    _notices: int = 0
    """How often the loop guard has spoken."""
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
            looked_at = self.assembler.graph, self.assembler.workspace
            for move in await asyncio.to_thread(moves, self.ask.pins, *looked_at):
                yield await self._record(move)
            self.ask = replace(self.ask, pins=self.ledger.state.pins)
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
        for is_shrunk in (False, True):
            ask = replace(ask, most_tokens=self._most_tokens)
            async with aclosing(self._request_step(ask, is_last=is_last, is_shrunk=is_shrunk)) as steps:
                async for step in steps:
                    yield step
            if not self._is_too_long:
                break
        if self._is_over:
            return
        if self._end is not None and self._end.calls and not is_last:
            async with aclosing(self._tools(iteration, self._end.calls)) as events:
                async for event in events:
                    yield event
            return
        yield await self._record(self._reply_event())
        if self._failure is None and self._planned is not None:
            yield await self._record(await asyncio.to_thread(self._reflected, *self._planned))
        yield await self._complete(self._failure or self._verdict(stage, is_last=is_last))

    async def _request_step(self, ask: Ask, *, is_last: bool, is_shrunk: bool) -> AsyncGenerator[Event, None]:
        """Plan and send one request; after one that the provider finds too long the next is shorter, once a turn."""
        before, self._failure, self._is_too_long = self._failure, None, False
        try:
            planned, retrieved = await asyncio.to_thread(self.assembler.assemble, ask)
            self._estimated_tokens, self._end = planned.plan.tokens, None
            self._reply, self._state = [], StateBlockFilter()
            await asyncio.to_thread(self._save, planned, retrieved)
        except CtxcodeError as error:
            yield await self._complete(Verdict(StoppedBy.ERROR, str(error), error.hint))
            return
        self._planned = planned.plan, retrieved
        refusal = self._refusal(planned)
        yield await self._record(replace(self._planned_event(planned.plan), is_shrunk=is_shrunk))
        if planned.payload is None or refusal is not None:
            yield await self._complete(refusal or before or _over_budget(planned.plan))
            return
        async with aclosing(self._streamed(self._request(planned, planned.payload, is_last=is_last))) as chunks:
            async for shown in chunks:
                yield shown
        self._is_too_long = self._is_too_long and self._most_tokens is None
        if self._is_too_long:
            self._most_tokens = int(planned.plan.tokens * SHRUNK_SHARE)

    async def _streamed(self, request: ModelRequest) -> AsyncGenerator[ReplyChunked, None]:
        """Yield what may be shown of a reply while it arrives; its end or its failure is kept."""
        try:
            async with aclosing(self.model.stream(request)) as stream:
                async for chunk in stream:
                    if isinstance(chunk, ReplyEnd):
                        self._end = chunk
                    elif isinstance(chunk, TextChunk) and (shown := self._shown(chunk.text)):
                        yield ReplyChunked(self.ask.turn, shown)
        except CtxcodeError as error:
            self._failure = Verdict(StoppedBy.ERROR, str(error), error.hint)
            self._is_too_long = isinstance(error, ModelOverflowError) and not any(self._reply)
        if rest := self._shown(""):
            yield ReplyChunked(self.ask.turn, rest)

    async def _tools(self, iteration: int, written: tuple[WrittenCall, ...]) -> AsyncGenerator[Event, None]:
        """Run a reply's calls side by side; their results are told in the calls' order."""
        batch = checked(written, [spec.name for spec in self.ask.tools], iteration)
        calls = tuple(one.call for one in batch.calls)
        usage = usage_of(self._estimated_tokens, self._end)
        said = "".join(self._reply)
        yield await self._record(ToolsCalled(self.ask.turn, iteration, said, calls, usage))
        self._reply = []
        asked = [(one.call.id, one.arguments) for one in batch.calls if isinstance(one.arguments, EditArguments)]
        others = [one for one in batch.calls if not isinstance(one.arguments, EditArguments)]
        running = {one.call.id: asyncio.ensure_future(self._result(one)) for one in others}
        try:
            for one in batch.calls:
                if one.call.id in running:
                    async with aclosing(self.questions.until(running[one.call.id])) as questions:
                        async for approval in questions:
                            yield ApprovalAsked(approval)
                    result = await running[one.call.id]
                else:
                    async with aclosing(self._edited(asked)) as events:
                        async for event in events:
                            yield event
                    asked = []
                    result = self.tools.result(self.edits.answers[one.call.id])
                yield await self._record(ToolAnswered(self.ask.turn, iteration, one.call, result))
        finally:
            for task in running.values():
                task.cancel()
        self._repairs = 0 if batch.is_sound else self._repairs + 1
        if self._repairs > MOST_REPAIRS:
            yield await self._complete(_UNUSABLE_CALLS)

    async def _edited(self, asked: Sequence[Asked]) -> AsyncGenerator[Event, None]:
        """Carry out a reply's edits, all at the place of the first; later places find them done."""
        if not asked:
            return
        async with aclosing(self.edits.settle(asked)) as events:
            async for event in events:
                yield event
        if self.edits.has_written:
            self.tools.forget()
            await self.bring_up_to_date()

    async def _result(self, one: CheckedCall) -> ToolResult:
        if one.refusal is not None or one.arguments is None:
            text = one.refusal or ToolResult(ToolStatus.INVALID, "")
            return replace(text, tokens=self.assembler.counter.count(text.text))
        return await self.tools.run(one.call, one.arguments)

    @property
    def _rounds(self) -> tuple[ToolRound, ...]:
        """The turn's tool calls so far, as journalled."""
        opened = self.ledger.state.open_turn
        return opened.rounds if opened is not None else ()

    def _refusal(self, planned: PlannedRequest) -> Verdict | None:
        """Return why the user's caps keep a request from being sent."""
        if planned.payload is None:
            return None
        events = self.ledger.events
        turns = sum(isinstance(event, TurnStarted) and not event.prompt.startswith("!") for event in events)
        cost = prompt_cost(self.model.info, planned.plan.tokens)
        return over_limits(self.limits, spent=spent_dollars(events), prompt_cost=cost, turns=turns)

    def _opening(self) -> tuple[DurableEvent, ...]:
        """Return the events that open the turn; the first prompt also names the session."""
        started = TurnStarted(self.ask.turn, self.ask.prompt, self.ask.withheld)
        if self.ledger.state.title:
            return (started,)
        line = " ".join(self.ask.prompt.split())
        title = line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
        return (started, SessionRenamed(title)) if title else (started,)

    def _save(self, planned: PlannedRequest, retrieved: RetrievalSet | None) -> None:
        self.ledger.journal.save_plan(planned, retrieved, self.ledger.id, self.ledger.clock())

    def _request(self, planned: PlannedRequest, payload: Payload, *, is_last: bool) -> ModelRequest:
        return ModelRequest(
            messages=payload.messages,
            max_output_tokens=planned.plan.limits.output_reserve_tokens,
            question=self.ask.prompt,
            tools=payload.tools,
            may_call_tools=not is_last,
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
            withheld=_withheld(plan),
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
        said = "\n\n".join([*(made.said for made in self._rounds), "".join(self._reply)])
        mine = [one for one in self.ledger.state.edits if one.number in self.edits.numbers]
        rejected = tuple(row for one in mine for row in one.rejected)
        facts = TurnFacts(self.ask.turn, self.ask.prompt, said, plan, retrieved, self._rounds, rejected)
        found = reflected(facts, self.ledger.state.branch, self.assembler.graph)
        # Only a reply that was finished can be trusted to have kept its notes.
        is_whole = self._end is not None and self._end.finish_reason is FinishReason.STOP
        return replace(found, anchor=self._state.state) if is_whole else found

    def _verdict(self, stage: LoopStage | None, *, is_last: bool) -> Verdict:
        if self._end is None:
            return Verdict(StoppedBy.ERROR, "The model's stream ended without an end.", "Send it again to retry.")
        if stage is LoopStage.ASK or stage is LoopStage.STOP:
            return _IN_CIRCLES[stage]
        if is_last:
            return too_long(self.profile.most_requests)
        return verdict(self._end.finish_reason, "".join(self._reply) or self._state.state or "")

    async def _complete(self, outcome: Verdict) -> TurnCompleted:
        self._is_over = True
        return await self._record(TurnCompleted(self.ask.turn, outcome.stopped_by, outcome.error, outcome.hint))

    async def _record(self, event: EventT) -> EventT:
        return await self.ledger.written(event)

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


def too_long(requests: int) -> Verdict:
    """Return why a turn was ended that did not end by itself."""
    hint = 'The answer is from what was known by then; send "continue" to go on.'
    return Verdict(StoppedBy.LIMIT, f"The turn was ended after {requests} requests.", hint)


def _withheld(plan: ContextPlan) -> tuple[Withholding, ...]:
    """Return which rows of a plan something was taken out of."""
    return tuple(
        Withholding(item.title, reason.terms)
        for item in plan.included
        for reason in item.reasons
        if reason.type is ReasonType.SECRET
    )


def _over_budget(plan: ContextPlan) -> Verdict:
    """Return why nothing was sent."""
    return Verdict(
        StoppedBy.LIMIT,
        f"Nothing was sent: {over_budget_sentence(plan)}",
        "Unpin something in the context overlay, or raise the limit with /context budget N or --budget N.",
    )
