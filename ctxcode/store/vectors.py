"""Vectors of texts, kept by what made them and by the texts' digests; a cache like the index beside it.

Texts of which another repository's file has the vectors, one of another work tree say, are not sent again.
"""

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol

from ctxcode.model.canonical import text_digest
from ctxcode.model.engine.vector import Vector
from ctxcode.model.errors import StoreError
from ctxcode.store.disk import is_on_network, make_private

_BUSY_TIMEOUT_MS = 1_000
_AT_ONCE = 500
_MOST_OTHERS = 20
"""Files of other repositories that are looked into, those written last."""
_FEW = 8
"""Texts that are hardly worth it: a question nobody else has asked."""
_MOST_VECTORS = 200_000
"""Beyond that the file is begun anew."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, UNIQUE (model, text)
) STRICT
"""
_ADD = "INSERT OR IGNORE INTO vector (model, text, vector) VALUES (?, ?, ?)"
_SIZE = "SELECT coalesce(max(id), 0) FROM vector"


class Embedder(Protocol):
    """Makes vectors."""

    @property
    def id(self) -> str:
        """What makes them."""
        ...

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text."""
        ...


class KeptVectors:
    """An embedder whose vectors are made once. Any thread may call; a file that can't be used is done without."""

    def __init__(self, embedder: Embedder, path: Path, others: Callable[[], Iterable[Path]] = tuple) -> None:
        """Name who makes vectors and the file they are kept in; nothing is opened yet.

        ``others`` returns files like it, which are only read.
        """
        self._embedder = embedder
        self._path = path
        self._others = others
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @property
    def id(self) -> str:
        """What makes the vectors."""
        return self._embedder.id

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text. Raises what the embedder raises for those that are not kept."""
        keys = [text_digest(text, size_bytes=16) for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if len(missing) > _FEW and (found := self._known_elsewhere(list(missing))):
            self._keep(found)
            known |= found
            missing = {key: text for key, text in missing.items() if key not in found}
        if missing:
            made = dict(zip(missing, self._embedder.embed(list(missing.values())), strict=True))
            self._keep(made)
            known |= made
        return tuple(known[key] for key in keys)

    def close(self) -> None:
        """Close the file; the next text opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _known(self, keys: Sequence[str]) -> dict[str, Vector]:
        with self._lock, suppress(sqlite3.Error, StoreError):
            return _kept(self._opened(), self.id, keys)
        return {}

    def _known_elsewhere(self, keys: Collection[str]) -> dict[str, Vector]:
        """Return what the files of other repositories hold, as far as they can be read."""
        found: dict[str, Vector] = {}
        for path in sorted(self._others(), key=_last_written, reverse=True)[:_MOST_OTHERS]:
            left = [key for key in keys if key not in found]
            if left and path != self._path:
                with suppress(sqlite3.Error), closing(_reading(path)) as connection:
                    found |= _kept(connection, self.id, left)
        return found

    def _keep(self, made: Mapping[str, Vector]) -> None:
        with self._lock, suppress(sqlite3.Error, StoreError):
            connection = self._opened()
            with connection:
                if connection.execute(_SIZE).fetchone()[0] > _MOST_VECTORS:
                    connection.execute("DELETE FROM vector")
                connection.executemany(_ADD, [(self.id, key, vector) for key, vector in made.items()])

    def _opened(self) -> sqlite3.Connection:
        """Return the connection; a file that is no database any more is begun anew."""
        if self._connection is None:
            try:
                self._connection = _connected(self._path)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._path.unlink(missing_ok=True)
                self._connection = _connected(self._path)
        return self._connection


def _kept(connection: sqlite3.Connection, model: str, keys: Sequence[str]) -> dict[str, Vector]:
    """Return the vectors that a file holds of some texts. Raises sqlite3.Error."""
    found: dict[str, Vector] = {}
    for start in range(0, len(keys), _AT_ONCE):
        chunk = keys[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        where = f"model = ? AND typeof(vector) = 'blob' AND text IN ({marks})"
        query = f"SELECT text, vector FROM vector WHERE {where}"  # noqa: S608 - marks only
        found.update(connection.execute(query, (model, *chunk)).fetchall())
    return found


def _last_written(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _reading(path: Path) -> sqlite3.Connection:
    """Return a connection that waits for nobody: what is locked is done without. Raises sqlite3.Error."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.0)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    make_private(path)
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        connection.execute(f"PRAGMA journal_mode = {'delete' if is_on_network(path) else 'wal'}")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
