"""One SQLite file: opened safely, migrated, read and written by any thread, its failures translated."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ctxcode.model.errors import StoreError
from ctxcode.store.disk import is_emptied, is_on_network, keep_log, locked_beside, make_private, move_aside
from ctxcode.store.failure import is_contention, is_damage, store_error
from ctxcode.store.memory.copy import MemoryCopy
from ctxcode.store.migration import Migration, migrate, refuse_foreign, refuse_newer, schema_version

_BUSY_TIMEOUT_SECONDS = 10.0
_OPEN_RETRY_SECONDS = 0.05
_SAFE_CHECKPOINTS = (3, 51, 3)
"""From this SQLite on, several processes may checkpoint one write-ahead log (its WAL-reset bug is mended)."""
_MOST_CHECKED_BYTES = 8_000_000
"""Larger files are not read through at each start, but only after a failure."""


class Database:
    """One connection behind a lock. Methods may be called from any thread; several processes may share the file.

    A damaged file is moved aside and replaced by an empty one; ``notices`` says so, and that one had been emptied.
    What is not kept begins as the file is, or empty where that can't be read, and stays in memory. Raises StoreError.
    """

    def __init__(self, path: Path, migrations: tuple[Migration, ...], *, is_kept: bool = True) -> None:
        self.path = path
        self._memory = None if is_kept else MemoryCopy(path)
        self._migrations = migrations
        self._lock = threading.RLock()
        self._notices: list[str] = []
        self._checkpoint_lock: int | None = None
        was_emptied = is_kept and is_emptied(path)
        if is_kept:
            make_private(path)
        has_log = was_emptied and keep_log(path)
        self._connection = self._opened()
        if was_emptied and not self._notices:
            end = (
                "What was in it came back from its log." if has_log else "What was in it is gone; a new one was begun."
            )
            self._notices.append(f"{str(path)!r} was empty, as after a full disk or a clean-up. {end}")

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should be told about the file, in sentences."""
        return tuple(self._notices)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for reading."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise self._failure(error) from error

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection inside one transaction: committed on leaving, rolled back on any exception."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                finally:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise self._failure(error) from error

    def damage(self) -> str:
        """Return what a full check finds wrong with the file; empty when it is sound. Reads all of it."""
        with self.read() as connection:
            rows = connection.execute("PRAGMA integrity_check(3)").fetchall()
        found = "; ".join(str(row[0]) for row in rows)
        return "" if found == "ok" else found

    def close(self) -> None:
        """Close the connection; closing twice is no error."""
        with self._lock:
            self._connection.close()
            if self._checkpoint_lock is not None:
                os.close(self._checkpoint_lock)
                self._checkpoint_lock = None

    def _opened(self) -> sqlite3.Connection:
        """Return a ready connection; another process may be creating the same file right now."""
        deadline = time.monotonic() + _BUSY_TIMEOUT_SECONDS
        while True:
            try:
                return self._connected()
            except sqlite3.Error as error:
                if self._memory is not None and not self._notices and not is_contention(error):
                    self._notices.append(f"{store_error(error, self.path)}. What is in it is not shown.")
                    self._memory.begin_anew()
                elif self._memory is None and is_damage(error):
                    aside = move_aside(self.path)
                    self._suspicion.unlink(missing_ok=True)
                    self._notices.append(
                        f"{self.path.name} was damaged. It was kept as {str(aside)!r} and a new one was begun."
                    )
                    make_private(self.path)
                elif not is_contention(error) or time.monotonic() > deadline:
                    raise store_error(error, self.path) from error
                else:
                    time.sleep(_OPEN_RETRY_SECONDS)

    def _connected(self) -> sqlite3.Connection:
        connection = (
            sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
            if self._memory is None
            else self._memory.connect(_BUSY_TIMEOUT_SECONDS)
        )
        with ExitStack() as on_failure:
            on_failure.callback(connection.close)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            refuse_newer(schema_version(connection), self._migrations, self.path)
            refuse_foreign(connection, self.path)
            if self._memory is None:
                self._look_for_damage(connection)
                self._choose_journal(connection)
            migrate(connection, self._migrations, self.path)
            on_failure.pop_all()
        return connection

    def _look_for_damage(self, connection: sqlite3.Connection) -> None:
        is_suspect = self._suspicion.exists()
        if not is_suspect and self.path.stat().st_size > _MOST_CHECKED_BYTES:
            return
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found is None or found[0] != "ok":
            damage = sqlite3.DatabaseError(str(found))
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        self._suspicion.unlink(missing_ok=True)

    def _choose_journal(self, connection: sqlite3.Connection) -> None:
        """Use a write-ahead log, or a rollback journal where processes can't share memory."""
        wanted = "delete" if is_on_network(self.path) else "wal"
        mode = str(connection.execute("PRAGMA journal_mode").fetchone()[0]).lower()
        if mode != wanted:
            mode = str(connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()[0]).lower()
        if mode not in {"wal", "delete"}:
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        if mode == "wal" and sqlite3.sqlite_version_info < _SAFE_CHECKPOINTS:
            self._leave_checkpoints_to_one_process(connection)

    def _leave_checkpoints_to_one_process(self, connection: sqlite3.Connection) -> None:
        if self._checkpoint_lock is None:
            self._checkpoint_lock = locked_beside(self.path)
        if self._checkpoint_lock is None:
            connection.execute("PRAGMA wal_autocheckpoint = 0")

    @property
    def _suspicion(self) -> Path:
        """A marker beside the file: damage was met while it was in use, so the next start reads it through."""
        return self.path.with_name(f"{self.path.name}.suspect")

    def _failure(self, error: sqlite3.Error) -> StoreError:
        if is_damage(error):
            try:
                self._suspicion.touch(mode=0o600)
            except OSError as marking:
                error.add_note(f"and it could not be marked: {marking.strerror}")
        return store_error(error, self.path)
