"""The HTTP client of every model: it stays at the address the user chose, and reads no reply without end.

A redirect would take the question, the code and (in headers such as ``x-api-key``, which httpx keeps) the key along.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    # What others call AsyncClient after ``install``; a class can't be checked against a name it takes itself.
    from httpx import AsyncClient as Inherited
else:
    Inherited = httpx.AsyncClient

_MOST_REDIRECTS = 5
_MOST_REPLY_BYTES = 256_000_000
"""A long answer takes about 300 bytes of a stream for each token, 40 MB in all."""


class LeadsAwayError(httpx.TransportError):
    """The address answered with a redirect to another host; ``str`` is that host."""


class EndlessReplyError(httpx.TransportError):
    """The address sent more than any reply takes."""


class OneAddressClient(Inherited):
    """Follows redirects below the same host and port, or from http to https; refuses others."""

    async def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Send a request. Raises LeadsAwayError, EndlessReplyError and what httpx raises."""
        options["follow_redirects"] = False
        for _ in range(_MOST_REDIRECTS):
            response = await super().send(request, stream=True, **options)
            if response.next_request is None:
                return await _bounded(response, stream=stream)
            await response.aclose()
            if not _is_same_address(request.url, response.next_request.url):
                raise LeadsAwayError(response.next_request.url.netloc.decode("ascii"), request=request)
            request = response.next_request
        raise httpx.TooManyRedirects("one redirect after another", request=request)


class _Bounded(httpx.AsyncByteStream):
    """A reply's bytes, up to the limit."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._inner:
            read += len(chunk)
            if read > _MOST_REPLY_BYTES:
                raise EndlessReplyError("the reply has no end")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _bounded(response: httpx.Response, *, stream: bool) -> httpx.Response:
    """Return a response with a limit, already read unless it is streamed."""
    response.stream = _Bounded(response.stream)
    if not stream:
        try:
            await response.aread()
        finally:
            await response.aclose()
    return response


def install() -> None:
    """Make every client that is opened from now on one of these: litellm has no other way in for all providers."""
    httpx.AsyncClient = OneAddressClient  # type: ignore[misc]


def _is_same_address(url: httpx.URL, other: httpx.URL) -> bool:
    if url.host != other.host:
        return False
    is_upgrade = (url.scheme, _port(url), other.scheme, _port(other)) == ("http", 80, "https", 443)
    return is_upgrade or (url.scheme, _port(url)) == (other.scheme, _port(other))


def _port(url: httpx.URL) -> int | None:
    return url.port or {"http": 80, "https": 443}.get(url.scheme)
