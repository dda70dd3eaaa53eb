"""A vocabulary as one file in which a token is found without reading the others.

A question meets some 4,000 of 200,000 tokens: reading them all takes longer than all that is then counted with them.
The file is a table of places, one for each value a token's checksum can have here, and the tokens in that order.
"""

import sys
from array import array
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from zlib import crc32

NO_TOKEN = sys.maxsize
"""The rank of what is no token: it is joined last, so never."""
_PLACES = 1 << 17
_PLACE_BYTES = 4
_HEAD_BYTES = _PLACE_BYTES * (_PLACES + 1)
# Around a token: bytes that no text has in UTF-8. Its rank follows in three bytes of seven bits.
_BEGIN, _END = b"\xff", b"\xfe"
_ENTRY = _BEGIN + b"%b" + _END + b"%c%c%c"
_RANK_BYTES = 3
_MOST_RANKS = 200_000
"""Looked-up ranks that are remembered; a screen may stay open for days."""


class KeptRanks(dict[bytes, int]):
    """The ranks of tokens, looked up when they are first asked for: ``ranks[token]``; ``NO_TOKEN`` for all else."""

    def __init__(self, data: bytes) -> None:
        """Take what ``prepared`` made. Raises ValueError when it is not whole."""
        super().__init__()
        if len(data) < _HEAD_BYTES:
            raise ValueError("no vocabulary")
        self._data = data
        self._places = memoryview(data)[:_HEAD_BYTES].cast("I")
        if self._places[0] != _HEAD_BYTES or self._places[_PLACES] != len(data):
            raise ValueError("not the whole vocabulary")

    def has(self, token: bytes) -> bool:
        """Return whether there is a token, without remembering it."""
        return self._found(token) >= 0

    def _found(self, token: bytes) -> int:
        place = crc32(token) % _PLACES
        return self._data.find(_BEGIN + token + _END, self._places[place], self._places[place + 1])

    def __missing__(self, token: bytes) -> int:
        found, rank = self._found(token), NO_TOKEN
        if found >= 0:
            start = found + len(token) + 2
            high, middle, low = self._data[start : start + _RANK_BYTES]
            rank = high << 14 | middle << 7 | low
        if len(self) >= _MOST_RANKS:
            self.clear()
        self[token] = rank
        return rank


def prepared(ranks: Mapping[bytes, int]) -> bytes:
    """Return the file of a vocabulary: the same for the same tokens."""
    rows = [b""] * _PLACES
    # To put pairs in order takes twice as long.
    for token in sorted(ranks):
        rank = ranks[token]
        rows[crc32(token) % _PLACES] += _ENTRY % (token, rank >> 14, rank >> 7 & 0x7F, rank & 0x7F)
    places = array("I", accumulate(map(len, rows), initial=_HEAD_BYTES))
    return b"".join((places.tobytes(), *rows))


def read_kept(path: Path) -> KeptRanks | None:
    """Return the vocabulary in a file, None when there is none or it is not whole."""
    try:
        return KeptRanks(path.read_bytes())
    except (OSError, ValueError):
        return None
