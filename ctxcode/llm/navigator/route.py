"""The way from one definition to another, where a name has several."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import CONSTRUCTORS, Edge, Symbol, step_cost

_MOST_ENDS = 4
"""Of a name with many definitions, so many are tried as the end of a chain."""


class Connected(Protocol):
    """What knows the best chain between two definitions."""

    def path_between(self, source: SymbolId, target: SymbolId) -> tuple[Edge, ...]:
        """Return its edges, none when there is no chain."""
        ...


@dataclass(frozen=True, slots=True)
class Route:
    """How one definition reaches another."""

    start: Symbol
    end: Symbol
    edges: tuple[Edge, ...] = ()
    """Empty when the graph holds no chain."""
    is_reversed: bool = False
    """Nothing leads from the start to the end, but this chain leads back."""


def best_route(graph: Connected, starts: Sequence[Symbol], ends: Sequence[Symbol]) -> Route:
    """Return the best chain from one of some definitions to one of others, each best first; else one back."""
    if starts[0].id == ends[0].id:
        return Route(starts[0], ends[0])
    pairs = list(product(starts[:_MOST_ENDS], ends[:_MOST_ENDS]))
    for is_reversed in (False, True):
        found = [
            (_cost(edges), place, Route(start, end, edges, is_reversed=is_reversed))
            for place, (start, end) in enumerate(pairs)
            if (edges := graph.path_between(end.id, start.id) if is_reversed else graph.path_between(start.id, end.id))
        ]
        if found:
            return min(found, key=lambda row: row[:2])[2]
    return Route(starts[0], ends[0])


def _cost(edges: Sequence[Edge]) -> int:
    own = [edge.source == edges[0].source or edge.target.rpartition(".")[2] in CONSTRUCTORS for edge in edges]
    return sum(step_cost(edge.kind, edge.resolution, is_own=is_own) for edge, is_own in zip(edges, own, strict=True))
