"""Which chain tells best how one of some definitions reaches one of others."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log2

from ctxcode.model.symbol import CONSTRUCTORS, EdgeKind
from ctxcode.store.index.columns import EDGE_KINDS, Columns
from ctxcode.store.index.symbols import kinds_named

PathFinder = Callable[
    [Sequence[int], Sequence[int], Callable[[int], int], Mapping[int, int], Mapping[int, int], int], list[int]
]
"""From edge sources, edge targets, what an edge costs, what it costs to begin and to end at a node, and the limit of
what a chain may cost, to the edge numbers of a cheapest chain."""

_STEP, _NAMING, _MAKING, _OWN = 16, 4, 4, 8
"""What a step costs, what it costs more to name a thing than to call it, to enter what makes a thing, and a part of
what the chain begins with."""
_DOUBT = 16
"""For each halving of confidence: of two chains the direct one is told, of two as long the surer one."""
_LATER = 3
"""The most that a definition costs that is not the first of its name."""
_GUESS = 1_000_000
"""More than any chain of steps: who makes a thing does not do all that it can do."""
_MOST_HALVINGS = {True: 7.0, False: 4.0}
"""Beyond these a chain tells nothing, with a guess allowed or without."""
_CONTAINS = EDGE_KINDS.index(EdgeKind.CONTAINS)
_UPWARD = frozenset(map(EDGE_KINDS.index, (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS)))
_NAMED = frozenset(map(EDGE_KINDS.index, (EdgeKind.REFERENCES, EdgeKind.TESTS)))


class ChainSearch:
    """Looks for chains in one published graph."""

    def __init__(self, columns: Columns, connection: sqlite3.Connection, find_path: PathFinder) -> None:
        """Take the graph and who finds the cheapest path."""
        self._columns = columns
        self._find_path = find_path
        rows = [row for name in sorted(CONSTRUCTORS) for row, _ in kinds_named(connection, name)]
        self._makers = {columns.node_of(row) for row in rows}
        self._doubts: dict[float, float] = {}

    def best(self, starts: Sequence[int], goals: Sequence[int], *, may_guess: bool) -> list[int]:
        """Return the numbers of the edges from a start to a goal or to what one holds; empty when none tells anything.

        A chain may lead over a type that is made to one of its members, once, where there is no other and guessing is
        allowed.
        """
        # Asked how a folder reaches one of its files, people mean the rest of it.
        ends = frozenset(goals)
        starts = [node for node in starts if node not in ends] or starts
        own = self._own(starts)
        begun = {node: min(place, _LATER) for place, node in reversed(list(enumerate(starts)))}
        ended = {node: min(place, _LATER) for place, node in reversed(list(enumerate(goals))) if node not in begun}
        inside = dict.fromkeys(self._below(goals), 1)
        if own.isdisjoint(ends) and inside.keys().isdisjoint(begun):
            ended = {**inside, **ended}
        chain = self._find_path(
            self._columns.sources,
            self._columns.targets,
            self._cost(own),
            begun,
            ended,
            2 * _GUESS if may_guess else _GUESS,
        )
        return chain if sum(map(self._halvings, chain)) <= _MOST_HALVINGS[may_guess] else []

    def _cost(self, own: set[int]) -> Callable[[int], int]:
        kinds, sources, targets, makers = (
            self._columns.kinds,
            self._columns.sources,
            self._columns.targets,
            self._makers,
        )

        def cost(edge: int) -> int:
            kind = kinds[edge]
            if kind != _CONTAINS:
                return _STEP + int(_DOUBT * self._halvings(edge)) + (_NAMING if kind in _NAMED else 0)
            if sources[edge] in own:
                return _OWN
            return _MAKING if targets[edge] in makers else _GUESS

        return cost

    def _halvings(self, edge: int) -> float:
        confidence = self._columns.confidences[edge]
        if confidence not in self._doubts:
            self._doubts[confidence] = -log2(max(confidence, 0.01))
        return self._doubts[confidence]

    def _own(self, starts: Iterable[int]) -> set[int]:
        """Return what holds parts that belong to the starts: themselves, what they hold, what they inherit from."""
        inherited: set[int] = set()
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if node not in inherited:
                inherited.add(node)
                waiting.extend(target for kind, target in self._out(node) if kind in _UPWARD)
        return {*inherited, *self._below(inherited)}

    def _below(self, nodes: Iterable[int]) -> set[int]:
        found: set[int] = set()
        waiting = list(nodes)
        while waiting:
            inner = [target for kind, target in self._out(waiting.pop()) if kind == _CONTAINS and target not in found]
            found.update(inner)
            waiting.extend(inner)
        return found

    def _out(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield the (kind, target) of the edges that leave a node."""
        edges = slice(self._columns.out_offsets[node], self._columns.out_offsets[node + 1])
        return zip(self._columns.kinds[edges], self._columns.targets[edges], strict=True)
