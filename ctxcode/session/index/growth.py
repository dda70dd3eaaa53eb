"""When an index that is still being built is worth publishing as it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LEAST_SECONDS = 15.0
"""Whoever waits this long at most waits for all of it."""
_SHARE = 4
"""Beside so many seconds one is spent on joining what will be joined again."""


class Growth:
    """Says of one refresh when to publish what is parsed so far: seldom enough to cost a fifth of its time at most."""

    def __init__(self, clock: Callable[[], float], size_bytes: int) -> None:
        """Take what counts seconds, and the source bytes there are to be parsed."""
        self._clock = clock
        self._size_bytes = size_bytes
        self._begun = self._published = clock()
        self._spent = self._last_cost = 0.0
        self._last_bytes = 0

    def is_due(self, left_bytes: int) -> bool:
        """Return whether somebody may have waited long enough, and would wait as long again, with these bytes left."""
        now, done_bytes = self._clock(), self._size_bytes - left_bytes
        parsing = now - self._begun - self._spent
        # Joining takes about as much longer as there is more to join.
        cost = self._last_cost * done_bytes / self._last_bytes if self._last_bytes else 0.0
        left = parsing * left_bytes / done_bytes if done_bytes else 0.0
        return min(now - self._published, left) >= max(_LEAST_SECONDS, _SHARE * cost)

    @contextmanager
    def publishing(self, left_bytes: int) -> Iterator[None]:
        """Note what a publication costs that is done meanwhile."""
        begun = self._clock()
        yield
        self._published = self._clock()
        self._last_cost, self._last_bytes = self._published - begun, self._size_bytes - left_bytes
        self._spent += self._last_cost
