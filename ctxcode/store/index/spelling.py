"""Words and names of the index that come near one that is not in it."""

import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import compress, repeat
from operator import contains

from ctxcode.store.index.documents import TOKENIZE, Listings, hold_texts
from ctxcode.store.index.search import quoted

_SHORTEST = 5
_TWO_SLIPS_FROM = 10
"""Letters of a word, or of what is left of it, in which two slips are still one; in fewer each weighs more."""
_HELD_OFTEN = 2
"""Definitions that hold a word, so that it is no slip itself."""
_ENDINGS = (
    "able", "al", "ance", "ant", "ate", "ated", "ates", "ation", "ations", "ative", "ator", "ed", "ement", "ence",
    "ent", "er", "ers", "es", "ial", "ic", "ing", "ion", "ions", "ity", "ive", "ized", "izing", "ly", "ment",
    "ments", "ness", "or", "s",
)  # fmt: skip
_LONGEST_ENDING = 7
_MOST_BEFORE = 2
"""Of a word with one slip, what is as long as it would be without its ending differs by no more from that."""
_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, words, row)"
_TYPED = f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed USING fts5 (word, content = '', {TOKENIZE})"
_TYPED_TERMS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.typed_terms USING fts5vocab (temp, typed, row)"
_TYPE = "INSERT INTO temp.typed (word) VALUES (?)"
_CLEAR = "INSERT INTO temp.typed (typed) VALUES ('delete-all')"
_IS_HELD = "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1"
_MARK = "\x02"
_LAST_HOLDERS = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 30"
_HELD_FORMS = f"""
SELECT snippet(held, -1, '{_MARK}', '{_MARK}', '', 1) FROM temp.held WHERE held MATCH ? ORDER BY rowid DESC
"""  # noqa: S608 - constants only
_NAMES = "SELECT DISTINCT name FROM symbol"
_MOST_COMPARED = 60
"""Names that are compared letter by letter."""
_LEAST_LIKENESS = 0.5
_MOST_MISSED = 200
"""Names that were not there whose nearest ones are kept."""
_MOST_PAIRS = 1_000
"""Pairs of letters of which is kept which names hold them."""
_BEGINNING = "SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? AND doc >= ?"


def may_be_misspelt(word: str) -> bool:
    """Return whether a word is one a person types: letters only, not too few."""
    return word.isascii() and word.isalpha() and len(word) >= _SHORTEST


def nearest_word(
    connection: sqlite3.Connection, listings: Listings, word: str, stem_of: Callable[[str], str]
) -> str | None:
    """Return the word meant by one that stands nowhere: the nearest, of several the commonest.

    Words are compared as the index keeps them, without their endings, and returned as they are written; a slip in an
    ending, which keeps it from being taken away, counts like one before it. None when the word is there or none comes
    near; it takes some 10 ms then. A slip is a letter too many, too few or wrong, or two that changed places; the first
    is right.
    """
    if connection.execute(_IS_HELD, (f'"{word}"',)).fetchone() is not None:
        return None
    connection.execute(_VOCABULARY)
    forms = {
        form: 2 if len(form) >= _TWO_SLIPS_FROM else 1 for form in (word, stem_of(word), *_as_kept(connection, word))
    }
    most = max(forms.values())
    found: list[tuple[int, int, str]] = []
    for other, count in connection.execute(_BEGINNING, (word[0], chr(ord(word[0]) + 1), _HELD_OFTEN)):
        if len(other) < _SHORTEST - 1:
            continue
        slips = min(slips_between(form, other, few) + (most - few) for form, few in forms.items())
        if slips > 1 and len(word) - len(other) <= _LONGEST_ENDING and _is_other_with_ending(word, other):
            slips = 1
        if slips <= most:
            found.append((slips, -count, other))
    return _as_written(connection, listings, (min(found)[2], word)) if found else None


def _is_other_with_ending(word: str, other: str) -> bool:
    """Return whether a word is, but for one slip, another with an ending; two slips and an ending say too little."""
    if len(set(other).difference(word)) > 1 or slips_between(word[: len(other)], other, _MOST_BEFORE) > _MOST_BEFORE:
        # Quicker than a look at every ending.
        return False
    return any(slips_between(word, other + ending, 1) <= 1 for ending in _ENDINGS)


def _as_kept(connection: sqlite3.Connection, word: str) -> list[str]:
    """Return a word as the index would keep it: endings that only SQLite takes away make a long word much shorter."""
    for statement in (_TYPED, _TYPED_TERMS, _CLEAR):
        connection.execute(statement)
    connection.execute(_TYPE, (word,))
    return [term for (term,) in connection.execute("SELECT term FROM temp.typed_terms")]


def words_nowhere(connection: sqlite3.Connection, words: Collection[str]) -> frozenset[str]:
    """Return those of some words that no document holds; compared without their endings, as the index keeps them."""
    return frozenset(
        word for word in words if connection.execute(_IS_HELD, (quoted(word.replace("\0", " ")),)).fetchone() is None
    )


def _as_written(connection: sqlite3.Connection, listings: Listings, meant: tuple[str, str]) -> str:
    """Return the form in which the index's texts hold a term: of several the one most like a word, in small letters.

    Only some of the texts are looked at; the term itself when none shows it.
    """
    (term, word), forms = meant, Counter[str]()
    # Only where the texts themselves are kept does the full-text index tell which words of theirs a term stands for.
    hold_texts(connection, listings, [row for (row,) in connection.execute(_LAST_HOLDERS, (f'"{term}"',))])
    for (text,) in connection.execute(_HELD_FORMS, (f'"{term}"',)):
        forms.update(part.lower() for part in text.split(_MARK)[1::2] if part.isalpha())
    ranked = [(slips_between(word, form, len(word)), -count, form) for form, count in forms.items()]
    return min(ranked)[2] if ranked else term


class NearestNames:
    """Finds the names of one publication that are most like another.

    A question that is being typed asks for the same names with every key, and for names that begin alike: what was
    found is kept, and which names hold a pair of letters.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], list[str]] = {}
        self._names: list[str] = []
        self._lowered: list[str] = []
        self._holders: dict[str, array[int]] = {}

    def of(self, connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
        """Return the names most like one, best first, ties by name."""
        found = self._found.get((name, limit))
        if found is None:
            if len(self._found) >= _MOST_MISSED:
                self._found.clear()
            found = self._found[name, limit] = self._closest(connection, name.lower(), limit)
        return found

    def _closest(self, connection: sqlite3.Connection, wanted: str, limit: int) -> list[str]:
        from difflib import SequenceMatcher  # noqa: PLC0415 - for a name that is not there only

        if not self._names:
            self._names = [name for (name,) in connection.execute(_NAMES)]
            self._lowered = list(map(str.lower, self._names))
        matcher = SequenceMatcher(b=wanted, autojunk=False)
        scored: list[tuple[float, str]] = []
        for other in self._roughly_like(wanted):
            matcher.set_seq1(self._lowered[other])
            ratio = matcher.ratio()
            if ratio >= _LEAST_LIKENESS or wanted in self._lowered[other]:
                scored.append((-ratio, self._names[other]))
        return [name for _, name in sorted(scored)[:limit]]

    def _roughly_like(self, wanted: str) -> list[int]:
        """Return the numbers of the names that share most of their letter pairs with a word, best first, ties by name.

        The more of the word's pairs a name holds, the more alike they can be: those with few are not looked at.
        """
        pairs = _pairs(wanted)
        best: list[tuple[float, str, int]] = []
        for common, others in self._by_common(pairs):
            if len(best) == _MOST_COMPARED and 2 * common / (len(pairs) + common) < -best[-1][0]:
                break
            best += [(-_likeness(pairs, wanted, self._lowered[other]), self._names[other], other) for other in others]
            best = sorted(best)[:_MOST_COMPARED]
        return [other for *_, other in best]

    def _by_common(self, pairs: Collection[str]) -> Iterator[tuple[int, Collection[int]]]:
        """Yield (how many of some pairs names hold, the numbers of these names), the most first."""
        counts = Counter[int]()
        for pair in pairs:
            counts.update(self._holding(pair))
        by_common: list[list[int]] = [[] for _ in range(len(pairs) + 1)]
        for other, common in counts.items():
            by_common[common].append(other)
        for common in range(len(pairs), 0, -1):
            yield common, by_common[common]
        yield 0, counts.keys() ^ range(len(self._names))

    def _holding(self, pair: str) -> "array[int]":
        """Return the numbers of the names that hold a pair of letters."""
        held = self._holders.get(pair)
        if held is None:
            if len(self._holders) >= _MOST_PAIRS:
                self._holders.clear()
            numbers = compress(range(len(self._names)), map(contains, self._lowered, repeat(pair)))
            held = self._holders[pair] = array("I", numbers)
        return held


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(max(1, len(word) - 1))}


def _likeness(pairs: set[str], wanted: str, other: str) -> float:
    """Return the share of letter pairs two words have in common (Dice's coefficient)."""
    if other == wanted:
        return 2.0
    theirs = _pairs(other)
    return 2 * len(pairs & theirs) / (len(pairs) + len(theirs))


def slips_between(word: str, other: str, most: int) -> int:
    """Return the slips between two words (their optimal string alignment distance), more than ``most`` for more."""
    # Each letter of the one that the other has nowhere is a slip.
    if abs(len(word) - len(other)) > most or len(set(word).difference(other)) > most:
        return most + 1
    before, last = list[int](), list(range(len(other) + 1))
    for at, letter in enumerate(word, start=1):
        row = [at]
        for place, theirs in enumerate(other, start=1):
            cost = min(last[place] + 1, row[place - 1] + 1, last[place - 1] + (letter != theirs))
            if at > 1 and place > 1 and letter == other[place - 2] and word[at - 2] == theirs:
                cost = min(cost, before[place - 2] + 1)
            row.append(cost)
        if min(row) > most and min(last) > most:
            return most + 1
        before, last = last, row
    return last[-1]
