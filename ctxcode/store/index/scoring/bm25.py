"""What FTS5's bm25 gives a document for one phrase, and back from that to how often the phrase stands in it.

A change of one file makes a little of every score different: how many documents there are, how long they are together,
how many of them hold the phrase. What a document itself says does not change, and a score tells it.
"""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import msgspec

UNIT = 10**12
"""Scores are whole numbers of this part of one: their sums are the same in any order."""
LEAST_RARITY = 1e-6
"""What SQLite takes in place of less: a phrase that stands in half of the documents would count against them."""
_K1, _B = 1.2, 0.75
"""SQLite's own; they can't be set."""
MOST_OF_RARITY = _K1 + 1.0
"""A score comes near to so many times the phrase's inverse document frequency."""
_WIDEST_BYTE = 0x7F
_LEAST_APART = 2
"""Two frequencies are told apart whose scores differ by so many units: of each less than one was cut off."""

_SAMPLES = 120
_DIVISORS = 1, 3, 4, 5, 7, 9, 11, 40
"""A word for each stands in the samples it divides: in most of them, in some, in few."""
_SAMPLE = "CREATE VIRTUAL TABLE temp.sample USING fts5 (words, content = '')"
_ADD_SAMPLES = "INSERT INTO temp.sample (rowid, words) SELECT key, value FROM json_each(?)"
_SCORED_SAMPLES = "SELECT rowid, -bm25(sample) FROM temp.sample WHERE sample MATCH ?"
_TOTALS = "SELECT block FROM words_data WHERE id = 1"
_LENGTHS = """
SELECT json_group_array(id), json_group_array(hex(sz)) FROM words_docsize WHERE id IN (SELECT value FROM json_each(?))
"""

_numbers = msgspec.json.Decoder(list[int])
_texts = msgspec.json.Decoder(list[str])


class Totals(NamedTuple):
    """All documents of a full-text index."""

    documents: int
    words: int
    """In all columns."""

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> "Totals":
        """Read what the index says of itself."""
        stored = connection.execute(_TOTALS).fetchone()
        documents, *words = _varints(stored[0]) if stored and stored[0] else [0]
        return cls(documents, sum(words))


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a phrase's scores depend on, besides the document."""

    rarity: float
    """Its inverse document frequency."""
    average: float
    """How many words a document has."""

    @classmethod
    def of(cls, totals: Totals, count: int) -> "Statistics":
        """Return those of a phrase that stands in so many documents."""
        rarity = log((max(totals.documents - count, 0) + 0.5) / (count + 0.5))
        is_empty = not totals.words or not totals.documents
        return cls(rarity if rarity > 0 else LEAST_RARITY, 1.0 if is_empty else totals.words / totals.documents)

    def given(self, frequency: int, length: int) -> float:
        """Return what bm25 gives a document of so many words in which the phrase stands so often, columns weighed.

        The order of the operations is that of SQLite's ``fts5_aux.c``: each of them rounds.
        """
        share = (frequency * (_K1 + 1.0)) / (frequency + _K1 * (1 - _B + _B * length / self.average))
        return self.rarity * share

    def score(self, frequency: int, length: int) -> int:
        """Return the same in whole units."""
        share = (frequency * (_K1 + 1.0)) / (frequency + _K1 * (1 - _B + _B * length / self.average))
        return int(self.rarity * share * UNIT)

    def frequency(self, score: int, length: int) -> int | None:
        """Return how often the phrase stands in a document of a score; None when that can't be told for sure."""
        share = score / UNIT / self.rarity
        if not 0 < share < MOST_OF_RARITY:
            return None
        damping = _K1 * (1 - _B + _B * length / self.average)
        frequency = round(share * damping / (MOST_OF_RARITY - share))
        if frequency < 1:
            return None
        apart = MOST_OF_RARITY * damping * self.rarity * UNIT / ((frequency + damping) * (frequency + 1 + damping))
        # Written out as in ``score``, as it is done for most of what a question may show.
        is_same = int(self.rarity * ((frequency * (_K1 + 1.0)) / (frequency + damping)) * UNIT) == score
        return frequency if is_same and apart > _LEAST_APART else None

    def drift(self, since: "Statistics") -> float:
        """Return by what share of it any score may differ from that by other statistics."""
        rarity, longer = self.rarity / since.rarity, self.average / since.average
        return max(rarity * max(longer, 1.0) - 1.0, 1.0 - rarity * min(longer, 1.0), 0.0)


def is_reproduced(connection: sqlite3.Connection) -> bool:
    """Return whether this SQLite reckons as ``Statistics`` does, to the last bit.

    Where processors multiply and add in one go, compilers may round once instead of twice.
    """
    texts = dict(enumerate(map(_sample, range(_SAMPLES))))
    long = {row: len(text.split()) for row, text in texts.items()}
    totals = Totals(len(texts), sum(long.values()))
    connection.execute(_SAMPLE)
    try:
        connection.execute(_ADD_SAMPLES, (msgspec.json.encode(list(texts.values())).decode(),))
        found = {each: connection.execute(_SCORED_SAMPLES, (f"by{each}",)).fetchall() for each in _DIVISORS}
    finally:
        connection.execute("DROP TABLE temp.sample")
    return all(
        score == Statistics.of(totals, len(scores)).given(texts[row].count(f"by{each} "), long[row])
        for each, scores in found.items()
        for row, score in scores
    )


def _sample(row: int) -> str:
    words = [f"by{each} " * (1 + row % (6 + each)) for each in _DIVISORS if row % each == 0]
    return "".join(words) + "other " * (row % 30)


def lengths(connection: sqlite3.Connection, rows: Collection[int]) -> dict[int, int]:
    """Return how many words documents have, by row number; what is no document is left out."""
    wanted = msgspec.json.encode(sorted(rows)).decode()
    ids, sizes = connection.execute(_LENGTHS, (wanted,)).fetchone()
    found = map(sum, map(_varints, map(bytes.fromhex, _texts.decode(sizes))))
    return dict(zip(_numbers.decode(ids), found, strict=True))


def _varints(stored: bytes) -> list[int]:
    """Return numbers that SQLite stored in as few bytes as each needs, none of more than eight."""
    numbers, value = [], 0
    for byte in stored:
        value = value << 7 | byte & _WIDEST_BYTE
        if byte <= _WIDEST_BYTE:
            numbers.append(value)
            value = 0
    return numbers
