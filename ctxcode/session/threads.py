"""Work that blocks, in a thread, and is told when nobody wants it any more."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

_Value = TypeVar("_Value")


async def whole(work: Callable[[], _Value]) -> _Value:
    """Return what work comes to; a cancellation waits until it has ended, and so does every one after it."""
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await _ended(working)
        raise


async def interruptible(
    work: Callable[[Callable[[], bool]], _Value], *, stop: Callable[[], None] = lambda: None
) -> _Value:
    """Return what work comes to; it is handed what tells whether it was cancelled.

    A cancellation waits until the work has ended, and so does every one after it; ``stop`` ends what the work itself
    may be waiting for.
    """
    cancelled = threading.Event()
    working = asyncio.ensure_future(asyncio.to_thread(work, cancelled.is_set))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        cancelled.set()
        stop()
        await _ended(working)
        raise


async def _ended(working: asyncio.Future[_Value]) -> None:
    """Return when work has ended, well or not, whoever cancels meanwhile."""
    while not working.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({working})
