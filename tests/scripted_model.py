"""A local model server that follows scripts: OpenAI's chat protocol over real HTTP, well behaved or not.

The script is chosen by the model's name (``openai/script-cut`` plays ``cut``), so one server serves every test. By
hand: ``python tests/scripted_model.py --port 8123`` and ``ctxcode --model openai/script-markdown --api-base
http://127.0.0.1:8123/v1``.
"""

import argparse
import asyncio
import json
import socket
import struct
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from aiohttp import web
from scripted_capsules import CAPSULE_SCRIPTS
from scripted_commands import COMMAND_SCRIPTS
from scripted_exchange import Exchange, Received, Script, ScriptedServer, pieces_of
from scripted_odd import ODD_SCRIPTS
from scripted_providers import anthropic, gemini
from scripted_tools import TOOL_SCRIPTS

__all__ = ["LITELLM_WARNINGS", "MARKDOWN", "SCRIPTS", "ScriptedServer", "serving"]

LITELLM_WARNINGS = pytest.mark.filterwarnings("ignore:::litellm", "ignore:::pydantic")
"""For tests that call a model: litellm uses what pydantic is about to drop, and warnings are errors here."""

MARKDOWN = """## Where the retry lives

The loop is in `client/retry.py`, and it **backs off** with jitter:

```python
def delays(attempts: int) -> list[float]:
    return [2.0**attempt for attempt in range(attempts)]
```

1. `delays` gives the pauses.
2. `Client.send` sleeps between attempts.

| call | pause |
|---|---|
| first | 1 s |
| second | 2 s |

> Grüße, 世界, and a flag: 🏳️

See `client/retry.py:12`.
"""


async def echo(exchange: Exchange) -> web.StreamResponse:
    """Say what was received."""
    messages = exchange.received.messages
    roles = ", ".join(f"{message.get('role')} {len(str(message.get('content', '')))}" for message in messages)
    last = str(messages[-1].get("content", ""))[-2000:] if messages else ""
    return await exchange.whole(pieces_of(f"I got {len(messages)} messages ({roles}).\n\nThe last one ends:\n\n{last}"))


async def fixed(exchange: Exchange) -> web.StreamResponse:
    """Say the same three words each time."""
    return await exchange.whole(["All ", "is ", "well."])


async def uncounted(exchange: Exchange) -> web.StreamResponse:
    """Say the same three words, and nothing of tokens, though asked."""
    exchange.received.body["stream_options"] = {}
    return await exchange.whole(["All ", "is ", "well."])


async def notes(exchange: Exchange) -> web.StreamResponse:
    """Answer with a state block that counts the answers."""
    number = exchange.server.counts["notes"]
    block = ["---STATE---\n", "Goal: count\nResolved: ", str(number), "\n---END", " STATE---\n"]
    return await exchange.whole([f"Answer {number}.", "\n\n", *block])


async def markdown(exchange: Exchange) -> web.StreamResponse:
    """Answer with headings, a list, a table and code."""
    return await exchange.whole(pieces_of(MARKDOWN, 7), pause_seconds=exchange.server.drip_seconds)


async def drip(exchange: Exchange) -> web.StreamResponse:
    """Answer a word at a time for a long while."""
    words = [f"word{number} " for number in range(3000)]
    return await exchange.whole(words, pause_seconds=exchange.server.drip_seconds)


async def length(exchange: Exchange) -> web.StreamResponse:
    """Stop at the output limit."""
    return await exchange.whole(["This goes on and"], finish="length")


async def filtered(exchange: Exchange) -> web.StreamResponse:
    """Stop at the provider's filter."""
    return await exchange.whole(["I would say"], finish="content_filter")


async def no_finish(exchange: Exchange) -> web.StreamResponse:
    """Send ``[DONE]`` without ever saying why the reply ended."""
    return await exchange.whole(["Half an ", "answer"], finish=None)


async def _begin(exchange: Exchange) -> web.StreamResponse:
    if not exchange.is_stream:
        return await exchange.half(exchange.completion("The first half of", "stop"))
    response = await exchange.open_stream()
    for text in ("The first ", "half of"):
        await exchange.send(response, exchange.frame({"content": text}))
    return response


async def cut(exchange: Exchange) -> web.StreamResponse:
    """Close the connection cleanly (FIN) in the middle of the reply."""
    return await exchange.end(await _begin(exchange))


async def reset(exchange: Exchange) -> web.StreamResponse:
    """Reset the connection (RST) in the middle of the reply."""
    response = await _begin(exchange)
    await asyncio.sleep(0.05)
    transport = exchange.request.transport
    if transport is not None:
        raw = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    return response


async def abort(exchange: Exchange) -> web.StreamResponse:
    """Close the connection before a single byte of the reply."""
    if exchange.request.transport is not None:
        exchange.request.transport.abort()
    return web.Response()


async def stall(exchange: Exchange) -> web.StreamResponse:
    """Begin, then say nothing more."""
    response = await _begin(exchange)
    await asyncio.sleep(3600)
    return response


async def hang(exchange: Exchange) -> web.StreamResponse:
    """Accept the request and never answer."""
    await asyncio.sleep(3600)
    return web.Response()


async def hang_after_head(exchange: Exchange) -> web.StreamResponse:
    """Send the response's head and no event."""
    response = await (exchange.open_stream() if exchange.is_stream else exchange.half({}))
    await asyncio.sleep(3600)
    return response


async def bad_json(exchange: Exchange) -> web.StreamResponse:
    """Send a line that is no JSON in the middle of the stream."""
    if not exchange.is_stream:
        return web.Response(text='{"id": "chatcmpl-scripted", "choices": [{', content_type="application/json")
    response = await _begin(exchange)
    await exchange.send(response, b'{"id": "chatcmpl-scripted", "choices": [{')
    await response.write_eof()
    return response


async def half_event(exchange: Exchange) -> web.StreamResponse:
    """Close the connection cleanly (FIN) in the middle of an event."""
    response = await _begin(exchange)
    if exchange.is_stream:
        await response.write(b'data: {"id": "chatcmpl-scripted", "choices": [{')
    return await exchange.end(response)


async def bad_utf8(exchange: Exchange) -> web.StreamResponse:
    """Send bytes that are no UTF-8 inside the text."""
    if not exchange.is_stream:
        whole = json.dumps(exchange.completion("MARK", "stop")).encode().replace(b"MARK", b" caf\xe9 \xff\xfe.")
        return web.Response(body=whole, content_type="application/json")
    response = await _begin(exchange)
    raw = json.dumps(exchange.frame({"content": "MARK"})).encode().replace(b"MARK", b" caf\xe9 \xff\xfe.")
    await exchange.send(response, raw)
    await exchange.send(response, exchange.frame({}, "stop"))
    await exchange.send(response, b"[DONE]")
    await response.write_eof()
    return response


async def stream_error(exchange: Exchange) -> web.StreamResponse:
    """Report an error inside the stream, or inside a reply with status 200."""
    error = {"error": {"message": "the engine fell over", "type": "server_error", "code": 500}}
    if not exchange.is_stream:
        return web.json_response(error)
    response = await _begin(exchange)
    await exchange.send(response, error)
    await response.write_eof()
    return response


async def empty_choices(exchange: Exchange) -> web.StreamResponse:
    """Send chunks without choices and nothing else."""
    if not exchange.is_stream:
        return web.json_response({"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "choices": []})
    response = await exchange.open_stream()
    for _ in range(2):
        await exchange.send(response, {**exchange.frame({}), "choices": []})
    await exchange.send(response, b"[DONE]")
    await response.write_eof()
    return response


async def empty(exchange: Exchange) -> web.StreamResponse:
    """Finish properly without a word."""
    return await exchange.whole([])


async def length_only(exchange: Exchange) -> web.StreamResponse:
    """Reach the output limit without a word, as a model does that only thinks."""
    return await exchange.whole([], finish="length")


async def repeat(exchange: Exchange) -> web.StreamResponse:
    """Send the same word for ever."""
    return await exchange.whole(["again and "] * 1000)


async def quote_key(exchange: Exchange) -> web.StreamResponse:
    """Answer 400 and quote the key in the message."""
    return exchange.refuse(400, f"Bad header Authorization={exchange.received.headers.get('Authorization')}")


async def not_a_chat(exchange: Exchange) -> web.StreamResponse:
    """Answer 200 with a web page."""
    return web.Response(text="<html><body>Welcome to the router</body></html>", content_type="text/html")


async def busy(exchange: Exchange) -> web.StreamResponse:
    """Answer 429 once, then properly."""
    if exchange.server.counts["busy"] == 1:
        return await busy_forever(exchange)
    return await fixed(exchange)


async def busy_forever(exchange: Exchange) -> web.StreamResponse:
    """Answer 429."""
    headers = {"Retry-After": exchange.server.retry_after}
    return exchange.refuse(429, "Rate limit reached for requests", code="rate_limit_exceeded", headers=headers)


async def flaky(exchange: Exchange) -> web.StreamResponse:
    """Answer 503 twice, then properly."""
    if exchange.server.counts["flaky"] <= 2:
        return exchange.refuse(503, "overloaded")
    return await fixed(exchange)


async def server_error(exchange: Exchange) -> web.StreamResponse:
    """Answer 500."""
    return exchange.refuse(500, "internal error")


async def html_502(exchange: Exchange) -> web.StreamResponse:
    """Answer as a proxy does whose server is down."""
    page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>"
    return web.Response(status=502, text=page, content_type="text/html")


async def bad_key(exchange: Exchange) -> web.StreamResponse:
    """Answer 401 and quote the key, as some providers do."""
    authorization = exchange.received.headers.get("Authorization", "")
    return exchange.refuse(401, f"Incorrect API key provided: {authorization}", code="invalid_api_key")


async def forbidden(exchange: Exchange) -> web.StreamResponse:
    """Answer 403."""
    return exchange.refuse(403, "Your account may not use this model")


async def unpaid(exchange: Exchange) -> web.StreamResponse:
    """Answer 402."""
    return exchange.refuse(402, "Insufficient credits")


async def not_found(exchange: Exchange) -> web.StreamResponse:
    """Answer 404 for the model."""
    name = exchange.received.body.get("model", "")
    return exchange.refuse(404, f"The model `{name}` does not exist", code="model_not_found")


async def overflow(exchange: Exchange) -> web.StreamResponse:
    """Refuse a long request in OpenAI's words."""
    message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    return exchange.refuse(400, message, code="context_length_exceeded")


async def overflow_once(exchange: Exchange) -> web.StreamResponse:
    """Refuse a request of more than 2,800 characters, answer a shorter one."""
    size = sum(len(str(message.get("content", ""))) for message in exchange.received.messages)
    return await overflow(exchange) if size > 2_800 else await exchange.whole(["It fits now."])


async def too_long(exchange: Exchange) -> web.StreamResponse:
    """Refuse a long request in Anthropic's words."""
    return exchange.refuse(400, "prompt is too long: 250000 tokens > 200000 maximum")


async def bad_request(exchange: Exchange) -> web.StreamResponse:
    """Refuse a parameter."""
    return exchange.refuse(400, "Unsupported parameter: 'max_tokens'")


SCRIPTS: dict[str, Script] = {
    script.__name__.replace("_", "-"): script
    for script in (
        *(
            echo,
            fixed,
            uncounted,
            notes,
            markdown,
            drip,
            length,
            filtered,
            no_finish,
            cut,
            reset,
            abort,
            stall,
            hang,
            hang_after_head,
        ),
        *(
            bad_json,
            half_event,
            bad_utf8,
            stream_error,
            empty_choices,
            empty,
            length_only,
            repeat,
            quote_key,
            not_a_chat,
            busy,
            busy_forever,
            flaky,
            server_error,
        ),
        *(html_502, bad_key, forbidden, unpaid, not_found, overflow, overflow_once, too_long, bad_request),
    )
}
SCRIPTS.update(TOOL_SCRIPTS)
SCRIPTS.update(COMMAND_SCRIPTS)
SCRIPTS.update(ODD_SCRIPTS)
SCRIPTS.update(CAPSULE_SCRIPTS)


def letters(text: str) -> list[float]:
    """Return how often each letter stands in a text: as good a meaning as any for a test."""
    return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


def application(server: ScriptedServer) -> web.Application:
    """Return the routes of a server."""

    async def chat(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        received = Received(request.path, dict(request.headers), body)
        server.requests.append(received)
        name = received.script if received.script in SCRIPTS else server.default_script
        server.counts[name] += 1
        server.opened.set()
        try:
            return await SCRIPTS[name](Exchange(server, request, received))
        except (asyncio.CancelledError, ConnectionError):
            server.hung_up.set()
            raise

    async def embeddings(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        received = Received(request.path, dict(request.headers), body)
        server.embedded.append(received)
        server.embedding.set()
        if received.script == "elsewhere":
            return web.Response(status=307, headers={"Location": "http://127.0.0.1:9/v1/embeddings"})
        if received.script in SCRIPTS:
            try:
                return await SCRIPTS[received.script](Exchange(server, request, received))
            except (asyncio.CancelledError, ConnectionError):
                server.hung_up.set()
                raise
        rows = [{"object": "embedding", "index": i, "embedding": letters(t)} for i, t in enumerate(body["input"])]
        if received.script == "too-few":
            rows.pop()
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return web.json_response({"object": "list", "model": body["model"], "data": rows[::-1], "usage": usage})

    async def models(_: web.Request) -> web.Response:
        rows = [{"id": name, "object": "model", "owned_by": "tests"} for name in server.models]
        return web.json_response({"object": "list", "data": rows})

    async def tags(_: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": name} for name in server.models]})

    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_post("/v1/embeddings", embeddings)
    app.router.add_post("/v1beta/models/{name}:streamGenerateContent", partial(gemini, server))
    app.router.add_post("/v1/messages", partial(anthropic, server))
    app.router.add_get("/v1/models", models)
    app.router.add_get("/api/tags", tags)
    return app


@asynccontextmanager
async def serving(server: ScriptedServer | None = None) -> AsyncGenerator[ScriptedServer, None]:
    """Run a server on localhost until the block ends; port 0 picks a free one."""
    running = ScriptedServer() if server is None else server
    runner = web.AppRunner(application(running), handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    listener = socket.create_server(("127.0.0.1", running.port))
    running.port = int(listener.getsockname()[1])
    try:
        await web.SockSite(runner, listener).start()
        yield running
    finally:
        await runner.cleanup()
        listener.close()


async def _serve_until_stopped(server: ScriptedServer) -> None:
    async with serving(server):
        sys.stdout.write(f"{server.base_url}  scripts: {', '.join(sorted(SCRIPTS))}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    """Serve by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--script", choices=sorted(SCRIPTS), default="echo", help="for names that are no script")
    parser.add_argument("--drip-seconds", type=float, default=0.02)
    parser.add_argument("--retry-after", default="0", help="what every 429 asks for")
    arguments = parser.parse_args()
    server = ScriptedServer(
        arguments.script,
        port=arguments.port,
        drip_seconds=arguments.drip_seconds,
        retry_after=arguments.retry_after,
    )
    try:
        asyncio.run(_serve_until_stopped(server))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
