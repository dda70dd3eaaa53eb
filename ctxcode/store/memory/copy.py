"""Databases in memory, for where nothing can be written: begun from what is on disk, gone with the process."""

import sqlite3
import threading
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

_NUMBERS = count(1)
_OPENINGS = ("mode=ro", "mode=ro&immutable=1")
"""A database with a log needs a file that processes share; where that is not there, nobody else can be at it."""


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
        """Return a new connection, in autocommit mode, for any thread."""
        with self._lock:
            if self._holding is None:
                self._holding = self._filled() if self._is_read else self._begun()
            return self._connected(timeout_seconds)

    def begin_anew(self) -> None:
        """Let the next connection find nothing."""
        with self._lock:
            self._holding, self._is_read = None, False

    def _filled(self) -> sqlite3.Connection:
        log = self._path.with_name(f"{self._path.name}-wal")
        for opening in _OPENINGS:
            if "immutable" in opening and log.exists() and log.stat().st_size:
                # What is only in the log would be missing.
                break
            with suppress(sqlite3.Error):
                made = self._begun()
                address = f"{self._path.absolute().as_uri()}?{opening}"
                with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as source:
                    # A plain copy says that it has a log, which no database in memory can have.
                    source.execute("VACUUM INTO ?", (self._address,))
                return made
        return self._begun()

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
