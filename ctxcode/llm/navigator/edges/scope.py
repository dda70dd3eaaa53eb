"""What a question is restricted to: ``in cache``, ``in django/db``, ``in Query``."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcode.llm.navigator.graph_port import CONTAINERS, NavigableGraph
from ctxcode.llm.navigator.lookup import Found, files_below, find
from ctxcode.llm.navigator.markdown import bounded, code, place, row, title
from ctxcode.model.naming.number import counted
from ctxcode.model.symbol import Edge, Symbol, SymbolKind

_MOST_ROWS = 12
_WHOLE = (1, 1 << 31)


@dataclass(frozen=True, slots=True)
class Scope:
    """Places in files."""

    name: str
    what: str
    """As it is told: `` `django/db` (120 files)``."""
    spans: dict[str, Sequence[tuple[int, int]]]
    """Which lines of which files."""

    def holds(self, path: str, line: int) -> bool:
        """Return whether a place is in it."""
        return any(first <= line <= last for first, last in self.spans.get(path, ()))

    def edges(self, graph: NavigableGraph, edges: Sequence[Edge]) -> list[Edge]:
        """Return the edges that start in it."""
        sources = graph.symbols({edge.source for edge in edges})
        return [
            edge
            for edge in edges
            if (source := sources.get(edge.source)) is not None
            and self.holds(source.path, edge.line or source.header_line)
        ]

    def symbols(self, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """Return the definitions in it."""
        return tuple(one for one in symbols if self.holds(one.path, one.header_line or one.start_line or 1))


def scope(graph: NavigableGraph, name: str) -> Scope | None:
    """Return what a folder, file, package, type or function called so holds; None when there is none."""
    found = find(graph, name)
    files = [entry.path for entry in files_below(graph, name)]
    modules = [one.path for one in found.symbols if one.kind is SymbolKind.MODULE]
    if files or modules:
        paths = list(dict.fromkeys([*files, *modules]))
        told = f"{code(name)} ({counted(len(paths), 'file')})" if len(paths) > 1 else code(paths[0])
        return Scope(name, told, dict.fromkeys(paths, (_WHOLE,)))
    if found.best is None:
        return None
    first = found.best
    alike = [one for one in found.symbols if (one.kind in CONTAINERS) == (first.kind in CONTAINERS)]
    spans: dict[str, list[tuple[int, int]]] = {}
    for one in alike:
        spans.setdefault(one.path, []).append((one.start_line, one.end_line))
    told = f"{code(title(first))} ({place(first)})" if len(alike) == 1 else f"the {len(alike):,} called {code(name)}"
    return Scope(name, told, {path: tuple(lines) for path, lines in spans.items()})


def kept(found: Found, within: Scope) -> tuple[list[str], tuple[Symbol, ...]]:
    """Return what to say of the definitions of a name outside of a scope when none is in it, else those that are."""
    inside = within.symbols(found.symbols)
    if inside:
        return [], inside
    rows = bounded([row(one) for one in found.symbols], _MOST_ROWS)
    return [f"No {code(found.respelled or found.name)} is defined in {within.what}; elsewhere:", "", *rows], ()
