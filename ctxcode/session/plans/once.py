"""What is made once for as long as what it is made of stays the same: most requests are planned several times."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from ctxcode.model.canonical import text_hash
from ctxcode.model.ids import TextHash

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


def digests(lines: Mapping[str, Sequence[str]], paths: Collection[str]) -> dict[str, TextHash]:
    """Return a digest of each of these files, which are compared at less cost than their lines."""
    return {path: text_hash("\n".join(rows)) for path, rows in lines.items() if path in paths}
