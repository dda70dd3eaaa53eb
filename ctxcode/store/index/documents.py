"""Files' rows as they are stored, and the full-text index: every symbol is a document of names, place and texts.

The texts are stored once, a file's together and compressed. The full-text index holds none: to take a document out of
it, its texts are read and given to it again.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol, TypeVar

import msgspec

from ctxcode.model.symbol import KindWord, VisibilityWord
from ctxcode.store.index.packed import Content, Packing

SymbolValues = tuple[str, str, int, KindWord, int, int, int, int, str, str, str, VisibilityWord, str | None]
"""(name, qualified name, number among namesakes, kind, start line, end line, header line, header end line, signature,
doc, decorators by line, visibility, parent's local id). A qualified name ends with the name; the module has none."""

_Kept = TypeVar("_Kept")

_SIGNATURE: Final = 8
_DOC: Final = 9

DocumentWords = tuple[str, str, str]
"""(words of the name, words of the path and the outer names, body); without words of the name, no document."""

FILE_SHIFT = 20
"""A symbol's row number is its file's shifted by so many bits plus its position."""
MOST_SYMBOLS = 1 << FILE_SHIFT

TOKENIZE = "tokenize = 'porter unicode61 remove_diacritics 2'"
_FULL_TEXT = f"name, path, signature, doc, body, {TOKENIZE}"
SCHEMA = (
    "CREATE TABLE listing (file INTEGER PRIMARY KEY, symbols BLOB NOT NULL, documents BLOB NOT NULL) STRICT",
    f"CREATE VIRTUAL TABLE words USING fts5 ({_FULL_TEXT}, content = '')",
    "INSERT INTO words (words, rank) VALUES ('hashsize', 4194304)",
    # The batches of the first index become one four at a time: merged little by little, most would still be there in
    # the end, and each question looks into all of them.
    "INSERT INTO words (words, rank) VALUES ('automerge', 0)",
    "INSERT INTO words (words, rank) VALUES ('crisismerge', 4)",
)
_USUAL_MERGING = (
    "INSERT INTO words (words, rank) VALUES ('automerge', 4)",
    "INSERT INTO words (words, rank) VALUES ('crisismerge', 16)",
)
_HOLD = f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.held USING fts5 ({_FULL_TEXT})"
_LET_GO = "DELETE FROM temp.held"
_ADD_HELD = "INSERT INTO temp.held (rowid, name, path, signature, doc, body) VALUES (?, ?, ?, ?, ?, ?)"
_ADD_LISTING = "INSERT INTO listing VALUES (?, ?, ?)"
_ADD_WORDS = "INSERT INTO words (rowid, name, path, signature, doc, body) VALUES (?, ?, ?, ?, ?, ?)"
_FORGET_WORDS = """
INSERT INTO words (words, rowid, name, path, signature, doc, body) VALUES ('delete', ?, ?, ?, ?, ?, ?)
"""
_READ_FILE = "SELECT symbols, documents FROM listing WHERE file = ?"
_FORGET_FILE = "DELETE FROM listing WHERE file = ?"
_AT_ONCE = 500
_MOST_KEPT = 300
"""Files whose symbols are kept."""
_LONGEST_KEPT = 1_500_000
"""Characters of the last question's texts."""

_records = msgspec.msgpack.Decoder(list[msgspec.Raw])
_symbol = msgspec.msgpack.Decoder(SymbolValues)
_symbols = msgspec.msgpack.Decoder(list[SymbolValues])
_words = msgspec.msgpack.Decoder(DocumentWords)
_documents = msgspec.msgpack.Decoder(list[DocumentWords])

Document = tuple[int, str, str, str, str, str]
"""(row number, words of the name, words of the place, signature, doc, body)."""


class StoredRows(Protocol):
    """A file's symbols as their maker hands them over; no text in it holds NUL or what is no Unicode."""

    @property
    def symbols(self) -> Sequence[SymbolValues]: ...  # noqa: D102
    @property
    def documents(self) -> Sequence[DocumentWords]: ...  # noqa: D102
    @property
    def encoded_symbols(self) -> bytes: ...  # noqa: D102 - the symbols as MessagePack
    @property
    def encoded_documents(self) -> bytes: ...  # noqa: D102 - the documents as MessagePack


class Described(Protocol):
    """A symbol, as far as its document says it too."""

    @property
    def signature(self) -> str: ...  # noqa: D102
    @property
    def doc(self) -> str: ...  # noqa: D102


class Listings:
    """The symbols of an index's files as they were stored.

    Those asked for lately are kept: a question asks for most of its files several times, and the next one for many of
    them again. So are the texts asked for last: after a change the same question asks for nearly all of them. A row
    number never means another file.
    """

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._kept: dict[int, list[msgspec.Raw]] = {}
        self._texts: dict[int, str] = {}
        """Empty where a row has none."""

    def symbols(self, connection: sqlite3.Connection, ids: Collection[int]) -> Iterator[tuple[int, SymbolValues]]:
        """Yield (row, values) of the symbols with these row numbers, file by file; what is gone is left out."""
        by_file, kept = _by_file(ids), self._kept
        found = {file: kept.pop(file) for file in by_file if file in kept}
        for file, frame in _frames_of(connection, "symbols", [file for file in by_file if file not in found]):
            found[file] = _records.decode(self._packing.unpacked(Content.SYMBOLS, frame))
        kept.update(found)
        forget_oldest(kept, _MOST_KEPT)
        for file, places in by_file.items():
            records, first = found.get(file, ()), file << FILE_SHIFT
            for place in places:
                if place < len(records):
                    yield first + place, _symbol.decode(records[place])

    def documents(self, connection: sqlite3.Connection, ids: Collection[int]) -> Iterator[Document]:
        """Yield the documents with these row numbers, file by file; a symbol may have none."""
        symbols = dict(self.symbols(connection, ids))
        for row, (name, place, body) in self._words(connection, symbols):
            yield row, name, place, symbols[row][_SIGNATURE], symbols[row][_DOC], body

    def texts(self, connection: sqlite3.Connection, symbols: Mapping[int, Described]) -> dict[int, str]:
        """Return the texts of the documents of symbols given by row number, in this order; a symbol may have none."""
        known = self._texts
        missing = {row: symbol for row, symbol in symbols.items() if row not in known}
        read = dict.fromkeys(missing, "")
        for row, (name, place, body) in self._words(connection, missing):
            read[row] = f"{name}\n{place}\n{missing[row].signature}\n{missing[row].doc}\n{body}"
        found = {row: read[row] if row in read else known[row] for row in sorted(symbols)}
        self._texts = found if sum(map(len, found.values())) <= _LONGEST_KEPT else {}
        return {row: text for row, text in found.items() if text}

    def _words(self, connection: sqlite3.Connection, ids: Collection[int]) -> Iterator[tuple[int, DocumentWords]]:
        """Yield (row, words) of the documents with these row numbers of symbols that are there, file by file."""
        by_file = _by_file(ids)
        for file, frame in _frames_of(connection, "documents", list(by_file)):
            records = _records.decode(self._packing.unpacked(Content.TEXTS, frame))
            first = file << FILE_SHIFT
            for place in by_file[file]:
                words = _words.decode(records[place])
                if words[0]:
                    yield first + place, words


def forget_oldest(kept: dict[int, _Kept], most: int) -> None:
    """Leave those of a dict that were put into it last."""
    for key in list(islice(kept, max(0, len(kept) - most))):
        del kept[key]


def storable(text: str) -> str:
    """Return a text SQLite takes: no NUL, no lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def add_rows(connection: sqlite3.Connection, packing: Packing, files: Sequence[tuple[int, StoredRows]]) -> None:
    """Store the rows of files, given by row number, and index their documents."""
    listings = [
        (
            file,
            packing.packed(Content.SYMBOLS, rows.encoded_symbols),
            packing.packed(Content.TEXTS, rows.encoded_documents),
        )
        for file, rows in files
    ]
    connection.executemany(_ADD_LISTING, listings)
    for file, rows in files:
        connection.executemany(_ADD_WORDS, _documents_of(file, rows.symbols, rows.documents))


def forget_rows(connection: sqlite3.Connection, packing: Packing, file: int) -> None:
    """Take a file's documents out of the index, and its rows. Raises ValueError when these are damaged."""
    for frames in connection.execute(_READ_FILE, (file,)).fetchall():
        connection.executemany(_FORGET_WORDS, _documents_of(file, *_rows(packing, frames)))
    connection.execute(_FORGET_FILE, (file,))


def end_batches(connection: sqlite3.Connection) -> None:
    """Let the index grow by single files from now on; inside a write transaction."""
    for statement in _USUAL_MERGING:
        connection.execute(statement)


def hold_texts(connection: sqlite3.Connection, listings: Listings, ids: Collection[int]) -> None:
    """Put the texts of documents into the full-text table ``temp.held``, in place of what it held."""
    connection.execute(_HOLD)
    connection.execute(_LET_GO)
    connection.executemany(_ADD_HELD, listings.documents(connection, ids))


def check_rows(connection: sqlite3.Connection) -> None:
    """Read the rows of all files. Raises ValueError when some are damaged."""
    packing = Packing.read(connection)
    for frames in connection.execute("SELECT symbols, documents FROM listing"):
        if packing is None:
            raise ValueError("the dictionaries are gone")
        _rows(packing, frames)


def _rows(packing: Packing, frames: tuple[bytes, bytes]) -> tuple[list[SymbolValues], list[DocumentWords]]:
    """Return a file's rows as they were stored."""
    symbols, documents = frames
    return (
        _symbols.decode(packing.unpacked(Content.SYMBOLS, symbols)),
        _documents.decode(packing.unpacked(Content.TEXTS, documents)),
    )


def _documents_of(file: int, symbols: Sequence[SymbolValues], documents: Sequence[DocumentWords]) -> list[Document]:
    """Return a file's documents."""
    rows = enumerate(zip(symbols[:MOST_SYMBOLS], documents[:MOST_SYMBOLS], strict=True), file << FILE_SHIFT)
    return [
        (row, name, place, values[_SIGNATURE], values[_DOC], body)
        for row, (values, (name, place, body)) in rows
        if name
    ]


def _by_file(ids: Collection[int]) -> dict[int, list[int]]:
    """Return row numbers as file numbers and positions in them, both in order."""
    found: dict[int, list[int]] = {}
    for row in sorted(ids):
        found.setdefault(row >> FILE_SHIFT, []).append(row & (MOST_SYMBOLS - 1))
    return found


def _frames_of(connection: sqlite3.Connection, column: str, files: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(files), _AT_ONCE):
        chunk = files[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT file, {column} FROM listing WHERE file IN ({marks})"  # noqa: S608 - our columns, marks
        yield from connection.execute(query, chunk)
