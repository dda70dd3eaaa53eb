"""A chat reply that was asked for as a stream, made into one that any reader of the protocol understands."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from ctxcode.llm.wire.chunk import Tidier
from ctxcode.llm.wire.events import DONE, Done, Event, EventReader
from ctxcode.llm.wire.unpacked import NoReplyError
from ctxcode.llm.wire.written import offered_in, written_before


class Tidied(httpx.AsyncByteStream):
    """The events of a reply; one that came in one piece has a few. What comes after its end is not read."""

    def __init__(self, inner: httpx.AsyncByteStream, request: bytes) -> None:
        """Take over a reply's bytes, unpacked, and the request it answers."""
        self._inner: Any = inner
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the events. Raises NoReplyError and EndlessReplyError."""
        reader, tidier = EventReader(), _tidier(self._request)
        has_begun = False
        async for received in self._inner:
            for event in reader.feed(received):
                for line in _lines(tidier, event):
                    has_begun = True
                    yield line
                if event is DONE:
                    return
        try:
            for event in reader.finish():
                for line in _lines(tidier, event):
                    yield line
        except NoReplyError:
            # Half an event, behind whole ones, is that of a connection that ended: what had come is the reply.
            if not has_begun:
                raise
        for chunk in tidier.rest():
            yield _line(chunk)

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._inner.aclose()


def _lines(tidier: Tidier, event: Event | Done) -> Iterator[bytes]:
    if isinstance(event, Done):
        yield from map(_line, tidier.rest())
        yield b"data: [DONE]\n\n"
        return
    yield from map(_line, tidier.chunks(event.data, is_whole=event.is_whole))


def _line(chunk: dict[str, Any]) -> bytes:
    return b"data: %s\n\n" % json.dumps(chunk).encode()


def _tidier(request: bytes) -> Tidier:
    """Return what tidies the reply to a request."""
    try:
        body = json.loads(request)
    except (ValueError, RecursionError):
        return Tidier()
    return Tidier(offered_in(body), written_before(body))
