"""Opening the index file: its tables, its versions, and a fresh start when either is not as expected."""

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path

from ctxcode.model.errors import StoreError, UnwritableError
from ctxcode.store.disk import is_on_network, locked_beside, make_private
from ctxcode.store.failure import is_damage, patiently, store_error
from ctxcode.store.index import documents, packed, seen
from ctxcode.store.index.scoring import changes
from ctxcode.store.memory.copy import MemoryCopy

SCHEMA_VERSION = 13
_BUSY_TIMEOUT_MS = 10_000
_UNUSED_SECONDS = 7 * 24 * 3600
"""Without a change for so long, an index of other versions is one that nobody will come back to."""
_SUSPICION_SUFFIX = ".suspect"
_APPLICATION_ID = 0x63747869

_PRAGMAS = (
    f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}",
    # What belongs to a file is stored together: on pages of the usual 4 KiB most of it takes several.
    "PRAGMA page_size = 16384",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA cache_size = -32000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA secure_delete = OFF",
)
_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # A file row says what one content of one path holds and never changes; which rows are the index is in graph.
    """
    CREATE TABLE file (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, content_hash TEXT NOT NULL, language TEXT NOT NULL,
        symbols INTEGER NOT NULL, skip_reason TEXT NOT NULL, skip_detail TEXT NOT NULL,
        syntax_errors INTEGER NOT NULL, UNIQUE (path, content_hash)
    ) STRICT
    """,
    """
    CREATE TABLE stamp (
        path TEXT PRIMARY KEY, file INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE fact (file INTEGER PRIMARY KEY, facts BLOB NOT NULL) STRICT",
    # What is looked for by name; all that is said of a symbol is in its file's listing.
    """
    CREATE TABLE symbol (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, namesake INTEGER NOT NULL, kind INTEGER NOT NULL, outer TEXT
    ) STRICT
    """,
    # Other names that files give to what is defined somewhere.
    """
    CREATE TABLE renamed (
        file INTEGER NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, module TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (file, name)
    ) STRICT, WITHOUT ROWID
    """,
    # What a file imports, as ``codegraph.renamed`` writes it.
    "CREATE TABLE imported (file INTEGER PRIMARY KEY, names TEXT NOT NULL) STRICT",
    # The publication is the one that changed it last; the checksum is of the data as they are here, where frames have
    # one of their content.
    """
    CREATE TABLE graph (
        name TEXT PRIMARY KEY, publication INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL
    ) STRICT
    """,
    *packed.SCHEMA,
    *documents.SCHEMA,
    *changes.SCHEMA,
    *seen.SCHEMA,
)


class IndexDamagedError(StoreError):
    """The index file itself is broken; everything in it can be made again."""


def versioned_folder(versions: str) -> str:
    """Return the name of the folder in which an index of some versions is kept beside those of others."""
    every = f"{SCHEMA_VERSION}/{versions}/{sys.byteorder}"
    return f"{seen.INDEX_FOLDERS}{blake2b(every.encode(), digest_size=6).hexdigest()}"


class IndexDatabase:
    """Where an index is stored. Connections are opened here and nowhere else."""

    def __init__(self, folder: Path, versions: str, *, is_kept: bool = True) -> None:
        """Name the folder of the index and the versions of everything its content depends on.

        What is not kept begins as the file is and stays in memory.
        """
        self.path = folder / seen.INDEX_FILE
        self._memory = None if is_kept else MemoryCopy(self.path, is_sound=not self._is_suspect())
        self.content_versions = f"{SCHEMA_VERSION}/{versions}"
        """The same on every machine."""
        self.versions = f"{self.content_versions}/{sys.byteorder}"
        """Written into the index; one made with others is not used."""

    @property
    def is_damaged(self) -> bool:
        """Damage was met, by whatever process, since the file was begun."""
        return self._memory is None and self._is_suspect()

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn what SQLite raises into StoreError, and remember damage."""
        try:
            with _translated(self.path):
                yield
        except IndexDamagedError:
            with contextlib.suppress(OSError):
                self._suspicion.touch(mode=0o600)
            raise

    def connect(self) -> sqlite3.Connection:
        """Return a new connection to a usable, possibly empty index.

        A file of other versions is replaced, a damaged one moved aside. Raises StoreError when neither helps.
        """
        self._make_private()
        with self.guarded():
            try:
                connection = self._opened()
            except sqlite3.DatabaseError as error:
                if not _is_unusable(error):
                    raise
                connection = self._replaced()
            except UnicodeDecodeError:
                # The driver can't even read the message about what is broken.
                connection = self._replaced()
            if not self._is_current(connection):
                connection.close()
                self._remove()
                self._make_private()
                connection = self._opened()
            return connection

    def checkpoint(self, connection: sqlite3.Connection, kind: str) -> None:
        """Do one checkpoint; older SQLite versions can break a file when two processes do it at the same instant."""
        lock = locked_beside(self.path) if self._memory is None else None
        if lock is None:
            return
        try:
            connection.execute(f"PRAGMA wal_checkpoint({kind})").fetchall()
        except sqlite3.OperationalError:
            # Busy: the log stays, and the next refresh tries again.
            return
        finally:
            os.close(lock)

    def move_aside(self) -> None:
        """Put a damaged file out of the way; the last one is kept for whoever wants to look at it."""
        with contextlib.suppress(OSError):
            if self._memory is None:
                self.path.replace(self.path.with_suffix(".damaged"))
        self._remove()

    def remove_unused(self) -> None:
        """Remove indexes of other versions that are kept beside this one and were not written for long."""
        own, oldest = self.path.parent, time.time() - _UNUSED_SECONDS
        if self._memory is not None or not own.name.startswith(seen.INDEX_FOLDERS):
            return
        # What somebody else has just removed, or may not be removed, is nobody's business here.
        with contextlib.suppress(OSError):
            for folder in own.parent.glob(f"{seen.INDEX_FOLDERS}*"):
                files = [] if folder == own or folder.is_symlink() else list(folder.iterdir())
                if files and all(file.lstat().st_mtime < oldest for file in files):
                    for file in files:
                        file.unlink(missing_ok=True)
                    folder.rmdir()

    def identity(self) -> int:
        """Return what tells this file from one built in its place; 0 when there is none."""
        if self._memory is not None:
            return self._memory.number
        try:
            return self.path.stat().st_ino
        except OSError:
            return 0

    def _replaced(self) -> sqlite3.Connection:
        self.move_aside()
        self._make_private()
        return self._opened()

    def _make_private(self) -> None:
        if self._memory is None:
            make_private(self.path)

    def _opened(self) -> sqlite3.Connection:
        connection = self._connected()
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            patiently(partial(self._choose_journal, connection), _BUSY_TIMEOUT_MS / 1000)
            if connection.execute("PRAGMA application_id").fetchone()[0] == 0:
                self._create(connection)
        except (sqlite3.Error, UnicodeDecodeError):
            connection.close()
            raise
        return connection

    def _connected(self) -> sqlite3.Connection:
        if self._memory is None:
            # What is attached can be told to be read only.
            return sqlite3.connect(self.path, uri=True, isolation_level=None, check_same_thread=False)
        try:
            return self._memory.connect(_BUSY_TIMEOUT_MS / 1000)
        except (sqlite3.Error, UnicodeDecodeError):
            # What can't be read of an index is found again.
            self._memory.begin_anew()
            return self._memory.connect(_BUSY_TIMEOUT_MS / 1000)

    def _choose_journal(self, connection: sqlite3.Connection) -> None:
        if self._memory is not None:
            return
        journal = "delete" if is_on_network(self.path) else "wal"
        if str(connection.execute("PRAGMA journal_mode").fetchone()[0]).lower() != journal:
            connection.execute(f"PRAGMA journal_mode = {journal}")

    def _create(self, connection: sqlite3.Connection) -> None:
        with writing(connection):
            # Another process may have been quicker.
            if connection.execute("PRAGMA application_id").fetchone()[0]:
                return
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES ('versions', ?)", (self.versions,))
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        try:
            row = connection.execute("SELECT value FROM meta WHERE key = 'versions'").fetchone()
        except sqlite3.OperationalError as error:
            if not _is_unusable(error):
                raise
            return False
        return row is not None and row[0] == self.versions

    def _remove(self) -> None:
        if self._memory is not None:
            self._memory.begin_anew()
            return
        for suffix in ("", "-wal", "-shm", "-journal", _SUSPICION_SUFFIX):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def _is_suspect(self) -> bool:
        with contextlib.suppress(OSError):
            return self._suspicion.exists()
        # Whoever opens the index beside it hears why that can't be.
        return False

    @property
    def _suspicion(self) -> Path:
        return Path(f"{self.path}{_SUSPICION_SUFFIX}")


@contextlib.contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Run one write transaction: taken at once, committed at the end, rolled back on any failure.

    Inside another one it is part of that.
    """
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextlib.contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, IndexError, TypeError) as error:
        # What was written is typed and checked: values that make no sense were not written by us.
        raise damaged(path) from error
    except sqlite3.Error as error:
        raise (damaged(path) if _is_unusable(error) else store_error(error, path)) from error
    except OSError as error:
        hint = "Check the folder's permissions, or choose another cache folder."
        raise UnwritableError(f"the index {str(path)!r} can't be used: {error.strerror}", hint) from error


def damaged(path: Path) -> IndexDamagedError:
    """Return the error for an index that can't be trusted."""
    hint = "Refresh the index: a damaged one is moved aside and built again."
    return IndexDamagedError(f"the index {str(path)!r} is damaged", hint)


def _is_unusable(error: sqlite3.Error) -> bool:
    """Return whether the file is broken or not ours: our statements are constants, so what they name is missing."""
    # The driver's own complaint, text that is no text, carries no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return is_damage(error) or (isinstance(error, sqlite3.OperationalError) and code == sqlite3.SQLITE_ERROR)
