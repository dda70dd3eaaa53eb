"""``!command``: what the user runs, as a turn of the conversation, so that the model can be asked about it next."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from ctxcode.model.command.approval import Answer, Permissions, Sandbox, Trust
from ctxcode.model.conversation import StoppedBy, ToolStatus
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.event import Event, ReplyFinished, TurnCompleted, TurnStarted
from ctxcode.model.passing.event import ApprovalAnswered, ApprovalAsked
from ctxcode.model.secret.text import SecretPolicy
from ctxcode.session.command.desk import CommandDesk, Told, shortened
from ctxcode.session.ledger import EventT, Ledger

SHOWN_CHARS = 12_000
"""Of a command's output in the conversation."""
WHO = "shell"
"""What stands in the model's place."""


@dataclass(frozen=True, slots=True)
class SessionCommands:
    """The commands of one session; see ``door.CommandDoor`` for what it promises."""

    ledger: Ledger
    desk: CommandDesk
    secrets: SecretPolicy

    async def run(self, text: str) -> AsyncGenerator[Event, None]:
        """Run a command the user typed, as a turn."""
        ledger, said = self.ledger, self.secrets.cleared(f"!{text.strip()}")
        turn = ledger.state.next_turn
        ledger.is_busy = True
        working: asyncio.Future[Told] | None = None
        try:
            yield await self._record(TurnStarted(turn, said.text, said.kinds))
            working = asyncio.ensure_future(self.desk.run(text, by_user=True))
            async with aclosing(self.desk.questions.until(working)) as asked:
                async for approval in asked:
                    yield ApprovalAsked(approval)
            try:
                told = await working
            except CtxcodeError as error:
                yield await self._record(TurnCompleted(turn, StoppedBy.ERROR, str(error), error.hint))
                return
            if told.status is ToolStatus.REFUSED:
                # There is nothing to tell the model.
                yield await self._record(TurnCompleted(turn, StoppedBy.ERROR, told.text.rstrip()))
                return
            yield await self._record(ReplyFinished(turn, self._block(told), WHO))
            yield await self._record(TurnCompleted(turn, _stopped_by(told)))
        except (asyncio.CancelledError, GeneratorExit):
            if working is not None:
                working.cancel()
            opened = ledger.state.open_turn
            if opened is not None and opened.number == turn:
                ledger.record(TurnCompleted(turn, StoppedBy.INTERRUPTED))
            raise
        finally:
            ledger.is_busy = False

    def answer(self, approval_id: int, answer: Answer) -> ApprovalAnswered:
        """Answer the open question."""
        self.desk.questions.answer(approval_id, answer)
        return ApprovalAnswered(approval_id)

    async def sandbox(self) -> Sandbox:
        """Return what confines commands here."""
        return await asyncio.to_thread(lambda: self.desk.commands.shell.sandbox)

    async def trust(self) -> Trust:
        """Return whether what decides what commands do is what the user trusted."""
        return await asyncio.to_thread(self.desk.commands.trust)

    async def permissions(self) -> Permissions:
        """Return what the user allowed for this repository."""
        return await asyncio.to_thread(self.desk.commands.permissions.load)

    async def revoke(self) -> None:
        """Forget all that was allowed."""
        store = self.desk.commands.permissions
        await asyncio.to_thread(lambda: store.save(replace(store.load(), files=None, grants=(), texts=())))

    def _block(self, told: Told) -> str:
        """Return what a command left as a block of Markdown that nothing in it can end."""
        text = self.secrets.cleared(shortened(told.text, SHOWN_CHARS)).text
        longest = max((len(run) for run in re.findall("`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}text\n{text.rstrip()}\n{fence}\n"

    async def _record(self, event: EventT) -> EventT:
        return await self.ledger.written(event)


def _stopped_by(told: Told) -> StoppedBy:
    return StoppedBy.ANSWER if told.status is ToolStatus.OK else StoppedBy.ERROR
