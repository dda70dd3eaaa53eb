"""Runs what other people wrote: a strategy that fails, hangs or answers nonsense costs nothing but itself."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from ctxcode.context.strategies.offered import complaint
from ctxcode.context.strategies.port import Completed, ComposeRequest, ContextStrategy, Memory, Proposal
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.model.errors import CtxcodeError

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
    # Ours may read a long conversation once; strangers get a few seconds.
    seconds = None if type(strategy).__module__.startswith("ctxcode.") else COMPOSE_SECONDS
    try:
        proposal = asyncio.run(asyncio.wait_for(strategy.compose(request), seconds))
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
        memory = await asyncio.wait_for(strategy.on_turn_complete(done), REMEMBER_SECONDS)
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
