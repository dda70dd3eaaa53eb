"""What is sent to a model reaches the address the user chose, and no other, whatever that address answers."""

import asyncio
import gzip
import json
import tracemalloc
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

import pytest
from scripted_model import LITELLM_WARNINGS

from ctxcode.llm import litellm_model, one_address
from ctxcode.llm.catalogue import Catalogue, StreamingModel
from ctxcode.llm.litellm_library import close_clients
from ctxcode.llm.retry import RetryPolicy
from ctxcode.model.chat import ModelRequest, TextChunk
from ctxcode.model.errors import ModelBusyError, ModelReplyError, ModelUnreachableError
from ctxcode.model.plan import PayloadMessage

pytestmark = LITELLM_WARNINGS

REQUEST = ModelRequest((PayloadMessage("user", "where is it?"),), 500, "where is it?")


@dataclass
class Answering:
    """A server that reads a request's head and answers with bytes."""

    port: int = 0
    heads: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def answering(
    status: int, *headers: str, body: bytes = b"", endless: bytes = b"", holds: bool = False
) -> AsyncGenerator[Answering, None]:
    server = Answering()
    head = "\r\n".join((f"HTTP/1.1 {status} X", *headers, "Connection: close", "", "")).encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(head + body)
        try:
            if holds:
                await writer.drain()
                await reader.read()
            while endless:
                writer.write(endless)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    running = await asyncio.start_server(answer, "127.0.0.1", 0)
    server.port = running.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        await close_clients()
        running.close()


def opened(name: str, address: str) -> StreamingModel:
    keys = {"OPENAI_API_KEY": "sk-user-secret-0123456789", "ANTHROPIC_API_KEY": "sk-ant-user-secret-0123456789"}
    catalogue = Catalogue(
        api_base=address,
        context_tokens=None,
        environment=keys,
        navigator=lambda: pytest.fail("no navigator here"),
        retry=RetryPolicy(first_pause_seconds=0.01, refused_pause_seconds=0.01),
    )
    return catalogue.open(name)


async def answer_of(model: StreamingModel) -> str:
    return "".join([chunk.text async for chunk in model.stream(REQUEST) if isinstance(chunk, TextChunk)])


@pytest.mark.parametrize("name", ["openai/any", "anthropic/claude-any"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_another_address_is_told_and_gets_neither_code_nor_key(name: str, status: int) -> None:
    async with answering(500) as other, answering(status, f"Location: {other.url}/v1/chat/completions") as chosen:
        with pytest.raises(ModelUnreachableError, match=rf"leads to another address: 127.0.0.1:{other.port}") as caught:
            await answer_of(opened(name, f"{chosen.url}/v1"))
    assert "--api-base" in caught.value.hint
    assert (1, []) == (len(chosen.heads), other.heads)


async def test_a_redirect_at_the_same_address_is_followed_but_not_round_in_a_circle() -> None:
    async with answering(308, "Location: /v1/elsewhere") as chosen:
        with pytest.raises(ModelUnreachableError, match="leads round in a circle"):
            await answer_of(opened("openai/any", f"{chosen.url}/v1"))
    paths = [head.split()[1] for head in chosen.heads]
    assert [b"/v1/chat/completions", *[b"/v1/elsewhere"] * 4] == paths


async def test_a_line_without_an_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_address, "_MOST_REPLY_BYTES", 1_000_000)
    async with answering(200, "Content-Type: text/event-stream", endless=b"data: " + b"x" * 65_000) as server:
        with pytest.raises(ModelReplyError, match="sent a reply without end"):
            await answer_of(opened("openai/any", f"{server.url}/v1"))
    assert 1 == len(server.heads)


WHOLE = {"choices": [{"message": {"content": "All is well."}, "finish_reason": "stop"}]}
EVENTS = b'data: {"choices": [{"delta": {"content": "All is well."}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


@cache
def bomb() -> bytes:
    """Return 200 MB in 200 KB: it takes a second to make, which no worker that runs other tests has to spare."""
    return gzip.compress(b"data: " + bytes(200_000_000), 9)


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("packing", "packed"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("deflate", bare), ("identity", bytes)]
)
@pytest.mark.parametrize("body", [json.dumps(WHOLE).encode(), EVENTS], ids=["whole", "stream"])
async def test_a_packed_reply_is_unpacked_though_none_was_asked_for(
    packing: str, packed: Callable[[bytes], bytes], body: bytes
) -> None:
    async with answering(200, f"Content-Encoding: {packing}", body=packed(body)) as server:
        assert "All is well." == await answer_of(opened("openai/any", f"{server.url}/v1"))
    assert b"accept-encoding: identity" in server.heads[0].lower()


async def test_a_small_reply_that_unpacks_to_a_large_one_is_not_unpacked_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(one_address, "_MOST_REPLY_BYTES", 1_000_000)
    async with answering(200, "Content-Encoding: gzip", body=bomb()) as server:
        tracemalloc.start()
        try:
            with pytest.raises(ModelReplyError, match="sent a reply without end"):
                await answer_of(opened("openai/any", f"{server.url}/v1"))
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 100_000_000


async def test_a_bomb_beside_an_error_is_cut_and_the_error_is_told() -> None:
    async with answering(503, "Content-Encoding: gzip", body=bomb()) as server:
        with pytest.raises(ModelBusyError, match="failed with status 503"):
            await answer_of(opened("openai/any", f"{server.url}/v1"))


@pytest.mark.parametrize(("packing", "body"), [("br", b"x"), ("gzip", b"no gzip at all")])
async def test_a_reply_that_can_not_be_unpacked_is_no_reply(packing: str, body: bytes) -> None:
    async with answering(200, f"Content-Encoding: {packing}", body=body) as server:
        with pytest.raises(ModelReplyError, match="sent something that is no chat reply"):
            await answer_of(opened("openai/any", f"{server.url}/v1"))


async def test_a_reply_that_is_finished_needs_no_end_of_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm_model, "_TAIL_SECONDS", 0.1)
    async with answering(200, "Content-Type: text/event-stream", body=EVENTS[:-14], holds=True) as server:
        assert "All is well." == await answer_of(opened("openai/any", f"{server.url}/v1"))
    assert 1 == len(server.heads)


async def test_a_reply_of_more_text_than_any_has_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm_model, "MOST_REPLY_CHARS", 10)
    async with answering(200, "Content-Type: text/event-stream", body=EVENTS) as server:
        with pytest.raises(ModelReplyError, match="sent a reply without end"):
            await answer_of(opened("openai/any", f"{server.url}/v1"))
