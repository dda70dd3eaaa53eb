"""What of a symbol goes into which column of the full-text index."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Protocol

_SEPARATOR = "\0"

Document = tuple[int, str, str, str, str, str]
"""(row, name, path, signature, doc, body)."""

SymbolValues = tuple[str, str, int, str, int, int, int, int, str, str, str, str, str | None]
"""The columns of table ``symbol`` behind its row number."""

DocumentWords = tuple[str, str, str]
"""(words of the name, words of the outer names, body)."""


class StoredRows(Protocol):
    """A file's symbols as their maker hands them over; no text in it holds NUL or what is no Unicode."""

    @property
    def symbols(self) -> Sequence[SymbolValues]: ...  # noqa: D102
    @property
    def path_words(self) -> str: ...  # noqa: D102
    @property
    def documents(self) -> Sequence[DocumentWords]: ...  # noqa: D102
    @property
    def packed(self) -> bytes:
        """The path's words, then the documents column by column: separated by NUL, compressed by zlib."""
        ...


def storable(text: str) -> str:
    """Return a text SQLite takes: no NUL, no lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace(_SEPARATOR, " ")


def documents(
    first: int, path_words: str, documents: Sequence[DocumentWords], texts: Sequence[tuple[str, str]]
) -> Iterator[Document]:
    """Yield the columns of a file's symbols, given the first's row and everyone's (signature, doc).

    The same arguments give the same columns: a contentless index needs them again to forget a document.
    """
    for row, ((name, outer, body), (signature, doc)) in enumerate(zip(documents, texts, strict=True), start=first):
        yield row, name, f"{path_words} {outer}" if outer else path_words, signature, doc, body


def unpacked(data: bytes) -> tuple[str, list[DocumentWords]]:
    """Return the path's words and the documents packed before. Raises zlib.error or ValueError for a damaged value."""
    path_words, *parts = zlib.decompress(data).decode("utf-8").split(_SEPARATOR)
    count = len(parts) // 3
    return path_words, list(zip(parts[:count], parts[count : 2 * count], parts[2 * count :], strict=True))
