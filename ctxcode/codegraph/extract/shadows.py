"""Local names that stand for several things in one function: each gets a name of its own."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.findings import Findings

if TYPE_CHECKING:
    from tree_sitter import Node

Bound = tuple[int, str, str]
"""(byte, name, type)."""

_FIRST = re.compile(r"(=?)([^\W\d]\w*)")
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Digits no language has in names."""
_HIGHEST = 40
"""Blocks around a name that are climbed."""


class _Region(NamedTuple):
    start: int
    end: int
    name: str


class Shadows:
    """The names of one file that a block gives to something else than the blocks around it."""

    def __init__(self, functions: Iterable[tuple[int, int]], blocks: frozenset[str]) -> None:
        """Take where functions begin and end, none inside another, and the types of nodes that end what they bind."""
        self._functions = sorted(functions)
        self._starts = [start for start, _ in self._functions]
        self._blocks = blocks
        self._regions: dict[tuple[int, str], list[_Region]] = {}
        self._names: set[str] = set()
        self._bound: dict[tuple[int, str], str] = {}
        """What is bound on a byte, to the name it has now."""

    def set_apart(self, findings: Findings, declared: dict[int, "Node"]) -> None:
        """Rename what is bound to another type in a block inside, where it is bound and where it is called.

        ``declared`` says in which node the name on a byte is bound.
        """
        rows = [row for row in (*findings.parameters, *findings.bindings) if row[0] in declared]
        types: dict[str, str] = {}
        several = {name for _, name, bound in rows if types.setdefault(name, bound) != bound}
        groups: dict[tuple[int, str], list[Bound]] = defaultdict(list)
        for row in rows if several else ():
            if row[1] in several:
                groups[self._function(row[0]), row[1]].append(row)
        for (function, name), bound in groups.items():
            if function >= 0 and len({row[2] for row in bound}) > 1:
                self._add(function, name, sorted(bound), declared)
        if self._regions:
            findings.parameters = self._renamed(findings.parameters)
            findings.bindings = self._renamed(findings.bindings)
            findings.calls = [(at, name, self.meant(at, receiver)) for at, name, receiver in findings.calls]

    def meant(self, at: int, expression: str) -> str:
        """Return an expression that stands on a byte with its first name as it is bound there."""
        match = _FIRST.match(expression)
        if match is None or match[2] not in self._names:
            return expression
        return f"{match[1]}{self._name(at, match[2])}{expression[match.end() :]}"

    def _function(self, at: int) -> int:
        row = bisect_right(self._starts, at) - 1
        return row if row >= 0 and at < self._functions[row][1] else -1

    def _add(self, function: int, name: str, rows: Sequence[Bound], declared: dict[int, "Node"]) -> None:
        regions: list[_Region] = []
        for at, _, _ in rows:
            node = declared[at]
            end = self._end(node, self._functions[function][1])
            again = next((region for region in regions if region.end == end), None)
            if again is None:
                number = str(len(regions) + 1).translate(_DIGITS) if regions else ""
                # What a name is bound to is said before it means that.
                start = at if node.type in self._blocks else max(at, node.end_byte)
                again = _Region(start, end, f"{name}{number}")
                regions.append(again)
            self._bound[at, name] = again.name
        if len(regions) > 1:
            self._regions[function, name] = regions
            self._names.add(name)

    def _end(self, node: "Node", outermost: int) -> int:
        """Return where what a node binds ends."""
        at: Node | None = node
        for _ in range(_HIGHEST):
            if at is None or at.end_byte >= outermost:
                break
            if at.type in self._blocks:
                return at.end_byte
            at = at.parent
        return outermost

    def _name(self, at: int, name: str) -> str:
        regions = self._regions.get((self._function(at), name), ())
        return next((region.name for region in reversed(regions) if region.start <= at < region.end), name)

    def _renamed(self, rows: list[Bound]) -> list[Bound]:
        known = self._bound.get
        return [
            (at, known((at, name), name), self.meant(at, bound) if bound[0] == "=" or bound[-1] == ")" else bound)
            for at, name, bound in rows
        ]
