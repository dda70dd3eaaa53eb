"""The process that models are called from: what it alone can do wrong."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer

from ctxcode.bootstrap.application import Use, open_application
from ctxcode.llm.aside.messages import Text, answer_in, line_of
from ctxcode.llm.aside.process import ModelProcess
from ctxcode.llm.catalogue import Catalogue, StreamingModel
from ctxcode.model.chat import ModelRequest, TextChunk
from ctxcode.model.errors import ModelUnknownError, ModelUnreachableError
from ctxcode.model.plan import PayloadMessage

REQUEST = ModelRequest((PayloadMessage("user", "hello"),), 500, "hello")
LARGE = ModelRequest((PayloadMessage("user", "long " * 400_000),), 500, "hello")
ENDS_WITH_ITS_APP = """
import os
from ctxcode.llm.aside.process import ModelProcess
process = ModelProcess()
process.load()
print(process.id, flush=True)
input()
os._exit(0)
"""


@pytest.fixture
def process() -> Iterator[ModelProcess]:
    made = ModelProcess()
    yield made
    made.close()


@pytest.fixture(scope="module")
def running() -> Iterator[ModelProcess]:
    """Yield a process for all whose beginning and end are not what is tried: it imports for seconds."""
    made = ModelProcess()
    yield made
    made.close()


def catalogue(process: ModelProcess | None, api_base: str | None = None) -> Catalogue:
    def navigator() -> StreamingModel:
        raise ModelUnknownError("not here")

    return Catalogue(api_base=api_base, context_tokens=None, environment={}, navigator=navigator, process=process)


def opened(server: ScriptedServer, script: str, process: ModelProcess) -> StreamingModel:
    return catalogue(process, server.base_url).open(f"openai/script-{script}")


async def text_of(model: StreamingModel, request: ModelRequest = REQUEST) -> str:
    return "".join([chunk.text async for chunk in model.stream(request) if isinstance(chunk, TextChunk)])


async def test_a_process_that_dies_in_the_middle_is_told_and_started_anew(
    server: ScriptedServer, process: ModelProcess
) -> None:
    async def killed() -> None:
        async with aclosing(opened(server, "drip", process).stream(REQUEST)) as chunks:
            async for _ in chunks:
                assert process.id is not None
                os.kill(process.id, signal.SIGKILL)

    with pytest.raises(ModelUnreachableError, match="signal 9"):
        await killed()
    assert await text_of(opened(server, "fixed", process))


async def test_a_request_larger_than_a_pipe_holds_arrives(server: ScriptedServer, running: ModelProcess) -> None:
    assert await text_of(opened(server, "fixed", running), LARGE)
    assert LARGE.messages[0].content == server.requests[0].messages[0]["content"]


async def test_nothing_is_started_for_a_model_that_is_only_opened(
    server: ScriptedServer, process: ModelProcess
) -> None:
    assert "openai/script-fixed" == opened(server, "fixed", process).info.name
    assert process.id is None


@LITELLM_WARNINGS
@pytest.mark.parametrize("is_aside", [True, False])
def test_a_model_of_no_provider_is_refused_when_it_is_chosen(running: ModelProcess, is_aside: bool) -> None:  # noqa: FBT001
    models = catalogue(running if is_aside else None, "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnknownError, match="No provider is known for the model 'nosuch/foo'"):
        models.choose("nosuch/foo")
    # litellm has this provider, the price list has not; the next is known by the address.
    assert "aiohttp_openai/mine" == models.choose("aiohttp_openai/mine").info.name
    groq = catalogue(running if is_aside else None, "https://api.groq.com/openai/v1")
    assert "my-org/llama" == groq.choose("my-org/llama").info.name


@LITELLM_WARNINGS
@pytest.mark.parametrize("is_aside", [True, False])
def test_a_model_of_no_provider_is_told_of_when_the_app_begins(running: ModelProcess, is_aside: bool) -> None:  # noqa: FBT001
    models = catalogue(running if is_aside else None, "http://127.0.0.1:9/v1")
    (notice,) = models.notices(models.open("nosuch/foo"))
    assert notice.startswith("No provider is known for the model 'nosuch/foo'. ")
    assert not any("provider" in notice for notice in models.notices(models.open("aiohttp_openai/mine")))


@pytest.mark.parametrize("name", ["gpt-4o", "openai/my-own", "hosted_vllm/org/it", "ollama_chat/x", "groq/new"])
def test_a_model_of_a_provider_in_the_price_list_is_chosen_without_asking(process: ModelProcess, name: str) -> None:
    assert name == catalogue(process, "http://127.0.0.1:9/v1").choose(name).info.name
    assert process.id is None


def test_what_cant_be_found_out_is_left_to_the_first_question(process: ModelProcess) -> None:
    chosen: list[StreamingModel] = []
    asking = threading.Thread(target=lambda: chosen.append(catalogue(process).choose("nosuch/foo")))
    asking.start()
    deadline, pause = time.monotonic() + 60, threading.Event()
    while process.id is None:
        assert time.monotonic() < deadline
        pause.wait(0.01)
    os.kill(process.id, signal.SIGKILL)
    asking.join(60)
    assert ["nosuch/foo"] == [model.info.name for model in chosen]


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux tells when a process of another's ends")
def test_it_ends_with_the_app() -> None:
    app = subprocess.Popen(
        [sys.executable, "-c", ENDS_WITH_ITS_APP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with app:
        assert app.stdin is not None and app.stdout is not None  # noqa: PT018 - as asked for above
        process = os.pidfd_open(int(app.stdout.readline()))
        app.stdin.write("\n")
        app.stdin.flush()
        # Not select: it knows no descriptors past 1,023, and one process that runs all tests has those.
        waiting = select.poll()
        waiting.register(process, select.POLLIN)
        assert [(process, select.POLLIN)] == waiting.poll(60_000)
        os.close(process)


def wait_for_end(process: ModelProcess) -> None:
    deadline, pause = time.monotonic() + 60, threading.Event()
    while process.id is not None:
        assert time.monotonic() < deadline
        pause.wait(0.01)


async def test_a_process_without_work_ends_and_the_next_call_starts_another(server: ScriptedServer) -> None:
    process = ModelProcess(idle_seconds=0.0)
    process.prepare()
    assert process.id is not None
    wait_for_end(process)
    process.load()
    # Who asks at once may meet the end of what was loaded.
    assert await text_of(opened(server, "fixed", process))
    wait_for_end(process)
    process.close()


async def test_who_types_has_the_process_started(tmp_path: Path) -> None:
    application = open_application(
        write_sample(tmp_path / "shop"),
        overrides={"model": "openai/script-fixed"},
        environment={"HOME": str(tmp_path)},
        use=Use.SCREEN,
    )
    prepared: list[str] = []
    adapters = replace(application.adapters, prepare=lambda model: prepared.append(model.info.name))
    session = replace(application, adapters=adapters).session(None)
    assert [] == prepared
    await session.preview("where is the tax added?")
    assert ["openai/script-fixed"] == prepared


async def test_an_app_that_ends_while_everything_is_made_ready_waits_for_none_of_it(
    tmp_path: Path, process: ModelProcess
) -> None:
    application = open_application(
        write_sample(tmp_path / "shop"),
        overrides={"model": "openai/script-fixed"},
        environment={"HOME": str(tmp_path)},
        use=Use.SCREEN,
    )
    process.prepare()
    assert process.id is not None
    os.kill(process.id, signal.SIGSTOP)
    asked = threading.Event()

    def load(_model: object) -> tuple[str, ...]:
        asked.set()
        process.load()
        return ()

    adapters = replace(application.adapters, notices=load, let_go=process.close)
    warming = asyncio.create_task(replace(application, adapters=adapters).session(None).warm_up())
    assert await asyncio.to_thread(asked.wait, 60)
    warming.cancel()
    await asyncio.wait([warming], timeout=60)
    assert warming.cancelled()
    assert process.id is None


@given(some.text(some.characters(codec=None)))
def test_any_text_crosses(text: str) -> None:
    assert Text(1, text) == answer_in(line_of(Text(1, text)))
