"""Databases in memory, for where nothing can be written: begun from what is on disk, gone with the process."""

import sqlite3
import threading
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

_NUMBERS = count(1)
_PRIMARY_CODE = 0xFF
_NOT_OPENED = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})


class MemoryCopy:
    """What a database file holds, in memory; any number of connections of this process share it."""

    def __init__(self, path: Path, *, is_sound: bool = True) -> None:
        """Name the file; it is read with the first connection, unless it is known to be damaged."""
        self._path = path
        self._is_read = is_sound
        self._lock = threading.Lock()
        self._holding: sqlite3.Connection | None = None
        """It is there for as long as somebody is connected."""
        self.number = 0
        """Another one for each database that was begun."""

    def connect(self, timeout_seconds: float) -> sqlite3.Connection:
        """Return a new connection, in autocommit mode, for any thread.

        Raises sqlite3.Error where there is a file that can't be read: nothing may be said of what it holds.
        """
        with self._lock:
            if self._holding is None:
                self._holding = self._filled() if self._is_read else self._begun()
            return self._connected(timeout_seconds)

    def begin_anew(self) -> None:
        """Let the next connection find nothing."""
        with self._lock:
            if self._holding is not None:
                self._holding.close()
            self._holding, self._is_read = None, False

    def _filled(self) -> sqlite3.Connection:
        has_log = any(_has_content(self._path.with_name(self._path.name + end)) for end in ("-wal", "-journal"))
        if not _has_content(self._path):
            if has_log:
                # To open it would be the end of the log: SQLite takes that of an empty file away.
                raise _unopened("it is empty; what was in it is in its log")
            return self._begun()
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        try:
            return self._copied(address)
        except sqlite3.OperationalError as error:
            if has_log or error.sqlite_errorcode & _PRIMARY_CODE not in _NOT_OPENED:
                raise
        # One that is made for a log needs a file that processes share; where there is none, nobody else is at it.
        return self._copied(f"{address}&immutable=1")

    def _copied(self, address: str) -> sqlite3.Connection:
        with ExitStack() as on_failure:
            made = on_failure.enter_context(closing(self._begun()))
            with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as source:
                # A plain copy says that it has a log, which no database in memory can have.
                source.execute("VACUUM INTO ?", (self._address,))
            on_failure.pop_all()
        return made

    def _begun(self) -> sqlite3.Connection:
        self.number = next(_NUMBERS)
        return self._connected(0.0)

    def _connected(self, timeout_seconds: float) -> sqlite3.Connection:
        return sqlite3.connect(
            self._address, uri=True, timeout=timeout_seconds, isolation_level=None, check_same_thread=False
        )

    @property
    def _address(self) -> str:
        return f"file:/ctxcode-{self.number}?vfs=memdb"


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        # It may have; whoever opens it hears why that can't be.
        return True


def _unopened(why: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(why)
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    return error
