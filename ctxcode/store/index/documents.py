"""The full-text index: every symbol is a document of its names, place, signature, doc and body.

The texts stand in tables of their own; the full-text index refers to them. It is filled by one statement before the
first publication, which is quicker than file by file and lets other threads run; from then on files come and go in it.
"""

import sqlite3
from collections.abc import Sequence
from typing import Protocol

SymbolValues = tuple[str, str, int, str, int, int, int, int, str, str, str, str, str | None]
"""The columns of table ``symbol`` behind its row number."""

DocumentWords = tuple[str, str, str]
"""(words of the name, words of the path and the outer names, body); without words of the name, no document."""

SCHEMA = (
    "CREATE TABLE body (id INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL) STRICT",
    """
    CREATE VIEW document AS
    SELECT symbol.id AS id, body.name AS name, path, signature, doc, body FROM symbol JOIN body ON body.id = symbol.id
    """,
    """
    CREATE VIRTUAL TABLE words USING fts5 (
        name, path, signature, doc, body, content = 'document', content_rowid = 'id',
        tokenize = 'porter unicode61 remove_diacritics 2'
    )
    """,
    "INSERT INTO words (words, rank) VALUES ('hashsize', 4194304)",
)
_IS_FILLED = "SELECT 1 FROM meta WHERE key = 'words'"
_FILL = "INSERT INTO words (words) VALUES ('rebuild')"
_NOTE_FILLED = "INSERT INTO meta VALUES ('words', 'filled')"
# Made once all rows of the first index are there: sorting them is quicker than finding each its place.
_INDEX_NAMES = "CREATE INDEX IF NOT EXISTS symbol_name ON symbol (name)"
_ADD_SPAN = """
INSERT INTO words (rowid, name, path, signature, doc, body)
SELECT id, name, path, signature, doc, body FROM document WHERE id >= ? AND id < ?
"""
_FORGET_SPAN = """
INSERT INTO words (words, rowid, name, path, signature, doc, body)
SELECT 'delete', id, name, path, signature, doc, body FROM document WHERE id >= ? AND id < ?
"""
_AT_ONCE = 500


class StoredRows(Protocol):
    """A file's symbols as their maker hands them over; no text in it holds NUL or what is no Unicode."""

    @property
    def symbols(self) -> Sequence[SymbolValues]: ...  # noqa: D102
    @property
    def documents(self) -> Sequence[DocumentWords]: ...  # noqa: D102


def storable(text: str) -> str:
    """Return a text SQLite takes: no NUL, no lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def is_filled(connection: sqlite3.Connection) -> bool:
    """Return whether documents have to be added and forgotten one by one."""
    return connection.execute(_IS_FILLED).fetchone() is not None


def fill(connection: sqlite3.Connection) -> None:
    """Index every document there is, and the names; inside a write transaction."""
    connection.execute(_FILL)
    connection.execute(_INDEX_NAMES)
    connection.execute(_NOTE_FILLED)


def add_documents(connection: sqlite3.Connection, span: tuple[int, int]) -> None:
    """Index the symbols from one row number up to another."""
    connection.execute(_ADD_SPAN, span)


def forget_documents(connection: sqlite3.Connection, span: tuple[int, int]) -> None:
    """Take the symbols from one row number up to another out of the index; their texts must still be there."""
    connection.execute(_FORGET_SPAN, span)


def document_texts(connection: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, str]]:
    """Return (row, text) of the documents with these numbers, in their order; a symbol may have none."""
    found: list[tuple[int, str]] = []
    for start in range(0, len(ids), _AT_ONCE):
        chunk = ids[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT id, name, path, signature, doc, body FROM document WHERE id IN ({marks}) ORDER BY id"  # noqa: S608
        found += [(row, "\n".join(texts)) for row, *texts in connection.execute(query, chunk)]
    return found
