"""What of a repository is the product's own."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_foreign_path, is_in_tests, is_side_path
from ctxcode.model.symbol import Edge, EdgeKind, ModuleEntry, Symbol
from ctxcode.session.ports import CodeGraph

_EXAMPLE = re.compile(r"(?:^|/)examples?[-_][^/]*$")
_MOST_FILES = 10
_MOST_DEFINITIONS = 3_000
"""In a file that somebody wrote."""


def is_own(symbol: Symbol) -> bool:
    """Return whether a definition is of the product: no test, no example, nobody else's."""
    return is_own_path(symbol.path) and not is_in_tests(symbol.language, symbol.qualname)


def is_own_path(path: str) -> bool:
    """Return the same of a file."""
    return not is_side_path(path) and not is_foreign_path(path) and _EXAMPLE.search(path) is None


def outer_first(path: str) -> tuple[int, str]:
    """Return what sorts paths so that those farthest out come first."""
    return path.count("/"), path


def worth_reading(graph: CodeGraph, paths: Iterable[str]) -> Iterator[str]:
    """Yield the first of some files that are the product's own and not made by a program."""
    yield from islice((path for path in paths if is_own_path(path) and _is_written(graph, path)), _MOST_FILES)


def _is_written(graph: CodeGraph, path: str) -> bool:
    modules = graph.modules()
    at = bisect_left(modules, path, key=lambda entry: entry.path)
    return at < len(modules) and modules[at].path == path and modules[at].symbols <= _MOST_DEFINITIONS


def paths_below(graph: CodeGraph, folder: str) -> Iterator[str]:
    """Yield the files in a folder, which is written with a slash behind, and in those in it."""
    modules = graph.modules()
    at = bisect_left(modules, folder, key=lambda entry: entry.path)
    while at < len(modules) and modules[at].path.startswith(folder):
        yield modules[at].path
        at += 1


def entries_below(modules: Sequence[ModuleEntry], start: str) -> Sequence[ModuleEntry]:
    """Return the files whose path begins with a text; ``modules`` is in the order of its paths."""
    first = bisect_left(modules, start, key=lambda entry: entry.path)
    end = bisect_left(modules, start + "\U0010ffff", lo=first, key=lambda entry: entry.path)
    return modules[first:end]


def edges_from(graph: CodeGraph, source: SymbolId, kinds: Collection[EdgeKind]) -> list[Edge]:
    """Return what a definition has to do with others in these ways."""
    return [edge for edge in graph.edges_of(source) if edge.source == source and edge.kind in kinds]
