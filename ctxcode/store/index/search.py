"""Full-text search: words in, scored rows out."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from math import gcd, log

from ctxcode.model.naming.folder import ASIDE_MARK

_COLUMN_WEIGHTS = "4.0, 2.0, 2.0, 1.0, 1.0"
"""name, path, signature, doc, body."""
_MOST_TERMS = 40
_FINEST_WEIGHT = 4
"""Weights are kept in quarters of the largest: a term stands so many times in the query."""
_TIE_ROOM = 64
_FEW_ROWS = 6_000
"""Where no more can match, all are scored: finding out which needn't be would cost more."""
_FIRST_ROWS = 8
"""So many times the rows that are asked for are scored to learn how good these are at least."""
_MOST_OF_IDF = 2.2
"""What bm25 gives at most for a phrase, as a share of its inverse document frequency: k1 + 1."""
_LEAST_IDF = 1e-6
_WORD = re.compile(r"\w")
_ASIDE = f'NOT path : "{ASIDE_MARK}"'

_SEARCH = f"""
SELECT rowid, -bm25(words, {_COLUMN_WEIGHTS}) AS score FROM words WHERE words MATCH ? ORDER BY score DESC LIMIT ?
"""  # noqa: S608 - constants only
_COUNT = "SELECT count(*) FROM words WHERE words MATCH ?"
_ALL = "SELECT count(*) FROM words_docsize"

ScoredRow = tuple[int, float]


def phrases_of(terms: Sequence[tuple[str, float]]) -> dict[str, int]:
    """Return how many times each of the (word, weight) terms stands in the query, as a phrase of FTS5, heaviest first.

    Every word is quoted, so nothing in it is syntax. bm25 has no weights for terms: a heavier one is repeated, and its
    score counts as often. At most 40 terms are kept, the heaviest and among them the longest.
    """
    best: dict[str, float] = {}
    for word, weight in terms:
        cleaned = word.replace("\0", " ").strip()
        if weight > 0 and _WORD.search(cleaned):
            best[cleaned] = max(weight, best.get(cleaned, 0.0))
    kept = sorted(best, key=lambda word: (-best[word], -len(word), word))[:_MOST_TERMS]
    if not kept:
        return {}
    heaviest = best[kept[0]]
    times = {quoted(word): max(1, round(_FINEST_WEIGHT * best[word] / heaviest)) for word in kept}
    divisor = gcd(*times.values())
    return {phrase: count // divisor for phrase, count in times.items()}


def search_rows(
    connection: sqlite3.Connection, times: Mapping[str, int], limit: int, *, with_aside: bool = True
) -> list[ScoredRow]:
    """Return (row, score) of the best matches, best first, with everything that ties with the last of them.

    ``times`` says how often each phrase counts, see ``phrases_of``; a score is bm25's, the higher the better.
    """
    query = _Query(connection, times, limit, with_aside=with_aside)
    return query.best_of_some() or query.best_of(list(times))


class _Query:
    """What is asked for. Scoring a row costs far more than finding it, so the fewest are scored."""

    def __init__(
        self, connection: sqlite3.Connection, times: Mapping[str, int], limit: int, *, with_aside: bool
    ) -> None:
        self._connection = connection
        self._times = times
        self._limit = limit
        self._aside = "" if with_aside else _ASIDE

    def best_of_some(self) -> list[ScoredRow]:
        """Return the best of all, found among the rows that hold one of the weightiest phrases.

        What all other phrases give together has to be less than the last of these scores. Empty when it isn't, and
        when nearly all rows would be scored.
        """
        counts = {phrase: self._connection.execute(_COUNT, (phrase,)).fetchone()[0] for phrase in self._times}
        if sum(counts.values()) <= _FEW_ROWS:
            return []
        documents = self._connection.execute(_ALL).fetchone()[0]
        gains = {phrase: self._most_from(phrase, count, documents) for phrase, count in counts.items() if count}
        weightiest = sorted(gains, key=lambda phrase: (-gains[phrase], phrase))
        some = self._first(weightiest, counts)
        while 2 * sum(counts[phrase] for phrase in weightiest[:some]) < sum(counts.values()):
            rows = self.best_of(weightiest[:some])
            bar = rows[self._limit - 1][1] if len(rows) >= self._limit else 0.0
            needed = _needed([gains[phrase] for phrase in weightiest], bar)
            if needed <= some:
                return rows
            some = needed
        return []

    def best_of(self, required: Sequence[str]) -> list[ScoredRow]:
        """Return the best of the rows that hold one of these phrases; all phrases count."""
        expression, scale = self._expression(required)
        room = self._limit + _TIE_ROOM
        rows = self._connection.execute(_SEARCH, (expression, room)).fetchall()
        while len(rows) == room and rows[-1][1] == rows[self._limit - 1][1]:
            room *= 8
            rows = self._connection.execute(_SEARCH, (expression, room)).fetchall()
        return rows if scale == 1 else [(row, score / scale) for row, score in rows]

    def _most_from(self, phrase: str, count: int, documents: int) -> float:
        """Return what a phrase adds to a score at most."""
        frequency = log((max(documents - count, 0) + 0.5) / (count + 0.5))
        return self._times[phrase] * _MOST_OF_IDF * max(frequency, _LEAST_IDF)

    def _first(self, weightiest: Sequence[str], counts: Mapping[str, int]) -> int:
        rows = 0
        for number, phrase in enumerate(weightiest):
            rows += counts[phrase]
            if rows >= _FIRST_ROWS * self._limit:
                return number + 1
        return len(weightiest)

    def _expression(self, required: Sequence[str]) -> tuple[str, int]:
        """Return the query of FTS5 and by how much its scores are too large.

        Where not every phrase is required, a required one stands once on either side of an AND at least. The AND has
        to be outermost: FTS5 loses counts of phrases in one that isn't.
        """
        if len(required) == len(self._times):
            anything = _any_of(self._times)
            return (f"({anything}) {self._aside}" if self._aside else anything), 1
        scale = 2 if any(self._times[phrase] == 1 for phrase in required) else 1
        others = {phrase: scale * count for phrase, count in self._times.items()}
        for phrase in required:
            others[phrase] -= 1
        holding = _any_of(dict.fromkeys(required, 1))
        return f"(({holding}) {self._aside}) AND ({_any_of(others)})", scale


def _needed(gains: Sequence[float], bar: float) -> int:
    """Return how many of the gains, from the largest on, are to be looked at: all others together stay below a bar."""
    needed, others = len(gains), 0.0
    while needed and others + gains[needed - 1] < bar:
        needed -= 1
        others += gains[needed]
    return needed


def _any_of(times: Mapping[str, int]) -> str:
    return " OR ".join(phrase for phrase, count in times.items() for _ in range(count))


def quoted(word: str) -> str:
    """Return a word as a full-text query for it: nothing in it is syntax."""
    encoded = word.encode("utf-8", "replace").decode()
    return '"' + encoded.replace('"', '""') + '"'
