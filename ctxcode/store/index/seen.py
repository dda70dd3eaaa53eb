"""Which work tree the published index is of: what a refresh compares first, and reports when nothing has changed.

What was last seen of each path; before the first publication, which files it will be of.

Who compares before all else is loaded loads what unpacks with the first frame only.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import msgspec

from ctxcode.model.naming.folder import is_aside_path
from ctxcode.model.naming.header import counted_languages
from ctxcode.model.source import FileStamp, IndexReport, SkipReason, SourceFile
from ctxcode.model.symbol import IndexStats, LanguageCount, ModuleEntry

INDEX_FILE = "index.db"
INDEX_FOLDERS = "index-"
"""What the folders of a repository's indexes begin with, one for all versions that find the same."""
SCHEMA = (
    """
    CREATE TABLE seen (
        id INTEGER PRIMARY KEY CHECK (id = 1), publication TEXT NOT NULL, snapshot BLOB NOT NULL, report BLOB NOT NULL
    ) STRICT
    """,
    "CREATE TABLE first_look (id INTEGER PRIMARY KEY CHECK (id = 1), files BLOB NOT NULL) STRICT",
)
_READ_SNAPSHOT = """
SELECT snapshot FROM seen WHERE publication = (SELECT value FROM meta WHERE key = 'publication')
"""
_READ = "SELECT publication, snapshot, report FROM seen WHERE publication = ?"
_FORGET = "DELETE FROM seen"
KNOWN = """
SELECT stamp.path, file.id, mtime_ns, ctime_ns, size, inode, content_hash, language, skip_reason
FROM stamp JOIN file ON file.id = stamp.file
"""
"""What was last seen of every path; ``known_files`` reads it."""
KNOWN_AT = f"{KNOWN} WHERE stamp.path = ?"
SET_STAMP = "INSERT OR REPLACE INTO stamp VALUES (?, ?, ?, ?, ?, ?)"
"""Takes what ``stamp_row`` gives."""
_LARGE_BYTES = 50_000
"""Larger files weigh no more: what is that long is often data."""
_WRITE = "INSERT INTO seen SELECT 1, value, ?, ? FROM meta WHERE key = 'publication' AND value = ?"


class KnownFile(NamedTuple):
    """What the index last saw of a path."""

    row: int
    stamp: FileStamp
    content_hash: str
    language: str
    skip_reason: str
    """Empty when it is indexed; of others nothing but the path is known."""

    @property
    def is_late(self) -> bool:
        """Whether it was given up because of the time it took, and may be tried once more."""
        return self.skip_reason == SkipReason.PARSER_TIMEOUT


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
    from ctxcode.store.frames import packed  # noqa: PLC0415 - whoever writes has loaded it

    connection.execute(_FORGET)
    connection.execute(_WRITE, (packed(seen.snapshot), msgspec.msgpack.encode(seen.report), seen.publication))


def known_files(rows: Iterable[tuple[str, int, int, int, int, int, str, str, str]]) -> dict[str, KnownFile]:
    """Return the rows of ``KNOWN`` by path."""
    return {
        path: KnownFile(file, FileStamp(mtime, ctime, size, inode % (1 << 64)), content_hash, language, skip_reason)
        for path, file, mtime, ctime, size, inode, content_hash, language, skip_reason in rows
    }


def stamp_row(path: str, file: int, stamp: FileStamp) -> tuple[str, int, int, int, int, int]:
    """Return what is noted of a path whose content a file row has."""
    # Some file systems give inode numbers of 64 bits without a sign; SQLite's integers have one.
    inode = stamp.inode - (1 << 64) if stamp.inode >= 1 << 63 else stamp.inode
    return path, file, stamp.mtime_ns, stamp.ctime_ns, stamp.size, inode


class FirstLook:
    """The files a first refresh has found, while nothing is published yet."""

    def __init__(self, frame: bytes) -> None:
        """Take what ``read_first_look`` returned."""
        self.frame = frame

    @cached_property
    def modules(self) -> tuple[ModuleEntry, ...]:
        """Every file, by path, without symbols; the largest stand for the most central. Raises ValueError."""
        if not self.frame:
            return ()
        found = msgspec.msgpack.decode(_unpacked(self.frame), type=list[tuple[str, str, int]])
        return tuple(
            ModuleEntry(path, _dotted(path), language, 0, min(size, _LARGE_BYTES) / _LARGE_BYTES, is_aside_path(path))
            for path, language, size in found
        )

    @cached_property
    def stats(self) -> IndexStats:
        """The files in numbers; of no revision. Raises ValueError."""
        counts = Counter(counted_languages([(module.path, module.language) for module in self.modules]))
        languages = sorted(counts.items(), key=lambda count: (-count[1], count[0]))
        return IndexStats(
            "", len(self.modules), 0, 0, tuple(LanguageCount(name, files, 0) for name, files in languages)
        )


def read_first_look(connection: sqlite3.Connection) -> bytes:
    """Return what was noted of a first refresh that is under way; empty when there is nothing."""
    row = connection.execute("SELECT files FROM first_look").fetchone()
    return bytes(row[0]) if row is not None else b""


def write_first_look(connection: sqlite3.Connection, files: Iterable[SourceFile]) -> None:
    """Note what there is to index; inside a write transaction."""
    from ctxcode.store.frames import packed  # noqa: PLC0415 - whoever writes has loaded it

    rows = [(file.path, file.language, file.stamp.size) for file in files]
    connection.execute("INSERT OR REPLACE INTO first_look VALUES (1, ?)", (packed(msgspec.msgpack.encode(rows)),))


def forget_first_look(connection: sqlite3.Connection) -> None:
    """Drop that note: what is published says more."""
    connection.execute("DELETE FROM first_look")


def _dotted(path: str) -> str:
    return path.rpartition(".")[0].replace("/", ".")


def _unpacked(frame: bytes) -> bytes:
    from ctxcode.store.frames import unpacked  # noqa: PLC0415 - see above

    return unpacked(frame)
