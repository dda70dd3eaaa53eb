"""What of a file goes into the index, made by the worker: whoever writes it only binds values."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxcode.codegraph.extract.words import with_sub_words
from ctxcode.codegraph.facts import SymbolFact

SymbolRow = tuple[str, str, int, str, int, int, int, int, str, str, str, str, str | None]
"""(name, qualname, number among namesakes, kind, start line, end line, header line, header end line, signature, doc,
decorators by line, visibility, parent's local id)."""

DocumentRow = tuple[str, str, str]
"""(words of the name, words of the path and the outer names, body)."""


class FileRows(NamedTuple):
    """A file's symbols as the index keeps them, in source order."""

    symbols: list[SymbolRow]
    documents: list[DocumentRow]
    """One per symbol."""


def file_rows(symbols: Sequence[SymbolFact], path: str) -> FileRows:
    """Return what the index keeps of a file's symbols.

    Facts come from text that is valid Unicode and holds no NUL, so every value here can be stored as it is.
    """
    path_words = with_sub_words(path)
    rows = _symbol_rows(symbols)
    names = [_name_words(row[0]) for row in rows]
    places = [_place_words(path_words, row[1].rpartition(".")[0]) for row in rows]
    return FileRows(rows, list(zip(names, places, [symbol.text for symbol in symbols], strict=True)))


@lru_cache(maxsize=100_000)
def _name_words(name: str) -> str:
    return with_sub_words(name) or name


def _place_words(path_words: str, outer: str) -> str:
    return f"{path_words} {with_sub_words(outer)}" if outer else path_words


def _symbol_rows(symbols: Sequence[SymbolFact]) -> list[SymbolRow]:
    seen: dict[str, int] = {}
    namesakes: list[int] = []
    local_ids: list[str] = []
    for symbol in symbols:
        qualname = symbol.qualname
        namesake = seen[qualname] = seen.get(qualname, 0) + 1
        namesakes.append(namesake)
        local_ids.append(qualname if namesake == 1 else f"{qualname}~{namesake}")
    rows: list[SymbolRow] = []
    for namesake, symbol in zip(namesakes, symbols, strict=True):
        name, qualname, kind, start, end, header, header_end, signature, doc, decorators, visibility, parent, _ = symbol
        outer = local_ids[parent] if parent >= 0 else None
        written = "\n".join(decorators) if decorators else ""
        lines = (start, end, header, header_end)
        rows.append((name, qualname, namesake, kind, *lines, signature, doc, written, visibility, outer))
    return rows
