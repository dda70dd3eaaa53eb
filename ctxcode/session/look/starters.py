"""What there is to ask of a repository first: names of its graph for questions that have an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.llm.navigator.lookup import find
from ctxcode.model.plan import Relation
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.routes.own import is_own
from ctxcode.session.ports import CodeGraph

_FOR_TESTS = frozenset({"test", "testing", "testutil", "testutils", "test_utils", "fixtures", "mock", "mocks"})
"""Folders and modules that a product has for those who test what they build with it."""
_ACTING = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.TRAIT, SymbolKind.INTERFACE, SymbolKind.ENUM})
_CENTRAL = 40
"""The definitions that questions are made of."""
_TRIED = 12
"""Of these, and of what reaches one of them."""
_MOST_MEMBERS = 3
"""Of a type, what is asked about in its place."""
_MOST_CALLERS = 16
"""Of one definition that are looked at."""
_WIDEST_NODE = 400
"""What is called from more places is no example."""
_SURE = 0.8
"""The least confidence of a call that a question is made of."""
_FEWEST_STEPS = 2
"""A chain of one is what \"who calls\" answers."""


@dataclass(frozen=True, slots=True)
class Starters:
    """The first questions: each has an answer, or is None."""

    reaches: tuple[Symbol, Symbol] | None = None
    """Two definitions in different files; the first reaches the second over others."""
    called: Symbol | None = None
    """A central definition that something calls."""
    place: Symbol | None = None
    """A central definition, for the file it stands in."""


def starters(graph: CodeGraph) -> Starters:
    """Return what to ask first; equal graphs give equal answers."""
    central = [symbol for symbol, _ in graph.central(_CENTRAL) if _is_told(symbol)]
    central = sorted([symbol for symbol in central if is_own(symbol)] or central, key=_is_for_tests)
    acting = [symbol for symbol in central if symbol.kind in _ACTING]
    types = [symbol for symbol in central if symbol.kind in _TYPES]
    ends = [*acting[:_TRIED], *(member for symbol in types[:_TRIED] for member in _members(graph, symbol))]
    reaches = next(filter(None, (_reaching(graph, end) for end in ends)), None)
    called = next((end for end in ends if _callers(graph, end) and _is_best(graph, end)), None)
    return Starters(reaches, called, next(iter((*types, *acting)), None))


def _members(graph: CodeGraph, owner: Symbol) -> Sequence[Symbol]:
    """Return the functions of a type that most is linked with."""
    members = [one for one in graph.symbols_in(owner.path) if one.parent == owner.id and one.kind in _ACTING]
    nodes = graph.nodes_of([one.id for one in members])
    # The index may be published anew at any moment: what it held may be gone.
    told = [one for one in members if _is_told(one) and one.id in nodes]
    return sorted(told, key=lambda one: (-graph.width(nodes[one.id]), one.id))[:_MOST_MEMBERS]


def _is_told(symbol: Symbol) -> bool:
    return bool(symbol.qualname) and not symbol.name.startswith("_")


def _is_for_tests(symbol: Symbol) -> bool:
    """Return whether a definition is of the product, but asked about by few."""
    *folders, name = symbol.path.lower().split("/")
    return not _FOR_TESTS.isdisjoint((*folders, name.partition(".")[0]))


def _is_best(graph: CodeGraph, symbol: Symbol) -> bool:
    """Return whether an answer about a name is about this definition of it."""
    best = find(graph, symbol.qualname).best
    return best is not None and best.id == symbol.id


def _reaching(graph: CodeGraph, end: Symbol) -> tuple[Symbol, Symbol] | None:
    """Return a definition of another file with the one that it reaches over others, as an answer tells it."""
    near = _callers(graph, end)
    direct = {end.id, *(symbol.id for symbol in near)}
    far = {one.id: one for between in near for one in _callers(graph, between) if one.id not in direct}
    starts = [one for one in far.values() if one.path != end.path]
    starts.sort(key=lambda one: (len(one.qualname), one.id))
    return next(((start, end) for start in starts[:_TRIED] if _is_reached(graph, start, end)), None)


def _is_reached(graph: CodeGraph, start: Symbol, end: Symbol) -> bool:
    """Return whether an answer to how one name reaches another is about these two, and sure of each of its steps."""
    if not _is_best(graph, start) or not _is_best(graph, end):
        return False
    edges = graph.path_between([start.id], [end.id], may_guess=False)
    return len(edges) >= _FEWEST_STEPS and all(edge.confidence >= _SURE for edge in edges)


def _callers(graph: CodeGraph, symbol: Symbol) -> Sequence[Symbol]:
    """Return what surely calls a definition, of the product's own code; none where too much does to be told."""
    node = graph.nodes_of([symbol.id]).get(symbol.id)
    links = graph.links(node, _WIDEST_NODE) if node is not None else ()
    calling = sorted({node for node, relation, weight in links if relation == Relation.CALLS and weight >= _SURE})
    symbols = graph.symbols_at(calling[:_MOST_CALLERS]).values()
    return [one for one in symbols if one.id != symbol.id and one.kind in _ACTING and _is_told(one) and is_own(one)]
