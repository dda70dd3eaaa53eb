"""Vectors of texts without a model to run: the mean of what a table says of their words.

All sums are of whole numbers, so that a text has the same vector on every machine.
"""

import hashlib
import re
import struct
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from math import log
from pathlib import Path

from ctxcode.llm.embedding.words import DIMENSIONS, ZERO, WordTable, table_id, word_table
from ctxcode.model.engine.vector import Vector
from ctxcode.model.naming.telling import is_telling
from ctxcode.model.naming.words import stem, with_seams

_READ_CHARS = 2_000
"""Of each text: what it is about stands in its beginning, and a text may be a file."""
_WORDS = re.compile(r"[a-z]{2,30}")
_FINEST_WEIGHT = 8
_LANE_BYTES = 4
_LANES = struct.Struct(f"<{DIMENSIONS}I")
_BITS = 7
"""Of the largest number of a vector, but for its sign."""
_ONES = sum(1 << (8 * _LANE_BYTES * place) for place in range(DIMENSIONS))
_SIGNED = bytes((number - ZERO) & 0xFF for number in range(256))
_MOST_WORDS = 20_000
"""Words that are remembered: 0.6 KB each."""
_MOST_TEXTS = 300
"""Texts whose vectors are remembered: a question is planned several times, and finds most of them each time."""
_UNKNOWN_SIGNS = bytes([ZERO - 8] * 128 + [ZERO + 8] * 128)
"""A word the table has not is like no other: its numbers are 8 or -8 by chance, 0.6 of what others are long."""


class StaticEmbedder:
    """Embeds texts from wordllama's table. Any thread may call; nothing is read before the first text."""

    def __init__(self, folder: Path | None = None, kept: Path | None = None) -> None:
        """Use the installed package, or another folder laid out like it; ``kept`` is where what was read is kept."""
        self._folder = folder
        self._kept = kept
        self._lock = threading.Lock()
        self._words: _Words | None = None
        self._vector_of: Callable[[str], Vector] = partial(_vector, words={})

    @cached_property
    def id(self) -> str:
        """What makes the vectors: those of another id can't be compared with them."""
        return table_id()

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text, empty for one without words. Raises ModelError: the table can't be read."""
        with self._lock:
            if self._words is None or len(self._words) > _MOST_WORDS:
                self._words = _Words(word_table(self._folder, self._kept))
                self._vector_of = lru_cache(maxsize=_MOST_TEXTS)(partial(_vector, words=self._words))
            return tuple(self._vector_of(text[:_READ_CHARS]) for text in texts)


class _Words(dict[str, int]):
    """All numbers of a word as one, 4 bytes for each, so that Python adds up words in one step; 0 for stop words."""

    def __init__(self, table: WordTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, word: str) -> int:
        number = 0
        if is_telling(word):
            family = stem(word)
            row = self._table.row(word) or self._table.row(family)
            lanes = bytearray(_LANE_BYTES * DIMENSIONS)
            lanes[::_LANE_BYTES] = row or hashlib.shake_128(family.encode()).digest(DIMENSIONS).translate(
                _UNKNOWN_SIGNS
            )
            number = int.from_bytes(lanes, "little")
        self[word] = number
        return number


def _vector(text: str, words: Mapping[str, int]) -> Vector:
    """Return a text's vector; words said often count more, and ever less so."""
    by_count: dict[int, list[int]] = {}
    for word, count in Counter(_WORDS.findall(with_seams(text).lower())).items():
        if number := words[word]:
            by_count.setdefault(count, []).append(number)
    total = weights = 0
    for count, numbers in by_count.items():
        weight = _FINEST_WEIGHT if count == 1 else round(_FINEST_WEIGHT * (1.0 + log(count)))
        # Such numbers are long: one multiplication for all of a weight.
        total += weight * sum(numbers)
        weights += weight * len(numbers)
    if not weights:
        return b""
    lanes = _LANES.unpack(total.to_bytes(_LANES.size, "little"))
    middle = ZERO * weights
    shift: int = max(0, max(max(lanes) - middle, middle - min(lanes)).bit_length() - _BITS)
    # What is shifted out of a lane goes to the top of the next one, of which only the lowest byte is read.
    centred = total + ((ZERO << shift) - middle) * _ONES
    return (centred >> shift).to_bytes(_LANES.size, "little")[::_LANE_BYTES].translate(_SIGNED)
