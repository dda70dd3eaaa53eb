"""SQLite's failures in the user's words: what failed and what to do next."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ctxcode.model.errors import StoreError, UnwritableError

_Value = TypeVar("_Value")

_PRIMARY_CODE = 0xFF
_RETRY_SECONDS = 0.02
_LEAST_BYTES = 1_000_000
"""With less room than that a failure to write is one for want of room."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
_CHOOSE_ANOTHER = "Check the folder's permissions, or choose another place with XDG_DATA_HOME and XDG_CACHE_HOME."
_SENTENCES = {
    sqlite3.SQLITE_FULL: ("the disk is full: {path} can't be written", "Free some space and try again."),
    sqlite3.SQLITE_READONLY: ("{path} is read-only", _CHOOSE_ANOTHER),
    sqlite3.SQLITE_CANTOPEN: ("{path} can't be opened", _CHOOSE_ANOTHER),
    sqlite3.SQLITE_PERM: ("{path} may not be opened", _CHOOSE_ANOTHER),
    sqlite3.SQLITE_BUSY: (
        "another process keeps {path} locked",
        "Close other ctxcode windows on this repository, or wait and try again.",
    ),
    sqlite3.SQLITE_IOERR: ("{path} can't be read or written", "Check the disk; `ctxcode doctor` says more."),
    sqlite3.SQLITE_CORRUPT: ("{path} is damaged", "Start ctxcode again: it sets the file aside and begins a new one."),
    sqlite3.SQLITE_NOTADB: (
        "{path} is no database",
        "Start ctxcode again: it sets the file aside and begins a new one.",
    ),
}


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether an error says that the file is corrupt or no database."""
    return _code(error) in _DAMAGED


def is_contention(error: sqlite3.Error) -> bool:
    """Tell whether an error says that another process is at the file."""
    return _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def patiently(work: Callable[[], _Value], seconds: float) -> _Value:
    """Return what work comes to, tried again for so long while another process is at the file.

    For what SQLite refuses at once whatever timeout is set: that two processes change a new file's journal.
    """
    ends_at = time.monotonic() + seconds
    while True:
        try:
            return work()
        except sqlite3.Error as error:
            if not is_contention(error) or time.monotonic() > ends_at:
                raise
        time.sleep(_RETRY_SECONDS)


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Return the error to raise for a failure of SQLite, by its cause."""
    code = _code(error)
    if code == sqlite3.SQLITE_IOERR and _is_disk_full(path):
        # What SQLite shares between processes can't be mapped there; its own word for that is none of space.
        code = sqlite3.SQLITE_FULL
    sentence, hint = _SENTENCES.get(code, ("{path} can't be used", "`ctxcode doctor` says more."))
    kind = UnwritableError if code in _UNWRITABLE else StoreError
    return kind(f"{sentence.format(path=repr(str(path)))} ({error})", hint)


def _is_disk_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _LEAST_BYTES
    except OSError:
        return False


def _code(error: sqlite3.Error) -> int:
    # The driver's own errors (a closed connection) carry no code.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE
