"""What the full-text index was, and which of its rows came and went since."""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from ctxcode.store.index.documents import FILE_SHIFT
from ctxcode.store.index.scoring.bm25 import Totals

# The file rows that went last, in order: who knows what the index was need not look at all of them again.
SCHEMA = ("CREATE TABLE gone (id INTEGER PRIMARY KEY, file INTEGER NOT NULL) STRICT",)
_NOTE_GONE = "INSERT INTO gone (file) VALUES (?)"
_FORGET_GONE = "DELETE FROM gone WHERE id <= (SELECT max(id) FROM gone) - 1000"
"""Who has last looked before that begins anew; the last one stays, so that no number is given twice."""
_MOST_CHANGED = 100
"""Files that come and go at once, at most, for anything to be kept: what they say is scored for each phrase again."""
_MOST_STATES = 50
"""What was not asked for since so many of them has drifted away or is asked for no more."""
_LAST = "SELECT (SELECT coalesce(max(id), 0) FROM file), (SELECT coalesce(max(id), 0) FROM gone)"
"""Files' numbers are never given twice either: where these are the same, so are all files."""
_CAME = "SELECT count(*) FROM (SELECT 1 FROM file WHERE id > ? LIMIT ?)"
_WENT = "SELECT file FROM gone WHERE id > ? LIMIT ?"


def note_gone(connection: sqlite3.Connection, files: Iterable[int]) -> None:
    """Note that the rows of files went; in the transaction that removes them."""
    connection.executemany(_NOTE_GONE, [(file,) for file in files])
    connection.execute(_FORGET_GONE)


class Change(NamedTuple):
    """What happened to the rows of an index; a row that stays says what it said."""

    gone: frozenset[int]
    """Files whose rows are there no more."""
    first_row: int
    """From this row on all are new; none before it is."""


class IndexChanges:
    """The states a full-text index was met in."""

    def __init__(self) -> None:
        self.state = 0
        """The number of the present one."""
        self.totals = Totals(0, 0)
        self._last_file = self._last_gone = 0
        """The highest numbers in the present state: of files, published or not, and of those that went."""
        self._after: dict[int, Change] = {}
        """By state what the next one has done to it."""

    def note(self, connection: sqlite3.Connection) -> bool:
        """Look at the index again, and return whether it is in another state."""
        last_file, last_gone = connection.execute(_LAST).fetchone()
        if self.state and (last_file, last_gone) == (self._last_file, self._last_gone):
            return False
        change = self._change(connection, last_gone) if self.totals.words else None
        if change is not None:
            self._after[self.state] = change
            if len(self._after) > _MOST_STATES:
                del self._after[min(self._after)]
        else:
            self._after.clear()
        self.state += 1
        self.totals, self._last_file, self._last_gone = Totals.read(connection), last_file, last_gone
        return True

    def _change(self, connection: sqlite3.Connection, last_gone: int) -> Change | None:
        """Return what has happened since the present state; None when it is much, or so long ago that nobody knows."""
        came = connection.execute(_CAME, (self._last_file, _MOST_CHANGED + 1)).fetchone()[0]
        gone = connection.execute(_WENT, (self._last_gone, _MOST_CHANGED + 1)).fetchall()
        if came + len(gone) > _MOST_CHANGED or len(gone) != last_gone - self._last_gone:
            return None
        return Change(frozenset([file for (file,) in gone]), (self._last_file + 1) << FILE_SHIFT)

    def since(self, state: int) -> Change | None:
        """Return what happened since a state; None when that is not known any more."""
        changes = [self._after[number] for number in range(state, self.state) if number in self._after]
        if len(changes) < self.state - state or not changes:
            return None
        return Change(frozenset().union(*[change.gone for change in changes]), changes[0].first_row)
