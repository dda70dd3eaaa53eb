"""Full-text search: words in, scored rows out."""

import re
import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from math import gcd

from ctxcode.store.index.documents import FILE_SHIFT, TOKENIZE
from ctxcode.store.index.scoring.bm25 import MOST_OF_RARITY, UNIT, Statistics, is_reproduced
from ctxcode.store.index.scoring.changes import IndexChanges
from ctxcode.store.index.scoring.matches import Scores, reckoned, scored, scored_among
from ctxcode.store.index.scoring.query import FEW_OF_ALL, IsAside, Query, ScoredRow

_MOST_TERMS = 40
_FINEST_WEIGHT = 4
"""Weights count in quarters of the largest: with halves and with eighths less was found."""
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
_TOO_FEW = 50
"""So few rows are scored as soon as they are brought up to date."""
_MOST_DRIFT = 2e-2
"""Scores that differ by more from those of now find too many rows that are not among the best."""
_WORD = re.compile(r"\w")

_SPOKEN = f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.spoken USING fts5 (words, {TOKENIZE}, content = '')"
_TERMS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab (temp, spoken, instance)"
_CLEAR_SPOKEN = "INSERT INTO temp.spoken (spoken) VALUES ('delete-all')"
_ADD_SPOKEN = "INSERT INTO temp.spoken (rowid, words) VALUES (?, ?)"
_SPOKEN_TERMS = "SELECT doc, term FROM temp.terms ORDER BY doc, offset"
_COUNT = "SELECT count(*) FROM words WHERE words MATCH ?"

_Key = tuple[str, bool]
"""(a phrase, whether what stands aside is among its rows)."""


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


@dataclass(slots=True)
class _Held:
    """All rows that hold a phrase."""

    found: Scores
    state: int
    """Of the index, when they were all."""


@dataclass(slots=True)
class _Some:
    """Rows in which alone a phrase was looked for."""

    by: Statistics
    state: int
    known: dict[int, int] = field(default_factory=dict)
    """Their scores, 0 where it does not stand."""


class PhraseScores:
    """What the full-text index gives for phrases; those asked for lately are kept.

    A question that is being typed asks for the same ones with every key, and common words stand in many questions.
    Few rows change with a file: what is known of the others stays, as it was reckoned then.
    """

    def __init__(
        self,
        most_kept: int = _MOST_KEPT,
        most_some: int = _MOST_SOME,
        check: Callable[[sqlite3.Connection], bool] = is_reproduced,
    ) -> None:
        """Know nothing yet, and keep the scores of so many rows at most, and of so many that were looked at alone.

        ``check`` tells whether scores can be reckoned here as SQLite does it; if not, none outlives a change.
        """
        self._check = check
        self._most_kept = most_kept
        self._most_some = most_some
        self._changes = IndexChanges()
        self._is_reproduced: bool | None = None
        """What the check has told; None before that is needed."""
        self._forms: dict[str, str] = {}
        """To each phrase the first one met that says the same."""
        self._first: dict[tuple[str, ...], str] = {}
        self._counts: dict[str, int] = {}
        self._some: dict[_Key, _Some] = {}
        self._some_kept = 0
        self._met = Counter[_Key]()
        self._kept: dict[_Key, _Held] = {}
        self._rows_kept = 0

    def note_changes(self, connection: sqlite3.Connection) -> None:
        """Look at what has become of the index; until that is done again it has to stay as it is."""
        if not self._changes.note(connection):
            return
        self._counts.clear()
        if self._kept or self._some:
            if self._is_reproduced is None:
                self._is_reproduced = self._check(connection)
            if not self._is_reproduced:
                self._forget()

    def best_rows(
        self, connection: sqlite3.Connection, times: Mapping[str, int], limit: int, is_aside: IsAside | None = None
    ) -> list[ScoredRow]:
        """Return (row, score) of the best matches, best first, with everything that ties with the last of them.

        ``times`` says how often each phrase counts, see ``phrases_of``; a score is bm25's, the higher the better.
        With ``is_aside`` what stands in tests, docs, examples and vendored code is left out.
        """
        if not self._changes.state:
            self.note_changes(connection)
        found = self._best(connection, times, limit, is_aside)
        if found is None:
            found = self._best(connection, times, limit, is_aside)
        return found or []

    def _best(
        self, connection: sqlite3.Connection, times: Mapping[str, int], limit: int, is_aside: IsAside | None
    ) -> list[ScoredRow] | None:
        """Do so, or forget all where that fails: some may be of a state of the index that was not noted."""
        found = None
        try:
            found = Query(self, connection, self._merged(connection, times), limit, is_aside).best()
        finally:
            if found is None:
                self._forget()
        return found

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
        if not self.count(connection, phrase):
            return 0
        return int(UNIT * MOST_OF_RARITY * self.statistics(connection, phrase).rarity) + 1

    def statistics(self, connection: sqlite3.Connection, phrase: str) -> Statistics:
        """Return what a phrase's scores depend on."""
        return Statistics.of(self._changes.totals, self.count(connection, phrase))

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

    def all_of(self, connection: sqlite3.Connection, phrase: str, is_aside: IsAside | None) -> Scores:
        """Return what a phrase gives to each row that holds it."""
        key = (phrase, is_aside is None)
        held = self._kept.pop(key, None)
        if held is not None:
            self._rows_kept -= len(held.found.rows)
        if held is None or not self._brought_up(connection, phrase, held, is_aside):
            held = _Held(self._scored(connection, phrase, is_aside), self._changes.state)
        self._rows_kept += len(held.found.rows)
        self._kept[key] = held
        while self._rows_kept > self._most_kept:
            oldest = next(iter(self._kept))
            self._rows_kept -= len(self._kept.pop(oldest).found.rows)
        return held.found

    def _brought_up(self, connection: sqlite3.Connection, phrase: str, held: _Held, is_aside: IsAside | None) -> bool:
        """Let what was kept hold the rows of now, scored as if they were of then; False when it has to be made anew."""
        if held.state == self._changes.state:
            return True
        change, (rows, scores, by) = self._changes.since(held.state), held.found
        if change is None or len(rows) < _TOO_FEW or self.statistics(connection, phrase).drift(by) > _MOST_DRIFT:
            return False
        for file in change.gone:
            gone = slice(bisect_left(rows, file << FILE_SHIFT), bisect_left(rows, (file + 1) << FILE_SHIFT))
            del rows[gone], scores[gone]
        added = self._scored(connection, phrase, is_aside, change.first_row)
        as_then = reckoned(connection, added, by)
        if as_then is None:
            return False
        rows.extend(added.rows)
        scores.extend(as_then)
        held.state = self._changes.state
        return True

    def _scored(
        self, connection: sqlite3.Connection, phrase: str, is_aside: IsAside | None, first_row: int = 0
    ) -> Scores:
        """Score the rows that hold a phrase, from one of them on."""
        by, documents = self.statistics(connection, phrase), self._changes.totals.documents
        if is_aside is not None and (first_row or _RARE_SHARE * self.count(connection, phrase) <= documents):
            # Finding all that stands aside takes longer than scoring a few rows too many.
            found = scored(connection, phrase, by, first_row, with_aside=True)
            told = list(map(is_aside, found.rows))
            if None not in told:
                wanted = [not left_out for left_out in told]
                return Scores(array("q", compress(found.rows, wanted)), array("q", compress(found.scores, wanted)), by)
        return scored(connection, phrase, by, first_row, with_aside=is_aside is None)

    def of_some(
        self, connection: sqlite3.Connection, phrase: str, rows: Mapping[int, int], is_aside: IsAside | None
    ) -> Scores:
        """Return what a phrase gives to some rows at least.

        The first times a common phrase is asked for, no others are scored: that costs far more than finding them.
        """
        key = (phrase, is_aside is None)
        if key in self._kept or self.count(connection, phrase) <= FEW_OF_ALL * len(rows):
            return self.all_of(connection, phrase, is_aside)
        some = self._some_of(connection, key)
        unknown = rows.keys() - some.known.keys()
        if unknown:
            self._met[key] += 1
            if self._met[key] > _OFTEN:
                self._some_kept -= len(self._some.pop(key).known)
                return self.all_of(connection, phrase, is_aside)
            by = self.statistics(connection, phrase)
            found = scored_among(connection, phrase, unknown, by, with_aside=is_aside is None)
            as_then = reckoned(connection, found, some.by)
            if as_then is None:
                self._forget()
                return self.of_some(connection, phrase, rows, is_aside)
            some.known |= dict.fromkeys(unknown, 0) | dict(zip(found.rows, as_then, strict=True))
            self._some_kept += len(unknown)
            if self._some_kept > self._most_some:
                kept = {key: some} if len(some.known) <= self._most_some else {}
                self._some, self._some_kept = kept, sum(len(some.known) for some in kept.values())
        held = sorted(filter(some.known.get, rows))
        return Scores(array("q", held), array("q", map(some.known.__getitem__, held)), some.by)

    def _some_of(self, connection: sqlite3.Connection, key: _Key) -> _Some:
        """Return what is known of some rows that are still there."""
        some, now = self._some.get(key), self.statistics(connection, key[0])
        if some is not None and some.state != self._changes.state:
            change = self._changes.since(some.state)
            self._some_kept -= len(some.known)
            if change is None or now.drift(some.by) > _MOST_DRIFT:
                some = None
            else:
                kept = {row: score for row, score in some.known.items() if row >> FILE_SHIFT not in change.gone}
                some.known, some.state = kept, self._changes.state
                self._some_kept += len(kept)
        if some is None:
            some = _Some(now, self._changes.state)
        self._some[key] = some
        return some


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
