"""Which of many names may have pairs of letters in common with a word: all are looked at in one go.

They stand in one text. Every letter of it is turned into a byte that tells, bit by bit, which pairs of the word begin
with it, and into another that tells which end with it: where two neighbours have a bit in common there is a pair. So a
handful of passes over bytes does what would take a look at each name for each pair. Pairs that share a bit, and letters
that are not ASCII, may find too much, never too little.
"""

from collections.abc import Iterable

_BETWEEN = 0x80
"""The bit of what stands between names; each pair has one of the others."""
_PAIR_BITS = 7
_END = b"\0"
_MARK = b"\1"
_MARKS = bytes([_END[0] if found & _BETWEEN else _MARK[0] for found in range(256)])
_NO_PAIR = b"\0"
"""What stands where no pair is, before there are marks."""


class WordPairs:
    """The pairs of neighbouring letters in a word; one letter alone makes a pair with what ends a name."""

    def __init__(self, word: str) -> None:
        letters = _one_byte_each(word)
        begins, ends = bytearray(256), bytearray([_BETWEEN] * 256)
        begins[_END[0]] |= _BETWEEN
        for place, (letter, following) in enumerate(zip(letters, letters[1:] or _END, strict=False)):
            begins[letter] |= 1 << place % _PAIR_BITS
            ends[following] |= 1 << place % _PAIR_BITS
        self.begins, self.ends = bytes(begins), bytes(ends)


class NamesInOneText:
    """Names in the order they were added, as far as looking for pairs takes."""

    def __init__(self) -> None:
        self._text = b""

    def add(self, names: Iterable[str]) -> None:
        """Add names in small letters."""
        self._text += b"".join([_one_byte_each(name).replace(_END, b" ") + _END for name in names])

    def shared(self, pairs: WordPairs) -> list[int]:
        """Return how many of a word's pairs each name holds at most."""
        if not self._text:
            return []
        first = int.from_bytes(self._text.translate(pairs.begins), "little")
        # What ends the last name has no neighbour, so it is left out.
        second = int.from_bytes(self._text.translate(pairs.ends), "little") >> 8
        marks = (first & second).to_bytes(len(self._text), "little")[:-1].translate(_MARKS, _NO_PAIR)
        return list(map(len, marks.split(_END)))


def _one_byte_each(name: str) -> bytes:
    return name.encode("ascii", "replace")
