"""What is made once for as long as what it is made of stays the same: most requests are planned several times."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from ctxcode.model.canonical import text_hash
from ctxcode.model.ids import TextHash

ValueT = TypeVar("ValueT")


class Once(Generic[ValueT]):
    """Keeps the last value and what it was made of. Any thread may call."""

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], ValueT] | None = None

    def of(self, parts: tuple[object, ...], make: Callable[[], ValueT]) -> ValueT:
        """Return what ``make`` makes of these parts, which are compared with the last ones."""
        last = self._last
        if last is None or last[0] != parts:
            last = self._last = parts, make()
        return last[1]


def digests(lines: Mapping[str, Sequence[str]], paths: Collection[str]) -> dict[str, TextHash]:
    """Return a digest of each of these files, which are compared at less cost than their lines."""
    return {path: text_hash("\n".join(rows)) for path, rows in lines.items() if path in paths}
