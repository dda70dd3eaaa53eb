"""Which work tree the published index is of: what a refresh compares first, and reports when nothing has changed.

Who compares before all else is loaded loads what unpacks with the first frame only.
"""

import sqlite3
from typing import NamedTuple

import msgspec

from ctxcode.model.source import IndexReport

INDEX_FILE = "index.db"
SCHEMA = (
    """
    CREATE TABLE seen (
        id INTEGER PRIMARY KEY CHECK (id = 1), publication TEXT NOT NULL, snapshot BLOB NOT NULL, report BLOB NOT NULL
    ) STRICT
    """,
)
_READ_SNAPSHOT = """
SELECT snapshot FROM seen WHERE publication = (SELECT value FROM meta WHERE key = 'publication')
"""
_READ = "SELECT publication, snapshot, report FROM seen WHERE publication = ?"
_FORGET = "DELETE FROM seen"
_WRITE = "INSERT INTO seen SELECT 1, value, ?, ? FROM meta WHERE key = 'publication' AND value = ?"


class LastSeen(NamedTuple):
    """A publication of the index, the work tree it is of, and what was reported of it."""

    publication: str
    snapshot: bytes
    report: IndexReport


def read_seen(connection: sqlite3.Connection, publication: str) -> LastSeen | None:
    """Return what was noted of a publication, or None. Raises ValueError for a damaged note."""
    row = connection.execute(_READ, (publication,)).fetchone()
    if row is None:
        return None
    return LastSeen(row[0], _unpacked(row[1]), msgspec.msgpack.decode(row[2], type=IndexReport))


def read_snapshot(connection: sqlite3.Connection) -> bytes:
    """Return the work tree the published index is of, as it was noted; empty when it was not.

    Raises ValueError for a damaged note.
    """
    row = connection.execute(_READ_SNAPSHOT).fetchone()
    return _unpacked(row[0]) if row is not None else b""


def write_seen(connection: sqlite3.Connection, seen: LastSeen) -> None:
    """Note what was seen, if its publication still is the one that stands; inside a write transaction."""
    from ctxcode.store.index.packed import packed  # noqa: PLC0415 - whoever writes has loaded it

    connection.execute(_FORGET)
    connection.execute(_WRITE, (packed(seen.snapshot), msgspec.msgpack.encode(seen.report), seen.publication))


def _unpacked(frame: bytes) -> bytes:
    from ctxcode.store.index.packed import unpacked  # noqa: PLC0415 - see above

    return unpacked(frame)
