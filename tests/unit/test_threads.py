"""Work in a thread that is cancelled while it runs."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from ctxcode.session.threads import interruptible, whole

Start = Callable[[Callable[[], str]], Awaitable[str]]


@pytest.mark.parametrize(
    "start", [whole, lambda work: interruptible(lambda _cancelled: work())], ids=["whole", "interruptible"]
)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_however_often_it_is_cancelled_it_waits_until_the_work_has_ended(start: Start, times: int) -> None:
    begun, let_on, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        let_on.wait()
        ended.set()
        return "done"

    async def cancelled() -> bool:
        task = asyncio.ensure_future(start(work))
        await asyncio.to_thread(begun.wait)
        for _ in range(times):
            task.cancel()
            await asyncio.wait({task}, timeout=0.01)
        is_waiting = not task.done()
        let_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return is_waiting and ended.is_set()

    assert asyncio.run(cancelled())


def test_work_that_was_cancelled_and_fails_is_cancelled_all_the_same() -> None:
    async def cancelled() -> None:
        begun = threading.Event()

        def work(is_cancelled: Callable[[], bool]) -> str:
            begun.set()
            while not is_cancelled():
                begun.wait()
            raise OSError(5, "the disk is gone")

        task = asyncio.ensure_future(interruptible(work))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
