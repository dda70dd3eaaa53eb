"""Full-text search: words in, scored rows out."""

import re
import sqlite3
from collections.abc import Sequence
from math import gcd

from ctxcode.model.naming.folder import ASIDE_MARK

_COLUMN_WEIGHTS = "4.0, 2.0, 2.0, 1.0, 1.0"
"""name, path, signature, doc, body."""
_MOST_TERMS = 40
_FINEST_WEIGHT = 4
"""Weights are kept in quarters of the largest: a term stands so many times in the query."""
_TIE_ROOM = 64
_WORD = re.compile(r"\w")

_SEARCH = f"""
SELECT rowid, -bm25(words, {_COLUMN_WEIGHTS}) AS score FROM words WHERE words MATCH ? ORDER BY score DESC LIMIT ?
"""  # noqa: S608 - constants only


def match_expression(terms: Sequence[tuple[str, float]], *, with_aside: bool = True) -> str:
    """Return the FTS5 query for any of the (word, weight) terms; empty when no word is left.

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
        return ""
    heaviest = best[kept[0]]
    counts = {word: max(1, round(_FINEST_WEIGHT * best[word] / heaviest)) for word in kept}
    divisor = gcd(*counts.values())
    phrases = [quoted(word) for word in kept for _ in range(counts[word] // divisor)]
    expression = " OR ".join(phrases)
    return expression if with_aside else f'({expression}) NOT path : "{ASIDE_MARK}"'


def search_rows(connection: sqlite3.Connection, expression: str, limit: int) -> list[tuple[int, float]]:
    """Return (row, score) of the best matches, best first, with everything that ties with the last of them."""
    room = limit + _TIE_ROOM
    rows = connection.execute(_SEARCH, (expression, room)).fetchall()
    while len(rows) == room and rows[-1][1] == rows[limit - 1][1]:
        room *= 8
        rows = connection.execute(_SEARCH, (expression, room)).fetchall()
    return rows


def quoted(word: str) -> str:
    """Return a word as a full-text query for it: nothing in it is syntax."""
    encoded = word.encode("utf-8", "replace").decode()
    return '"' + encoded.replace('"', '""') + '"'
