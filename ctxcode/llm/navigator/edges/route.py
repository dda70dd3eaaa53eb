"""The way from one definition to another, where a name has several."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import CONSTRUCTORS, Edge, EdgeKind, Symbol, SymbolKind

_UPWARD = frozenset({EdgeKind.CONTAINS, EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})


class Connected(Protocol):
    """What knows the best chain between definitions."""

    def path_between(
        self, sources: Sequence[SymbolId], targets: Sequence[SymbolId], *, may_guess: bool = True
    ) -> tuple[Edge, ...]:
        """Return its edges, none when there is no chain that tells anything."""
        ...


@dataclass(frozen=True, slots=True)
class Route:
    """How one definition reaches another."""

    start: Symbol
    end: Symbol
    edges: tuple[Edge, ...] = ()
    """Empty when the graph holds no chain. The last one may lead to a part of the end."""
    is_reversed: bool = False
    """Nothing leads from the start to the end, but this chain leads back."""


def best_route(graph: Connected, starts: Sequence[Symbol], ends: Sequence[Symbol]) -> Route:
    """Return the best chain from one of some definitions to one of others, each best first; else a sure one back."""
    some, others = [one.id for one in starts], [one.id for one in ends]
    # One of a folder's files is reached by the rest of them.
    if some[0] == others[0] and (some == others or starts[0].kind is not SymbolKind.MODULE):
        return Route(starts[0], ends[0])
    edges = graph.path_between(some, others)
    if edges:
        return Route(_around(edges[0].source, starts), _around(edges[-1].target, ends), edges)
    back = graph.path_between(others, some, may_guess=False)
    if back:
        return Route(_around(back[-1].target, starts), _around(back[0].source, ends), back, is_reversed=True)
    return Route(starts[0], ends[0])


def guesses(edges: Sequence[Edge]) -> Iterator[bool]:
    """Yield of each step of a chain whether it is a guess: to a part of what is reached, to what overrides it."""
    is_own = True
    for edge in edges:
        is_part = edge.kind is EdgeKind.CONTAINS
        is_own = is_own and edge.kind in _UPWARD
        is_used = is_own or edge.target.rpartition(".")[2] in CONSTRUCTORS
        yield edge.kind is EdgeKind.OVERRIDDEN or (is_part and not is_used)


def _around(id_: SymbolId, symbols: Sequence[Symbol]) -> Symbol:
    """Return the definition that an id means, else the one that holds what it means."""
    same = (one for one in symbols if one.id == id_)
    holding = (one for one in symbols if id_.startswith((f"{one.id}.", f"{one.id}::")))
    return next(chain(same, holding), symbols[0])
