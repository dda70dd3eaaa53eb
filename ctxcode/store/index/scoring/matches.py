"""The rows that hold a phrase, as SQLite scores them."""

import sqlite3
from array import array
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.scoring.bm25 import UNIT, Statistics, lengths

_ASIDE = f'NOT path : "{ASIDE_MARK}"'
_SCORES = f"""
SELECT json_group_array(rowid), json_group_array(CAST(rank * -{UNIT} AS INTEGER))
FROM words WHERE words MATCH ? AND rank MATCH 'bm25(4.0, 2.0, 2.0, 1.0, 1.0)'
"""  # noqa: S608 - constants only
"""Weights of name, path, signature, doc, body. One row of text is read much faster than a row for each."""
_SCORES_SINCE = f"{_SCORES} AND rowid >= ?"
_SCORES_AMONG = f"{_SCORES} AND +rowid IN (SELECT value FROM json_each(?))"  # noqa: S608 - as above

_numbers = msgspec.json.Decoder(list[int])


class Scores(NamedTuple):
    """What a phrase gives to the rows that hold it."""

    rows: "array[int]"
    """In ascending order."""
    scores: "array[int]"
    by: Statistics
    """What they were reckoned with: maybe not with what is true by now."""


def scored(
    connection: sqlite3.Connection, phrase: str, by: Statistics, first_row: int = 0, *, with_aside: bool
) -> Scores:
    """Score the rows that hold a phrase, from one of them on; ``by`` says what the index reckons with now."""
    since = (first_row,) if first_row else ()
    return _read(connection, by, _SCORES_SINCE if since else _SCORES, _expression(phrase, with_aside), *since)


def scored_among(
    connection: sqlite3.Connection, phrase: str, rows: Collection[int], by: Statistics, *, with_aside: bool
) -> Scores:
    """Score those of some rows that hold a phrase."""
    wanted = msgspec.json.encode(list(rows)).decode()
    expression = _expression(phrase, with_aside)
    return _read(connection, by, _SCORES_AMONG, expression, wanted)


def reckoned(connection: sqlite3.Connection, found: Scores, by: Statistics) -> "array[int] | None":
    """Return scores as they were by other statistics; None when they don't tell."""
    if found.by == by or not found.rows:
        return found.scores
    long = lengths(connection, found.rows)
    made = array("q")
    for row, score in zip(found.rows, found.scores, strict=True):
        other = reckoned_of(score, long.get(row, 0), found.by, by)
        if other is None:
            return None
        made.append(other)
    return made


def reckoned_of(score: int, length: int, then: Statistics, by: Statistics) -> int | None:
    """Return a score of then, of a document of so many words, as it is by other statistics; None when it can't tell."""
    frequency = then.frequency(score, length)
    return by.score(frequency, length) if frequency is not None else None


def _expression(phrase: str, with_aside: bool) -> str:  # noqa: FBT001 - of this module only
    return phrase if with_aside else f"({phrase}) {_ASIDE}"


def _read(connection: sqlite3.Connection, by: Statistics, statement: str, *given: str | int) -> Scores:
    rows, scores = connection.execute(statement, given).fetchone()
    return Scores(array("q", _numbers.decode(rows)), array("q", _numbers.decode(scores)), by)
