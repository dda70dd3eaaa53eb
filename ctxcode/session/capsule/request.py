"""One request that asks a model for a capsule: planned and stored as any other, its cost recorded however it ends."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass

from ctxcode.feedback.usage import usage_of
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.engine.capsule import Capsule, CapsuleSubject
from ctxcode.model.engine.event import ModelAsked
from ctxcode.model.errors import ModelReplyError, UsageError
from ctxcode.model.plan import ContextMode, PlannedRequest
from ctxcode.reflection.capsules import INSTRUCTION, answer
from ctxcode.session.adapters import Adapters
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.capsule.door import CapsuleBill
from ctxcode.session.ledger import Ledger
from ctxcode.session.ports import ChatModel

_MOST_OUTPUT_TOKENS = 1_200
_MOST_REPLY_CHARS = 20_000
"""A reply that is longer is not read to its end."""


@dataclass(frozen=True, slots=True)
class ModelCapsule:
    """A capsule that a model is to write."""

    ledger: Ledger
    adapters: Adapters
    model: ChatModel
    subject: CapsuleSubject
    code_hash: str
    """Of the code as it is told: what changes while the model writes makes the capsule stale."""
    covered: tuple[str, ...]
    text: str
    """What the model is told."""
    focus: str = ""
    request: PlannedRequest | None = None
    bill: CapsuleBill = CapsuleBill("", 0, None, 0)  # noqa: RUF009 - frozen

    def planned(self) -> PlannedRequest:
        """Return the request as a plan; blocks, stores nothing."""
        adapters, info = self.adapters, self.model.info
        counter = adapters.counter_for(info.tokenizer)
        assembler = Assembler(adapters.workspace, adapters.graph, counter, secrets=adapters.secrets)
        branch = self.ledger.state.branch
        planned, _ = assembler.assemble(
            Ask(
                prompt=self.text,
                mode=ContextMode.OFF,
                model=info,
                budget_tokens=info.context_tokens,
                branch=branch.name,
                turn=branch.next_turn,
                instruction=INSTRUCTION,
                output_reserve_tokens=_MOST_OUTPUT_TOKENS,
            )
        )
        return planned

    async def send(self) -> Capsule:
        """Return what the model wrote; what it took is journalled, the capsule is not kept yet. Raises ModelError."""
        planned = self.request
        if planned is None or planned.payload is None:
            raise UsageError("Nothing was planned to be sent.")
        if self.ledger.is_writing:
            raise UsageError("A capsule is being written already.", "Wait for it, or press Esc to stop it.")
        self.ledger.is_writing = True
        try:
            await asyncio.to_thread(
                self.adapters.journal.save_plan, planned, None, self.ledger.id, self.adapters.clock()
            )
            reserve = planned.plan.limits.output_reserve_tokens
            return await self._answered(ModelRequest(planned.payload.messages, reserve, self.text), planned)
        finally:
            self.ledger.is_writing = False

    async def _answered(self, request: ModelRequest, planned: PlannedRequest) -> Capsule:
        info = self.model.info
        parts: list[str] = []
        end: ReplyEnd | None = None
        drafted: ModelAsked | None = None
        try:
            async with aclosing(self.model.stream(request)) as stream:
                async for chunk in stream:
                    if isinstance(chunk, ReplyEnd):
                        end = chunk
                    elif isinstance(chunk, TextChunk):
                        parts.append(chunk.text)
                    if sum(map(len, parts)) > _MOST_REPLY_CHARS:
                        break
        finally:
            # A request that broke off has been paid for too.
            usage = usage_of(planned.plan.tokens, end)
            drafted = ModelAsked(self.subject.item, info.name, (planned.plan.id,), usage, cost_estimate=self.bill.cost)
            await self.ledger.written(drafted)
        is_finished = end is None or end.finish_reason in (FinishReason.STOP, FinishReason.LENGTH)
        told = answer(self.adapters.secrets.cleared("".join(parts)).text)
        if told is None or not is_finished:
            raise ModelReplyError(
                f"{info.name!r} wrote no summary that can be kept.",
                "Try again, or write it by hand: /capsule NAME = TEXT",
            )
        return Capsule(
            subject=self.subject,
            text=told.text,
            source=info.name,
            confidence=told.confidence,
            generated_at=self.adapters.clock(),
            code_hash=self.code_hash,
            covered=self.covered,
            plan_ids=drafted.plan_ids,
            usage=drafted.usage,
            focus=self.focus,
        )
