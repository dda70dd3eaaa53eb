"""Which rows of a large full-text index are scored, and what was asked for before, changes no answer."""

import random
import sqlite3
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.documents import SCHEMA
from ctxcode.store.index.scoring import changes
from ctxcode.store.index.scoring.query import IsAside
from ctxcode.store.index.search import PhraseScores, phrases_of, quoted

DOCUMENTS = 9_000
VOCABULARY = [f"word{number}" for number in range(300)]
PLURALS = [f"{word}s" for word in VOCABULARY[:12]]
"""To the index the same as what they are plurals of."""
COMMON = 1.2
"""How much more often the first words stand than the later ones."""
RARE, COMMON_WORD = "word60", "word0"
BM25 = "-bm25(words, 4.0, 2.0, 2.0, 1.0, 1.0)"


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    chosen = random.Random(7)  # noqa: S311 - made-up texts
    odds = [1 / (rank + 1) ** COMMON for rank in range(len(VOCABULARY))]
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE file (id INTEGER PRIMARY KEY)")
    for statement in (*SCHEMA, *changes.SCHEMA):
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


@cache
def scored(connection: sqlite3.Connection, phrase: str) -> list[tuple[int, float]]:
    """Score every row that holds a phrase."""
    return connection.execute(f"SELECT rowid, {BM25} FROM words WHERE words MATCH ?", (phrase,)).fetchall()  # noqa: S608 - constants only


def all_scored(connection: sqlite3.Connection, times: dict[str, int], *, with_aside: bool) -> dict[int, float]:
    """Score every row that holds any of the phrases, a phrase at a time."""
    scores: dict[int, float] = {}
    for phrase, count in times.items():
        for row, score in scored(connection, phrase):
            if with_aside or row % 9:
                scores[row] = scores.get(row, 0.0) + count * score
    return scores


def weighed(words: list[str]) -> st.SearchStrategy[tuple[str, float]]:
    return st.tuples(st.sampled_from(words), st.sampled_from([0.25, 0.5, 0.75, 1.0]))


@pytest.fixture(scope="module")
def known() -> PhraseScores:
    """Keep what all questions of this module asked for, as far as there is room for a few common words."""
    return PhraseScores(most_kept=4 * DOCUMENTS, most_some=1_000)


@settings(max_examples=150, deadline=None)
@given(
    common=st.lists(weighed(VOCABULARY[:6]), min_size=1, max_size=4),
    rare=st.lists(weighed([*VOCABULARY[6:], *(f"word0_{word}" for word in VOCABULARY[:20]), *PLURALS]), max_size=4),
    limit=st.sampled_from([1, 20, 100]),
    is_aside=st.sampled_from(
        [None, lambda row: row % 9 == 0, lambda row: row % 9 == 0 or (None if row % 50 else False)]
    ),
)
def test_the_best_rows_are_those_of_scoring_every_row(
    connection: sqlite3.Connection,
    known: PhraseScores,
    common: list[tuple[str, float]],
    rare: list[tuple[str, float]],
    limit: int,
    is_aside: IsAside | None,
) -> None:
    times = phrases_of(common + rare)
    rows = PhraseScores().best_rows(connection, times, limit, is_aside)
    assert rows == known.best_rows(connection, times, limit, is_aside)
    expected = all_scored(connection, times, with_aside=is_aside is None)
    best = sorted(expected.values(), reverse=True)[:limit]
    assert best == pytest.approx([score for _, score in rows[:limit]])
    assert [expected[row] for row, _ in rows] == pytest.approx([score for _, score in rows])
    assert {row for row, score in expected.items() if score > best[-1] * (1 + 1e-9)} <= {row for row, _ in rows}


def test_a_rare_word_spares_the_rows_that_hold_common_ones_only(connection: sqlite3.Connection) -> None:
    asked = scorings(connection, PhraseScores(), [RARE, COMMON_WORD], times=1)
    assert [("json_each" in statement, COMMON_WORD in statement) for statement in asked] == [
        (False, False),
        (True, True),
    ]


def test_words_that_say_the_same_are_scored_once_and_count_each(connection: sqlite3.Connection) -> None:
    same = [RARE, f"{RARE}s", RARE.upper()]
    assert 1 == len(scorings(connection, PhraseScores(), same, times=1))
    times = phrases_of([(word, 1.0) for word in same])
    expected = all_scored(connection, times, with_aside=True)
    assert expected == pytest.approx(dict(PhraseScores().best_rows(connection, times, DOCUMENTS)))


def test_what_is_asked_for_again_is_not_scored_again(connection: sqlite3.Connection) -> None:
    known = PhraseScores()
    assert len(scorings(connection, known, [RARE, COMMON_WORD], times=2)) == 2
    assert scorings(connection, known, [RARE, COMMON_WORD], times=3) == []


def test_a_common_word_is_scored_in_more_rows_as_more_are_asked_for_and_in_all_of_them_in_the_end(
    connection: sqlite3.Connection,
) -> None:
    known = PhraseScores()
    asked = [scorings(connection, known, [f"word{number}", COMMON_WORD], times=1) for number in range(60, 70)]
    of_common = ["json_each" in made[1] for made in asked if len(made) > 1]
    assert [True] * 6 + [False] == of_common
    for number in range(70, 80):
        times = phrases_of([(f"word{number}", 1.0), (COMMON_WORD, 1.0)])
        assert PhraseScores().best_rows(connection, times, 20) == known.best_rows(connection, times, 20)


def test_no_more_scores_are_kept_than_there_is_room_for(connection: sqlite3.Connection) -> None:
    known = PhraseScores(most_kept=0)
    assert len(scorings(connection, known, [RARE], times=3)) == 3


def test_nor_are_those_of_single_rows(connection: sqlite3.Connection) -> None:
    known = PhraseScores(most_some=0)
    assert len(scorings(connection, known, [RARE, COMMON_WORD], times=3)) == 1 + 3


def test_what_is_known_of_very_many_words_is_forgotten(connection: sqlite3.Connection) -> None:
    known = PhraseScores()
    assert len(scorings(connection, known, [RARE], times=2)) == 1
    known.best_rows(connection, {quoted(f"nowhere{number}"): 1 for number in range(4_000)}, 20)
    assert len(scorings(connection, known, [RARE], times=2)) == 1


def scorings(connection: sqlite3.Connection, known: PhraseScores, words: list[str], *, times: int) -> list[str]:
    """Ask so many times for some words; return what had to be scored."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    for _ in range(times):
        known.best_rows(connection, phrases_of([(word, 1.0) for word in words]), 20)
    connection.set_trace_callback(None)
    return [statement for statement in asked if "bm25" in statement]
