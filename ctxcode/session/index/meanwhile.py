"""What goes on while an index is refreshed: other work beside it, and little looking for garbage."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_COLLECTED_AFTER = 400_000
"""New objects; after the tenth of such looks all of them are looked at again."""


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Run something in another thread meanwhile; what it raises is raised at the end."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a question on an up-to-date index does without

    with ThreadPoolExecutor(1, "ctxcode-beside") as threads:
        running = threads.submit(work)
        yield
        running.result()


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the garbage collector look seldom: facts are a million tuples without circles, and a fifth of the time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_COLLECTED_AFTER, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
