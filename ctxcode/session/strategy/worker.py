"""Runs what other people wrote: a strategy that fails, hangs or answers nonsense costs nothing but itself."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from ctxcode.context.strategies.offered import complaint
from ctxcode.context.strategies.port import Completed, ComposeRequest, ContextStrategy, Memory, Proposal, Writer
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.model.errors import CtxcodeError, ModelError

_Value = TypeVar("_Value")

log = logging.getLogger(__name__)

COMPOSE_SECONDS = 5.0
REMEMBER_SECONDS = 120.0
"""A model writes meanwhile."""
_LONGEST_MEMORY = 200_000
_LONGEST_SENTENCE = 200


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a package offered."""

    package: str
    value: object = None
    wrong: str = ""
    """Why it could not be loaded."""


def loaded(load: Callable[[], object], package: str) -> Loaded:
    """Return what a plug-in's entry point leads to, or why it leads nowhere."""
    try:
        return Loaded(package, load())
    except (Exception, SystemExit) as error:
        log.exception("strategy of %s", package)
        return Loaded(package, wrong=_sentence(error))


def composed(strategy: ContextStrategy, request: ComposeRequest) -> tuple[Proposal, str]:
    """Return a sound proposal, and why it is the window's when the strategy's could not be used.

    Runs the strategy to its end in this thread, which must not be one with a running event loop.
    """
    try:
        # Ours may read a long conversation once; strangers get a few seconds.
        if _is_ours(strategy):
            proposal = asyncio.run(strategy.compose(request))
        else:
            proposal = _apart(partial(strategy.compose, request)).result(COMPOSE_SECONDS)
        wrong = _complaint(proposal, request)
    except TimeoutError:
        wrong = f"it took more than {COMPOSE_SECONDS:.0f} seconds"
    except (Exception, SystemExit) as error:
        log.exception("strategy %s", strategy.name)
        wrong = _sentence(error)
    if not wrong:
        return proposal, ""
    return SlidingWindow().proposal(request), f"The strategy {strategy.name!r} failed: {wrong}."


async def remembered(strategy: ContextStrategy, done: Completed) -> tuple[Memory | None, str]:
    """Return what a strategy wants remembered, and why it is nothing when it failed."""
    try:
        if _is_ours(strategy):
            remembering: Awaitable[Memory | None] = strategy.on_turn_complete(done)
        else:
            across = replace(done, write=_Across(done.write, asyncio.get_running_loop()))
            remembering = asyncio.wrap_future(_apart(partial(strategy.on_turn_complete, across)))
        memory = await asyncio.wait_for(remembering, REMEMBER_SECONDS)
    except TimeoutError:
        return None, f"it took more than {REMEMBER_SECONDS:.0f} seconds"
    except CtxcodeError as error:
        return None, " ".join(part for part in (str(error), error.hint) if part)
    except (Exception, SystemExit) as error:
        log.exception("strategy %s", strategy.name)
        return None, _sentence(error)
    if memory is None:
        return None, ""
    is_sound = _is_sound(memory, done.history[-1].number if done.history else 0)
    return (memory, "") if is_sound else (None, "what it wants to remember can't be kept")


def _is_ours(strategy: ContextStrategy) -> bool:
    return type(strategy).__module__.startswith("ctxcode.")


@dataclass(frozen=True, slots=True)
class _Across:
    """A writer for a strategy that runs in a loop of its own: the model writes in the session's."""

    write: Writer
    loop: asyncio.AbstractEventLoop

    async def __call__(self, instruction: str, text: str, *, model: str = "") -> str:
        """Return what the model wrote."""

        async def written() -> str:
            return await self.write(instruction, text, model=model)

        if self.loop.is_closed():
            raise ModelError("The session has ended.", "Nothing is written any more.")
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(written(), self.loop))


def _apart(work: Callable[[], Coroutine[Any, Any, _Value]]) -> "Future[_Value]":
    """Return what becomes of work in a thread of its own, where it may block for ever without holding anybody up."""
    future: Future[_Value] = Future()

    def run() -> None:
        # Whoever waited may have given up by now.
        with suppress(InvalidStateError):
            try:
                future.set_result(asyncio.run(work()))
            except BaseException as error:  # noqa: BLE001 - whatever a stranger raises is handed to who waits
                future.set_exception(error)

    threading.Thread(target=run, name="strategy", daemon=True).start()
    return future


def _complaint(proposal: object, request: ComposeRequest) -> str:
    return complaint(proposal, request) if isinstance(proposal, Proposal) else "it returned no Proposal"


def _is_sound(memory: object, newest: int) -> bool:
    """Tell whether a memory can be stored: strangers promise types, nothing more."""
    if not isinstance(memory, Memory):
        return False
    parts: tuple[object, object, object] = (memory.text, memory.note, memory.through)
    match parts:
        case str(text), str(), int(through):
            return 0 <= through <= newest and len(text) <= _LONGEST_MEMORY
    return False


def _sentence(error: BaseException) -> str:
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}"[:_LONGEST_SENTENCE] if said else type(error).__name__
