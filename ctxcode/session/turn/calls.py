"""The tool calls of one turn's replies, from what was checked to a result for each."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from ctxcode.action.edit.change import EditArguments
from ctxcode.action.tool_call import CheckedCall
from ctxcode.model.conversation import ToolResult, ToolStatus
from ctxcode.model.event import Event, ToolAnswered
from ctxcode.model.passing.event import ApprovalAsked
from ctxcode.session.command.questions import Questions
from ctxcode.session.edits.desk import Asked
from ctxcode.session.edits.run import EditRun
from ctxcode.session.ledger import Ledger
from ctxcode.session.ports import TokenCounter
from ctxcode.session.tools.runner import ToolRunner


@dataclass(frozen=True, slots=True)
class CallRunner:
    """Runs what the model called, edits together and the rest side by side."""

    ledger: Ledger
    counter: TokenCounter
    tools: ToolRunner
    edits: EditRun
    questions: Questions
    """Where what the tools have to ask comes from."""

    async def run(self, turn: int, iteration: int, calls: Sequence[CheckedCall]) -> AsyncGenerator[Event, None]:
        """Run one reply's calls; their results are told in the calls' order. Closing it ends what still runs."""
        asked = [(one.call.id, one.arguments) for one in calls if isinstance(one.arguments, EditArguments)]
        others = [one for one in calls if not isinstance(one.arguments, EditArguments)]
        running = {one.call.id: asyncio.ensure_future(self._result(one)) for one in others}
        try:
            for one in calls:
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
                yield await self.ledger.written(ToolAnswered(turn, iteration, one.call, result))
        finally:
            for task in running.values():
                task.cancel()

    async def _edited(self, asked: Sequence[Asked]) -> AsyncGenerator[Event, None]:
        """Carry out a reply's edits, all at the place of the first; later places find them done."""
        if not asked:
            return
        async with aclosing(self.edits.settle(asked)) as events:
            async for event in events:
                yield event
        if self.edits.has_written:
            self.tools.forget()
            await self.edits.bring_up_to_date()

    async def _result(self, one: CheckedCall) -> ToolResult:
        if one.refusal is not None or one.arguments is None:
            text = one.refusal or ToolResult(ToolStatus.INVALID, "")
            return replace(text, tokens=self.counter.count(text.text))
        return await self.tools.run(one.call, one.arguments)
