"""Nearest names: the short way gives what a comparison of every name gives, however few names it looks at."""

import sqlite3
from contextlib import closing
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.spelling.names import NearestNames

NAMES = st.text(alphabet="abcABC_1éßİ?", min_size=1, max_size=8)
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


@given(st.sets(NAMES | LONG, max_size=150), st.lists(NAMES | LONG, min_size=1, max_size=4), st.integers(1, 8))
def test_the_nearest_names_are_those_a_comparison_of_all_names_finds(
    names: set[str], wanted: list[str], limit: int
) -> None:
    nearest = NearestNames()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE symbol (name TEXT NOT NULL)")
        connection.executemany("INSERT INTO symbol VALUES (?)", [(name,) for name in sorted(names)])
        found = [nearest.of(connection, one, limit) for one in wanted]
    assert [by_comparing_all(names, one, limit) for one in wanted] == found


@pytest.mark.parametrize("wanted", ["ab\0", "\0", "\0ab", "a\0b"])
def test_what_no_name_can_hold_is_looked_for_all_the_same(wanted: str) -> None:
    names = {"ab", "abc", "b", "é"}
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE symbol (name TEXT NOT NULL)")
        connection.executemany("INSERT INTO symbol VALUES (?)", [(name,) for name in sorted(names)])
        found = NearestNames().of(connection, wanted, 5)
    assert by_comparing_all(names, wanted, 5) == found
