"""A reply's bytes as they were before they were packed, and no more of them than any reply takes."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

ACCEPTED = "identity"
"""What is asked for: nothing is gained from packing a stream of small pieces."""
_PIECE_BYTES = 65_536
_EITHER, _BARE = zlib.MAX_WBITS | 32, -zlib.MAX_WBITS
"""gzip or zlib, by its head; and deflate without one."""


class EndlessReplyError(httpx.TransportError):
    """The address sent more than any reply takes."""


class NoReplyError(httpx.DecodingError):
    """What came is no chat reply."""


class Unpacked(httpx.AsyncByteStream):
    """A reply's bytes, unpacked piece by piece: a small reply that unpacks to a large one is noticed on the way."""

    def __init__(self, response: httpx.Response, most_bytes: int, *, cuts: bool) -> None:
        """Take over a response's stream; ``cuts`` ends it quietly at the limit."""
        self._inner: Any = response.stream
        self._most_bytes = most_bytes
        self._cuts = cuts
        self._packing = response.headers.pop("content-encoding", "").strip().lower()
        response.headers.pop("content-length", None)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes. Raises EndlessReplyError and NoReplyError."""
        unpacking = _Unpacking(self._packing)
        received, read = 0, 0
        async for packed in self._inner:
            received += len(packed)
            for piece in unpacking.pieces(packed):
                read += len(piece)
                if max(received, read) <= self._most_bytes:
                    yield piece
                elif self._cuts:
                    yield piece[: self._most_bytes - read]
                    return
                else:
                    raise EndlessReplyError("the reply has no end")
            if received > self._most_bytes and not self._cuts:
                raise EndlessReplyError("the reply has no end")

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._inner.aclose()


class _Unpacking:
    """Undoes one way of packing. Raises NoReplyError for one that nobody asked for."""

    def __init__(self, packing: str) -> None:
        if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise NoReplyError(f"the reply is packed as {packing[:20]!r}")
        self._is_packed = packing not in ("", "identity")
        self._may_be_bare = packing == "deflate"
        self._worker = zlib.decompressobj(_EITHER)

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """Yield what some bytes unpack to, at most 64 KiB at a time."""
        if not self._is_packed:
            yield packed
            return
        while packed and not self._worker.eof:
            yield self._piece(packed)
            packed = self._worker.unconsumed_tail

    def _piece(self, packed: bytes) -> bytes:
        try:
            piece = self._worker.decompress(packed, _PIECE_BYTES)
        except zlib.error as error:
            if not self._may_be_bare:
                raise NoReplyError("the reply is packed badly") from error
            self._may_be_bare, self._worker = False, zlib.decompressobj(_BARE)
            return self._piece(packed)
        self._may_be_bare = False
        return piece
