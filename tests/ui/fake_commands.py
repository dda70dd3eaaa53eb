"""Commands of the fake door: nothing runs, every question is kept with its answer."""

from collections.abc import AsyncGenerator, Callable

from ctxcode.model.command.approval import Answer, Grant, Permissions, Sandbox, Trust
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.errors import UsageError
from ctxcode.model.event import DurableEvent, Event, ReplyFinished, TurnCompleted, TurnStarted
from ctxcode.model.passing.event import ApprovalAnswered


class FakeCommands:
    """Answers to questions and the commands that were typed."""

    def __init__(self, record: Callable[[DurableEvent], None]) -> None:
        self._record = record
        self.answers: list[tuple[int, Answer]] = []
        self.typed: list[str] = []
        self.confined = Sandbox("bubblewrap")
        self.trusted = Trust(is_trusted=True)
        self.allowed = Permissions("/home/you/django", (), (Grant(("pytest",), takes_more=True),))
        self.turn = 1
        self.open_id: int | None = None

    async def run(self, text: str) -> AsyncGenerator[Event, None]:
        self.typed.append(text)
        events: tuple[DurableEvent, ...] = (
            TurnStarted(self.turn, f"!{text}"),
            ReplyFinished(self.turn, "```text\nexit code 0\n```\n", "shell"),
            TurnCompleted(self.turn, StoppedBy.ANSWER),
        )
        for event in events:
            self._record(event)
            yield event

    def answer(self, approval_id: int, answer: Answer) -> ApprovalAnswered:
        if self.open_id is not None and approval_id != self.open_id:
            raise UsageError("That question is no longer open.")
        self.answers.append((approval_id, answer))
        return ApprovalAnswered(approval_id)

    async def sandbox(self) -> Sandbox:
        return self.confined

    async def trust(self) -> Trust:
        return self.trusted

    async def permissions(self) -> Permissions:
        return self.allowed

    async def revoke(self) -> None:
        self.allowed = Permissions("/home/you/django")
        self.trusted = Trust(is_trusted=False)
