"""An index file that is not as expected is replaced, never trusted and never a crash."""

import contextlib
import random
import sqlite3
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder, contents

from ctxcode.model.errors import StoreError

FILES = {"a.py": "def f(): pass\n", "b.py": "from a import f\ndef g(): f()\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for path, text in FILES.items():
        indexed.write(path, text)
    indexed.refresh()
    yield indexed
    indexed.close()


def reopened(folder: IndexedFolder, versions: str = "test") -> IndexedFolder:
    folder.close()
    return IndexedFolder(folder.root, folder.cache, versions=versions)


def file_of(folder: IndexedFolder) -> Path:
    return folder.cache / "index.db"


def test_the_index_is_private(folder: IndexedFolder) -> None:
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder.cache, file_of(folder))]
    assert [0o700, 0o600] == modes


def test_an_index_is_used_by_the_next_process(folder: IndexedFolder) -> None:
    before = contents(folder.index, ("f",))
    again = reopened(folder)
    assert before == contents(again.index, ("f",))
    assert 0 == again.refresh().parsed
    again.close()


def test_other_versions_mean_a_fresh_index(folder: IndexedFolder) -> None:
    again = reopened(folder, versions="newer grammar")
    assert 0 == again.index.stats().files
    assert 2 == again.refresh().parsed
    again.close()


@pytest.mark.parametrize("data", [b"no database at all" * 300, b"", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_index_is_replaced(folder: IndexedFolder, data: bytes) -> None:
    folder.close()
    for side in folder.cache.glob("index.db-*"):
        side.unlink()
    file_of(folder).write_bytes(data)
    again = reopened(folder)
    assert 0 == again.index.stats().files
    assert (2, 2) == ((report := again.refresh()).parsed, report.files)
    again.close()


def test_a_database_of_somebody_else_is_replaced(folder: IndexedFolder) -> None:
    folder.close()
    file_of(folder).unlink()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("CREATE TABLE meta (secret TEXT)")
        connection.execute("PRAGMA application_id = 7")
    connection.close()
    again = reopened(folder)
    assert 2 == again.refresh().parsed
    again.close()


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_is_an_error_at_most_and_the_next_refreshes_mend_it(folder: IndexedFolder, seed: int) -> None:
    expected = contents(folder.index)
    folder.close()
    source = random.Random(seed)  # noqa: S311 - reproducible damage
    data = bytearray(file_of(folder).read_bytes())
    for _ in range(400):
        data[source.randrange(100, len(data))] = source.randrange(256)
    file_of(folder).write_bytes(data)
    again = reopened(folder)
    with contextlib.suppress(StoreError):
        contents(again.index, ("f", "pass"))
    if not again.index.is_sound():
        assert again.index.repair()
    folder.write("c.py", "x = 1\n")
    again.refresh()
    (folder.root / "c.py").unlink()
    again.refresh()
    assert again.index.is_sound()
    assert expected == contents(again.index)
    again.close()


def test_facts_that_can_not_be_read_mean_a_fresh_index(folder: IndexedFolder) -> None:
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE fact SET facts = x'00'")
    connection.close()
    folder.write("a.py", "def f(): return 1\n")
    assert (2, 2) == ((report := folder.refresh()).parsed, report.files)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE listing SET symbols = x'00'",
        "UPDATE listing SET documents = substr(documents, 1, length(documents) - 1)",
        "UPDATE listing SET documents = symbols",
        "UPDATE listing SET symbols = (SELECT facts FROM fact)",
    ],
)
def test_rows_that_can_not_be_read_mean_a_fresh_index(folder: IndexedFolder, statement: str) -> None:
    expected = contents(folder.index, ("f",))
    folder.close()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute(statement)
    connection.close()
    assert not folder.index.is_sound()
    with pytest.raises(StoreError, match="damaged"):
        folder.index.texts_at([1])
    assert 2 == folder.refresh().parsed
    assert expected == contents(folder.index, ("f",))


def test_rows_that_can_not_be_read_when_their_file_goes_mean_a_fresh_index(folder: IndexedFolder) -> None:
    folder.close()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE listing SET symbols = x'00'")
    connection.close()
    (folder.root / "a.py").unlink()
    assert (1, 1) == ((report := folder.refresh()).parsed, report.files)
    assert folder.index.is_sound()


@pytest.mark.parametrize("statement", ["UPDATE dictionary SET data = x'00'", "DELETE FROM dictionary"])
def test_dictionaries_that_can_not_be_read_mean_a_fresh_index(tmp_path: Path, statement: str) -> None:
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for number in range(60):
        body = "".join(f"def reads_{number}_{line}(value):\n    return value + {line}\n" for line in range(40))
        folder.write(f"part{number}.py", body)
    folder.refresh()
    expected = contents(folder.index, ("reads",))
    folder.close()
    with sqlite3.connect(file_of(folder)) as connection:
        assert connection.execute("SELECT min(length(data)) > 0 FROM dictionary").fetchone()[0]
        connection.execute(statement)
    connection.close()
    assert not folder.index.is_sound()
    with pytest.raises(StoreError, match="damaged"):
        folder.index.texts_at([1])
    assert 60 == folder.refresh().parsed
    assert expected == contents(folder.index, ("reads",))
    folder.close()


def test_columns_that_can_not_be_read_mean_a_fresh_index(folder: IndexedFolder) -> None:
    folder.close()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE graph SET data = x'00' WHERE name = 'sources'")
        connection.execute("UPDATE meta SET value = '77' WHERE key = 'publication'")
    connection.close()
    with pytest.raises(StoreError, match="damaged"):
        folder.index.stats()
    assert 2 == folder.refresh().parsed
    assert 2 == folder.index.stats().files


def test_a_refresh_meets_damage_although_no_file_changed(folder: IndexedFolder) -> None:
    folder.close()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE graph SET data = x'00' WHERE name = 'sources'")
    connection.close()
    assert 2 == folder.refresh().parsed


def test_damage_one_process_met_is_mended_by_the_next_refresh_of_another(folder: IndexedFolder) -> None:
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("DROP TABLE words")
    connection.close()
    with pytest.raises(StoreError, match="damaged"):
        folder.index.search([("f", 1.0)])
    other = IndexedFolder(folder.root, folder.cache)
    assert 2 == other.refresh().parsed
    assert other.index.search([("f", 1.0)])
    other.close()


def test_damage_is_mended_although_git_tells_that_no_file_changed(tmp_path: Path) -> None:
    in_a_minute = time.time_ns() + 60_000_000_000
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache", clock_ns=lambda: in_a_minute)
    for path, text in FILES.items():
        folder.write(path, text)
    subprocess.run(["git", "init", "-q", folder.root], check=True)
    folder.refresh()
    assert folder.indexing.unchanged() is not None
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE listing SET symbols = x'00'")
    connection.close()
    with pytest.raises(StoreError, match="damaged"):
        folder.index.symbols_at([0])
    assert folder.indexing.unchanged() is None
    assert 2 == folder.refresh().parsed
    assert 2 == len(folder.index.symbols_at([0, 1]))
    folder.close()


def test_a_file_deleted_under_an_open_index_is_built_again(folder: IndexedFolder) -> None:
    folder.index.stats()
    for path in folder.cache.glob("index.db*"):
        path.unlink()
    assert 0 == folder.index.stats().files
    assert 2 == folder.refresh().parsed


def test_a_cache_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("", encoding="utf-8")
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    with pytest.raises(StoreError) as caught:
        folder.refresh()
    assert caught.value.hint
    folder.close()
