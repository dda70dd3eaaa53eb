"""When Python looks for garbage: not while somebody types or an answer streams."""

import ctypes
import gc
import threading
import time
from collections.abc import Callable
from contextlib import suppress

THRESHOLDS = (5_000, 5, 500)
"""Young objects are looked at often and quickly; all of them, which takes long, nearly never by itself."""
IDLE_SECONDS = 8.0
_LONG_SECONDS = 0.04


def return_memory() -> None:
    """Give memory that is free back to the system; the GNU C library keeps hundreds of megabytes after indexing."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


class IdleCollector:
    """Looks for garbage once after each time something happened, when nothing has for a while.

    With a language model's library and a large index in memory, looking at every object takes half a second. What
    survives a long look is set aside, so that the next one is short.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        collect: Callable[[], object] = gc.collect,
        give_back: Callable[[], object] = return_memory,
    ) -> None:
        self._clock = clock
        self._collect = collect
        self._give_back = give_back
        self._busy_at = clock()
        self._is_due = True

    def begin(self) -> None:
        """Leave the full search to idle moments from now on."""
        gc.set_threshold(*THRESHOLDS)

    def touched(self) -> None:
        """Something happened."""
        self._busy_at, self._is_due = self._clock(), True

    def tick(self) -> None:
        """Look for garbage when it is time to."""
        if not self._is_due or self._clock() - self._busy_at < IDLE_SECONDS:
            return
        self._is_due = False
        started = self._clock()
        self._collect()
        if self._clock() - started > _LONG_SECONDS:
            gc.freeze()
        threading.Thread(target=self._give_back, name="memory", daemon=True).start()
