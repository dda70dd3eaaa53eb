"""What is made once for as long as what it is made of stays the same: most requests are planned several times."""

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class Once(Generic[ValueT]):
    """Keeps the last values and what they were made of. Any thread may call."""

    def __init__(self, most: int = 1) -> None:
        """Keep so many values at most."""
        self._most = most
        self._kept: tuple[tuple[tuple[object, ...], ValueT], ...] = ()
        """The newest first."""

    def of(self, parts: tuple[object, ...], make: Callable[[], ValueT]) -> ValueT:
        """Return what ``make`` makes of these parts, which are compared with those of what is kept."""
        kept = self._kept
        for known, value in kept:
            if known == parts:
                return value
        made = make()
        self._kept = ((parts, made), *kept[: self._most - 1])
        return made


class OnceRead(Generic[ValueT]):
    """The same of what is made of some of many things to be read: which ones, is known when it is made."""

    def __init__(self, most: int = 1) -> None:
        """Keep so many values at most."""
        self._most = most
        self._kept: tuple[tuple[tuple[object, ...], Mapping[str, object], ValueT], ...] = ()
        """The newest first, each with what was read."""

    def of(
        self,
        parts: tuple[object, ...],
        readable: Mapping[str, object],
        make: Callable[[], tuple[ValueT, Collection[str] | None]],
    ) -> ValueT:
        """Return what ``make`` makes of these parts; it says what it has looked for among what is readable.

        None when the parts have changed meanwhile: that is not kept.
        """
        kept = self._kept
        for known, read, value in kept:
            if known == parts and all(readable.get(name) == said for name, said in read.items()):
                return value
        made, names = make()
        if names is not None:
            self._kept = ((parts, {name: readable.get(name) for name in names}, made), *kept[: self._most - 1])
        return made
