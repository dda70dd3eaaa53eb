"""A chat reply that was asked for as a stream, made into one that any reader of the protocol understands."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from ctxcode.llm.wire.chunk import Tidier
from ctxcode.llm.wire.events import DONE, Done, Event, EventReader


class Tidied(httpx.AsyncByteStream):
    """The events of a reply; one that came in one piece has a few. What comes after its end is not read."""

    def __init__(self, inner: httpx.AsyncByteStream) -> None:
        """Take over a reply's bytes, unpacked."""
        self._inner: Any = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the events. Raises NoReplyError and EndlessReplyError."""
        reader, tidier = EventReader(), Tidier()
        async for received in self._inner:
            for event in reader.feed(received):
                for line in _lines(tidier, event):
                    yield line
                if event is DONE:
                    return
        for event in reader.finish():
            for line in _lines(tidier, event):
                yield line

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._inner.aclose()


def _lines(tidier: Tidier, event: Event | Done) -> Iterator[bytes]:
    if isinstance(event, Done):
        yield b"data: [DONE]\n\n"
        return
    for chunk in tidier.chunks(event.data, is_whole=event.is_whole):
        yield b"data: %s\n\n" % json.dumps(chunk).encode()
