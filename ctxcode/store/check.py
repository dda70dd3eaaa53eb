"""What the doctor looks at: the SQLite at hand and the conversation database."""

import sqlite3
from pathlib import Path

from ctxcode.model.check import Check, CheckStatus
from ctxcode.model.errors import StoreError
from ctxcode.store.journal import SqliteJournal

_OLDEST = (3, 37, 0)
"""Strict tables."""
_CAREFUL_BEFORE = (3, 51, 3)


def sqlite_check() -> Check:
    """Return whether this Python's SQLite has what the index and the journal need."""
    version = f"SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < _OLDEST:
        return Check("sqlite", CheckStatus.FAILED, f"{version} is too old", "Use a Python with SQLite 3.37 or newer.")
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(word)")
        connection.execute("SELECT json_group_array(value) FROM json_each('[]')")
    except sqlite3.OperationalError as error:
        action = "Use a Python whose SQLite has FTS5 and JSON functions."
        return Check("sqlite", CheckStatus.FAILED, f"{version}: {error}", action)
    finally:
        connection.close()
    if sqlite3.sqlite_version_info < _CAREFUL_BEFORE:
        return Check("sqlite", CheckStatus.OK, f"{version} with FTS5; one process at a time checkpoints")
    return Check("sqlite", CheckStatus.OK, f"{version} with FTS5")


def journal_check(path: Path) -> Check:
    """Return whether a conversation database is sound; reads all of it. A missing file is no failure."""
    if not path.exists():
        return Check("conversations", CheckStatus.OK, f"none yet; they will be kept in {str(path)!r}")
    try:
        with SqliteJournal(path) as journal:
            damage = journal.damage()
            sessions = len(journal.sessions(limit=10_000))
            notices = journal.notices
    except StoreError as error:
        return Check("conversations", CheckStatus.FAILED, str(error), error.hint)
    if damage:
        action = "Copy the file away; the next start sets it aside and begins a new one."
        return Check("conversations", CheckStatus.FAILED, f"{str(path)!r} is damaged: {damage}", action)
    if notices:
        return Check("conversations", CheckStatus.NOTE, " ".join(notices))
    megabytes = path.stat().st_size / 1_000_000
    return Check(
        "conversations",
        CheckStatus.OK,
        f"{sessions} session{'' if sessions == 1 else 's'}, {megabytes:.1f} MB in {str(path)!r}",
    )
