"""The litellm adapter against a scripted server on localhost: nothing is replaced, every byte crosses a socket.

Everything holds when models are called from a process of their own too.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import pytest
import pytest_asyncio
from navigable_graph import HandMadeGraph, read_text
from scripted_model import LITELLM_WARNINGS, MARKDOWN, ScriptedServer, serving

from ctxcode.llm.aside.process import ModelProcess
from ctxcode.llm.catalogue import Catalogue, StreamingModel
from ctxcode.llm.litellm_library import close_clients
from ctxcode.llm.navigator.responder import Navigator
from ctxcode.llm.retry import Deadlines, RetryPolicy
from ctxcode.model.chat import DelayReason, FinishReason, ModelChunk, ModelRequest, ReplyEnd, RetryPause, TextChunk
from ctxcode.model.errors import (
    EmptyReplyError,
    ModelBusyError,
    ModelError,
    ModelKeyError,
    ModelOverflowError,
    ModelReplyError,
    ModelUnknownError,
    ModelUnreachableError,
)
from ctxcode.model.plan import PayloadMessage

pytestmark = LITELLM_WARNINGS

KEY = "sk-user-secret-0123456789"
MESSAGES = (PayloadMessage("system", "Be brief."), PayloadMessage("user", "Grüße — where is it?"))
REQUEST = ModelRequest(MESSAGES, 500, "where is it?")
QUICK = Deadlines(connect_seconds=5.0, first_token_seconds=0.6, idle_seconds=0.6, total_seconds=20.0)
PATIENT = Deadlines(connect_seconds=10.0, first_token_seconds=30.0, idle_seconds=30.0, total_seconds=60.0)
RETRY = RetryPolicy(first_pause_seconds=0.01, refused_pause_seconds=0.01)


PROCESSES: list[ModelProcess | None] = []
"""Where models are called: None is here."""


@pytest.fixture(scope="module", params=["here", "aside"], autouse=True)
def process(request: pytest.FixtureRequest) -> Iterator[None]:
    PROCESSES[:] = [ModelProcess() if request.param == "aside" else None]
    yield
    for one in PROCESSES:
        if one is not None:
            one.close()


@pytest_asyncio.fixture
async def server() -> AsyncGenerator[ScriptedServer, None]:
    async with serving(ScriptedServer(drip_seconds=0.005)) as running:
        yield running
        await close_clients()


def catalogue(
    api_base: str | None, environment: dict[str, str] | None = None, deadlines: Deadlines = PATIENT
) -> Catalogue:
    return Catalogue(
        api_base=api_base,
        context_tokens=None,
        environment=environment or {},
        navigator=lambda: Navigator(HandMadeGraph(), read_text),
        deadlines=deadlines,
        retry=RETRY,
        process=PROCESSES[0],
    )


def scripted(server: ScriptedServer, script: str, deadlines: Deadlines = PATIENT, key: str = KEY) -> StreamingModel:
    environment = {"OPENAI_API_KEY": key} if key else {}
    return catalogue(server.base_url, environment, deadlines).open(f"openai/script-{script}")


async def reply(model: StreamingModel) -> tuple[str, ReplyEnd]:
    chunks = [chunk async for chunk in model.stream(REQUEST)]
    end = chunks[-1]
    assert isinstance(end, ReplyEnd)
    texts = [chunk.text for chunk in chunks[:-1] if isinstance(chunk, TextChunk)]
    assert len(chunks) - 1 == len(texts) + sum(isinstance(chunk, RetryPause) for chunk in chunks)
    return "".join(texts), end


async def failed(model: StreamingModel) -> tuple[str, ModelError]:
    """Return the text that came before the error, and the error."""
    texts: list[str] = []

    async def read() -> None:
        async for chunk in model.stream(REQUEST):
            if not isinstance(chunk, RetryPause):
                assert isinstance(chunk, TextChunk)
                texts.append(chunk.text)

    with pytest.raises(ModelError) as caught:
        await read()
    return "".join(texts), caught.value


async def test_a_reply_streams_with_the_tokens_the_provider_counted(server: ScriptedServer) -> None:
    assert ("All is well.", ReplyEnd(FinishReason.STOP, 7, 3)) == await reply(scripted(server, "fixed"))


async def test_what_a_provider_did_not_count_is_not_made_up(server: ScriptedServer) -> None:
    assert ("All is well.", ReplyEnd(FinishReason.STOP)) == await reply(scripted(server, "uncounted"))


async def test_markdown_arrives_byte_for_byte(server: ScriptedServer) -> None:
    assert MARKDOWN == (await reply(scripted(server, "markdown")))[0]


async def test_a_character_in_two_halves_arrives_whole_and_half_of_one_as_a_sign_for_that(
    server: ScriptedServer,
) -> None:
    said = "A \N{GRINNING FACE} and half of one: \N{REPLACEMENT CHARACTER}."
    assert said == (await reply(scripted(server, "halves")))[0]


async def test_the_request_holds_the_messages_the_limit_and_nothing_of_ours_besides(server: ScriptedServer) -> None:
    await reply(scripted(server, "fixed"))
    body = server.requests[0].body
    assert [{"role": one.role, "content": one.content} for one in MESSAGES] == server.requests[0].messages
    assert {"model": "script-fixed", "max_tokens": 500, "stream": True, "stream_options": {"include_usage": True}} == {
        name: value for name, value in body.items() if name != "messages"
    }
    assert f"Bearer {KEY}" == server.requests[0].headers["Authorization"]


async def test_a_local_server_needs_no_key(server: ScriptedServer) -> None:
    assert "All is well." == (await reply(scripted(server, "fixed", key="")))[0]
    assert "Bearer no-key-needed" == server.requests[0].headers["Authorization"]


async def test_a_known_model_has_a_cost(server: ScriptedServer) -> None:
    server.default_script = "fixed"
    model = catalogue(server.base_url).open("openai/gpt-4o")
    end = (await reply(model))[1]
    assert end.cost == pytest.approx(7 * 2.5e-06 + 3 * 1e-05)


@pytest.mark.parametrize(
    ("script", "text", "finish"),
    [
        ("length", "This goes on and", FinishReason.LENGTH),
        ("filtered", "I would say", FinishReason.CONTENT_FILTER),
    ],
)
async def test_the_provider_says_how_a_reply_ended(
    server: ScriptedServer, script: str, text: str, finish: FinishReason
) -> None:
    got, end = await reply(scripted(server, script))
    assert (text, finish) == (got, end.finish_reason)


@pytest.mark.parametrize(("script", "text"), [("cut", "The first half of"), ("no-finish", "Half an answer")])
async def test_a_stream_that_ends_without_a_finish_is_cut_and_its_usage_unknown(
    server: ScriptedServer, script: str, text: str
) -> None:
    assert (text, ReplyEnd(FinishReason.CUT)) == await reply(scripted(server, script))


@pytest.mark.parametrize(
    ("script", "error", "words", "requests"),
    [
        ("bad-key", ModelKeyError, "refused the key (401)", 1),
        ("forbidden", ModelKeyError, "with this key (403)", 1),
        ("unpaid", ModelKeyError, "has no credit left", 1),
        ("not-found", ModelUnknownError, "knows no model 'openai/script-not-found'", 1),
        ("overflow", ModelOverflowError, "is longer than 'openai/script-overflow' can read", 1),
        ("too-long", ModelOverflowError, "is longer than 'openai/script-too-long' can read", 1),
        ("bad-request", ModelError, "refused the request (400): \"Unsupported parameter: 'max_tokens'\"", 1),
        ("busy-forever", ModelBusyError, "limits the rate of requests (429)", 3),
        ("server-error", ModelBusyError, 'failed with status 500: "internal error"', 3),
        ("html-502", ModelBusyError, "failed with status 502.", 3),
        ("abort", ModelUnreachableError, "broke before the reply was complete", 3),
        ("empty", EmptyReplyError, "sent an empty reply", 1),
        ("empty-choices", ModelReplyError, "sent an empty reply", 1),
        ("not-a-chat", ModelReplyError, "sent something that is no chat reply", 1),
        ("length-only", ModelReplyError, "reached its output limit before it wrote a word", 1),
        ("repeat", ModelReplyError, "kept repeating itself", 1),
    ],
)
async def test_each_refusal_is_one_error_told_by_its_cause(
    server: ScriptedServer, script: str, error: type[ModelError], words: str, requests: int
) -> None:
    _, caught = await failed(scripted(server, script))
    assert error is type(caught)
    assert words in str(caught)
    assert caught.hint
    assert requests == len(server.requests)
    # The library's own error stays where the call was made.
    assert PROCESSES[0] is not None or caught.__cause__ is not None or issubclass(error, ModelReplyError)


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        ("reset", ModelUnreachableError, "broke before the reply was complete"),
        ("bad-json", ModelReplyError, "broke off: what it sent next can't be read"),
        ("bad-utf8", ModelReplyError, "bytes that are no UTF-8"),
        ("stream-error", ModelReplyError, 'reported an error: "the engine fell over"'),
    ],
)
async def test_a_failure_in_the_middle_keeps_the_text_and_is_not_tried_again(
    server: ScriptedServer, script: str, error: type[ModelError], words: str
) -> None:
    text, caught = await failed(scripted(server, script))
    assert ("The first half of", error, 1) == (text, type(caught), len(server.requests))
    assert words in str(caught)


@pytest.mark.parametrize(
    ("script", "text", "words"),
    [
        ("hang", "", "did not begin to answer in 0.6 s"),
        ("hang-after-head", "", "did not begin to answer in 0.6 s"),
        ("stall", "The first half of", "has sent nothing for 0.6 s"),
    ],
)
async def test_silence_ends_at_the_deadline_with_one_request(
    server: ScriptedServer, script: str, text: str, words: str
) -> None:
    got, caught = await failed(scripted(server, script, QUICK))
    assert (text, ModelUnreachableError, 1) == (got, type(caught), len(server.requests))
    assert words in str(caught)
    await asyncio.wait_for(server.hung_up.wait(), 5)


async def test_an_endless_drip_ends_at_the_total_deadline(server: ScriptedServer) -> None:
    deadlines = Deadlines(first_token_seconds=5.0, idle_seconds=5.0, total_seconds=1.0)
    text, caught = await failed(scripted(server, "drip", deadlines))
    assert text.startswith("word0 word1 ")
    assert "took more than 1 s" in str(caught)


async def test_a_busy_server_is_asked_again_when_it_says(server: ScriptedServer) -> None:
    assert "All is well." == (await reply(scripted(server, "busy")))[0]
    assert 2 == len(server.requests)


async def test_a_server_that_asks_for_more_than_a_minute_is_not_waited_for(server: ScriptedServer) -> None:
    server.retry_after = "3600"
    _, caught = await failed(scripted(server, "busy-forever"))
    assert "It asks to wait 60 minutes." in str(caught)
    assert 1 == len(server.requests)


async def test_an_overloaded_server_gets_three_attempts(server: ScriptedServer) -> None:
    assert "All is well." == (await reply(scripted(server, "flaky")))[0]
    assert 3 == len(server.requests)


async def first_chunks(model: StreamingModel, count: int) -> list[ModelChunk]:
    async with aclosing(model.stream(REQUEST)) as chunks:
        return [await anext(chunks) for _ in range(count)]


async def test_a_pause_before_the_next_attempt_is_told_as_it_begins(server: ScriptedServer) -> None:
    server.retry_after = "0.01"
    paused = RetryPause(DelayReason.RATE_LIMIT, 0.01, 2, 3)
    assert [paused, TextChunk("All ")] == await first_chunks(scripted(server, "busy"), 2)
    pauses = [one for one in await first_chunks(scripted(server, "flaky"), 2) if isinstance(one, RetryPause)]
    assert [(DelayReason.OVERLOADED, 2, 3), (DelayReason.OVERLOADED, 3, 3)] == [
        (one.reason, one.attempt, one.attempts) for one in pauses
    ]


async def test_a_pause_for_a_minute_can_be_left_at_once(server: ScriptedServer) -> None:
    server.retry_after = "59"
    paused = RetryPause(DelayReason.RATE_LIMIT, 59.0, 2, 3)
    assert [paused] == await first_chunks(scripted(server, "busy-forever"), 1)
    assert 1 == len(server.requests)


async def test_a_local_server_that_is_not_there_is_told_to_get_one_more_attempt() -> None:
    async with serving() as gone:
        address = gone.base_url
    paused = RetryPause(DelayReason.NOTHING_ANSWERS, 0.01, 2, 2)
    assert [paused] == await first_chunks(catalogue(address).open("openai/x"), 1)


async def test_closing_the_stream_ends_the_request(server: ScriptedServer) -> None:
    async with aclosing(scripted(server, "drip").stream(REQUEST)) as chunks:
        assert TextChunk("word0 ") == await anext(chunks)
    await asyncio.wait_for(server.hung_up.wait(), 1)


@pytest.mark.parametrize("script", ["hang", "hang-after-head", "stall", "drip"])
async def test_cancelling_the_task_ends_the_request(server: ScriptedServer, script: str) -> None:
    task = asyncio.create_task(reply(scripted(server, script)))
    await asyncio.wait_for(server.opened.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.hung_up.wait(), 1)


async def test_no_error_shows_the_key(server: ScriptedServer) -> None:
    for script in ("bad-key", "quote-key"):
        _, caught = await failed(scripted(server, script))
        assert KEY not in f"{caught} {caught.hint}"


async def test_a_refused_local_connection_names_the_address_and_gets_one_retry(server: ScriptedServer) -> None:
    async with serving() as gone:
        address = gone.base_url
    _, caught = await failed(catalogue(address).open("openai/x"))
    assert (ModelUnreachableError, f"Nothing answers at {address}.") == (type(caught), str(caught))
    assert "Start the model server there" in caught.hint


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1/v1", "http://"])
async def test_an_address_that_is_no_url_is_told(address: str) -> None:
    _, caught = await failed(catalogue(address).open("openai/x"))
    assert ModelUnreachableError is type(caught)


async def test_a_missing_key_names_its_variable_before_anything_is_sent() -> None:
    _, caught = await failed(catalogue(None).open("anthropic/claude-sonnet-4-5"))
    assert ModelKeyError is type(caught)
    assert "'anthropic/claude-sonnet-4-5' needs a key, and ANTHROPIC_API_KEY is not set." == str(caught)


async def test_an_unknown_provider_is_told() -> None:
    _, caught = await failed(catalogue(None).open("nobody/knows"))
    assert ModelUnknownError is type(caught)
    assert "No provider is known for the model 'nobody/knows'" in str(caught)
    assert "'nobody' is none. Write one before it: openai/knows" in caught.hint


async def test_notices_tell_of_a_missing_key_and_a_guessed_window() -> None:
    models = catalogue(None)
    lines = await asyncio.to_thread(models.notices, models.open("openai/my-own"))
    guessed = "The context length of openai/my-own is not known: 8,192 tokens are assumed."
    action = "Say it with context_tokens in settings.toml or CTXCODE_CONTEXT."
    assert ("openai/my-own needs a key: OPENAI_API_KEY is not set.", f"{guessed} {action}") == lines


async def test_two_replies_at_once_do_not_mix(server: ScriptedServer) -> None:
    first, second = await asyncio.gather(reply(scripted(server, "fixed")), reply(scripted(server, "markdown")))
    assert ("All is well.", MARKDOWN) == (first[0], second[0])
