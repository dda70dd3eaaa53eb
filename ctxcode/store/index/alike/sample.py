"""Some files of an index, and whether those of a folder are the same."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from ctxcode.store.index.seen import INDEX_FILE

_FILES = 40
_LEAST_ALIKE = 0.5
"""Of the sample's files: with fewer of them the same, parsing all is hardly more work."""
_READ = """
SELECT path, content_hash FROM {0}.file
WHERE skip_reason = '' AND id % (SELECT max(1, count(*) / ?) FROM {0}.file) = 0 LIMIT ?
"""


def alike(connection: sqlite3.Connection, schema: str, hash_file: Callable[[str], str]) -> int:
    """Return how many files of a sample of an attached index are the same here; 0 when they are too few.

    ``hash_file`` returns the content hash of a path here, empty where there is none. Raises sqlite3.Error.
    """
    sample = connection.execute(_READ.format(schema), (_FILES, _FILES)).fetchall()
    same = sum(hash_file(path) == content_hash for path, content_hash in sample)
    return same if same >= _LEAST_ALIKE * len(sample) else 0


def is_of_these(folder: Path, hash_file: Callable[[str], str]) -> bool:
    """Return whether the index in a folder, of any version, was made of mostly the same files."""
    address = f"{(folder / INDEX_FILE).absolute().as_uri()}?mode=ro"
    with (
        suppress(sqlite3.Error, OSError, UnicodeDecodeError),
        closing(sqlite3.connect(address, uri=True)) as connection,
    ):
        return alike(connection, "main", hash_file) > 0
    return False
