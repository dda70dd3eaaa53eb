"""Which files say which words, found by the words' hashes: as little memory as the words alone take."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class _Part(NamedTuple):
    """What was added together; one entry per word of a row."""

    hashes: "npt.NDArray[np.int64]"
    """In order."""
    rows: "npt.NDArray[np.int32]"


class WordIndex:
    """Finds at least the rows that say one of some words: words of the same hash are not told apart."""

    def __init__(self) -> None:
        """Begin with no rows."""
        self.rows: set[int] = set()
        """The rows of which is known what they say."""
        self._parts: list[_Part] = []
        self._gone: set[int] = set()
        """Rows whose entries are still there."""

    def add(self, said: Mapping[int, Collection[str]]) -> None:
        """Note what some rows say that are not known."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        self._leave_out_gone()
        hashes = np.fromiter((hash(word) for words in said.values() for word in words), dtype=np.int64)
        rows = np.repeat(np.fromiter(said, dtype=np.int32), [len(words) for words in said.values()])
        self._parts.append(_in_order(hashes, rows))
        self.rows.update(said)

    def forget(self, rows: Iterable[int]) -> None:
        """Forget what some rows say."""
        gone = self.rows.intersection(rows)
        self.rows -= gone
        self._gone |= gone

    def saying(self, words: Iterable[str]) -> set[int]:
        """Return at least the known rows that say one of some words."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        found, wanted = set[int](), np.fromiter(map(hash, words), dtype=np.int64)
        for part in self._parts:
            starts, ends = (np.searchsorted(part.hashes, wanted, side).tolist() for side in ("left", "right"))
            for start, end in zip(starts, ends, strict=True):
                found.update(part.rows[start:end].tolist())
        return found - self._gone

    def settle(self) -> None:
        """Put all that was added one after the other together, so that it is searched at once."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        self._leave_out_gone()
        if len(self._parts) > 1:
            hashes, rows = (np.concatenate([part[column] for part in self._parts]) for column in (0, 1))
            self._parts = [_in_order(hashes, rows)]

    def _leave_out_gone(self) -> None:
        """Take the entries of forgotten rows out."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        if self._gone:
            gone = np.fromiter(self._gone, dtype=np.int32)
            stays = [~np.isin(part.rows, gone) for part in self._parts]
            self._parts = [
                _Part(part.hashes[stay], part.rows[stay]) for part, stay in zip(self._parts, stays, strict=True)
            ]
            self._gone.clear()


def _in_order(hashes: "npt.NDArray[np.int64]", rows: "npt.NDArray[np.int32]") -> _Part:
    order = hashes.argsort()
    return _Part(hashes[order], rows[order])
