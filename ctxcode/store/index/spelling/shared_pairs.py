"""Which of many names may have pairs of letters in common with a word: all are looked at in one go.

They stand in one text. Every letter of it is turned into a byte that tells, bit by bit, which pairs of the word begin
with it, and into another that tells which end with it: where two neighbours have a bit in common there is a pair. So a
handful of passes over bytes, one for every seven pairs, does what would take a look at each name for each pair. Letters
that are not ASCII, and pairs that a name holds twice, make it find too much, never too little.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import repeat
from operator import or_

_BETWEEN = 0x80
"""The bit of what stands between names; each pair has one of the others."""
_PAIR_BITS = 7
_END = "\0"
"""Stands behind each name; none holds it."""
_MARK = b"\1"
_MARKS = bytes([ord(_END) if found & _BETWEEN else _MARK[0] for found in range(256)])
_NO_PAIR = b"\0"
"""What stands where no pair is, before there are marks."""


class NamesInOneText:
    """Names, and how many pairs of neighbouring letters each shares with a word, whatever their case."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take names without NUL."""
        self._names = names
        self._text = _one_byte_each("".join([f"{name}{_END}" for name in names]).lower())

    def by_shared_pairs(self, word: str, most: int) -> list[list[str]]:
        """Return the names by how many pairs they share at most with a word in small letters, up to ``most`` of them.

        One letter alone makes a pair with the end of a name.
        """
        found: list[list[str]] = [[] for _ in range(most + 1)]
        if self._names:
            shared = map(min, map(len, self._marks(word)), repeat(most))
            for name, pairs in zip(self._names, shared, strict=True):
                found[pairs].append(name)
        return found

    def _marks(self, word: str) -> list[bytes]:
        """Return for each name as many marks as it may hold pairs."""
        letters, end = _one_byte_each(word), ord(_END)
        pairs = list(dict.fromkeys(zip(letters, letters[1:] or [end], strict=False)))
        parts = [pairs[at : at + _PAIR_BITS] for at in range(0, len(pairs), _PAIR_BITS)]
        found = reduce(or_, map(self._places, parts)).to_bytes(len(self._text), "little")
        # What ends the last name has no neighbour, so it is left out.
        return found[:-1].translate(_MARKS, _NO_PAIR).split(_END.encode())

    def _places(self, pairs: Sequence[tuple[int, int]]) -> int:
        """Return a byte for each letter: which of a few pairs begin there, or that a name ends."""
        begins, ends = bytearray(256), bytearray([_BETWEEN] * 256)
        begins[ord(_END)] = _BETWEEN
        for place, (letter, following) in enumerate(pairs):
            begins[letter] |= 1 << place
            ends[following] |= 1 << place
        first, second = self._text.translate(begins), self._text.translate(ends)
        return int.from_bytes(first, "little") & (int.from_bytes(second, "little") >> 8)


def _one_byte_each(text: str) -> bytes:
    return text.encode("ascii", "replace")
