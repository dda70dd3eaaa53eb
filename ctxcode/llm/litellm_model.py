"""A chat model behind litellm: one streamed request, with our own deadlines, retries and errors."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from random import random
from typing import Any, TypeVar

from ctxcode.llm import litellm_library
from ctxcode.llm.litellm_library import Library
from ctxcode.llm.model_failure import Target, failure_of, missing_key
from ctxcode.llm.price_list import ModelFacts
from ctxcode.llm.providers import Endpoint
from ctxcode.llm.retry import Deadlines, RetryPolicy
from ctxcode.llm.tool_stream import CallAssembler, said_in
from ctxcode.llm.wire.call_ids import fitted, shape_of
from ctxcode.llm.wire.surrogates import SurrogateJoiner
from ctxcode.model.chat import (
    FinishReason,
    ModelChunk,
    ModelRequest,
    ReplyEnd,
    RetryPause,
    TextChunk,
    ToolCallBegun,
    WrittenCall,
)
from ctxcode.model.conversation import ModelInfo
from ctxcode.model.errors import EmptyReplyError, ModelReplyError, ModelUnreachableError
from ctxcode.model.plan import Payload

_FINISH = {"length": FinishReason.LENGTH, "content_filter": FinishReason.CONTENT_FILTER}
_CLOSE_SECONDS = 0.8
_TAIL_SECONDS = 5.0
"""How long to wait for what may follow the end of a reply: the tokens that were counted."""
MOST_REPLY_CHARS = 10_000_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Clock:
    """The deadlines of one request, on the event loop's clock."""

    deadlines: Deadlines
    name: str
    ends_at: float

    async def first(self, waiting: Awaitable[T], started_at: float) -> T:
        """Wait for something that must come before the first text."""
        limit = self.deadlines.first_token_seconds
        return await self._until(waiting, started_at + limit, f"{self.name!r} did not begin to answer in {limit:g} s.")

    async def next(self, waiting: Awaitable[T]) -> T:
        """Wait for the next piece."""
        limit = self.deadlines.idle_seconds
        now = asyncio.get_running_loop().time()
        return await self._until(waiting, now + limit, f"{self.name!r} has sent nothing for {limit:g} s.")

    async def whole(self, waiting: Awaitable[T], _: float = 0.0) -> T:
        """Wait for a reply that comes in one piece."""
        return await self._until(waiting, self.ends_at, "")

    async def last(self, waiting: Awaitable[T | None]) -> T | None:
        """Wait a little for what may follow the end; None when nothing does."""
        now = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(min(self.ends_at, now + _TAIL_SECONDS)) as scope:
                return await waiting
        except TimeoutError:
            if not scope.expired():
                raise
            return None

    async def _until(self, waiting: Awaitable[T], deadline: float, message: str) -> T:
        if self.ends_at <= deadline:
            deadline, message = self.ends_at, f"{self.name!r} took more than {self.deadlines.total_seconds:g} s."
        try:
            async with asyncio.timeout_at(deadline) as scope:
                return await waiting
        except TimeoutError as error:
            if not scope.expired():
                raise
            raise ModelUnreachableError(message, "Send the message again, or choose another model.") from error


class LitellmModel:
    """Any model litellm knows, or an OpenAI-compatible server at an address."""

    def __init__(
        self,
        info: ModelInfo,
        endpoint: Endpoint,
        facts: ModelFacts | None = None,
        *,
        deadlines: Deadlines | None = None,
        retry: RetryPolicy | None = None,
        chance: Callable[[], float] = random,
    ) -> None:
        """Take what is known of the model and where it is reached; nothing is imported or sent yet."""
        self._info = info
        self._target = Target(info.name, endpoint)
        self._facts = facts
        self._deadlines = deadlines or Deadlines()
        self._retry = retry or RetryPolicy()
        self._chance = chance
        self._streams = True
        """False once the server has answered a request for a stream in one piece."""
        self._wants_thoughts = False
        """True once the server has refused replies without what was thought before them."""

    @property
    def info(self) -> ModelInfo:
        """What is known of the model without asking it."""
        return self._info

    @property
    def endpoint(self) -> Endpoint:
        """Where its requests go."""
        return self._target.endpoint

    def warm_up(self) -> None:
        """Import litellm; blocks for seconds, so call it in a thread. Raises ModelError."""
        litellm_library.load()

    def check(self) -> None:
        """Ask litellm whether it knows how to call the model; blocks for seconds when it is not loaded yet.

        Raises ModelUnknownError where it knows no provider, and ModelError when it can't be asked.
        """
        library = litellm_library.load()
        name, address = self._target.name, self._target.endpoint.api_base
        try:
            library.module.get_llm_provider(model=name, api_base=address)
        except library.failures as error:
            raise failure_of(error, self._target).error from error

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Yield the reply's pieces, then one ReplyEnd.

        Closing the generator or cancelling its task closes the connection. Attempts are repeated only until the
        first text; each pause before one is told as it begins. Raises ModelError.
        """
        if self._target.endpoint.is_missing_key:
            raise missing_key(self._target)
        library = await asyncio.to_thread(litellm_library.load)
        loop = asyncio.get_running_loop()
        clock = _Clock(self._deadlines, self._info.name, loop.time() + self._deadlines.total_seconds)
        for attempt in range(self._retry.attempts):
            has_begun = False
            try:
                async with aclosing(self._streamed(library, request, clock)) as chunks:
                    async for chunk in chunks:
                        has_begun = True
                        yield chunk
            except library.failures as error:
                failure = failure_of(error, self._target, has_begun=has_begun)
                if failure.wants_thoughts and not self._wants_thoughts and attempt + 1 < self._retry.attempts:
                    self._wants_thoughts = True
                    continue
                is_local = self._target.endpoint.is_local
                pause = self._retry.pause(failure, attempt, self._chance(), is_local=is_local)
                if has_begun or failure.transient is None or pause is None or loop.time() + pause >= clock.ends_at:
                    raise failure.error from error
                most = self._retry.most_attempts(failure, is_local=is_local)
                waits = RetryPause(failure.transient, pause, attempt + 2, most)
            else:
                return
            yield waits
            await asyncio.sleep(waits.seconds)

    async def _streamed(
        self, library: Library, request: ModelRequest, clock: _Clock
    ) -> AsyncGenerator[ModelChunk, None]:
        """Yield one attempt's pieces and its end; notes when the server answers in one piece."""
        started_at = asyncio.get_running_loop().time()
        # One that answers in one piece is silent until all of it is written.
        first = clock.first if self._streams else clock.whole
        source = await first(library.module.acompletion(**self._arguments(library, request)), started_at)
        has_text = is_thinking = has_words = False
        calls, surrogates, chars = CallAssembler(), SurrogateJoiner(), 0
        usage: Any = None
        try:
            pieces = aiter(source)
            while True:
                coming = anext(pieces, None)
                if _finish_reason(source) is not None:
                    piece = await clock.last(coming)
                else:
                    piece = await (clock.next(coming) if has_text or is_thinking else first(coming, started_at))
                usage = getattr(piece, "usage", None) or usage
                text = surrogates.feed(_text_of(piece)) if piece is not None else surrogates.finish()
                if not is_thinking and not text and _is_thought(piece):
                    is_thinking = True
                    yield TextChunk("")
                if text:
                    has_text, has_words, chars = True, has_words or bool(text.strip()), chars + len(text)
                    yield TextChunk(text)
                for name in calls.take(piece):
                    has_text = True
                    yield ToolCallBegun(name)
                if calls.is_too_much or chars > MOST_REPLY_CHARS:
                    raise self._endless("tool calls" if calls.is_too_much else "a reply")
                if piece is None:
                    break
            self._streams = not _is_in_one_piece(source)
            # litellm estimates the usage of a stream that brought none, so only what a piece really carried counts.
            is_reported = any(getattr(piece, "usage", None) is not None for piece in source.chunks)
            written = calls.written() or _unreadable(source)
            end = self._end(_finish_reason(source), usage if is_reported else None, written)
            is_thought = is_thinking and not has_words and not written and end.finish_reason is FinishReason.STOP
            if not has_text and not written and not is_thought and end.finish_reason is not FinishReason.CONTENT_FILTER:
                raise self._empty_reply(end.finish_reason, is_thinking=is_thinking)
            yield replace(end, is_thought=is_thought)
        finally:
            with suppress(TimeoutError, *library.failures):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await source.aclose()

    def _arguments(self, library: Library, request: ModelRequest) -> dict[str, Any]:
        """Return everything of a call; address and key are always explicit, so litellm looks for none itself."""
        deadlines, endpoint = self._deadlines, self._target.endpoint
        silence = max(deadlines.first_token_seconds, deadlines.idle_seconds)
        messages, shape = request.messages, shape_of(self._info.name, endpoint.provider, endpoint.api_base)
        if shape is not None:
            messages = fitted(messages, shape)
        arguments: dict[str, Any] = {
            "model": self._info.name,
            **Payload(messages, request.tools).wire,
            "max_tokens": request.max_output_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            "drop_params": True,
            "api_base": endpoint.api_base,
            "api_key": endpoint.sent_key,
            "timeout": library.timeout(
                deadlines.connect_seconds, (silence if self._streams else deadlines.total_seconds) + 5.0
            ),
            "max_retries": 0,
            "num_retries": 0,
        }
        if self._wants_thoughts:
            arguments["messages"] = [_with_thoughts(message.wire) for message in messages]
        if request.tools and not request.may_call_tools:
            arguments["tool_choice"] = "none"
        if endpoint.provider.startswith("ollama"):
            # Ollama cuts longer prompts without a word unless the window is asked for.
            arguments["num_ctx"] = self._info.context_tokens
        return arguments

    def _end(self, said: str | None, usage: Any, calls: tuple[WrittenCall, ...]) -> ReplyEnd:
        """Return how the reply ended; ``said`` is the provider's reason, ``usage`` what it counted.

        Both are None for what it did not tell.
        """
        finish = FinishReason.CUT if said is None else _FINISH.get(said, FinishReason.STOP)
        if finish not in (FinishReason.STOP, FinishReason.LENGTH):
            # A call that was cut may look complete.
            calls = ()
        prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        if not prompt or finish is FinishReason.CUT:
            # No prompt is empty: a count of 0 is none.
            return ReplyEnd(finish, calls=calls)
        return ReplyEnd(finish, prompt, completion, self._cost(usage, prompt, completion), calls)

    def _endless(self, what: str) -> ModelReplyError:
        return ModelReplyError(f"{self._info.name!r} sent {what} without end.", "Ask again, or use another model.")

    def _empty_reply(self, finish: FinishReason, *, is_thinking: bool) -> ModelReplyError:
        name = self._info.name
        if finish is FinishReason.LENGTH:
            before = "thought until its output limit and" if is_thinking else "reached its output limit before it"
            hint = "Ask for less at once, or raise output_reserve_tokens in settings.toml."
            return ModelReplyError(f"{name!r} {before} wrote {'no' if is_thinking else 'a'} word.", hint)
        hint = "Send it again, or check that the address belongs to a chat model."
        kind = EmptyReplyError if finish is FinishReason.STOP else ModelReplyError
        return kind(f"{name!r} sent an empty reply.", hint)

    def _cost(self, usage: Any, prompt: int | None, completion: int | None) -> float | None:
        """Return dollars from the bundled price list; None when it does not know the model."""
        prices = self._facts.prices_for(prompt or 0) if self._facts is not None else None
        if prices is None or prompt is None or completion is None:
            return None
        cached = _count(getattr(usage, "prompt_tokens_details", None), "cached_tokens") or 0
        written = _count(usage, "cache_creation_input_tokens") or 0
        return prices.cost(prompt, completion, cached=cached, written=written)


def _with_thoughts(message: dict[str, object]) -> dict[str, object]:
    """Return a message as DeepSeek and Kimi take it while they think: they insist on a field, not on what it holds."""
    return {**message, "reasoning_content": " "} if message["role"] == "assistant" else message


def _text_of(piece: Any) -> str:
    """Return the text of a stream's piece; empty for roles, usage and what else comes by."""
    choices = getattr(piece, "choices", None)
    if not choices:
        return ""
    content = getattr(said_in(choices[0]), "content", None)
    return content if isinstance(content, str) else ""


def _is_thought(piece: Any) -> bool:
    """Whether a stream's piece is of what the model thinks before it answers."""
    choices = getattr(piece, "choices", None)
    return bool(choices and getattr(said_in(choices[0]), "reasoning_content", None))


def _response(source: Any) -> Any:
    """Return the HTTP response behind a stream; None where litellm hides it."""
    return getattr(getattr(source, "completion_stream", None), "response", None)


def _finish_reason(source: Any) -> str | None:
    """Return why the provider says the reply ended; None while it has not said it.

    litellm keeps that for itself where it is Gemini, and says "stop" with every piece.
    """
    stream = getattr(_response(source), "stream", None)
    said = source.received_finish_reason or getattr(stream, "finish", None)
    return None if said is None else str(said)


def _unreadable(source: Any) -> tuple[WrittenCall, ...]:
    """Return a call to be refused in place of one that the provider could not read itself."""
    stream = getattr(_response(source), "stream", None)
    return (WrittenCall("call_unreadable", "unreadable", ""),) if getattr(stream, "is_malformed", False) else ()


def _is_in_one_piece(source: Any) -> bool:
    """Whether a server answered a request for a stream with one JSON object, as its headers say."""
    headers = getattr(_response(source), "headers", None) or {}
    return str(headers.get("content-type", "")).startswith("application/json")


def _count(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
