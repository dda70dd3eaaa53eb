"""Local names that stand for several things in one function: each gets a name of its own."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.findings import Findings

if TYPE_CHECKING:
    from tree_sitter import Node

Bound = tuple[int, str, str]
"""(byte, name, type)."""

_FIRST = re.compile(r"(=?)([^\W\d]\w*)")
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_HIGHEST = 40
"""Blocks around a name that are climbed."""


def raised(number: int) -> str:
    """Return a number in digits that no language has in names, to tell what goes by one name: ``x²``."""
    return str(number).translate(_DIGITS)


HIDDEN = raised(0)
"""What stands behind a name of which nothing is known, and before the numbers of what a function gives to it again."""


class _Region(NamedTuple):
    start: int
    end: int
    name: str


class Shadows:
    """The names of one file that a block gives to something else than the blocks around it."""

    def __init__(
        self,
        functions: Iterable[tuple[int, int]],
        blocks: frozenset[str],
        holder: "Callable[[Node], Node]" = lambda node: node,
    ) -> None:
        """Take where functions begin and end, none inside another, and the types of nodes that end what they bind.

        ``holder`` tells, of what is said to be declared, the node in which the name is bound.
        """
        self._functions = sorted(functions)
        self._starts = [start for start, _ in self._functions]
        self._blocks = blocks
        self._holder = holder
        self._regions: dict[tuple[int, str], Regions] = {}
        self._names: set[str] = set()
        self._bound: dict[tuple[int, str], str] = {}
        """What is bound on a byte, to the name it has now."""

    def set_apart(self, findings: Findings, declared: dict[int, "Node"]) -> None:
        """Rename what is bound to another type in a block inside, where it is bound and where it is called.

        ``declared`` says in which node the name on a byte is bound, or which the holder is to be asked about.
        """
        rows = [row for row in (*findings.parameters, *findings.bindings) if row[0] in declared]
        types: dict[str, str] = {}
        several = {name for _, name, bound in rows if types.setdefault(name, bound) != bound or _says(name, bound)}
        groups: dict[tuple[int, str], list[Bound]] = defaultdict(list)
        for row in rows if several else ():
            if row[1] in several:
                groups[self._function(row[0]), row[1]].append(row)
        for (function, name), bound in groups.items():
            if function >= 0 and (len({row[2] for row in bound}) > 1 or _says(name, bound[0][2])):
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
        # What is around the function goes by the name before it is bound to something made of that.
        regions = dict[int, _Region]()  # by their ends
        is_said = _says(name, rows[0][2])
        for at, _, _ in rows:
            node = self._holder(declared[at])
            end = self._end(node, self._functions[function][1])
            again = regions.get(end)
            if again is None:
                number = raised(len(regions) + 1) if regions or is_said else ""
                # What a name is bound to is said before it means that.
                start = at if node.type in self._blocks else max(at, node.end_byte)
                again = regions[end] = _Region(start, end, f"{name}{number}")
            self._bound[at, name] = again.name
        if len(regions) > 1 or is_said:
            ordered = sorted(regions.values(), key=lambda one: (one.start, -one.end))
            self._regions[function, name] = Regions(ordered)
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
        regions = self._regions.get((self._function(at), name))
        return (regions.name(at) or name) if regions is not None else name

    def _renamed(self, rows: list[Bound]) -> list[Bound]:
        known = self._bound.get
        return [
            (at, known((at, name), name), self.meant(at, bound) if bound[0] == "=" or bound[-1] == ")" else bound)
            for at, name, bound in rows
        ]


def _says(name: str, bound: str) -> bool:
    """Return whether what a name is bound to begins with the name: ``fs := fs.New()``."""
    return bound.removeprefix("=").startswith(f"{name}.")


class Element(NamedTuple):
    """What a loop gives a name to; loops stand inside one another or apart."""

    start: int
    """From where on the name means it."""
    end: int
    at: int
    """Where the name stands."""
    name: str
    bound: str
    """The expression for it; empty where nothing is known."""


class Regions:
    """Which region, of those that stand inside one another or apart, each byte belongs to."""

    def __init__(self, regions: Iterable[tuple[int, int, str]]) -> None:
        """Take (start, end, name) of each, in order, the outer one first."""
        self._bounds, self._names = [0], [""]
        open_ends: list[tuple[int, str]] = []
        for start, end, name in regions:
            while open_ends and open_ends[-1][0] <= start:
                at, _ = open_ends.pop()
                self._switch(at, open_ends[-1][1] if open_ends else "")
            self._switch(start, name)
            open_ends.append((min(end, open_ends[-1][0]) if open_ends else end, name))
        while open_ends:
            at, _ = open_ends.pop()
            self._switch(at, open_ends[-1][1] if open_ends else "")

    def _switch(self, at: int, name: str) -> None:
        self._bounds.append(at)
        self._names.append(name)

    def name(self, at: int) -> str:
        """Return the name of the region around a byte, or an empty text."""
        return self._names[bisect_right(self._bounds, at) - 1]


def bind_elements(findings: Findings, elements: Iterable[Element]) -> Callable[[int, str], str]:
    """Bind what is known of elements, by names that are each loop's alone, and rename them where they are called.

    Returns what tells how an expression that stands on a byte is called then.
    """
    regions: dict[str, list[tuple[int, int, str]]] = {}
    bound: list[Bound] = []
    for element in sorted(elements, key=lambda one: (one.start, -one.end, one.at)):
        known = regions.setdefault(element.name, [])
        number = raised(len(known) + 1) if element.bound else ""
        known.append((element.start, element.end, f"{element.name}{number}"))
        if element.bound:
            bound.append((element.at, f"{element.name}{number}", element.bound))
    if not bound:
        return lambda _, expression: expression
    names = {name: Regions(known) for name, known in regions.items()}
    findings.calls = [
        (at, name, _meant(names, at, receiver) if receiver else receiver) for at, name, receiver in findings.calls
    ]
    findings.bindings = [
        (at, name, _each_meant(names, at, bound_type)) for at, name, bound_type in (*findings.bindings, *bound)
    ]
    return lambda at, expression: _meant(names, at, expression)


def _each_meant(names: dict[str, Regions], at: int, bound_type: str) -> str:
    """Return what a name is bound to, or each of the things that may be, as it is meant on a byte."""
    parts = bound_type.split("|")
    return "|".join([_meant(names, at, each) if each[:1] == "=" or each[-1:] == ")" else each for each in parts])


def _meant(names: dict[str, Regions], at: int, expression: str) -> str:
    """Return an expression that stands on a byte with its first name as the loops around it have it."""
    match = _FIRST.match(expression)
    regions = names.get(match[2]) if match is not None else None
    name = regions.name(at) if regions is not None else ""
    return f"{match[1]}{name}{expression[match.end() :]}" if match is not None and name else expression
