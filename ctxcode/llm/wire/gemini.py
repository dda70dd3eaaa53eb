"""A reply of Gemini's own protocol, watched for how it ends: litellm passes its pieces on, and not that."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from ctxcode.llm.wire.chunk import finish_of
from ctxcode.llm.wire.events import Done, Event, EventReader

_MALFORMED = frozenset({"malformed_function_call", "malformed_response", "unexpected_tool_call"})


class Watched(httpx.AsyncByteStream):
    """The events of a reply, one a line."""

    def __init__(self, inner: httpx.AsyncByteStream) -> None:
        """Take over a reply's bytes, unpacked."""
        self._inner: Any = inner
        self.finish: str | None = None
        """Why the reply ended, in OpenAI's words; None until the server has said so."""
        self.is_malformed = False
        """It ended with a tool call the server itself could not read, and holds nothing of it."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the events. Raises NoReplyError and EndlessReplyError."""
        reader = EventReader()
        async for received in self._inner:
            for event in reader.feed(received):
                for line in self._lines(event):
                    yield line
        for event in reader.finish():
            for line in self._lines(event):
                yield line

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._inner.aclose()

    def _lines(self, event: Event | Done) -> list[bytes]:
        if isinstance(event, Done):
            return []
        parts = event.data if isinstance(event.data, list) else [event.data]
        for part in parts:
            if isinstance(part, dict):
                self._look_at(part)
        return [b"data: %s\n\n" % json.dumps(part).encode() for part in parts]

    def _look_at(self, said: dict[str, Any]) -> None:
        candidates = said.get("candidates")
        for candidate in candidates if isinstance(candidates, list) else ():
            reason = candidate.get("finishReason") if isinstance(candidate, dict) else None
            if isinstance(reason, str) and reason and reason != "FINISH_REASON_UNSPECIFIED":
                self.finish = finish_of(reason)
                self.is_malformed = reason.lower() in _MALFORMED
        feedback = said.get("promptFeedback")
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            self.finish = "content_filter"
