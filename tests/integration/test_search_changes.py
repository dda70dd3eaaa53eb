"""What is kept of a full-text index while files come and go changes no answer."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.documents import FILE_SHIFT, SCHEMA
from ctxcode.store.index.scoring import changes
from ctxcode.store.index.scoring.bm25 import is_reproduced
from ctxcode.store.index.search import PhraseScores, phrases_of

FILES, DOCUMENTS = 150, 12
VOCABULARY = [f"word{number}" for number in range(60)]
COLUMNS = "rowid, name, path, signature, doc, body"
ADD = f"INSERT INTO words ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants only
FORGET = f"INSERT INTO words (words, {COLUMNS}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"  # noqa: S608 - as above


class Index:
    """A full-text index of made-up files."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute("CREATE TABLE file (id INTEGER PRIMARY KEY)")
        for statement in (*SCHEMA, *changes.SCHEMA):
            self.connection.execute(statement)
        self._free = 1
        self.files: dict[int, str] = {}
        self.connection.execute("BEGIN")
        for _ in range(FILES):
            self.add()
        self.connection.execute("COMMIT")

    def add(self) -> None:
        file, self._free = self._free, self._free + 1
        self.files[file] = f"a/b.py {ASIDE_MARK}" if file % 7 == 0 else "a/b.py"
        self.connection.execute("INSERT INTO file VALUES (?)", (file,))
        self.connection.executemany(ADD, documents(file, self.files[file]))

    def remove(self, file: int) -> None:
        self.connection.execute("DELETE FROM file WHERE id = ?", (file,))
        self.connection.executemany(FORGET, documents(file, self.files.pop(file)))
        changes.note_gone(self.connection, [file])

    def is_aside(self, row: int) -> bool | None:
        return None if (row >> FILE_SHIFT) % 11 == 0 else ASIDE_MARK in self.files[row >> FILE_SHIFT]


@cache
def documents(file: int, path: str) -> list[tuple[int, str, str, str, str, str]]:
    chosen = random.Random(file)  # noqa: S311 - made-up texts
    odds = [1 / (rank + 1) ** 1.1 for rank in range(len(VOCABULARY))]
    made = []
    for place in range(DOCUMENTS):
        words = chosen.choices(VOCABULARY, odds, k=chosen.randint(6, 200))
        texts = ("_".join(words[:2]), path, " ".join(words[:5]), "", " ".join(words))
        made.append(((file << FILE_SHIFT) + place, *texts))
    return made


@contextmanager
def traced(connection: sqlite3.Connection) -> Iterator[list[str]]:
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    yield asked
    connection.set_trace_callback(None)


words = st.lists(
    st.tuples(st.sampled_from([*VOCABULARY, "word0_word1", "nowhere"]), st.sampled_from([0.25, 0.5, 1.0])),
    min_size=1,
    max_size=6,
)
steps = st.one_of(
    st.tuples(st.just("ask"), words, st.sampled_from([1, 10, 60]), st.booleans()),
    st.tuples(st.just("change"), st.lists(st.integers(0, 10_000), max_size=3), st.integers(0, 3), st.booleans()),
)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(steps, min_size=4, max_size=20))
def test_what_is_kept_answers_as_if_nothing_were(steps: list[tuple[str, object, int, bool]]) -> None:
    index = Index()
    with closing(index.connection) as connection:
        known = PhraseScores(most_kept=20_000, most_some=2_000)
        known.note_changes(connection)
        for kind, given_words, number, is_whole in steps:
            assert isinstance(given_words, list)
            if kind == "ask":
                times, is_aside = phrases_of(given_words), None if is_whole else index.is_aside
                expected = PhraseScores().best_rows(connection, times, number, is_aside)
                assert expected == known.best_rows(connection, times, number, is_aside)
                continue
            for chosen in given_words:
                index.remove(sorted(index.files)[chosen % len(index.files)])
            for _ in range(number):
                index.add()
            if not is_whole or kind == "change":
                known.note_changes(connection)


def test_a_changed_file_leaves_what_is_known_of_others() -> None:
    index = Index()
    times = phrases_of([("word20", 1.0), ("word30", 1.0)])
    with closing(index.connection) as connection:
        known = PhraseScores()
        if not is_reproduced(connection):
            pytest.skip("this SQLite was compiled to round otherwise")
        known.note_changes(connection)
        known.best_rows(connection, times, 20)
        index.remove(3)
        index.add()
        known.note_changes(connection)
        with traced(connection) as asked:
            found = known.best_rows(connection, times, 20)
        scorings = [statement for statement in asked if "bm25" in statement]
        assert scorings
        assert all("rowid >=" in statement or "json_each" in statement for statement in scorings)
        assert PhraseScores().best_rows(connection, times, 20) == found


def test_an_index_that_is_the_same_is_not_asked_again() -> None:
    index = Index()
    times = phrases_of([("word20", 1.0), ("word30", 1.0)])
    with closing(index.connection) as connection:
        known = PhraseScores()
        known.note_changes(connection)
        known.best_rows(connection, times, 20)
        known.note_changes(connection)
        with traced(connection) as asked:
            known.best_rows(connection, times, 20)
        assert [] == asked


def test_nothing_is_kept_when_very_many_files_changed() -> None:
    index = Index()
    times = phrases_of([("word0", 1.0)])
    with closing(index.connection) as connection:
        known = PhraseScores()
        known.note_changes(connection)
        known.best_rows(connection, times, 20)
        for file in range(1, 120):
            index.remove(file)
        known.note_changes(connection)
        with traced(connection) as asked:
            assert PhraseScores().best_rows(connection, times, 20) == known.best_rows(connection, times, 20)
        assert not [statement for statement in asked if "rowid >=" in statement]


def test_where_sqlite_reckons_otherwise_no_score_outlives_a_change() -> None:
    index = Index()
    times = phrases_of([("word20", 1.0), ("word30", 1.0)])
    with closing(index.connection) as connection:
        known = PhraseScores(check=lambda _: False)
        known.best_rows(connection, times, 20)
        index.remove(3)
        index.add()
        known.note_changes(connection)
        with traced(connection) as asked:
            assert PhraseScores().best_rows(connection, times, 20) == known.best_rows(connection, times, 20)
        assert not [statement for statement in asked if "rowid >=" in statement]


def test_what_a_failed_question_has_met_of_a_later_index_is_not_kept() -> None:
    index = Index()
    times = phrases_of([("word20", 1.0), ("word30", 1.0)])
    with closing(index.connection) as connection:
        known = PhraseScores()
        known.best_rows(connection, phrases_of([("word0", 1.0)]), 20)
        index.add()
        known.best_rows(connection, phrases_of([("word20", 1.0)]), 20)
        connection.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError):
            known.best_rows(connection, times, 20)
        connection.set_progress_handler(None, 0)
        known.note_changes(connection)
        with traced(connection) as asked:
            assert PhraseScores().best_rows(connection, times, 20) == known.best_rows(connection, times, 20)
        assert not [statement for statement in asked if "rowid >=" in statement]
