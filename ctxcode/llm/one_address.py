"""The HTTP client of every model: it stays at the address the user chose, and reads no reply without end.

A redirect would take the question, the code and (in headers such as ``x-api-key``, which httpx keeps) the key along.
"""

import re
from typing import TYPE_CHECKING, Any

import httpx

from ctxcode.llm.wire.gemini import Watched
from ctxcode.llm.wire.tidied import Tidied
from ctxcode.llm.wire.unpacked import ACCEPTED, Unpacked

if TYPE_CHECKING:
    # What others call AsyncClient after ``install``; a class can't be checked against a name it takes itself.
    from httpx import AsyncClient as Inherited
else:
    Inherited = httpx.AsyncClient

_MOST_REDIRECTS = 5
_MOST_REPLY_BYTES = 256_000_000
"""A long answer takes about 300 bytes of a stream for each token, 40 MB in all."""
_MOST_REFUSAL_BYTES = 64_000
"""Of what a server says beside an error; the rest is not read."""
_STREAM = re.compile(rb'"stream":\s*true')
"""No text of a message looks like that: its quotes are escaped."""


class LeadsAwayError(httpx.TransportError):
    """The address answered with a redirect to another host; ``str`` is that host."""


class OneAddressClient(Inherited):
    """Follows redirects below the same host and port, or from http to https; refuses others."""

    async def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Send a request. Raises LeadsAwayError, EndlessReplyError, NoReplyError and what httpx raises."""
        options["follow_redirects"] = False
        request.headers["accept-encoding"] = ACCEPTED
        for _ in range(_MOST_REDIRECTS):
            response = await super().send(request, stream=True, **options)
            if response.next_request is None:
                return await _readable(response, stream=stream)
            await response.aclose()
            if not _is_same_address(request.url, response.next_request.url):
                raise LeadsAwayError(response.next_request.url.netloc.decode("ascii"), request=request)
            request = response.next_request
        raise httpx.TooManyRedirects("one redirect after another", request=request)


async def _readable(response: httpx.Response, *, stream: bool) -> httpx.Response:
    """Return a response with a limit, tidied when it is a stream of chat; already read unless it is streamed."""
    most = _MOST_REPLY_BYTES if response.is_success else _MOST_REFUSAL_BYTES
    bounded = Unpacked(response, most, cuts=not response.is_success)
    response.stream = bounded
    if response.is_success and _asks_for_chat(response.request):
        response.stream = Tidied(bounded, response.request.content)
    elif response.is_success and response.request.url.path.endswith(":streamGenerateContent"):
        response.stream = Watched(bounded)
    if not stream:
        try:
            await response.aread()
        finally:
            await response.aclose()
    return response


def _asks_for_chat(request: httpx.Request) -> bool:
    """Whether a request wants a streamed reply of OpenAI's chat protocol."""
    return request.url.path.endswith("/chat/completions") and bool(_STREAM.search(request.content))


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
