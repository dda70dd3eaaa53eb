"""Nearest names: the short way gives what a comparison of every name gives."""

import sqlite3
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.spelling import NearestNames

NAMES = st.text(alphabet="abcABC_1é", min_size=1, max_size=8)


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


@given(st.sets(NAMES, max_size=150), st.lists(NAMES, min_size=1, max_size=4))
def test_the_nearest_names_are_those_a_comparison_of_all_names_finds(names: set[str], wanted: list[str]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE symbol (name TEXT NOT NULL)")
    connection.executemany("INSERT INTO symbol VALUES (?)", [(name,) for name in sorted(names)])
    nearest = NearestNames()
    found = [nearest.of(connection, one, 5) for one in wanted]
    connection.close()
    assert [by_comparing_all(names, one, 5) for one in wanted] == found
