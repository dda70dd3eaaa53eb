"""When Python looks for garbage: not while somebody types or an answer streams."""

import ctypes
import gc
import threading
import time
from collections.abc import Callable
from contextlib import suppress

THRESHOLDS = (2_000, 10, 5_000)
"""Young objects are looked at often and quickly; what outlived that, which takes longer, nearly never by itself."""
IDLE_SECONDS = 8.0
LOOK_SECONDS = 0.25
"""Between two times that it is asked what there is to do."""
PAUSE_SECONDS = 0.5
"""Between two keys, for a look at what outlived the first one: a few milliseconds that no key waits for."""
_GROWN = 5
"""Looks at the young since the last such look, from which another is worth it."""
_LONG_SECONDS = 0.04
_MANY_LOOKS = 3
_MOST_OBJECTS = 30_000
"""Looking through so many takes some ten milliseconds."""
_TOO_MANY = 80_000
"""So many came at once: a long text that is shown, which goes without being looked for when it is no longer shown."""


def return_memory() -> None:
    """Give memory that is free back to the system; the GNU C library keeps hundreds of megabytes after indexing."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def collect_grown() -> None:
    """Look through what outlived its first look, when there is enough of it."""
    if gc.get_count()[1] >= _GROWN:
        gc.collect(1)


def outlived() -> int:
    """Return how many objects outlived their looks and wait for a full search; 0 when it can't be many.

    Their list is gone before another thread goes on: one that makes a tuple could not end it while we hold it too
    (https://github.com/python/cpython/issues/39117). Python changes threads between its instructions; here is one.
    """
    return next(map(len, map(gc.get_objects, (2,)))) if gc.get_count()[2] >= _MANY_LOOKS else 0


class IdleCollector:
    """Looks for garbage once after each time something happened, when nothing has for a while.

    With a language model's library and a large index in memory, looking at every object takes half a second. What
    survives a long look is set aside, so that the next one is short. Where much happens without a rest, as when a
    window is dragged, what has come together is looked through now and then: all of it at once would hold up a key.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        collect: Callable[[], object] = gc.collect,
        give_back: Callable[[], object] = return_memory,
        collect_grown: Callable[[], object] = collect_grown,
        outlived: Callable[[], int] = outlived,
    ) -> None:
        self._clock = clock
        self._collect = collect
        self._give_back = give_back
        self._collect_grown = collect_grown
        self._outlived = outlived
        self._busy_at = self._pressed_at = clock()
        self._is_due = True

    def begin(self) -> None:
        """Leave the full search to idle moments from now on."""
        gc.set_threshold(*THRESHOLDS)

    def touched(self) -> None:
        """Something happened."""
        self._busy_at, self._is_due = self._clock(), True

    def pressed(self) -> None:
        """Somebody types, or moves the mouse."""
        self.touched()
        self._pressed_at = self._busy_at

    def tick(self) -> None:
        """Look for garbage when it is time to."""
        if self._clock() - self._pressed_at >= PAUSE_SECONDS:
            self._collect_grown()
        waiting = self._outlived()
        if waiting > _MOST_OBJECTS:
            if waiting < _TOO_MANY:
                self._collect()
            gc.freeze()
        if not self._is_due or self._clock() - self._busy_at < IDLE_SECONDS:
            return
        self._is_due = False
        started = self._clock()
        self._collect()
        if self._clock() - started > _LONG_SECONDS:
            gc.freeze()
        threading.Thread(target=self._give_back, name="memory", daemon=True).start()
