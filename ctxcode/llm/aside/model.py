"""A chat model that is called from the process for that."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import assert_never

from ctxcode.llm.aside.messages import Answer, CallBegun, Embedded, Ended, Failed, Known, Paused, Text
from ctxcode.llm.aside.process import ModelProcess, error_of
from ctxcode.model.chat import ModelChunk, ModelRequest, TextChunk, ToolCallBegun
from ctxcode.model.conversation import ModelInfo


class ModelAside:
    """As ``LitellmModel``, which does the work there."""

    def __init__(self, known: Known, process: ModelProcess) -> None:
        """Take what is known of the model; nothing is started or sent yet."""
        self._known = known
        self._process = process

    @property
    def info(self) -> ModelInfo:
        """What is known of the model without asking it."""
        return self._known.info

    def check(self) -> None:
        """As ``LitellmModel.check``; blocks until the process has answered or ended."""
        self._process.check(self._known)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Yield the reply's pieces, then one ReplyEnd.

        Closing the generator or cancelling its task closes the connection. Raises ModelError.
        """
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[Answer]()

        def hear(answer: Answer) -> None:
            # A loop that has ended has nobody who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(heard.put_nowait, answer)

        beginning = asyncio.ensure_future(asyncio.to_thread(self._process.call, self._known, request, hear))
        try:
            await asyncio.shield(beginning)
            while True:
                match await heard.get():
                    case Text() as answer:
                        yield TextChunk(answer.text)
                    case CallBegun() as answer:
                        yield ToolCallBegun(answer.name)
                    case Paused() as answer:
                        yield answer.pause
                    case Ended() as answer:
                        if answer.end is not None:
                            yield answer.end
                        return
                    case Embedded():
                        # Nobody asked this for vectors.
                        continue
                    case Failed() as answer:
                        raise error_of(answer)
                    case _ as unreachable:
                        assert_never(unreachable)
        finally:
            # Cancelled while it was beginning, it is ended as soon as it has begun.
            beginning.add_done_callback(_ended)


def _ended(beginning: "asyncio.Future[Callable[[], None]]") -> None:
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result()()
