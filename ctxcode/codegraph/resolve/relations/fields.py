"""Fields, which nothing calls, but which hide what others call alike: namespaces of C++, bases of some languages."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.resolve.tables import Tables

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_HIDDEN = frozenset({"constant", "function", "variable", "variant"})
"""Kinds of what a field hides; where a type can stand, no field is meant, and a macro is expanded before."""

_HIDING = frozenset({"c", "go", "python"})
"""Families in which a field is looked for that hides what a base has of its name: a call means that one."""


class Fields:
    """Which names the fields of classes have, and of what these inherit from."""

    def __init__(self, tables: Tables, lookup: "Lookup") -> None:
        """Take the tables and the look-up that asks."""
        self._tables = tables
        self._lookup = lookup
        self._names: dict[int, dict[int, set[str]]] = {}
        """The names of a file's fields, by what they are fields of."""

    def hide(self, source: int, target: int, name: str) -> bool:
        """Whether a bare name means a field of a class around who says it, not what stands outside of classes."""
        tables = self._tables
        if tables.kinds[target] not in _HIDDEN:
            return False
        hiding = [
            link
            for owner in tables.classes_around(source)
            for link in self._lookup.mro(owner)
            if name in self._of(link)
        ]
        # What a class declares may be defined outside of it: ``const int Cart::kMost = 3;``.
        outer = self._outer_name(target)
        return bool(hiding) and all(tables.name_of(link) != outer for link in hiding)

    def are_nearer(self, owner: int, node: int, name: str) -> bool:
        """Whether a class has a field of a name before the base that has the member ``node`` of it."""
        if self._tables.families[self._tables.file_of[owner]] not in _HIDING:
            return False
        for link in self._lookup.mro(owner):
            if link == self._tables.parents[node]:
                break
            if name in self._of(link):
                return True
        return False

    def _outer_name(self, node: int) -> str:
        file = self._tables.file_of[node]
        symbol = self._tables.facts[file].symbols[node - self._tables.first_node[file]]
        return symbol.qualname[: -len(symbol.name) - 1].rpartition(".")[2]

    def _of(self, owner: int) -> set[str]:
        file = self._tables.file_of[owner]
        names = self._names.get(file)
        if names is None:
            names, first = self._names.setdefault(file, {}), self._tables.first_node[file]
            for symbol in self._tables.facts[file].symbols:
                if symbol.kind == "field":
                    names.setdefault(first + symbol.parent, set()).add(symbol.name)
        return names.get(owner, set())
