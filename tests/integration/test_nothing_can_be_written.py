"""Commands that only read, where nothing can be written: a read-only home, a full disk, no permission."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from command import run, run_here
from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home

from ctxcode.model.errors import UnwritableError
from ctxcode.store.disk import make_private
from ctxcode.store.failure import store_error
from ctxcode.store.journal import SqliteJournal
from ctxcode.store.memory.copy import MemoryCopy

READING = ("symbol Cart", "refs Cart", "path Cart Cart", "map", "context Cart", "sessions", "plan list", "stats")


def barred(home: Path, *names: str) -> None:
    """Let folders of a home be files, in which nobody can make a folder, not even root."""
    for name in names:
        (home / name).write_text("")


def with_log(path: Path) -> sqlite3.Connection:
    """Return a connection to a database whose rows are in its log only."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE row (number INTEGER)")
    connection.execute("INSERT INTO row VALUES (1)")
    return connection


def numbers(connection: sqlite3.Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT number FROM row ORDER BY number")]


def test_a_copy_in_memory_holds_what_is_in_the_log_and_leaves_the_file_alone(tmp_path: Path) -> None:
    copy = MemoryCopy(tmp_path / "rows.db")
    with closing(with_log(tmp_path / "rows.db")) as file, closing(copy.connect(1.0)) as one:
        with closing(copy.connect(1.0)) as other:
            other.execute("INSERT INTO row VALUES (2)")
        assert ([1], [1, 2]) == (numbers(file), numbers(one))
        assert "memory" == one.execute("PRAGMA journal_mode").fetchone()[0]


@pytest.mark.parametrize("name", ["none.db", "file/none.db"])
def test_a_copy_of_what_is_not_there_is_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with closing(MemoryCopy(tmp_path / name).connect(1.0)) as connection:
        assert [] == connection.execute("SELECT name FROM sqlite_master").fetchall()


def test_what_is_there_and_cant_be_read_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database" * 1_000)
    (tmp_path / "folder.db").mkdir()
    for name in ("broken.db", "folder.db"):
        copy = MemoryCopy(tmp_path / name)
        with pytest.raises(sqlite3.DatabaseError):
            copy.connect(1.0)
        copy.begin_anew()
        with closing(copy.connect(1.0)) as connection:
            assert [] == connection.execute("SELECT name FROM sqlite_master").fetchall()


def test_the_log_of_an_emptied_database_stays(tmp_path: Path) -> None:
    (tmp_path / "rows.db").write_bytes(b"")
    (tmp_path / "rows.db-wal").write_bytes(b"all that there is")
    with pytest.raises(sqlite3.OperationalError, match="in its log"):
        MemoryCopy(tmp_path / "rows.db").connect(1.0)
    assert b"all that there is" == (tmp_path / "rows.db-wal").read_bytes()


def test_a_database_whose_change_was_cut_short_is_not_read_without_its_journal(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "rows.db", isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("CREATE TABLE row (number INTEGER)")
    (tmp_path / "rows.db-journal").write_bytes(b"as it was")
    # No file that processes share can be made there.
    (tmp_path / "rows.db-shm").mkdir()
    with pytest.raises(sqlite3.OperationalError):
        MemoryCopy(tmp_path / "rows.db").connect(1.0)
    (tmp_path / "rows.db-journal").unlink()
    with closing(MemoryCopy(tmp_path / "rows.db").connect(1.0)) as connection:
        assert [] == numbers(connection)


def test_a_copy_that_is_begun_anew_is_another_and_empty(tmp_path: Path) -> None:
    copy = MemoryCopy(tmp_path / "rows.db")
    with closing(with_log(tmp_path / "rows.db")), closing(copy.connect(1.0)):
        before = copy.number
        copy.begin_anew()
        with closing(copy.connect(1.0)) as connection:
            assert [] == connection.execute("SELECT name FROM sqlite_master").fetchall()
        assert before != copy.number


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM]
)
def test_what_keeps_a_file_from_being_written_is_told_apart(tmp_path: Path, code: int) -> None:
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    assert UnwritableError is type(store_error(error, tmp_path / "rows.db"))


def test_a_folder_that_cant_be_made_can_not_be_written(tmp_path: Path) -> None:
    barred(tmp_path, "data")
    with pytest.raises(UnwritableError, match="can't be opened"):
        make_private(tmp_path / "data" / "rows.db")


@pytest.mark.parametrize("words", READING)
def test_a_command_that_only_reads_answers_and_says_in_a_line_that_nothing_is_stored(
    tmp_path: Path, words: str
) -> None:
    root = write_sample(tmp_path / "shop")
    usual = run_here(tmp_path, *words.split(), folder=root)
    barred_home = tmp_path / "barred"
    barred_home.mkdir()
    barred(barred_home, "data", "cache")
    outcome = run_here(barred_home, *words.split(), folder=root)
    assert (0, "") == (usual.code, usual.err)
    lines = outcome.err.splitlines()
    assert (0, 1) == (outcome.code, len(lines)), outcome.err
    assert lines[0].endswith("can't be opened: Not a directory. Nothing is stored.")
    if not words.startswith(("plan", "stats")):
        assert usual.out == outcome.out


def test_an_index_that_can_only_be_read_is_brought_up_to_date_in_memory(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    run_here(tmp_path, "index", str(root))
    (index,) = tmp_path.rglob("index.db")
    before = index.read_bytes()
    (root / "shop" / "late.py").write_text("def refunded(): return 1\n")
    barred(tmp_path, "data")
    outcome = run_here(tmp_path, "symbol", "refunded", folder=root)
    assert (0, True) == (outcome.code, outcome.out.startswith("shop/late.py:1  function"))
    assert 1 == len(outcome.err.splitlines())
    assert before == index.read_bytes()


def test_conversations_that_can_only_be_read_are_listed(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    run_here(tmp_path, "ask", "where is Cart?", folder=root)
    (kept,) = tmp_path.rglob("ctxcode.db")
    before = kept.read_bytes()
    with SqliteJournal(kept, is_kept=False) as journal:
        (session,) = journal.sessions()
        journal.delete_session(session.id)
        assert () == journal.sessions()
    assert before == kept.read_bytes()
    with SqliteJournal(kept) as journal:
        assert [session.id] == [row.id for row in journal.sessions()]


@pytest.mark.parametrize("content", [b"no database" * 1_000, b""])
def test_conversations_that_cant_be_read_are_not_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    kept = tmp_path / "ctxcode.db"
    kept.write_bytes(content)
    kept.with_name("ctxcode.db-wal").write_bytes(b"" if content else b"log")
    with SqliteJournal(kept, is_kept=False) as journal:
        assert () == journal.sessions()
        (notice,) = journal.notices
    assert notice.startswith(repr(str(kept)))
    assert notice.endswith("What is in it is not shown.")


def test_an_index_that_cant_be_read_is_made_in_memory(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    run_here(tmp_path, "index", str(root))
    (index,) = tmp_path.rglob("index.db")
    for log in index.parent.glob("index.db-*"):
        log.unlink()
    index.write_bytes(b"no database" * 1_000)
    barred(tmp_path, "data")
    outcome = run_here(tmp_path, "symbol", "Cart", folder=root)
    assert (0, 1) == (outcome.code, len(outcome.err.splitlines())), outcome.err
    assert b"no database" * 1_000 == index.read_bytes()


def test_what_has_to_be_stored_fails_in_one_sentence(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    barred(tmp_path, "data", "cache")
    for words in (("ask", "where is Cart?"), ("index",)):
        outcome = run(tmp_path, *words, folder=root)
        assert (1, "", 2) == (outcome.code, outcome.out, len(outcome.err.splitlines())), outcome.err
        assert "can't be opened: Not a directory" in outcome.err


def test_the_doctor_says_what_cant_be_written_and_looks_at_the_rest(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    barred(tmp_path, "data", "cache")
    outcome = run_here(tmp_path, "doctor", "--format", "json", folder=root)
    rows = {row["name"]: row["status"] for row in outcome.json()}
    assert (1, "failed") == (outcome.code, rows["conversations"])
    assert {"repository", "sandbox"} <= set(rows)


def test_the_doctor_looks_at_conversations_beside_an_index_that_cant_be_written(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    barred(tmp_path, "cache")
    rows = {row["name"]: row["status"] for row in run_here(tmp_path, "doctor", "--format", "json", folder=root).json()}
    assert ("failed", "ok") == (rows["index"], rows["conversations"])


@pytest.mark.parametrize("words", ["sessions", "symbol Cart", "context Cart", "index"])
def test_a_folder_that_is_gone_is_told_in_the_same_words_everywhere(tmp_path: Path, words: str) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    made = subprocess.run(
        ["sh", "-c", f'cd "{gone}" && rmdir "{gone}" && exec "$0" {words}', str(CTXCODE)],
        capture_output=True,
        text=True,
        check=False,
        env=private_home(tmp_path),
    )
    expected = f"ctxcode: The folder {str(gone)!r} is gone.\n  Put it back, or open another folder.\n"
    assert (1, "", expected) == (made.returncode, made.stdout, made.stderr)
