"""Begins an index as a copy of one of nearly the same files: of another work tree, of a clone, of a folder that moved.

What a file says is stored by its path and content, so all that is left to do then is to compare contents.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ctxcode.model.errors import StoreError
from ctxcode.store.index import symbols as names
from ctxcode.store.index.alike.sample import alike
from ctxcode.store.index.database import IndexDatabase, writing
from ctxcode.store.index.seen import INDEX_FILE

_MOST_INDEXES = 200

_IS_BEGUN = "SELECT EXISTS (SELECT 1 FROM main.file) OR EXISTS (SELECT 1 FROM main.meta WHERE key = 'revision')"
_IS_WHOLE = """
SELECT EXISTS (SELECT 1 FROM other.meta WHERE key = 'versions' AND value = ?)
AND EXISTS (SELECT 1 FROM other.meta WHERE key = 'revision')
AND NOT EXISTS (SELECT 1 FROM other.meta WHERE key = 'pending' AND value != '0')
"""
_TABLES = """
SELECT name FROM main.sqlite_schema
WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
AND name NOT IN ('seen', 'first_look')
"""
"""The full-text index is in plain tables of its own, too. What was seen, and when, is not of these files."""
_FORGET_STAMPS = "UPDATE main.stamp SET mtime_ns = 0, ctime_ns = 0, size = 0, inode = 0"
"""No file has such a stamp: each is compared by its content."""


def begin_as_most_alike(database: IndexDatabase, folders: Iterable[Path], hash_file: Callable[[str], str]) -> bool:
    """Fill an index in which there is nothing yet with what the one of the most alike files holds, if there is one.

    ``folders`` are those of other indexes; they are only read, and one that is damaged, unfinished or of other versions
    is passed over. ``hash_file`` returns the content hash of a path here, empty where there is none. What is copied is
    all there, or nothing of it, whoever else opens the index meanwhile. Returns whether something was.
    """
    # Whatever is wrong with one or the other: an index can be made from the files alone.
    with suppress(StoreError, sqlite3.Error), closing(database.connect()) as connection:
        if connection.execute(_IS_BEGUN).fetchone()[0]:
            return False
        latest = sorted(folders, key=_last_written, reverse=True)[:_MOST_INDEXES]
        counted = [(_alike(connection, other, (database.versions, hash_file)), other) for other in latest]
        most, other = max(counted, key=lambda found: found[0], default=(0, Path()))
        return most > 0 and _is_copied(connection, other, database.versions)
    return False


def _last_written(folder: Path) -> float:
    """Return when an index was written last, in seconds as files have them; 0 where there is none."""
    times = [0.0]
    for end in ("", "-wal"):
        with suppress(OSError):
            times.append(Path(folder, f"{INDEX_FILE}{end}").stat().st_mtime)
    return max(times)


def _alike(connection: sqlite3.Connection, folder: Path, known: tuple[str, Callable[[str], str]]) -> int:
    """Return how many files of a sample of an index are the same here; 0 when they are too few."""
    versions, hash_file = known
    with suppress(sqlite3.Error, OSError, UnicodeDecodeError), _attached(connection, folder):
        if connection.execute(_IS_WHOLE, (versions,)).fetchone()[0]:
            return alike(connection, "other", hash_file)
    return 0


@contextmanager
def _attached(connection: sqlite3.Connection, folder: Path) -> Iterator[None]:
    """Let an index that is not known to be damaged be read as ``other``. Raises FileNotFoundError, sqlite3.Error."""
    place = folder / INDEX_FILE
    if not place.is_file() or IndexDatabase(folder, "").is_damaged:
        raise FileNotFoundError(place)
    connection.execute("ATTACH ? AS other", (f"{place.absolute().as_uri()}?mode=ro",))
    try:
        yield
    finally:
        connection.execute("DETACH other")


def _is_copied(connection: sqlite3.Connection, folder: Path, versions: str) -> bool:
    """Copy all tables in one transaction; return False when something has come here meanwhile, or gone there."""
    with _attached(connection, folder), writing(connection):
        is_whole = connection.execute(_IS_WHOLE, (versions,)).fetchone()[0]
        if not is_whole or connection.execute(_IS_BEGUN).fetchone()[0]:
            return False
        for (table,) in connection.execute(_TABLES).fetchall():
            connection.execute(f'DELETE FROM main."{table}"')  # noqa: S608 - a name of our own schema
            connection.execute(f'INSERT INTO main."{table}" SELECT * FROM other."{table}"')  # noqa: S608 - as above
        connection.execute(_FORGET_STAMPS)
        if not names.are_indexed(connection):
            names.index_names(connection)
    return True
