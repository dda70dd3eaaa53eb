"""Nearest names: the short way gives what a comparison of every name gives, whatever came and went before."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.spelling.names import NearestNames

NAMES = st.text(alphabet="abcABC_1éß\0?", min_size=1, max_size=8)
LONG = st.text(alphabet="ab_", min_size=30, max_size=60)


def pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(max(1, len(word) - 1))}


def likeness(wanted: str, other: str) -> float:
    shared = len(pairs(wanted) & pairs(other))
    return 2.0 if other == wanted else 2 * shared / (len(pairs(wanted)) + len(pairs(other)))


def by_comparing_all(names: set[str], wanted: str, limit: int) -> list[str]:
    rough = sorted(names, key=lambda name: (-likeness(wanted.lower(), name.lower()), name))[:60]
    ratios = [(SequenceMatcher(None, name.lower(), wanted.lower(), autojunk=False).ratio(), name) for name in rough]
    close = [(ratio, name) for ratio, name in ratios if ratio >= 0.5 or wanted.lower() in name.lower()]
    return [name for _, name in sorted(close, key=lambda row: (-row[0], row[1]))[:limit]]


@contextmanager
def symbols(names: set[str]) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE symbol (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        connection.execute("CREATE INDEX symbol_name ON symbol (name)")
        add(connection, names)
        yield connection


def add(connection: sqlite3.Connection, names: set[str]) -> None:
    last = connection.execute("SELECT coalesce(max(id), 0) FROM symbol").fetchone()[0]
    connection.executemany("INSERT INTO symbol VALUES (?, ?)", enumerate(sorted(names), last + 1))


@given(st.sets(NAMES | LONG, max_size=150), st.lists(NAMES | LONG, min_size=1, max_size=4), st.integers(1, 8))
def test_the_nearest_names_are_those_a_comparison_of_all_names_finds(
    names: set[str], wanted: list[str], limit: int
) -> None:
    nearest = NearestNames()
    with symbols(names) as connection:
        found = [nearest.of(connection, one, limit) for one in wanted]
    assert [by_comparing_all(names, one, limit) for one in wanted] == found


@given(
    st.sets(NAMES, min_size=1, max_size=90),
    st.lists(st.tuples(st.sets(NAMES, max_size=5), st.sets(NAMES, max_size=60)), min_size=1, max_size=4),
    NAMES,
)
def test_names_that_come_and_go_are_found_as_if_they_had_always_been_so(
    names: set[str], changes: list[tuple[set[str], set[str]]], wanted: str
) -> None:
    nearest, last = NearestNames(), max(names)
    with symbols(names) as connection:
        nearest.of(connection, wanted, 5)
        for added, removed in changes:
            # The last row stays: no number is ever given twice.
            gone = removed - {last}
            connection.executemany("DELETE FROM symbol WHERE name = ?", [(name,) for name in gone])
            add(connection, added)
            names, last = (names - gone) | added, max(added, default=last)
            nearest.note_changes()
            assert by_comparing_all(names, wanted, 5) == nearest.of(connection, wanted, 5)
