"""The process that calls models: it holds the library for that, its memory and the connections.

It ends with the app, whose end closes the pipe it listens to; so do the requests that are under way.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from typing import BinaryIO

from ctxcode.llm import litellm_library
from ctxcode.llm.aside.messages import (
    Answer,
    Call,
    CallBegun,
    Check,
    Embed,
    Embedded,
    Ended,
    Failed,
    Known,
    Load,
    Paused,
    Stop,
    Text,
    Wish,
    line_of,
    wish_in,
)
from ctxcode.llm.aside.pipes import AWAITED, make_this_thread_nice, private_streams
from ctxcode.llm.embedding.litellm_vectors import embedded
from ctxcode.llm.litellm_model import LitellmModel
from ctxcode.model.chat import ReplyEnd, RetryPause, TextChunk, ToolCallBegun
from ctxcode.model.errors import ModelError


def main() -> None:
    """Answer what standard input asks for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = private_streams()
    asyncio.run(_serve(source, sink))


async def _serve(source: BinaryIO, sink: BinaryIO) -> None:
    desk = _Desk(sink)
    threading.Thread(target=_listen, args=(source, asyncio.get_running_loop(), desk), daemon=True).start()
    await asyncio.Event().wait()


def _listen(source: BinaryIO, loop: asyncio.AbstractEventLoop, desk: "_Desk") -> None:
    for line in source:
        loop.call_soon_threadsafe(desk.take, wish_in(line))
    # The app is gone; nothing here is worth keeping.
    os._exit(0)


class _Desk:
    """Carries out wishes, any number at once."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._models: dict[Known, LitellmModel] = {}

    def take(self, wish: Wish) -> None:
        """Begin what is asked for, or end it."""
        match wish:
            case Load():
                self._begin(wish.number, self._load(wish.number))
            case Check():
                self._begin(wish.number, self._check(wish))
            case Call():
                self._begin(wish.number, self._reply(wish))
            case Embed():
                self._begin(wish.number, self._embed(wish))
            case Stop() if wish.number in self._tasks:
                self._tasks[wish.number].cancel()

    def _begin(self, number: int, work: Coroutine[None, None, None]) -> None:
        task = self._tasks[number] = asyncio.ensure_future(work)
        task.add_done_callback(partial(self._over, number))

    def _over(self, number: int, task: "asyncio.Task[None]") -> None:
        """Tell why there is no more, unless nobody waits any more or the end is told."""
        del self._tasks[number]
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ModelError):
            self._send(Failed(number, type(error).__name__, str(error), error.hint))
        elif error is not None:
            words = f"The call failed inside ctxcode: {type(error).__name__}: {error}"[:300]
            self._send(Failed(number, ModelError.__name__, words, "Send it again, or choose another model."))

    async def _load(self, number: int) -> None:
        await _loaded()
        self._send(Ended(number))

    async def _check(self, wish: Check) -> None:
        await _loaded()
        self._model(wish.model).check()
        self._send(Ended(wish.number))

    async def _reply(self, call: Call) -> None:
        async with aclosing(self._model(call.model).stream(call.request)) as chunks:
            async for chunk in chunks:
                match chunk:
                    case TextChunk():
                        self._send(Text(call.number, chunk.text))
                    case ToolCallBegun():
                        self._send(CallBegun(call.number, chunk.name))
                    case RetryPause():
                        self._send(Paused(call.number, chunk))
                    case ReplyEnd():
                        self._send(Ended(call.number, chunk))

    async def _embed(self, wish: Embed) -> None:
        model = wish.model
        vectors = await embedded(model.info.name, model.endpoint, model.deadlines, wish.texts)
        self._send(Embedded(wish.number, vectors))

    def _model(self, known: Known) -> LitellmModel:
        """Return a model, the same one each time: it learns whether its server streams."""
        if known not in self._models:
            self._models[known] = LitellmModel(
                known.info, known.endpoint, known.facts, deadlines=known.deadlines, retry=known.retry
            )
        return self._models[known]

    def _send(self, answer: Answer) -> None:
        self._sink.write(line_of(answer))
        self._sink.flush()


async def _loaded() -> None:
    # Keys come before two seconds of imports; nicer still, they took a minute beside a build on all processors.
    with ThreadPoolExecutor(1, initializer=make_this_thread_nice, initargs=(AWAITED,)) as one:
        await asyncio.get_running_loop().run_in_executor(one, litellm_library.load)
