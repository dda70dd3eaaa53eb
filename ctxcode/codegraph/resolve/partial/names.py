"""What files know without importing it, looked up name by name: C's types, namespaces and free functions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from ctxcode.codegraph.edges import Nodes
from ctxcode.codegraph.facts import PRIVATE
from ctxcode.codegraph.resolve.dependents.namespaces import endings
from ctxcode.codegraph.resolve.modules.swift import Importing, SwiftModules
from ctxcode.codegraph.resolve.partial.tables import PartialTables
from ctxcode.codegraph.resolve.qualified import HOLDERS, SOURCES, VALUES, QualifiedNames, outer_names

_LINKED = frozenset({"function", "variable"})
_NAMED_KINDS = HOLDERS | {"function", "variant", *VALUES.values()}


class PartialNames(QualifiedNames):
    """The same as of all files, of the names that are asked for only."""

    is_whole = False

    def __init__(
        self,
        tables: PartialTables,
        nodes: Nodes,
        named: Callable[[str], Sequence[tuple[int, int, str]]],
        importing: Importing | None = None,
    ) -> None:
        """Take a function that returns the definitions of a name as (file, position in it, kind), in order."""
        super().__init__(tables)
        self.modules = SwiftModules(tables, importing)
        self._loaded = tables
        self._traits = nodes.traits
        self._named = named
        self._noted: set[str] = set()
        self._namespaces = cache(self._namespaces_in)

    def _known(self, key: tuple[str, str]) -> Sequence[int]:
        for name in endings(key[1]):
            self._look_up(name)
        return sorted(super()._known(key))

    def _around(self, family: str, name: str) -> Collection[str]:
        self._look_up(name)
        return super()._around(family, name)

    def _near(self, file: int, name: str) -> set[str]:
        family, around = self._tables.families[file], set(self._around(self._tables.families[file], name))
        # ``namespace a::b`` has no name of its own: who stands in ``a`` knows it as ``b``.
        around.update([each for each in self._namespaces(file) if self._known((family, f"{each}.{name}"))])
        return self._places(file).keys() & around

    def _places(self, file: int) -> Mapping[str, int]:
        places = self._prefixes.get(file)
        if places is None:
            self._loaded.load(file)
            places = self._prefixes[file] = self._places_in(file)
        return places

    def _namespaces_in(self, file: int) -> set[str]:
        names = [symbol.qualname for symbol in self._tables.facts[file].symbols if symbol.kind == "namespace"]
        return {*names, *outer_names(names)}

    def _look_up(self, name: str) -> None:
        """Note the definitions of a symbol's own name."""
        if name in self._noted:
            return
        self._noted.add(name)
        tables = self._loaded
        for file, position, kind in self._named(name):
            node = tables.first_node[file] + position
            is_hidden = kind in _LINKED and tables.families[file] == "c" and self._traits[node] & PRIVATE != 0
            is_hidden = is_hidden and tables.paths[file].endswith(SOURCES)
            if kind in _NAMED_KINDS and position and self.is_global(node) and not is_hidden:
                tables.load(file)
                self._note(node)
