"""A key that does more when it is pressed twice in a row."""

from dataclasses import dataclass

TWICE_SECONDS = 1.5


@dataclass(slots=True)
class Twice:
    """Whether the same key came right before, and not long ago; every key is told to it first."""

    _until: float = 0.0
    _keys: int = 0
    """How many were pressed since."""

    def key_pressed(self, now: float) -> bool:
        """Take note of a key; return whether the first press counts no longer once this key has been dealt with."""
        self._keys += 1
        return self._keys == 1 and now <= self._until

    def is_second(self, now: float) -> bool:
        """Return whether the key of which this is told is the second; if not, it is the first."""
        is_second = self._keys == 1 and now <= self._until
        self._keys, self._until = 0, 0.0 if is_second else now + TWICE_SECONDS
        return is_second
