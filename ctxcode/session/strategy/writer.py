"""Lets a model write for a strategy: what it is asked is planned and stored as any other request."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from ctxcode.action.limits import Limits, over_limits
from ctxcode.feedback.usage import prompt_cost, spent_dollars, usage_of
from ctxcode.model.chat import FinishReason, ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.conversation import Usage
from ctxcode.model.errors import ModelError, ModelOverflowError, ModelReplyError
from ctxcode.model.event import DurableEvent
from ctxcode.model.ids import PlanId, SessionId
from ctxcode.model.plan import ContextMode, ContextPlan, Payload
from ctxcode.session.adapters import Adapters
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.ports import ChatModel

_MOST_OUTPUT_TOKENS = 2_000
_UNLIMITED = Limits()


@dataclass(slots=True)
class StrategyWriter:
    """Writes for one strategy after one turn, and notes what that took."""

    adapters: Adapters
    session: SessionId
    model: ChatModel
    branch: str
    turn: int
    limits: Limits = _UNLIMITED
    """What the session may spend."""
    events: Sequence[DurableEvent] = ()
    """What has happened in the session, for what it has spent."""
    focus: str = ""
    """What the user wants the text to be about most; empty for nothing."""
    wrote: str = ""
    """The model that wrote last."""
    plan_ids: list[PlanId] = field(default_factory=list)
    usage: Usage | None = None
    """Of all requests."""
    cost: float = 0.0
    """Dollars for the prompts alone, for when nothing was reported."""

    async def __call__(self, instruction: str, text: str, *, model: str = "") -> str:
        """Return the reply to a text, by a named model or the one in use. Raises ModelError or StoreError."""
        if self.focus:
            instruction = f"{instruction}Keep most of what is about this: {self.focus}\n"
        chat = await asyncio.to_thread(self.adapters.catalogue.open, model) if model else self.model
        if chat.info.is_offline:
            raise ModelError("The offline navigator writes nothing.", "Set compression_model, or choose a /model NAME.")
        plan, payload = await asyncio.to_thread(self._planned, instruction, text, chat)
        self.plan_ids.append(plan.id)
        if payload is None:
            raise ModelOverflowError(f"{plan.tokens:,} tokens do not fit {chat.info.name!r}.", "Use a larger model.")
        cost = prompt_cost(chat.info, plan.tokens)
        refusal = over_limits(self.limits, spent=spent_dollars(self.events), prompt_cost=cost, turns=0)
        if refusal is not None:
            raise ModelError(refusal.error, refusal.hint)
        request = ModelRequest(payload.messages, plan.limits.output_reserve_tokens, text)
        parts: list[str] = []
        end: ReplyEnd | None = None
        try:
            async with aclosing(chat.stream(request)) as stream:
                async for chunk in stream:
                    if isinstance(chunk, TextChunk):
                        parts.append(chunk.text)
                    elif isinstance(chunk, ReplyEnd):
                        end = chunk
        finally:
            # A request that broke off has been paid for too, and so has one whose answer is asked for once more.
            self.wrote, self.usage = chat.info.name, usage_of(plan.tokens, end).plus(self.usage)
            self.cost += cost or 0.0
        written = "".join(parts)
        if end is None or end.finish_reason not in (FinishReason.STOP, FinishReason.LENGTH) or not written.strip():
            raise ModelReplyError(f"{chat.info.name!r} wrote nothing that can be used.", "What was there stays.")
        return written

    def _planned(self, instruction: str, text: str, chat: ChatModel) -> tuple[ContextPlan, Payload | None]:
        adapters = self.adapters
        assembler = Assembler(
            adapters.workspace,
            adapters.graph,
            adapters.counter_for(chat.info.tokenizer),
            secrets=adapters.secrets,
        )
        planned, _ = assembler.assemble(
            Ask(
                prompt=text,
                mode=ContextMode.OFF,
                model=chat.info,
                budget_tokens=chat.info.context_tokens,
                branch=self.branch,
                turn=self.turn,
                instruction=instruction,
                output_reserve_tokens=_MOST_OUTPUT_TOKENS,
            )
        )
        adapters.journal.save_plan(planned, None, self.session, adapters.clock())
        return planned.plan, planned.payload
