"""Names of the index that are most like one that is not in it."""

import sqlite3
from bisect import insort
from collections.abc import Collection, Iterable
from itertools import chain, repeat
from operator import contains

import msgspec

from ctxcode.store.index.spelling.shared_pairs import NamesInOneText, WordPairs

_ALL_NAMES = "SELECT json_group_array(name) FROM (SELECT DISTINCT name FROM symbol)"
_NAMES_SINCE = "SELECT json_group_array(name) FROM (SELECT DISTINCT name FROM symbol WHERE id > ?)"
_LAST_ROW = "SELECT coalesce(max(id), 0) FROM symbol"
_GONE = """
SELECT 1 FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM symbol WHERE symbol.name = json_each.value) LIMIT 1
"""
_MOST_COMPARED = 60
"""Names that are compared letter by letter."""
_LEAST_LIKENESS = 0.5
_SAME = 2.0
"""How like a word is to itself: more than any other that has the same pairs."""
_MOST_MISSED = 200
"""Names that were not there whose nearest ones are kept."""

_texts = msgspec.json.Decoder(list[str])


class NearestNames:
    """Finds the names of an index that are most like another.

    Names that came are added to those known, as no row number is given twice. Names that went are noticed only where
    they come near: then all are read again.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], list[str]] = {}
        self._groups: dict[int, _Group] = {}
        """By how many pairs of letters the names have."""
        self._last_row = 0
        """No row up to this one has a name that is not known."""
        self._is_current = False

    def note_changes(self) -> None:
        """Look at the index again before anything else is answered."""
        self._found.clear()
        self._is_current = False

    def of(self, connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
        """Return the names most like one, best first, ties by name; answers are kept while the index stays as it is."""
        found = self._found.get((name, limit))
        if found is None:
            if len(self._found) >= _MOST_MISSED:
                self._found.clear()
            found = self._found[name, limit] = self._closest(connection, name.lower(), limit)
        return found

    def _closest(self, connection: sqlite3.Connection, wanted: str, limit: int) -> list[str]:
        if not self._is_current:
            self._read_new(connection)
            self._is_current = True
        rough = self._roughly_like(wanted)
        if connection.execute(_GONE, (msgspec.json.encode(rough).decode(),)).fetchone() is not None:
            self._groups, self._last_row = {}, 0
            self._read_new(connection)
            rough = self._roughly_like(wanted)
        return _most_alike(wanted, rough, limit)

    def _read_new(self, connection: sqlite3.Connection) -> None:
        """Add the names of rows that came since the last time."""
        last = connection.execute(_LAST_ROW).fetchone()[0]
        if last <= self._last_row:
            return
        since = (self._last_row,) if self._groups else ()
        names = _texts.decode(connection.execute(_NAMES_SINCE if since else _ALL_NAMES, since).fetchone()[0])
        if since:
            known = set(chain.from_iterable([group.names for group in self._groups.values()]))
            names = [name for name in names if name not in known]
        by_pairs: dict[int, list[str]] = {}
        for name, pairs in zip(names, _pair_counts(list(map(str.lower, names))), strict=True):
            by_pairs.setdefault(pairs, []).append(name)
        for pairs, alike in by_pairs.items():
            self._groups.setdefault(pairs, _Group()).add(alike)
        self._last_row = last

    def _roughly_like(self, wanted: str) -> list[str]:
        """Return the names that share most of their letter pairs with a word, best first, ties by name.

        Names that have far more pairs than the word, or far fewer, or share too few, can't be: these are not looked at.
        """
        best, word = _Best(wanted), WordPairs(wanted)
        for theirs in sorted(self._groups, key=best.order):
            least = best.least_shared(theirs)
            if least is None:
                break
            best.take(theirs, self._groups[theirs].by_shared(word, least))
        return [name for _, name in best.names]


class _Group:
    """Names that have the same number of letter pairs."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._text = NamesInOneText()

    def add(self, names: Collection[str]) -> None:
        self.names += names
        self._text.add(map(str.lower, names))

    def by_shared(self, word: WordPairs, least: int) -> list[tuple[int, str]]:
        """Return (how many pairs of a word a name has at most, the name) of those that may have so many."""
        counts = self._text.shared(word)
        return sorted([row for row in zip(counts, self.names, strict=True) if row[0] >= least], reverse=True)


class _Best:
    """The names met that share most of their letter pairs with a word."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted
        self._pairs = _pairs(wanted)
        self.names: list[tuple[float, str]] = []
        """(minus the likeness, the name), best first, as many as are compared letter by letter."""

    def order(self, theirs: int) -> tuple[float, int]:
        """Return what puts numbers of pairs first that names like the word can have."""
        return -self._most_alike(theirs, min(theirs, len(self._pairs))), theirs

    def least_shared(self, theirs: int) -> int | None:
        """Return how many pairs a name that has so many must share to be among the best; None when it can't be."""
        least = -self.names[-1][0] if len(self.names) == _MOST_COMPARED else 0.0
        counts = range(min(theirs, len(self._pairs)) + 1)
        return next((count for count in counts if self._most_alike(theirs, count) >= least), None)

    def take(self, theirs: int, names: Iterable[tuple[int, str]]) -> None:
        """Take in (how many pairs it shares at most, name) of names that have so many pairs, the most shared first."""
        least = self.least_shared(theirs)
        for at_most, name in names:
            if least is None or at_most < least:
                break
            other = name.lower()
            shared = self._shared(other) if at_most else 0
            if shared >= least:
                likeness = _SAME if other == self._wanted else 2 * shared / (theirs + len(self._pairs))
                insort(self.names, (-likeness, name))
                del self.names[_MOST_COMPARED:]
                least = self.least_shared(theirs)

    def _shared(self, other: str) -> int:
        if len(self._wanted) == 1:
            return int(other == self._wanted)
        return sum(map(contains, repeat(other), self._pairs))

    def _most_alike(self, theirs: int, shared: int) -> float:
        """Return how like names can be that have and share so many pairs: the share of both's (Dice's coefficient)."""
        return _SAME if shared == theirs == len(self._pairs) else 2 * shared / (theirs + len(self._pairs))


def _most_alike(wanted: str, names: Collection[str], limit: int) -> list[str]:
    """Return those of some names that are most like a word, best first, ties by name."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - for a name that is not there only

    matcher = SequenceMatcher(b=wanted, autojunk=False)
    scored: list[tuple[float, str]] = []
    for name in names:
        lowered = name.lower()
        least = 0.0 if wanted in lowered else _LEAST_LIKENESS
        if scored and len(scored) == limit:
            least = max(least, -scored[-1][0])
        matcher.set_seq1(lowered)
        # The ratio is never more than these, which take a fraction of the time.
        if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
            continue
        ratio = matcher.ratio()
        if ratio >= least:
            scored = sorted([*scored, (-ratio, name)])[:limit]
    return [name for _, name in scored]


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(max(1, len(word) - 1))}


def _pair_counts(words: Collection[str]) -> list[int]:
    """Return of each word how many ``_pairs`` it has; of many at once it takes half the time."""
    counts = map(len, map(set, map(zip, words, [word[1:] for word in words])))
    return [count or 1 for count in counts]
