"""Long texts, stored once by the hash of their bytes."""

import sqlite3
import zlib
from collections.abc import Iterable

from ctxcode.model.ids import TextHash
from ctxcode.store.codec import UnreadableError, bytes_text, text_bytes

_SMALLEST_COMPRESSED_BYTES = 2_000
_FASTEST = 1

_KNOWN = "SELECT 1 FROM text WHERE hash = ?"
_INSERT = "INSERT OR IGNORE INTO text (hash, is_compressed, body) VALUES (?, ?, ?)"
_SELECT = "SELECT is_compressed, body FROM text WHERE hash = ?"


def save_texts(connection: sqlite3.Connection, texts: Iterable[tuple[TextHash, str]]) -> None:
    """Store the texts that are not stored yet."""
    for key, text in texts:
        if connection.execute(_KNOWN, (key,)).fetchone() is None:
            connection.execute(_INSERT, (key, *_packed(text)))


def read_text(connection: sqlite3.Connection, key: TextHash) -> str | None:
    """Return a stored text; None when there is none. Raises UnreadableError for a broken row."""
    row = connection.execute(_SELECT, (key,)).fetchone()
    if row is None:
        return None
    try:
        return bytes_text(zlib.decompress(row[1]) if row[0] else row[1])
    except zlib.error as error:
        raise UnreadableError(f"the stored text {key!r} can't be read: {error}") from error


def _packed(text: str) -> tuple[bool, bytes]:
    data = text_bytes(text)
    if len(data) < _SMALLEST_COMPRESSED_BYTES:
        return False, data
    return True, zlib.compress(data, _FASTEST)
