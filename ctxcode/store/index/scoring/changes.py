"""What the full-text index was, and which of its rows came and went since."""

import sqlite3
from typing import NamedTuple

import msgspec

from ctxcode.store.index.documents import FILE_SHIFT
from ctxcode.store.index.scoring.bm25 import Totals

_MOST_CHANGED = 100
"""Files that come and go at once, at most, for anything to be kept: what they say is scored for each phrase again."""
_MOST_STATES = 50
"""What was not asked for since so many of them has drifted away or is asked for no more."""
_FILES = "SELECT json_group_array(id) FROM file"
_COUNTED = "SELECT count(*), max(id) FROM file"
"""No number is given twice: where these are the same, so are all files."""

_numbers = msgspec.json.Decoder(list[int])


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
        self._counted: tuple[int, int | None] = (0, None)
        self._files: frozenset[int] = frozenset()
        """Rows of all files in the present state, published or not."""
        self._after: dict[int, Change] = {}
        """By state what the next one has done to it."""

    def note(self, connection: sqlite3.Connection) -> bool:
        """Look at the index again, and return whether it is in another state."""
        totals, counted = Totals.read(connection), connection.execute(_COUNTED).fetchone()
        if self.state and totals == self.totals and counted == self._counted:
            return False
        before, after = self._files, frozenset(_numbers.decode(connection.execute(_FILES).fetchone()[0]))
        change = Change(before - after, (max(before, default=0) + 1) << FILE_SHIFT)
        added = after - before
        is_small = len(change.gone) + len(added) <= _MOST_CHANGED
        if is_small and self.totals.words and min(added, default=change.first_row) << FILE_SHIFT >= change.first_row:
            self._after[self.state] = change
            if len(self._after) > _MOST_STATES:
                del self._after[min(self._after)]
        else:
            self._after.clear()
        self.state += 1
        self.totals, self._counted, self._files = totals, counted, after
        return True

    def since(self, state: int) -> Change | None:
        """Return what happened since a state; None when that is not known any more."""
        changes = [self._after[number] for number in range(state, self.state) if number in self._after]
        if len(changes) < self.state - state or not changes:
            return None
        return Change(frozenset().union(*[change.gone for change in changes]), changes[0].first_row)
