"""Answers about inheritance: what a type's heirs and bases are, and which methods override which."""

from collections.abc import Iterable, Sequence

from ctxcode.llm.navigator.edges.scope import Scope
from ctxcode.llm.navigator.graph_port import CONTAINERS, NavigableGraph
from ctxcode.llm.navigator.markdown import bounded, code, place, row, title
from ctxcode.model.naming.number import counted
from ctxcode.model.plan import Relation
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind

MAX_ROWS = 40
_MOST_TYPES = 20_000
_MOST_ROWS_BESIDE = 20
_HEIRS = frozenset({Relation.INHERITS, Relation.IMPLEMENTS})
_PARENTS = frozenset({Relation.INHERITED_BY, Relation.IMPLEMENTED_BY})
_HELD = frozenset({Relation.CONTAINED_IN})
"""What others are to a type."""
_IMPLICIT = "Types of Go implement an interface without saying so: who does is not in the graph."


def children(graph: NavigableGraph, symbol: Symbol, limits: Scope | None = None) -> list[str]:
    """Return what inherits from a type or implements it, directly and through others; of a method what overrides it."""
    if is_member(symbol):
        return overriding(graph, symbol, limits)
    levels = _within(_levels(graph, symbol, is_downward=True), limits)
    name = f"{code(title(symbol))} ({place(symbol)})"
    note = ["", _IMPLICIT] if (symbol.language, symbol.kind) == ("go", SymbolKind.INTERFACE) else []
    if not any(levels):
        return [f"Nothing in {limits.what if limits is not None else 'the index'} inherits from {name}.", *note]
    name += f" in {limits.what}" if limits is not None else ""
    direct, further = levels[0], [one for level in levels[1:] for one in level]
    verb = "type inherits" if len(direct) == 1 else "types inherit"
    lines = [f"{len(direct):,} {verb} from {name}:", "", *bounded(_rows(direct), MAX_ROWS)]
    if further:
        verb = "does" if len(further) == 1 else "do"
        lines += ["", f"{len(further):,} more {verb} through them:", "", *bounded(_rows(further), _MOST_ROWS_BESIDE)]
    return [*lines, *note]


def parents(graph: NavigableGraph, symbol: Symbol) -> list[str]:
    """Return what a type inherits from and implements, directly and further up; of a method what it overrides."""
    if is_member(symbol):
        return overridden(graph, symbol)
    levels = _levels(graph, symbol, is_downward=False)
    name = f"{code(title(symbol))} ({place(symbol)})"
    if not levels:
        return [f"{name} inherits from nothing in this repository."]
    lines = [f"{name} inherits from:", "", *bounded(_rows(levels[0]), MAX_ROWS)]
    further = [one for level in levels[1:] for one in level]
    return [*lines, "", "and through that from:", "", *bounded(_rows(further), _MOST_ROWS_BESIDE)] if further else lines


def overriding(graph: NavigableGraph, symbol: Symbol, limits: Scope | None) -> list[str]:
    """Return the methods of a type's heirs that are called like one of its own."""
    name, owner = f"{code(title(symbol))} ({place(symbol)})", owner_of(graph, symbol)
    if owner is None:
        return [f"{name} is a {symbol.kind} outside of any type: nothing can override it."]
    heirs = [one for level in _within(_levels(graph, owner, is_downward=True), limits) for one in level]
    where = limits.what if limits is not None else "the index"
    if not heirs:
        return [f"Nothing in {where} overrides {name}: nothing there inherits from {code(title(owner))}."]
    found = [one for level in _within([overrides(graph, symbol)], limits) for one in level]
    among = f"{counted(len(heirs), 'type')} of {where} that inherit{'s' * (len(heirs) == 1)} from {code(title(owner))}"
    if not found:
        return [f"Nothing overrides {name}: the {among} define{'s' * (len(heirs) == 1)} no {code(symbol.name)}."]
    verb = "overrides" if len(found) == 1 else "override"
    methods = f"{counted(len(found), 'definition')} {verb} {name}, among the {among}:"
    return [methods, "", *bounded(_rows(found), MAX_ROWS)]


def overridden(graph: NavigableGraph, symbol: Symbol) -> list[str]:
    """Return the methods of a type's bases that are called like one of its own."""
    name, owner = f"{code(title(symbol))} ({place(symbol)})", owner_of(graph, symbol)
    if owner is None:
        return [f"{name} is a {symbol.kind} outside of any type: it overrides nothing."]
    found = _named_alike(graph, symbol, _levels(graph, owner, is_downward=False))
    if not found:
        return [f"{name} overrides nothing in this repository."]
    return [f"{name} overrides:", "", *bounded(_rows(found), MAX_ROWS)]


def overrides(graph: NavigableGraph, symbol: Symbol) -> list[Symbol]:
    """Return what overrides a method, of nearer heirs first."""
    owner = owner_of(graph, symbol)
    return _named_alike(graph, symbol, _levels(graph, owner, is_downward=True)) if owner is not None else []


def is_member(symbol: Symbol) -> bool:
    """Return whether a definition is what a type may hold, and no type itself."""
    return symbol.kind not in CONTAINERS and symbol.kind not in {SymbolKind.MODULE, SymbolKind.NAMESPACE}


def owner_of(graph: NavigableGraph, symbol: Symbol) -> Symbol | None:
    """Return the type a definition belongs to."""
    # What belongs to a type of another file is told by an edge alone.
    edges = [edge.source for edge in graph.edges_of(symbol.id) if edge.kind is EdgeKind.CONTAINS]
    ids = [*([symbol.parent] if symbol.parent is not None else []), *(one for one in edges if one != symbol.id)]
    found = graph.symbols(ids)
    return next((found[one] for one in ids if one in found and found[one].kind in CONTAINERS), None)


def _named_alike(graph: NavigableGraph, symbol: Symbol, levels: Iterable[Sequence[Symbol]]) -> list[Symbol]:
    found = list[Symbol]()
    for level in levels:
        owners = graph.nodes_of([one.id for one in level]).values()
        held = {node for owner in owners for node in _linked(graph, owner, _HELD)}
        alike = [one for one in graph.symbols_at(held).values() if one.name == symbol.name and one.id != symbol.id]
        found += sorted(alike, key=lambda one: (one.path, one.start_line, one.id))
    return found


def _levels(graph: NavigableGraph, symbol: Symbol, *, is_downward: bool) -> list[list[Symbol]]:
    """Return a type's heirs or its bases, step by step, each once."""
    at = set(graph.nodes_of([symbol.id]).values())
    seen, levels, relations = set(at), list[list[Symbol]](), _HEIRS if is_downward else _PARENTS
    while at and len(seen) < _MOST_TYPES:
        at = {other for node in at for other in _linked(graph, node, relations)} - seen
        level = sorted(graph.symbols_at(at).values(), key=lambda one: (one.path, one.start_line, one.id))
        if level:
            levels.append(level)
        seen |= at
    return levels


def _linked(graph: NavigableGraph, node: int, relations: frozenset[str]) -> list[int]:
    return [other for other, relation, _ in graph.links(node) if relation in relations]


def _within(levels: list[list[Symbol]], limits: Scope | None) -> list[list[Symbol]]:
    return levels if limits is None else [[*limits.symbols(level)] for level in levels]


def _rows(symbols: Sequence[Symbol]) -> list[str]:
    return [row(symbol) for symbol in symbols]
