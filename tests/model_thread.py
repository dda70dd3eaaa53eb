"""The scripted model server in a thread of its own, for tests that are not asynchronous."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from scripted_model import ScriptedServer, serving


@contextmanager
def model_server() -> Iterator[ScriptedServer]:
    """Run the scripted server in a thread of its own while a terminal is driven from this one."""
    loop = asyncio.new_event_loop()
    started, over = threading.Event(), asyncio.Event()
    running: list[ScriptedServer] = []

    async def serve() -> None:
        async with serving() as server:
            running.append(server)
            started.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert started.wait(10)
    try:
        yield running[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()
