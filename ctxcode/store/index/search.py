"""Full-text search: words in, scored rows out."""

import json
import re
import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest
from itertools import compress
from math import gcd, log
from typing import NamedTuple

import msgspec

from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.documents import TOKENIZE

_MOST_TERMS = 40
_FINEST_WEIGHT = 4
"""Weights count in quarters of the largest: with halves and with eighths less was found."""
_UNIT = 10**12
"""Scores are added up as whole numbers of this part of one: their sums are the same in any order."""
_MOST_OF_IDF = 2.2
"""What bm25 gives at most for a phrase, as a share of its inverse document frequency: k1 + 1."""
_LEAST_IDF = 1e-6
_FEW_OF_ALL = 3
"""A phrase is scored in some rows only where it stands in more than so many times as many."""
_RARE_SHARE = 40
"""A phrase is rare that stands in one of so many rows at most."""
_MOST_KEPT = 640_000
"""Rows of phrases whose scores are kept: sixteen bytes each."""
_OFTEN = 6
"""For so many sets of rows a common phrase is scored in these alone: all take some ten times as long."""
_MOST_SOME = 40_000
"""Scores of single rows that are kept: some hundred bytes each."""
_MOST_COUNTED = 4_000
"""Phrases of which anything is known."""
_WORD = re.compile(r"\w")
_ASIDE = f'NOT path : "{ASIDE_MARK}"'

_SPOKEN = f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.spoken USING fts5 (words, {TOKENIZE}, content = '')"
_TERMS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab (temp, spoken, instance)"
_CLEAR_SPOKEN = "INSERT INTO temp.spoken (spoken) VALUES ('delete-all')"
_ADD_SPOKEN = "INSERT INTO temp.spoken (rowid, words) VALUES (?, ?)"
_SPOKEN_TERMS = "SELECT doc, term FROM temp.terms ORDER BY doc, offset"
_COUNT = "SELECT count(*) FROM words WHERE words MATCH ?"
_ALL = "SELECT count(*) FROM words_docsize"
_SCORES = f"""
SELECT json_group_array(rowid), json_group_array(CAST(rank * -{_UNIT} AS INTEGER))
FROM words WHERE words MATCH ? AND rank MATCH 'bm25(4.0, 2.0, 2.0, 1.0, 1.0)'
"""  # noqa: S608 - constants only
"""Weights of name, path, signature, doc, body. One row of text is read much faster than a row for each."""
_SCORES_OF_SOME = f"{_SCORES} AND +rowid IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants only

_numbers = msgspec.json.Decoder(list[int])

ScoredRow = tuple[int, float]
IsAside = Callable[[int], bool | None]
"""Tells of a row whether it stands aside; None where only the index can tell."""


class _Scores(NamedTuple):
    """What a phrase gives to the rows that hold it."""

    rows: "array[int]"
    """In ascending order."""
    scores: "array[int]"


def phrases_of(terms: Sequence[tuple[str, float]]) -> dict[str, int]:
    """Return how many times each of the (word, weight) terms counts, as a phrase of FTS5, heaviest first.

    Every word is quoted, so nothing in it is syntax. At most 40 are kept, the heaviest and among them the longest.
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


class PhraseScores:
    """What the full-text index, as it is now, gives for phrases; those asked for lately are kept.

    A question that is being typed asks for the same ones with every key, and common words stand in many questions.
    """

    def __init__(self, most_kept: int = _MOST_KEPT, most_some: int = _MOST_SOME) -> None:
        """Know nothing yet, and keep the scores of so many rows at most, and of so many that were looked at alone."""
        self._most_kept = most_kept
        self._most_some = most_some
        self._documents = -1
        self._forms: dict[str, str] = {}
        """To each phrase the first one met that says the same."""
        self._first: dict[tuple[str, ...], str] = {}
        self._counts: dict[str, int] = {}
        self._some: dict[tuple[str, bool], dict[int, int]] = {}
        """By phrase the scores of the rows in which alone it was looked for, 0 where it does not stand."""
        self._some_kept = 0
        self._met = Counter[tuple[str, bool]]()
        self._kept: dict[tuple[str, bool], _Scores] = {}
        self._rows_kept = 0

    def best_rows(
        self, connection: sqlite3.Connection, times: Mapping[str, int], limit: int, is_aside: IsAside | None = None
    ) -> list[ScoredRow]:
        """Return (row, score) of the best matches, best first, with everything that ties with the last of them.

        ``times`` says how often each phrase counts, see ``phrases_of``; a score is bm25's, the higher the better.
        With ``is_aside`` what stands in tests, docs, examples and vendored code is left out.
        """
        return _Query(self, connection, self._merged(connection, times), limit, is_aside).best()

    def _merged(self, connection: sqlite3.Connection, times: Mapping[str, int]) -> Mapping[str, int]:
        """Return the phrases, those in one that say the same to the index: ``"entries"``, ``"entry"``."""
        unknown = [phrase for phrase in times if phrase not in self._forms]
        if unknown:
            if len(self._forms) >= _MOST_COUNTED:
                self._forget()
                unknown = list(times)
            for phrase, terms in zip(unknown, _terms_of(connection, unknown), strict=True):
                self._forms[phrase] = self._first.setdefault(terms, phrase)
        merged = Counter[str]()
        for phrase, count in times.items():
            merged[self._forms[phrase]] += count
        return merged

    def most_of(self, connection: sqlite3.Connection, phrase: str) -> int:
        """Return what a phrase adds to a score at most, in parts of one; 0 when it stands nowhere."""
        count = self.count(connection, phrase)
        if not count:
            return 0
        frequency = log((max(self._all(connection) - count, 0) + 0.5) / (count + 0.5))
        return int(_UNIT * _MOST_OF_IDF * max(frequency, _LEAST_IDF)) + 1

    def _all(self, connection: sqlite3.Connection) -> int:
        """Return how many rows there are."""
        if self._documents < 0:
            self._documents = connection.execute(_ALL).fetchone()[0]
        return self._documents

    def count(self, connection: sqlite3.Connection, phrase: str) -> int:
        """Return how many rows hold a phrase."""
        if phrase not in self._counts:
            if len(self._counts) >= _MOST_COUNTED:
                self._forget()
            self._counts[phrase] = connection.execute(_COUNT, (phrase,)).fetchone()[0]
        return self._counts[phrase]

    def _forget(self) -> None:
        self._forms.clear()
        self._first.clear()
        self._counts.clear()
        self._some.clear()
        self._some_kept = 0
        self._met.clear()
        self._kept.clear()
        self._rows_kept = 0

    def all_of(self, connection: sqlite3.Connection, phrase: str, is_aside: IsAside | None) -> _Scores:
        """Return what a phrase gives to each row that holds it."""
        key = (phrase, is_aside is None)
        found = self._kept.pop(key, None)
        if found is None:
            found = self._scored(connection, phrase, is_aside)
            self._rows_kept += len(found.rows)
        self._kept[key] = found
        while self._rows_kept > self._most_kept:
            oldest = next(iter(self._kept))
            self._rows_kept -= len(self._kept.pop(oldest).rows)
        return found

    def _scored(self, connection: sqlite3.Connection, phrase: str, is_aside: IsAside | None) -> _Scores:
        if is_aside is not None and _RARE_SHARE * self.count(connection, phrase) <= self._all(connection):
            # Finding all that stands aside takes longer than scoring a few rows too many.
            found = _scores(connection, _SCORES, phrase)
            told = list(map(is_aside, found.rows))
            if None not in told:
                wanted = [not left_out for left_out in told]
                return _Scores(array("q", compress(found.rows, wanted)), array("q", compress(found.scores, wanted)))
        return _scores(connection, _SCORES, _expression(phrase, is_aside))

    def of_some(
        self, connection: sqlite3.Connection, phrase: str, rows: Mapping[int, int], is_aside: IsAside | None
    ) -> _Scores:
        """Return what a phrase gives to some rows at least.

        The first times a common phrase is asked for, no others are scored: that costs far more than finding them.
        """
        key = (phrase, is_aside is None)
        if key in self._kept or self.count(connection, phrase) <= _FEW_OF_ALL * len(rows):
            return self.all_of(connection, phrase, is_aside)
        known = self._some.setdefault(key, {})
        unknown = rows.keys() - known.keys()
        if unknown:
            self._met[key] += 1
            if self._met[key] > _OFTEN:
                self._some_kept -= len(self._some.pop(key))
                return self.all_of(connection, phrase, is_aside)
            found = _scores(connection, _SCORES_OF_SOME, _expression(phrase, is_aside), json.dumps(list(unknown)))
            known |= dict.fromkeys(unknown, 0) | dict(zip(found.rows, found.scores, strict=True))
            self._some_kept += len(unknown)
            if self._some_kept > self._most_some:
                kept = {key: known} if len(known) <= self._most_some else {}
                self._some, self._some_kept = kept, sum(map(len, kept.values()))
        held = sorted(filter(known.get, rows))
        return _Scores(array("q", held), array("q", map(known.__getitem__, held)))


class _Query:
    """What is asked for. A row that can't be among the best is left alone as soon as that is known."""

    def __init__(
        self,
        known: PhraseScores,
        connection: sqlite3.Connection,
        times: Mapping[str, int],
        limit: int,
        is_aside: IsAside | None,
    ) -> None:
        self._known = known
        self._connection = connection
        self._times = times
        self._limit = limit
        self._is_aside = is_aside
        self._sums: dict[int, int] = {}
        """What the rows have so far; whoever isn't in it can't be among the best any more, or has nothing yet."""
        self._bar = 0
        """What the last of the best has at least."""

    def best(self) -> list[ScoredRow]:
        """Return the best rows: those of the weightiest phrases, then what the other phrases give to these."""
        gains = {phrase: self._known.most_of(self._connection, phrase) * self._times[phrase] for phrase in self._times}
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
        ordered = sorted(self._sums.items(), key=lambda item: (-item[1], item[0]))
        return [(row, score / _UNIT) for row, score in ordered]

    def _add_all(self, phrase: str) -> None:
        """Add what a phrase gives to all rows that hold it."""
        rows, scores = self._known.all_of(self._connection, phrase, self._is_aside)
        times, sums = self._times[phrase], self._sums
        given = dict(zip(rows, scores if times == 1 else map(times.__mul__, scores), strict=True))
        for row in sums.keys() & given.keys():
            given[row] += sums[row]
        sums.update(given)

    def _add_to_those(self, phrase: str) -> None:
        """Add what a phrase gives to the rows there are."""
        times, sums = self._times[phrase], self._sums
        rows, scores = self._known.of_some(self._connection, phrase, sums, self._is_aside)
        if len(rows) <= _FEW_OF_ALL * len(sums):
            for row, score in zip(rows, scores, strict=True):
                if row in sums:
                    sums[row] += times * score
            return
        for row in sums:
            place = bisect_left(rows, row)
            if place < len(rows) and rows[place] == row:
                sums[row] += times * scores[place]

    def _raise_bar(self) -> None:
        if len(self._sums) >= self._limit:
            self._bar = nlargest(self._limit, self._sums.values())[-1]

    def _leave_below(self, bar: int) -> None:
        if bar > 0:
            self._sums = {row: score for row, score in self._sums.items() if score >= bar}


def _expression(phrase: str, is_aside: IsAside | None) -> str:
    return phrase if is_aside is None else f"({phrase}) {_ASIDE}"


def _scores(connection: sqlite3.Connection, statement: str, *given: str) -> _Scores:
    rows, scores = connection.execute(statement, given).fetchone()
    return _Scores(array("q", _numbers.decode(rows)), array("q", _numbers.decode(scores)))


def _terms_of(connection: sqlite3.Connection, phrases: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what the full-text index takes each phrase for: words in small letters without their endings."""
    for statement in (_SPOKEN, _TERMS, _CLEAR_SPOKEN):
        connection.execute(statement)
    words = [(number, phrase[1:-1].replace('""', '"')) for number, phrase in enumerate(phrases)]
    connection.executemany(_ADD_SPOKEN, words)
    terms: list[list[str]] = [[] for _ in phrases]
    for number, term in connection.execute(_SPOKEN_TERMS):
        terms[number].append(term)
    return [tuple(found) for found in terms]


def quoted(word: str) -> str:
    """Return a word as a full-text query for it: nothing in it is syntax."""
    encoded = word.encode("utf-8", "replace").decode()
    return '"' + encoded.replace('"', '""') + '"'
