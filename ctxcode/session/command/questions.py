"""Questions that wait for the user, one at a time."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ctxcode.model.command.approval import Answer, Approval
from ctxcode.model.errors import UsageError

ResultT = TypeVar("ResultT")


@dataclass(slots=True)
class Questions:
    """The open question of a session."""

    is_attended: bool
    """Somebody is there to answer; without, whatever would be asked is refused."""
    _asked: "asyncio.Queue[Approval]" = field(default_factory=asyncio.Queue)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _open: "tuple[int, asyncio.Future[Answer]] | None" = None
    _count: int = 0

    async def ask(self, approval: Approval) -> Answer:
        """Return the user's answer; waits as long as it takes. Questions asked side by side come one by one."""
        async with self._turn:
            self._count += 1
            waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._open = (self._count, waiting)
            self._asked.put_nowait(replace(approval, id=self._count))
            try:
                return await waiting
            finally:
                self._open = None

    def answer(self, approval_id: int, answer: Answer) -> None:
        """Answer the open question. Raises UsageError when it is no longer open."""
        if self._open is None or self._open[0] != approval_id or self._open[1].done():
            raise UsageError("That question is no longer open.")
        self._open[1].set_result(answer)

    async def until(self, work: "asyncio.Future[ResultT]") -> AsyncGenerator[Approval, None]:
        """Yield the questions that come up while some work is under way."""
        while not work.done():
            asked = asyncio.ensure_future(self._asked.get())
            waited: set[asyncio.Future[Approval] | asyncio.Future[ResultT]] = {asked, work}
            try:
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not asked.done():
                    asked.cancel()
            if asked.done() and not asked.cancelled() and self._is_open(asked.result()):
                yield asked.result()

    def _is_open(self, approval: Approval) -> bool:
        """Tell a question that waits from one whose work was interrupted before it was shown."""
        return self._open is not None and self._open[0] == approval.id
