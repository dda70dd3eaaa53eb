"""What the user does to the conversation itself: branches, undoing, the rolling window, the state anchor."""

import asyncio
import re
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from ctxcode.action.limits import Limits, over_limits
from ctxcode.action.reply import spoken
from ctxcode.action.state_block import LONGEST_STATE_CHARS, state_block
from ctxcode.feedback.usage import prompt_cost, spent_dollars, usage_of
from ctxcode.model.chat import ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.conversation import Turn
from ctxcode.model.engine.branch import BranchSummary
from ctxcode.model.engine.event import (
    AnchorChanged,
    BranchForked,
    BranchSwitched,
    ModelAsked,
    TurnRemoved,
    TurnsUndone,
    WindowChanged,
)
from ctxcode.model.errors import ModelReplyError, UsageError
from ctxcode.model.plan import ContextMode, ContextPlan, Payload
from ctxcode.session.adapters import Adapters
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.ledger import EventT, Ledger
from ctxcode.session.ports import ChatModel
from ctxcode.session.report import over_budget_sentence

REBUILD_PROMPT = (
    "Write your notes on the state of this conversation anew, from the messages above. Reply with the block between "
    "---STATE--- and ---END STATE--- (Goal, Context, Resolved, Technical Anchors) and nothing else."
)
_NAME = re.compile(r"[\w][\w./-]{0,59}")
_MOST_BRANCHES = 200


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation of a session; see ``conversation_door.ConversationDoor`` for what it promises."""

    _ledger: Ledger
    _adapters: Adapters
    _model: ChatModel
    _assembler: Assembler
    _ask: Callable[[str], Ask]
    """A prompt as the next request."""
    _limits: Limits
    """What the session may spend."""

    @property
    def branch(self) -> str:
        """The name of the branch that is open."""
        return self._ledger.state.branch.name

    @property
    def anchor(self) -> str:
        """The state block the model keeps; empty when there is none."""
        return self._ledger.state.branch.anchor

    @property
    def window(self) -> int:
        """Most turns of history; 0 for all that fit."""
        return self._ledger.state.branch.window

    def turns(self) -> tuple[Turn, ...]:
        """Return the completed turns of the open branch, oldest first."""
        return self._ledger.state.turns

    def running(self) -> Turn | None:
        """Return the turn that is not completed, here or in another process, with what is journalled of its reply."""
        turn = self._ledger.state.open_turn
        return None if turn is None else replace(turn, reply=spoken(turn.reply))

    def branches(self) -> tuple[BranchSummary, ...]:
        """Return every branch, by name."""
        state = self._ledger.state
        return tuple(
            BranchSummary(
                branch.name,
                branch.parent,
                branch.forked_at,
                len(branch.turns),
                branch.turns[-1].prompt if branch.turns else "",
                branch.name == state.branch.name,
            )
            for branch in state.branches
        )

    async def payload(self, prompt: str) -> tuple[ContextPlan, Payload | None]:
        """Return the plan and the messages that sending a prompt would send; changes and stores nothing."""
        planned, _ = await asyncio.to_thread(self._assembler.assemble, self._ask(prompt))
        return planned.plan, planned.payload

    async def set_window(self, turns: int) -> WindowChanged:
        """Send at most so many turns of history; 0 for all that fit."""
        return await self._record(WindowChanged(turns))

    async def set_anchor(self, text: str) -> AnchorChanged:
        """Replace the state block; an empty text clears it. Raises UsageError for a very long one."""
        text = text.strip()
        if len(text) > LONGEST_STATE_CHARS:
            raise UsageError(f"The state has {len(text):,} characters.", f"Keep it under {LONGEST_STATE_CHARS:,}.")
        self._refuse_while_busy()
        return await self._record(AnchorChanged(text))

    async def rebuild_anchor(self) -> AnchorChanged:
        """Let the model write the state block anew from the window. The request's plan is stored, no turn is made.

        Raises UsageError when there is nothing to write it from and ModelError when the model fails.
        """
        self._refuse_while_busy()
        info = self._model.info
        if info.is_offline:
            raise UsageError("The offline navigator keeps no state.", "Choose a model with /model NAME.")
        if not self.turns():
            raise UsageError("There is no turn to write the state from.", "Ask something first.")
        ask = replace(self._ask(REBUILD_PROMPT), mode=ContextMode.OFF, anchor="", tools=())
        planned, retrieved = await asyncio.to_thread(self._assembler.assemble, ask)
        cost, spent = prompt_cost(info, planned.plan.tokens), spent_dollars(self._ledger.events)
        refusal = over_limits(self._limits, spent=spent, prompt_cost=cost, turns=0)
        if refusal is not None:
            raise UsageError(refusal.error, refusal.hint)
        journal, now = self._adapters.journal, self._adapters.clock()
        await asyncio.to_thread(journal.save_plan, planned, retrieved, self._ledger.id, now)
        if planned.payload is None:
            raise UsageError(f"Nothing was sent: {over_budget_sentence(planned.plan)}", "Unpin something first.")
        _, state = state_block(await self._written(planned.plan, planned.payload))
        if not state:
            raise ModelReplyError("The model wrote no state block; the old one stays.", "Try again, or /state edit.")
        return await self._record(AnchorChanged(state, "model"))

    async def _written(self, plan: ContextPlan, payload: Payload) -> str:
        """Return what the model writes; what that took is journalled, also of a request that broke off."""
        info = self._model.info
        request = ModelRequest(payload.messages, plan.limits.output_reserve_tokens, REBUILD_PROMPT)
        parts: list[str] = []
        end: ReplyEnd | None = None
        try:
            async with aclosing(self._model.stream(request)) as stream:
                async for chunk in stream:
                    if isinstance(chunk, ReplyEnd):
                        end = chunk
                    elif isinstance(chunk, TextChunk):
                        parts.append(chunk.text)
        finally:
            usage = usage_of(plan.tokens, end)
            await self._ledger.written(
                ModelAsked("anchor", info.name, (plan.id,), usage, prompt_cost(info, plan.tokens))
            )
        return "".join(parts)

    async def remove_turn(self, number: int) -> TurnRemoved:
        """Take one turn out of this branch's history; other branches keep it. Raises UsageError."""
        await self._end_last_turn()
        self._known(number)
        return await self._record(TurnRemoved(number))

    async def undo(self) -> TurnsUndone:
        """Take back the last turn: this branch is as it was before it. Raises UsageError when there is none."""
        await self._end_last_turn()
        if not self.turns():
            raise UsageError("There is no turn to undo.", "")
        return await self._record(TurnsUndone(self.turns()[-1].number))

    async def rewind(self, number: int) -> TurnsUndone:
        """Make a turn the last one of this branch, 0 for none. Raises UsageError when it is the last already."""
        await self._end_last_turn()
        if number:
            self._known(number)
        later = [turn.number for turn in self.turns() if turn.number > number]
        if not later:
            raise UsageError(f"Nothing comes after turn {number} on branch {self.branch!r}.", "/message list")
        return await self._record(TurnsUndone(min(later)))

    async def fork(self, name: str, turn: int | None = None) -> tuple[BranchForked, BranchSwitched]:
        """Make a branch from the open one, as it was when a turn had completed, and open it. Raises UsageError."""
        await self._end_last_turn()
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name for a branch.", "Letters, digits, . _ / - : /branch other-way")
        known = {branch.name for branch in self._ledger.state.branches}
        if name in known:
            raise UsageError(f"There is a branch {name!r} already.", f"/switch {name} opens it.")
        if len(known) >= _MOST_BRANCHES:
            raise UsageError(f"A session has at most {_MOST_BRANCHES} branches.", "/new starts a session.")
        if turn:
            self._known(turn)
        last = self.turns()[-1].number if self.turns() else 0
        made = await self._record(BranchForked(name, self.branch, last if turn is None else turn))
        return made, await self._record(BranchSwitched(name))

    async def switch(self, name: str) -> BranchSwitched:
        """Open another branch. Raises UsageError for one that is not there or open already."""
        await self._end_last_turn()
        others = sorted(self._ledger.state.others)
        if name == self.branch:
            raise UsageError(f"Branch {name!r} is open already.", "/branches lists them.")
        if name not in others:
            hint = f"There are: {', '.join(others[:6])}." if others else "/branch NAME makes one."
            raise UsageError(f"There is no other branch {name!r}." if name else "Which branch?", hint)
        return await self._record(BranchSwitched(name))

    def _known(self, number: int) -> None:
        if not any(turn.number == number for turn in self.turns()):
            raise UsageError(f"There is no turn {number} on branch {self.branch!r}.", "/message list shows the turns.")

    async def _end_last_turn(self) -> None:
        """Have the last turn among those that can be taken back, also where its end could not be journalled."""
        self._refuse_while_busy()
        await asyncio.to_thread(self._ledger.end_open_turn)

    def _refuse_while_busy(self) -> None:
        if self._ledger.is_busy:
            raise UsageError("An answer is on its way.", "Wait for it, or press Esc to stop it.")

    async def _record(self, event: EventT) -> EventT:
        return await asyncio.to_thread(self._ledger.record, event)
