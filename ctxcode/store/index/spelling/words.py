"""Words of the index that come near one that is not in it."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection

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
