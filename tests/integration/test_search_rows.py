"""Which rows of a large full-text index are scored changes no answer."""

import random
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.documents import SCHEMA
from ctxcode.store.index.search import phrases_of, search_rows

DOCUMENTS = 9_000
VOCABULARY = [f"word{number}" for number in range(300)]
COMMON = 1.2
"""How much more often the first words stand than the later ones."""
BM25 = "-bm25(words, 4.0, 2.0, 2.0, 1.0, 1.0)"


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    chosen = random.Random(7)  # noqa: S311 - made-up texts
    odds = [1 / (rank + 1) ** COMMON for rank in range(len(VOCABULARY))]
    made = sqlite3.connect(":memory:")
    for statement in SCHEMA:
        made.execute(statement)
    for row in range(1, DOCUMENTS + 1):
        words = chosen.choices(VOCABULARY, odds, k=chosen.randint(6, 60))
        path = f"a/b.py {ASIDE_MARK}" if row % 9 == 0 else "a/b.py"
        texts = ("_".join(words[:2]), path, " ".join(words[:5]), "", " ".join(words))
        made.execute(
            "INSERT INTO words (rowid, name, path, signature, doc, body) VALUES (?, ?, ?, ?, ?, ?)", (row, *texts)
        )
    yield made
    made.close()


def all_scored(connection: sqlite3.Connection, times: dict[str, int], *, with_aside: bool) -> dict[int, float]:
    """Score every row that holds any of the phrases, a phrase at a time."""
    scores: dict[int, float] = {}
    for phrase, count in times.items():
        for row, score in connection.execute(f"SELECT rowid, {BM25} FROM words WHERE words MATCH ?", (phrase,)):  # noqa: S608 - constants only
            if with_aside or row % 9:
                scores[row] = scores.get(row, 0.0) + count * score
    return scores


def weighed(words: list[str]) -> st.SearchStrategy[tuple[str, float]]:
    return st.tuples(st.sampled_from(words), st.sampled_from([0.25, 0.5, 0.75, 1.0]))


@settings(max_examples=150, deadline=None)
@given(
    common=st.lists(weighed(VOCABULARY[:6]), min_size=2, max_size=4),
    rare=st.lists(weighed([*VOCABULARY[6:], *(f"word0_{word}" for word in VOCABULARY[:20])]), max_size=4),
    limit=st.sampled_from([1, 20, 100]),
    with_aside=st.booleans(),
)
def test_the_best_rows_are_those_of_scoring_every_row(
    connection: sqlite3.Connection,
    common: list[tuple[str, float]],
    rare: list[tuple[str, float]],
    limit: int,
    *,
    with_aside: bool,
) -> None:
    times = phrases_of(common + rare)
    rows = search_rows(connection, times, limit, with_aside=with_aside)
    expected = all_scored(connection, times, with_aside=with_aside)
    best = sorted(expected.values(), reverse=True)[:limit]
    assert best == pytest.approx([score for _, score in rows[:limit]])
    assert [expected[row] for row, _ in rows] == pytest.approx([score for _, score in rows])
    assert {row for row, score in expected.items() if score > best[-1] * (1 + 1e-9)} <= {row for row, _ in rows}


def test_a_rare_word_spares_the_rows_that_hold_common_ones_only(connection: sqlite3.Connection) -> None:
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    rows = search_rows(connection, phrases_of([("word60", 1.0), ("word61", 1.0), ("word0", 0.5), ("word1", 0.5)]), 20)
    connection.set_trace_callback(None)
    scoring = [statement for statement in asked if "bm25" in statement]
    assert scoring
    assert all(") AND (" in statement for statement in scoring)
    assert len(rows) >= 20
