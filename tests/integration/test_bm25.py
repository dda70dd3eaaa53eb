"""Our bm25 is SQLite's, to the last bit, and tells how often a phrase stands in a document."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.documents import SCHEMA
from ctxcode.store.index.scoring.bm25 import LEAST_RARITY, UNIT, Statistics, Totals, is_reproduced, lengths

WORDS = ["cart", "item", "price", "total", "pay"]
WEIGHTS = (4, 2, 2, 1, 1)
COLUMNS = len(WEIGHTS)
Document = tuple[list[str], ...]
ADD = "INSERT INTO words (rowid, name, path, signature, doc, body) VALUES (?, ?, ?, ?, ?, ?)"

with closing(sqlite3.connect(":memory:")) as _asked:
    REPRODUCED = is_reproduced(_asked)

texts = st.lists(st.sampled_from(WORDS), max_size=12)
documents = st.lists(st.one_of(st.tuples(*[texts] * COLUMNS), st.just(([], [], [], [], ["cart"] * 300))), max_size=30)


def indexed(written: list[Document]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in SCHEMA:
        connection.execute(statement)
    connection.executemany(ADD, [(row, *map(" ".join, texts)) for row, texts in enumerate(written, 1)])
    return connection


def times_in(phrase: list[str], text: list[str]) -> int:
    return sum(text[place : place + len(phrase)] == phrase for place in range(len(text)))


@pytest.mark.skipif(not REPRODUCED, reason="this SQLite was compiled to round otherwise")
@given(
    written=documents,
    phrase=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2),
    weights=st.tuples(*[st.integers(0, 9)] * COLUMNS),
)
def test_a_score_is_the_one_of_sqlite_to_the_last_bit(
    written: list[Document], phrase: list[str], weights: tuple[int, ...]
) -> None:
    with closing(indexed(written)) as connection:
        marks = ", ".join(f"{weight}.0" for weight in weights)
        expected = dict(
            connection.execute(
                f"SELECT rowid, -bm25(words, {marks}) FROM words WHERE words MATCH ?",  # noqa: S608 - numbers
                (f'"{" ".join(phrase)}"',),
            )
        )
        by = Statistics.of(Totals.read(connection), len(expected))
        long = lengths(connection, expected)
    assert {row: sum(map(len, written[row - 1])) for row in expected} == long
    for row, score in expected.items():
        found = zip(weights, written[row - 1], strict=True)
        assert score == by.given(sum(weight * times_in(phrase, text) for weight, text in found), long[row])


@given(
    by=st.builds(Statistics, st.just(LEAST_RARITY) | st.floats(1e-3, 12.0), st.floats(1.0, 300.0)),
    frequency=st.integers(1, 400) | st.integers(1, 10**7),
    length=st.integers(1, 10**6),
)
def test_a_score_tells_how_often_or_that_it_does_not(by: Statistics, frequency: int, length: int) -> None:
    score = by.score(frequency, length)
    others = {by.score(frequency - 1, length), by.score(frequency + 1, length)}
    told = by.frequency(score, length)
    assert told in {frequency, None}
    assert told == frequency or frequency > 400 or score in others or length < frequency / max(WEIGHTS)
    assert by.frequency(score + 1, length) != frequency


@given(
    then=st.builds(Statistics, st.floats(0.01, 12.0), st.floats(1.0, 300.0)),
    now=st.builds(Statistics, st.floats(0.01, 12.0), st.floats(1.0, 300.0)),
    frequency=st.integers(1, 400),
    length=st.integers(1, 10_000),
)
def test_no_score_drifts_further_than_is_told(then: Statistics, now: Statistics, frequency: int, length: int) -> None:
    before, after = then.score(frequency, length), now.score(frequency, length)
    cut = 2 + now.drift(then)  # Of each score less than a unit is cut off.
    assert abs(after - before) <= now.drift(then) * before * (1 + 1e-9) + cut


def test_asking_sqlite_whether_it_reckons_alike_leaves_nothing_behind() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        assert REPRODUCED == is_reproduced(connection)
        assert [] == connection.execute("SELECT name FROM temp.sqlite_master").fetchall()


def test_an_empty_index_has_no_documents() -> None:
    with closing(indexed([])) as connection:
        assert Totals(0, 0) == Totals.read(connection)
        assert {} == lengths(connection, [1, 2])


@pytest.mark.parametrize("long", [127, 128, 16_383, 16_384])
def test_the_length_of_a_long_document_is_read(long: int) -> None:
    with closing(indexed([(["cart"], [], [], [], ["pay"] * long)])) as connection:
        assert {1: 1 + long} == lengths(connection, [1])
        assert Totals(1, 1 + long) == Totals.read(connection)


@given(
    by=st.builds(Statistics, st.floats(1e-3, 12.0), st.floats(1.0, 300.0)),
    frequency=st.integers(1, 400),
    length=st.integers(1, 10_000),
)
def test_a_score_in_units_is_what_is_given(by: Statistics, frequency: int, length: int) -> None:
    assert int(by.given(frequency, length) * UNIT) == by.score(frequency, length)
