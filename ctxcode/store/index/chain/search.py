"""Which chain tells best how one of some definitions reaches one of others."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log2

from ctxcode.model.symbol import CONSTRUCTORS, Edge, EdgeKind, Resolution
from ctxcode.store.index.chain.overriding import CONTAINS, UPWARD, Overriding
from ctxcode.store.index.columns import EDGE_KINDS, Columns
from ctxcode.store.index.symbols import kinds_named

_Ways = Callable[[int], Iterable[tuple[int, int, int]]]
_Detours = Callable[[int, int], Iterable[tuple[int, int]]]
PathFinder = Callable[[_Ways, Mapping[int, int], Mapping[int, int], int, _Detours | None, int], list[int]]
"""From the edges of a node with targets and costs, what it costs to begin and to end at a node, the limit of what a
chain may cost, and edges that are told last with what each of them costs, to the edge numbers of a cheapest chain."""

_STEP, _NAMING, _MAKING, _OWN = 16, 4, 4, 8
"""What a step costs, what it costs more to name a thing than to call it, to enter what makes a thing, and a part of
what the chain begins with."""
_DOUBT = 16
"""For each halving of confidence: of two chains the direct one is told, of two as long the surer one."""
_LATER = 3
"""The most that a definition costs that is not the first of its name."""
_GUESS = 1_000_000
"""More than any chain of steps: who makes a thing does not do all that it can do."""
_OVERRIDING = 700_000
_MOST_GUESSED = 1_500_000
"""So that a chain leads over one guess, or over two methods to what overrides them, but not over both."""
_MOST_STEPS = 8
"""In a longer chain nobody believes that what overrides a method is what runs."""
_ONE_OF_SEVERAL = 0.5
"""How sure a step is to what overrides a method."""
_MOST_HALVINGS = {True: 7.0, False: 4.0}
"""Beyond these a chain tells nothing, with a guess allowed or without."""
_NAMED = frozenset(map(EDGE_KINDS.index, (EdgeKind.REFERENCES, EdgeKind.TESTS)))


class ChainSearch:
    """Looks for chains in one published graph."""

    def __init__(self, columns: Columns, connection: sqlite3.Connection, find_path: PathFinder) -> None:
        """Take the graph and who finds the cheapest path."""
        self._columns = columns
        self._connection = connection
        self._find_path = find_path
        rows = [row for name in sorted(CONSTRUCTORS) for row, _ in kinds_named(connection, name)]
        self._makers = {columns.node_of(row) for row in rows}
        self._doubts: dict[float, float] = {}
        self._overriding = Overriding(columns, connection)
        self._steps: list[tuple[int, int]] = []
        """The (method, what overrides it) pairs that were looked at; as edges they are numbered from -1 downward."""

    def best(self, starts: Sequence[int], goals: Sequence[int], *, may_guess: bool) -> tuple[Edge, ...]:
        """Return the edges from a start to a goal or to what one holds; empty when none tells anything.

        Where there is no other and guessing is allowed, a chain may lead over a type that is made to one of its
        members, once, or a short one from a method to what overrides it.
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
        limit, detours = (_MOST_GUESSED, self._detours(ended)) if may_guess else (_GUESS, None)
        chain = self._find_path(self._ways(own), begun, ended, limit, detours, _OVERRIDING)
        is_far = len(chain) > _MOST_STEPS and min(chain) < 0
        is_doubtful = sum(map(self._halvings, chain)) > _MOST_HALVINGS[may_guess]
        return () if is_far or is_doubtful else self._edges(chain)

    def _ways(self, own: set[int]) -> _Ways:
        columns, makers, halvings = self._columns, self._makers, self._halvings
        kinds, targets, offsets = columns.kinds, columns.targets, columns.out_offsets

        def ways(node: int) -> list[tuple[int, int, int]]:
            found: list[tuple[int, int, int]] = []
            for edge in range(offsets[node], offsets[node + 1]):
                kind, target = kinds[edge], targets[edge]
                if kind != CONTAINS:
                    cost = _STEP + int(_DOUBT * halvings(edge)) + (_NAMING if kind in _NAMED else 0)
                elif node in own:
                    cost = _OWN
                else:
                    cost = _MAKING if target in makers else _GUESS
                found.append((edge, target, cost))
            return found

        return ways

    def _detours(self, goals: Iterable[int]) -> _Detours:
        """Return what gives the steps from a method to what overrides it and leads to a goal.

        What overrides a method and calls it means that very one.
        """
        leading = list[dict[int, list[int]]]()

        def detours(node: int, source: int) -> Iterator[tuple[int, int]]:
            if not leading:
                leading.append(self._overriding.leading_to(goals))
            found = leading[0].get(node, ())
            is_own = source >= 0 and node in self._overriding.overridden(source)
            if found and not is_own and not self._is_static(node):
                for target in found:
                    self._steps.append((node, target))
                    yield -len(self._steps), target

        return detours

    def _is_static(self, node: int) -> bool:
        symbol = self._columns.symbols_at(self._connection, [node]).get(node)
        return symbol is not None and "static" in symbol.signature.partition("(")[0].split()

    def _edges(self, chain: Sequence[int]) -> tuple[Edge, ...]:
        """Return the edges with these numbers, in this order."""
        found: list[Edge] = []
        for edge in chain:
            found += self._columns.edges(self._connection, [edge]) if edge >= 0 else self._overridden(edge)
        return tuple(found)

    def _overridden(self, edge: int) -> Iterator[Edge]:
        start, end = self._steps[-edge - 1]
        found = self._columns.symbols_at(self._connection, [start, end])
        if len(found) > 1:
            yield Edge(found[start].id, found[end].id, EdgeKind.OVERRIDDEN, Resolution.TYPE, _ONE_OF_SEVERAL)

    def _halvings(self, edge: int) -> float:
        confidence = self._columns.confidences[edge] if edge >= 0 else _ONE_OF_SEVERAL
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
                waiting.extend(target for kind, target in self._out(node) if kind in UPWARD)
        return {*inherited, *self._below(inherited)}

    def _below(self, nodes: Iterable[int]) -> set[int]:
        found: set[int] = set()
        waiting = list(nodes)
        while waiting:
            inner = [target for kind, target in self._out(waiting.pop()) if kind == CONTAINS and target not in found]
            found.update(inner)
            waiting.extend(inner)
        return found

    def _out(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield the (kind, target) of the edges that leave a node."""
        edges = slice(self._columns.out_offsets[node], self._columns.out_offsets[node + 1])
        return zip(self._columns.kinds[edges], self._columns.targets[edges], strict=True)
