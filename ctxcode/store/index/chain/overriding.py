"""Which methods of a type's heirs may run where one of its own is called."""

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from ctxcode.model.symbol import CONSTRUCTORS, EdgeKind, SymbolKind
from ctxcode.store.index.columns import EDGE_KINDS, Columns
from ctxcode.store.index.documents import FILE_SHIFT
from ctxcode.store.index.symbols import kinds_between

CONTAINS = EDGE_KINDS.index(EdgeKind.CONTAINS)
UPWARD = frozenset(map(EDGE_KINDS.index, (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS)))
_ACTING = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_MOST_NODES = 1_000
"""Definitions before the end of a chain that are looked at."""


class Overriding:
    """What overrides what in one published graph; a file's names are read when one of them is asked for first."""

    def __init__(self, columns: Columns, connection: sqlite3.Connection) -> None:
        """Take the graph and the names of its nodes."""
        self._columns = columns
        self._connection = connection
        self._names: dict[int, dict[int, str]] = {}
        self._members: dict[int, dict[str, int]] = {}
        self._overridden: dict[int, tuple[int, ...]] = {}

    def leading_to(self, ends: Iterable[int]) -> dict[int, list[int]]:
        """Return the methods that are overridden by what leads to some definitions, each with what overrides it.

        Looked at are the definitions nearest to these.
        """
        columns, found = self._columns, dict[int, list[int]]()
        waiting = deque(sorted(ends))
        seen = set(waiting)
        while waiting:
            node = waiting.popleft()
            before = [columns.sources[edge] for edge in columns.edges_into(node) if columns.kinds[edge] != CONTAINS]
            for base in self.overridden(node):
                found.setdefault(base, []).append(node)
                before.append(base)
            for one in before:
                if one not in seen and len(seen) < _MOST_NODES:
                    seen.add(one)
                    waiting.append(one)
        return found

    def overridden(self, node: int) -> Sequence[int]:
        """Return the methods that one overrides, those of nearer types first; none for what is no method."""
        if node not in self._overridden:
            owner = self._columns.owner(node)
            bases = list(self._above(owner)) if owner is not None else []
            name = self._name(node) if bases else None
            named = [base for base in bases if name is not None and name not in CONSTRUCTORS]
            alike = (self._held(base).get(name or "") for base in named)
            self._overridden[node] = tuple(one for one in alike if one is not None)
        return self._overridden[node]

    def _above(self, owner: int) -> Iterator[int]:
        columns, seen, waiting = self._columns, {owner}, deque([owner])
        while waiting:
            node = waiting.popleft()
            for edge in range(columns.out_offsets[node], columns.out_offsets[node + 1]):
                base = columns.targets[edge]
                if columns.kinds[edge] in UPWARD and base not in seen:
                    seen.add(base)
                    waiting.append(base)
                    yield base

    def _held(self, owner: int) -> dict[str, int]:
        """Return the methods of a type by name."""
        if owner not in self._members:
            columns, found = self._columns, dict[str, int]()
            for edge in range(columns.out_offsets[owner], columns.out_offsets[owner + 1]):
                node = columns.targets[edge]
                name = self._name(node) if columns.kinds[edge] == CONTAINS else None
                if name is not None:
                    found.setdefault(name, node)
            self._members[owner] = found
        return self._members[owner]

    def _name(self, node: int) -> str | None:
        """Return what a function is called; None for what is none."""
        number = self._columns.file_of(node)
        if number not in self._names:
            file, first = self._columns.files[number], self._columns.first_node[number]
            rows = kinds_between(self._connection, file.row << FILE_SHIFT, file.symbols)
            self._names[number] = {first + place: name for place, name, kind in rows if kind in _ACTING}
        return self._names[number].get(node)
