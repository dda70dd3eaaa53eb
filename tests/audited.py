"""Steps of a process's work with files as they happen. Audit hooks are for ever, so there is one, and none before."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

_listening: list[Callable[[str], None]] = []


@contextmanager
def audited(hear: Callable[[str], None]) -> Iterator[None]:
    """Tell of each step, by its name, before it is done; what is raised then is raised there."""
    _begin()
    _listening.append(hear)
    try:
        yield
    finally:
        _listening.remove(hear)


@cache
def _begin() -> None:
    # At the end of the process nothing is left of a module but its functions.
    listening = _listening

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        del arguments
        for hear in listening:
            hear(event)

    sys.addaudithook(hook)
