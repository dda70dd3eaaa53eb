"""Answers about edges: who uses a definition, what it needs, what inherits from it, how two are connected."""

from collections.abc import Sequence

from ctxcode.llm.navigator.edges.route import Route, guesses
from ctxcode.llm.navigator.edges.scope import Scope
from ctxcode.llm.navigator.graph_port import NavigableGraph
from ctxcode.llm.navigator.lookup import Found, is_container, members
from ctxcode.llm.navigator.markdown import bounded, code, place, row, title
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.number import counted
from ctxcode.model.symbol import MEMBER_KINDS, UNSURE, Edge, EdgeKind, Symbol, SymbolKind

MAX_ROWS = 40
NOT_SEEN = "Calls through variables, reflection or another language are not in the graph."
_NEED_NOT = "“Perhaps used”: what uses a type need not use this part of it."
_NEED_NOT_RUN = "“May run”: what a type overrides runs in the place of what is called only where its objects are."
_MEMBERS_NOT_SEEN = "What uses a field or a value without the name of its type is not in the graph."

_MAX_MINOR_ROWS = 15
_MAX_MEMBERS = 60
VERBS = {
    EdgeKind.CALLS: "calls",
    EdgeKind.IMPORTS: "imports",
    EdgeKind.INHERITS: "inherits from",
    EdgeKind.IMPLEMENTS: "implements",
    EdgeKind.RE_EXPORTS: "re-exports",
    EdgeKind.REFERENCES: "refers to",
    EdgeKind.TESTS: "tests",
    EdgeKind.CONTAINS: "contains",
    EdgeKind.OVERRIDDEN: "may run",
}
"""What the source of an edge does with its target."""

_NEEDS = {
    EdgeKind.CALLS: "Calls",
    EdgeKind.REFERENCES: "Names",
    EdgeKind.IMPORTS: "Imports",
    EdgeKind.RE_EXPORTS: "Re-exports",
}


def edges_in(graph: NavigableGraph, symbol: Symbol) -> list[Edge]:
    """Return the edges that lead to a symbol, without containment, in a stable order."""
    return [edge for edge in _edges(graph, symbol) if edge.target == symbol.id]


def edges_out(graph: NavigableGraph, symbol: Symbol) -> list[Edge]:
    """Return the edges that leave a symbol, without containment, in a stable order."""
    return [edge for edge in _edges(graph, symbol) if edge.source == symbol.id]


def users(graph: NavigableGraph, symbols: Sequence[Symbol], limits: Scope | None = None) -> list[str]:
    """Return who uses a definition, or any of its overloads, by how; within some limits what is outside is counted."""
    every = [edge for symbol in symbols for edge in edges_in(graph, symbol)]
    edges = limits.edges(graph, every) if limits is not None else every
    sources = graph.symbols({edge.source for edge in edges})
    beside = f" and {counted(len(symbols) - 1, 'overload')} beside it" if len(symbols) > 1 else ""
    name = f"{code(title(symbols[0]))} ({place(symbols[0])}{beside})"
    where = limits.what if limits is not None else "the index"
    where = where if every else "the index"
    outside = f" {counted(len(every) - len(edges), 'use')} elsewhere." if limits is not None and every else ""
    if not sources and symbols[0].kind in MEMBER_KINDS:
        return [f"The graph knows no use of {name}.{outside}", "", _MEMBERS_NOT_SEEN]
    if not sources:
        return [f"Nothing in {where} uses {name}.{outside}", "", NOT_SEEN]
    edges.sort(key=_edge_order)
    lines = [f"{counted(len(edges), 'use')} of {name}:"]
    if limits is not None:
        lines = [f"{counted(len(edges), 'use')} of {name} in {where}, {len(every) - len(edges):,} elsewhere:"]
    headings = (
        (EdgeKind.CALLS, "Called by", MAX_ROWS),
        (EdgeKind.INHERITS, "Inherited by", _MAX_MINOR_ROWS),
        (EdgeKind.IMPLEMENTS, "Implemented by", _MAX_MINOR_ROWS),
        (EdgeKind.REFERENCES, "Named by", _MAX_MINOR_ROWS),
        (EdgeKind.TESTS, "Tested by", _MAX_MINOR_ROWS),
        (EdgeKind.IMPORTS, "Imported by", _MAX_MINOR_ROWS),
        (EdgeKind.RE_EXPORTS, "Re-exported by", _MAX_MINOR_ROWS),
    )
    for kind, heading, limit in headings:
        rows = [
            _source_row(edge, sources[edge.source]) for edge in edges if edge.kind is kind and edge.source in sources
        ]
        lines += _headed(heading, rows, limit)
    return [*lines, *_caveat(edges)]


def needs(graph: NavigableGraph, symbol: Symbol) -> list[str]:
    """Return what a definition and its members call, name and import."""
    first = needed(graph, symbol)
    targets = graph.symbols({edge.target for edge in first.values()})
    lines = [f"{code(title(symbol))} ({place(symbol)}) needs:"]
    for kind, heading in _NEEDS.items():
        wanted = [edge for edge in first.values() if edge.kind is kind and edge.target in targets]
        lines += _headed(heading, [row(targets[edge.target]) + _doubt(edge) for edge in wanted], MAX_ROWS)
    if len(lines) == 1:
        return [f"{code(title(symbol))} ({place(symbol)}) calls nothing defined in this repository.", "", NOT_SEEN]
    return [*lines, *_caveat(list(first.values()))]


def needed(graph: NavigableGraph, symbol: Symbol) -> dict[tuple[EdgeKind, SymbolId], Edge]:
    """Return the first edge to each thing that a definition and its members call, name or import."""
    is_whole = is_container(symbol) or symbol.kind is SymbolKind.MODULE
    parts = (symbol, *members(graph, symbol)[:_MAX_MEMBERS]) if is_whole else (symbol,)
    first: dict[tuple[EdgeKind, SymbolId], Edge] = {}
    for part in parts:
        for edge in edges_out(graph, part):
            if edge.kind in _NEEDS:
                first.setdefault((edge.kind, edge.target), edge)
    return first


def connection(graph: NavigableGraph, route: Route, asked: tuple[Found, Found]) -> list[str]:
    """Return how two definitions are connected, step by step, or of how many of what was asked for none is."""
    start, end, chain = route.start, route.end, route.edges
    if start.id == end.id:
        return [f"Both names mean the same definition: {code(title(start))} ({place(start)})."]
    if not chain:
        chains = "calls, imports, references or inheritance"
        tried = " and ".join(_tried(*pair) for pair in zip(asked, (start, end), strict=True))
        return [f"The graph holds no chain of {chains} between {tried}.", "", NOT_SEEN]
    names = f"{code(title(start))} ({place(start)}) and {code(title(end))} ({place(end)})"
    symbols = graph.symbols({symbol for edge in chain for symbol in (edge.source, edge.target)})
    steps = [
        pair for pair in zip(chain, guesses(chain), strict=True) if {pair[0].source, pair[0].target} <= symbols.keys()
    ]
    rows = [_step(number, edge, symbols, is_guess=guess) for number, (edge, guess) in enumerate(steps, 1)]
    said = [f"{names} are {counted(len(chain), 'step')} apart:", "", *bounded(rows, MAX_ROWS), *_caveat(chain)]
    guessed = {edge.kind for edge, is_guess in steps if is_guess}
    said += ["", _NEED_NOT] if EdgeKind.CONTAINS in guessed else []
    return said + (["", _NEED_NOT_RUN] if EdgeKind.OVERRIDDEN in guessed else [])


def _tried(found: Found, first: Symbol) -> str:
    one, name = f"{code(title(first))} at {place(first)}", code(found.respelled or found.name)
    return f"any of {found.looked_at} of {name} (first {one})" if found.looked_at else one


def _edges(graph: NavigableGraph, symbol: Symbol) -> list[Edge]:
    edges = (edge for edge in graph.edges_of(symbol.id) if edge.kind is not EdgeKind.CONTAINS)
    return sorted(edges, key=_edge_order)


def _edge_order(edge: Edge) -> tuple[str, int, str, str]:
    return (edge.source, edge.line, edge.target, edge.kind)


def _headed(heading: str, rows: list[str], limit: int) -> list[str]:
    return ["", f"**{heading}** ({len(rows):,})", "", *bounded(rows, limit)] if rows else []


def _source_row(edge: Edge, source: Symbol) -> str:
    """Return a list row for where an edge starts."""
    what = source.module if source.kind is SymbolKind.MODULE else title(source)
    return f"- {code(f'{source.path}:{edge.line or source.header_line}')} {code(what)}{_doubt(edge)}"


def _step(number: int, edge: Edge, symbols: dict[SymbolId, Symbol], *, is_guess: bool) -> str:
    source, target = symbols[edge.source], symbols[edge.target]
    at = code(f"{source.path}:{edge.line}" if edge.line else f"{target.path}:{target.header_line}")
    doubt = " (perhaps used)" if is_guess and edge.kind is EdgeKind.CONTAINS else _doubt(edge)
    return f"{number}. {code(title(source))} {VERBS[edge.kind]} {code(title(target))} at {at}{doubt}"


def _doubt(edge: Edge) -> str:
    return " (possibly)" if edge.resolution in UNSURE else ""


def _caveat(edges: Sequence[Edge]) -> list[str]:
    if not any(edge.resolution in UNSURE for edge in edges):
        return []
    return ["", "“Possibly” marks edges found by name alone."]
