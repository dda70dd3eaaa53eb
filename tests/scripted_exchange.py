"""What the scripted model server was asked, and the ways it can answer in OpenAI's chat protocol."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

PREFIX = "script-"


@dataclass(frozen=True)
class Received:
    """One request as the server saw it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def script(self) -> str:
        """The script the model's name asks for."""
        return str(self.body.get("model", "")).removeprefix(PREFIX)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The chat messages."""
        return list(self.body.get("messages", []))


@dataclass
class ScriptedServer:
    """A running server and what it was asked."""

    default_script: str = "echo"
    retry_after: str = "0"
    """Sent with every 429."""
    drip_seconds: float = 0.02
    streams: bool = True
    """False for a server that answers in one piece, also where a stream is asked for."""
    models: tuple[str, ...] = ("script-echo", "script-markdown", "script-drip")
    port: int = 0
    requests: list[Received] = field(default_factory=list)
    """Chat requests, oldest first."""
    embedded: list[Received] = field(default_factory=list)
    """Requests for vectors, oldest first."""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a chat request has arrived."""
    embedding: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when vectors were asked for."""
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client closed the connection before its reply was complete."""
    counts: Counter[str] = field(default_factory=Counter)
    """Requests by script."""

    @property
    def base_url(self) -> str:
        """What ``--api-base`` takes."""
        return f"http://127.0.0.1:{self.port}/v1"


@dataclass
class Exchange:
    """One request being answered."""

    server: ScriptedServer
    request: web.Request
    received: Received

    @property
    def is_stream(self) -> bool:
        """The client asked for server-sent events, and the server knows them."""
        return self.server.streams and bool(self.received.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        """The client asked for token counts at the end of the stream."""
        return bool((self.received.body.get("stream_options") or {}).get("include_usage"))

    def usage(self, text: str) -> dict[str, int]:
        """Return made-up but stable token counts."""
        prompt = sum(len(str(message.get("content", "")).split()) for message in self.received.messages)
        completion = len(text.split())
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}

    def frame(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        """Return one chunk of a stream as JSON data."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": self.received.body.get("model", ""),
            "choices": [choice],
        }

    async def open_stream(self) -> web.StreamResponse:
        """Send the head of an event stream."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await response.prepare(self.request)
        return response

    async def send(self, response: web.StreamResponse, data: object) -> None:
        """Send one event; bytes go out as they are, anything else as JSON."""
        raw = data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode()
        await response.write(b"data: " + raw + b"\n\n")

    @property
    def results(self) -> list[str]:
        """What tools have answered since the user's last question, oldest first."""
        contents: list[str] = []
        for message in self.received.messages:
            if message.get("role") == "user" and not str(message.get("content", "")).startswith("[ctxcode]"):
                contents = []
            elif message.get("role") == "tool":
                contents.append(str(message.get("content", "")))
        return contents

    async def call(
        self, *calls: tuple[str | None, str, str | None], said: str = "", size: int = 7, finish: str = "tool_calls"
    ) -> web.StreamResponse:
        """Call tools, each (id, name, arguments), the arguments in pieces of ``size`` characters."""
        if not self.is_stream:
            made = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
            return web.json_response(self.completion(said or None, finish, made))
        response = await self.open_stream()
        await self.send(response, self.frame({"role": "assistant", "content": said or None}))
        for index, (call_id, name, arguments) in enumerate(calls):
            head = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
            await self.send(response, self.frame({"tool_calls": [head]}))
            for piece in pieces_of(arguments, size) if arguments is not None else [None]:
                part = {"index": index, "function": {"arguments": piece}}
                await self.send(response, self.frame({"tool_calls": [part]}))
        await self.send(response, self.frame({}, finish))
        if self.wants_usage:
            await self.send(response, {**self.frame({}), "choices": [], "usage": self.usage(said)})
        await self.send(response, b"[DONE]")
        await response.write_eof()
        return response

    async def whole(
        self, pieces: Iterable[str], *, finish: str | None = "stop", pause_seconds: float = 0.0
    ) -> web.StreamResponse:
        """Answer completely, as a stream or at once."""
        texts = list(pieces)
        if not self.is_stream:
            return self.at_once("".join(texts), finish)
        response = await self.open_stream()
        await self.send(response, self.frame({"role": "assistant", "content": ""}))
        for text in texts:
            await self.send(response, self.frame({"content": text}))
            if pause_seconds:
                await asyncio.sleep(pause_seconds)
        if finish is not None:
            await self.send(response, self.frame({}, finish))
        if self.wants_usage and finish is not None:
            await self.send(response, {**self.frame({}), "choices": [], "usage": self.usage("".join(texts))})
        await self.send(response, b"[DONE]")
        await response.write_eof()
        return response

    def at_once(self, text: str, finish: str | None) -> web.Response:
        """Answer without a stream."""
        return web.json_response(self.completion(text, finish))

    def completion(
        self, text: str | None, finish: str | None, calls: list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        """Return a reply in one piece as JSON data."""
        message: dict[str, Any] = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 1,
            "model": self.received.body.get("model", ""),
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": self.usage(text or ""),
        }

    async def half(self, data: dict[str, Any]) -> web.StreamResponse:
        """Send the head and the first half of a reply in one piece."""
        body = json.dumps(data).encode()
        head = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        response = web.StreamResponse(headers=head)
        await response.prepare(self.request)
        await response.write(body[: len(body) // 2])
        return response

    async def end(self, response: web.StreamResponse) -> web.StreamResponse:
        """Close the connection cleanly (FIN), whatever is missing."""
        if self.is_stream:
            await response.write_eof()
        elif self.request.transport is not None:
            self.request.transport.close()
        return response

    def refuse(
        self, status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None
    ) -> web.Response:
        """Answer with an error as OpenAI words it."""
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        return web.json_response({"error": error}, status=status, headers=headers)


Script = Callable[[Exchange], Awaitable[web.StreamResponse]]


def pieces_of(text: str, size: int = 12) -> list[str]:
    """Return a text cut into chunks."""
    return [text[start : start + size] for start in range(0, len(text), size)]
