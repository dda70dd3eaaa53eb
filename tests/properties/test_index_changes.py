"""What is told of an index's changes is what they did, whenever it was looked at and however many there were."""

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.documents import FILE_SHIFT
from ctxcode.store.index.scoring.changes import SCHEMA, IndexChanges, note_gone

MANY = 101
STEPS = st.lists(st.tuples(st.sampled_from([0, 1, 2, MANY]), st.lists(st.integers(0, 8), max_size=4), st.booleans()))


def come(connection: sqlite3.Connection, first: int, files: int) -> None:
    rows = [(file,) for file in range(first, first + files)]
    connection.executemany("INSERT INTO file VALUES (?)", rows)
    connection.executemany("INSERT INTO words (rowid, text) VALUES (? << 16, 'word')", rows)


def go(connection: sqlite3.Connection, file: int) -> None:
    connection.execute("DELETE FROM file WHERE id = ?", (file,))
    connection.execute("DELETE FROM words WHERE rowid = ? << 16", (file,))
    note_gone(connection, [file])


def there(connection: sqlite3.Connection) -> set[int]:
    return {file for (file,) in connection.execute("SELECT id FROM file")}


@given(STEPS)
def test_what_came_and_went_since_a_state_is_told_or_it_is_said_that_nobody_knows(
    steps: list[tuple[int, list[int], bool]],
) -> None:
    changes, states, free = IndexChanges(), dict[int, set[int]](), 1
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE file (id INTEGER PRIMARY KEY)")
        connection.execute(*SCHEMA)
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
        for came, places, is_looked_at in steps:
            come(connection, free, came)
            free += came
            for file in [sorted(there(connection))[place] for place in sorted(set(places)) if place < came]:
                go(connection, file)
            if is_looked_at:
                changes.note(connection)
                states[changes.state] = there(connection)
        now = states.get(changes.state, set())
        for state, then in states.items():
            change = changes.since(state)
            if change is not None:
                assert then - now == change.gone & then
                assert {file for file in then | now if file << FILE_SHIFT >= change.first_row} == now - then


def test_what_nobody_remembers_is_not_told() -> None:
    changes = IndexChanges()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE file (id INTEGER PRIMARY KEY)")
        connection.execute(*SCHEMA)
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
        come(connection, 1, 5)
        assert changes.note(connection)
        assert not changes.note(connection)
        go(connection, 2)
        assert changes.note(connection)
        told = changes.since(1)
        assert (frozenset({2}), 6 << FILE_SHIFT) == told
        go(connection, 3)
        note_gone(connection, range(100, 2_100))
        assert changes.note(connection)
        assert changes.since(1) is None


def test_only_the_last_files_that_went_are_remembered_and_no_number_is_given_twice() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(*SCHEMA)
        note_gone(connection, range(1, 3_001))
        note_gone(connection, [])
        note_gone(connection, [3_001])
        noted = connection.execute("SELECT count(*), min(id), max(id), min(file), max(file) FROM gone").fetchone()
        assert (1_000, 2_002, 3_001, 2_002, 3_001) == noted
