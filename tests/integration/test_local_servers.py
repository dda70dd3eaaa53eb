import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest
from scripted_model import ScriptedServer, serving

from ctxcode.llm.offered.local_servers import LocalServer, Place, local_servers


def place(port: int, path: str = "/v1/models") -> Place:
    return Place("Test", port, path, "openai")


async def found(*places: Place) -> tuple[LocalServer, ...]:
    return await asyncio.to_thread(local_servers, places, timeout_seconds=0.5)


@asynccontextmanager
async def answering(data: bytes, *, pause_seconds: float = 0.0) -> AsyncGenerator[int, None]:
    """Serve the same bytes to everybody, all at once or one at a time."""
    answers: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            pieces = [data] if not pause_seconds else [data[at : at + 1] for at in range(len(data))]
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause_seconds)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(answer(reader, writer))
        answers.add(task)
        with suppress(asyncio.CancelledError):
            await task
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield int(server.sockets[0].getsockname()[1])
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in answers:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=5)


def response(body: bytes, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n") -> bytes:
    return head + b"\r\n" + body


async def test_both_listings_are_understood() -> None:
    async with serving(ScriptedServer(models=("one", "two"))) as server:
        openai, ollama = await found(place(server.port), Place("Ollama", server.port, "/api/tags", "ollama_chat"))
    assert ("openai/one", "openai/two") == openai.models
    assert ("ollama_chat/one", "ollama_chat/two") == ollama.models
    assert (
        f"Ollama answers at http://127.0.0.1:{server.port}: ctxcode --model ollama_chat/one and 1 more" == ollama.notice
    )
    assert [] == server.requests


async def test_a_closed_port_is_nothing() -> None:
    async with serving() as server:
        port = server.port
    assert () == await found(place(port))


async def test_a_chunked_listing_is_read() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
    async with answering(response(b'19\r\n{"data": [{"id": "one"}]}\r\n0\r\n\r\n', head)) as port:
        assert ("openai/one",) == (await found(place(port)))[0].models


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        response(b"<html>Django</html>"),
        response(b"[1, 2]"),
        response(b'{"data": "none"}'),
        response(b"[" * 100_000),
        response(b'{"data": [{"id": "one"}]}', b"HTTP/1.1 404 Not Found\r\n"),
        response(b'{"data": [{"id": "on'),
        response(b"\xff\xfe\x00"),
        response(b'{"data": [' + b'{"id": "x"},' * 100_000),
    ],
)
async def test_what_is_no_listing_is_nothing(data: bytes) -> None:
    async with answering(data) as port:
        assert () == await found(place(port))


async def test_names_no_terminal_should_see_are_left_out() -> None:
    body = b'{"data": [{"id": "\\u001b[31mred"}, {"id": 5}, 7, {"id": "good"}, {"id": "' + b"x" * 999 + b'"}]}'
    async with answering(response(body)) as port:
        assert ("openai/good",) == (await found(place(port)))[0].models


async def test_a_listing_that_takes_too_long_is_given_up() -> None:
    async with answering(response(b'{"data": []}'), pause_seconds=0.2) as port:
        assert () == await found(place(port))


async def test_a_server_without_models_says_so() -> None:
    async with answering(response(b'{"data": []}')) as port:
        server = (await found(place(port)))[0]
    assert f"Test answers at http://127.0.0.1:{port} and lists no models." == server.notice
