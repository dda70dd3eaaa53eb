"""The best rows for a few phrases: which rows have to be scored for which of them, and which are left alone."""

import sqlite3
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Mapping
from heapq import nlargest
from typing import TYPE_CHECKING, Protocol

from ctxcode.store.index.scoring.bm25 import UNIT, Statistics, lengths
from ctxcode.store.index.scoring.matches import Scores, reckoned_of

if TYPE_CHECKING:
    from array import array

FEW_OF_ALL = 3
"""A phrase is scored in some rows only where it stands in more than so many times as many."""
_ROUNDED = 1_000
"""By more units no sum differs because its parts are whole numbers."""

ScoredRow = tuple[int, float]
IsAside = Callable[[int], bool | None]
"""Tells of a row whether it stands aside; None where only the index can tell."""


class PhraseIndex(Protocol):
    """Scores phrases in the full-text index as it is now."""

    def most_of(self, connection: sqlite3.Connection, phrase: str) -> int:
        """Return what a phrase adds to a score at most, in parts of one; 0 when it stands nowhere."""
        ...

    def statistics(self, connection: sqlite3.Connection, phrase: str) -> Statistics:
        """Return what a phrase's scores depend on."""
        ...

    def all_of(self, connection: sqlite3.Connection, phrase: str, is_aside: IsAside | None) -> Scores:
        """Return what a phrase gives to each row that holds it."""
        ...

    def of_some(
        self, connection: sqlite3.Connection, phrase: str, rows: Mapping[int, int], is_aside: IsAside | None
    ) -> Scores:
        """Return what a phrase gives to some rows at least."""
        ...


class Query:
    """What is asked for. A row that can't be among the best is left alone as soon as that is known.

    Scores of an earlier state of the index serve to find the rows that may be among the best, as far as they can
    differ from those of now; then these rows' scores are reckoned anew.
    """

    def __init__(
        self,
        index: PhraseIndex,
        connection: sqlite3.Connection,
        times: Mapping[str, int],
        limit: int,
        is_aside: IsAside | None,
    ) -> None:
        self._index = index
        self._connection = connection
        self._times = times
        self._limit = limit
        self._is_aside = is_aside
        self._sums: dict[int, int] = {}
        """What the rows have so far; whoever isn't in it can't be among the best any more, or has nothing yet."""
        self._bar = 0
        """What the last of the best has at least."""
        self._used: list[tuple[str, Scores]] = []
        self._drift = 0.0
        """By what share of it a sum may differ from the true one."""

    def best(self) -> list[ScoredRow] | None:
        """Return the best rows: those of the weightiest phrases, then what the other phrases give to these.

        None when earlier scores don't tell those of now.
        """
        gains = {phrase: self._index.most_of(self._connection, phrase) * self._times[phrase] for phrase in self._times}
        waiting = deque(sorted(filter(gains.get, gains), key=lambda phrase: (-gains[phrase], phrase)))
        everything = others = sum(gains.values())
        while waiting:
            if 2 * others < everything:
                self._raise_bar()
            if others < self._bar:
                break
            others -= gains[waiting[0]]
            self._add_all(waiting.popleft())
        self._raise_bar()
        for phrase in waiting:
            self._leave_below(self._bar - others)
            others -= gains[phrase]
            self._add_to_those(phrase)
            self._raise_bar()
        self._leave_below(self._bar)
        if self._drift and not self._made_true():
            return None
        ordered = sorted(self._sums.items(), key=lambda item: (-item[1], item[0]))
        return [(row, score / UNIT) for row, score in ordered]

    def _add_all(self, phrase: str) -> None:
        """Add what a phrase gives to all rows that hold it."""
        rows, scores = self._noted(phrase, self._index.all_of(self._connection, phrase, self._is_aside))
        times, sums = self._times[phrase], self._sums
        given = dict(zip(rows, scores if times == 1 else map(times.__mul__, scores), strict=True))
        for row in sums.keys() & given.keys():
            given[row] += sums[row]
        sums.update(given)

    def _add_to_those(self, phrase: str) -> None:
        """Add what a phrase gives to the rows there are."""
        times, sums = self._times[phrase], self._sums
        found = self._index.of_some(self._connection, phrase, sums, self._is_aside)
        rows, scores = self._noted(phrase, found)
        if len(rows) <= FEW_OF_ALL * len(sums):
            for row, score in zip(rows, scores, strict=True):
                if row in sums:
                    sums[row] += times * score
            return
        for row in sums:
            place = bisect_left(rows, row)
            if place < len(rows) and rows[place] == row:
                sums[row] += times * scores[place]

    def _noted(self, phrase: str, found: Scores) -> tuple["array[int]", "array[int]"]:
        """Return rows and scores, and note how true the scores are."""
        self._used.append((phrase, found))
        self._drift = max(self._drift, self._index.statistics(self._connection, phrase).drift(found.by))
        return found.rows, found.scores

    def _raise_bar(self) -> None:
        if len(self._sums) >= self._limit:
            bar = nlargest(self._limit, self._sums.values())[-1]
            self._bar = int(bar * (1 - self._drift)) - _ROUNDED if self._drift else bar

    def _leave_below(self, bar: int) -> None:
        if bar > 0:
            bar = int(bar / (1 + self._drift)) - _ROUNDED if self._drift else bar
            self._sums = {row: score for row, score in self._sums.items() if score >= bar}

    def _made_true(self) -> bool:
        """Reckon the sums with scores of now, and leave those below the last of the best; False when that fails."""
        long = lengths(self._connection, self._sums)
        self._sums = dict.fromkeys(sorted(self._sums), 0)
        for phrase, found in self._used:
            now, times = self._index.statistics(self._connection, phrase), self._times[phrase]
            is_of_now = found.by == now
            for row, score in _among(found, self._sums):
                true = score if is_of_now else reckoned_of(score, long.get(row, 0), found.by, now)
                if true is None:
                    return False
                self._sums[row] += times * true
        self._drift, self._bar = 0.0, 0
        self._raise_bar()
        self._leave_below(self._bar)
        return True


def _among(found: Scores, wanted: Mapping[int, object]) -> list[tuple[int, int]]:
    """Return the (row, score) of those rows that are wanted."""
    rows, scores, every = found.rows, found.scores, len(found.rows)
    places = [(row, bisect_left(rows, row)) for row in wanted]
    return [(row, scores[place]) for row, place in places if place < every and rows[place] == row]
