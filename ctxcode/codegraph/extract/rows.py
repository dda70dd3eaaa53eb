"""What of a file goes into the index, made by the worker: whoever writes it only binds values."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxcode.codegraph.facts import SymbolFact
from ctxcode.model.naming.folder import ASIDE_MARK, is_in_tests, stands_aside
from ctxcode.model.naming.words import with_seams
from ctxcode.model.symbol import MEMBER_KINDS, KindWord, VisibilityWord

SymbolRow = tuple[str, str, int, KindWord, int, int, int, int, str, str, str, VisibilityWord, str | None]
"""(name, qualname, number among namesakes, kind, start line, end line, header line, header end line, signature, doc,
decorators by line, visibility, parent's local id)."""

DocumentRow = tuple[str, str, str]
"""(words of the name, words of the path and the outer names, body)."""

_VALUES = frozenset({"constant", "variable"})
"""What is found by its name alone where its text is its owner's: see ``Symbol.is_member``."""
_MARKS_TEST = re.compile(r"#\[(?:cfg\((?:all\()?test\b|(?:\w+::)*test\b)")
"""Attributes of Rust's: ``#[cfg(test)]``, ``#[test]``, ``#[tokio::test]``."""


class FileRows(NamedTuple):
    """A file's symbols as the index keeps them, in source order."""

    symbols: list[SymbolRow]
    documents: list[DocumentRow]
    """One per symbol; without words for what has no document."""


def file_rows(symbols: Sequence[SymbolFact], path: str) -> FileRows:
    """Return what the index keeps of a file's symbols.

    Facts come from text that is valid Unicode and holds no NUL, so every value here can be stored as it is.
    """
    path_words = with_seams(path)
    marked_words = f"{path_words} {ASIDE_MARK}"
    is_aside = stands_aside(path)
    if is_aside:
        path_words = marked_words
    in_tests = _in_tests(symbols, path) if is_aside is None else frozenset[int]()
    rows = _symbol_rows(symbols)
    # No words, no document: a member is found through its owner, whose body holds it.
    are_members = [
        row[3] in MEMBER_KINDS or (row[3] in _VALUES and not symbol.text)
        for row, symbol in zip(rows, symbols, strict=True)
    ]
    names = ["" if is_member else _name_words(row[0]) for row, is_member in zip(rows, are_members, strict=True)]
    folders = [marked_words if index in in_tests else path_words for index in range(len(rows))]
    places = [
        "" if is_member else _place_words(words, row[1].rpartition(".")[0])
        for row, words, is_member in zip(rows, folders, are_members, strict=True)
    ]
    return FileRows(rows, list(zip(names, places, [with_seams(symbol.text) for symbol in symbols], strict=True)))


def _in_tests(symbols: Sequence[SymbolFact], path: str) -> frozenset[int]:
    """Return which symbols of a file are tests, or stand in what is for tests only."""
    found: set[int] = set()
    if path.endswith(".py"):
        are_tests = any(is_in_tests("python", f"tests.{symbol.qualname}") for symbol in symbols)
        return frozenset(range(len(symbols) if are_tests else 0))
    for index, symbol in enumerate(symbols):
        if (
            symbol.parent in found
            or (symbol.kind == "namespace" and is_in_tests("rust", f"{symbol.qualname}."))
            or any(map(_MARKS_TEST.match, symbol.decorators))
        ):
            found.add(index)
    return frozenset(found)


@lru_cache(maxsize=100_000)
def _name_words(name: str) -> str:
    return with_seams(name)


def _place_words(path_words: str, outer: str) -> str:
    return f"{path_words} {_name_words(outer)}" if outer else path_words


def _symbol_rows(symbols: Sequence[SymbolFact]) -> list[SymbolRow]:
    namesakes = _namesakes(symbols)
    local_ids = [
        symbol.qualname if namesake == 1 else f"{symbol.qualname}~{namesake}"
        for namesake, symbol in zip(namesakes, symbols, strict=True)
    ]
    rows: list[SymbolRow] = []
    for namesake, symbol in zip(namesakes, symbols, strict=True):
        name, qualname, kind, start, end, header, header_end, signature, doc, decorators, visibility, parent, _ = symbol
        outer = local_ids[parent] if parent >= 0 else None
        written = "\n".join(decorators) if decorators else ""
        lines = (start, end, header, header_end)
        rows.append((name, qualname, namesake, kind, *lines, signature, doc, written, visibility, outer))
    return rows


def _namesakes(symbols: Sequence[SymbolFact]) -> list[int]:
    """Return each symbol's number among its namesakes; a method is counted before a field of the same name."""
    seen: dict[str, int] = {}
    members: list[int] = []
    namesakes: list[int] = []
    for index, symbol in enumerate(symbols):
        qualname = symbol.qualname
        if symbol.kind in MEMBER_KINDS:
            members.append(index)
            namesakes.append(0)
        else:
            namesake = seen[qualname] = seen.get(qualname, 0) + 1
            namesakes.append(namesake)
    for index in members:
        qualname = symbols[index].qualname
        namesakes[index] = seen[qualname] = seen.get(qualname, 0) + 1
    return namesakes
