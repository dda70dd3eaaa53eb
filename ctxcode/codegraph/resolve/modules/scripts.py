"""Names that scripts of JavaScript and TypeScript know of one another: files that are no modules share one scope."""

from collections.abc import Iterable

from ctxcode.codegraph.facts import SymbolFact
from ctxcode.codegraph.resolve.tables import Tables

UNKNOWN = -1
_NAMELESS = frozenset({"module", "field", "variant", "section"})
_TYPES_ALONE = frozenset({"interface", "type"})
_DECLARING = ".d.ts"
"""How files end that declare what others define."""

_NO_PLACES: dict[str, int] = {}
_NOWHERE = frozenset[str]()

_Place = tuple[str, str | None, bool]
"""(name, folder or None for all of them, whether tests and examples are seen)."""


class Scripts:
    """What the scripts of a repository share, by qualified name. Modules neither know it nor are known by it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._nodes: dict[str, list[int]] | None = None
        self._around: dict[int, dict[str, int]] = {}
        """A script's namespaces and what these are in, and their places, innermost first."""
        self._outside: dict[str, set[str]] = {}
        """The namespaces that declare a simple name."""
        self._folders: dict[str, dict[str, list[int]]] = {}
        """What is declared by a name, by folder."""
        self._owners: set[str] = set()
        """The names of what something is added to."""
        self._found: dict[_Place, int] = {}

    def is_global(self, node: int) -> bool:
        """Whether a node belongs to a script."""
        return self._tables.file_of[node] in self._tables.scripts

    def seen_from(self, file: int, name: str) -> int:
        """Return what a bare name means in a script that does not declare it, its own namespaces first."""
        if file not in self._tables.scripts:
            return UNKNOWN
        known = self._known()
        places = self._around.get(file, _NO_PLACES)
        near = sorted(places.keys() & self._outside.get(name, _NOWHERE), key=places.__getitem__)
        names = [*(f"{space}.{name}" for space in near), name]
        return next((self._only(file, each) for each in names if each in known), UNKNOWN)

    def inside(self, node: int, name: str) -> int:
        """Return what stands under a name in a namespace or object that several scripts add to."""
        file, symbol = self._tables.file_of[node], self._symbol(node)
        found = self._only(file, f"{symbol.qualname}.{name}")
        # Of ``a.b.c`` that is given a value the last two parts are known.
        return found if found != UNKNOWN else self._only(file, f"{symbol.name}.{name}")

    def is_added_to(self, node: int) -> bool:
        """Whether scripts give something of theirs a name behind a dot of an object: ``Shop.price = …``."""
        self._known()
        return self.is_global(node) and self._symbol(node).name in self._owners

    def _symbol(self, node: int) -> SymbolFact:
        file = self._tables.file_of[node]
        return self._tables.facts[file].symbols[node - self._tables.first_node[file]]

    def _known(self) -> dict[str, list[int]]:
        if self._nodes is None:
            self._nodes = {}
            for file in sorted(self._tables.scripts):
                self._add(file, self._nodes)
        return self._nodes

    def _add(self, file: int, known: dict[str, list[int]]) -> None:
        tables = self._tables
        # Where files are read one by one, this one is now.
        first, _ = tables.first_node[file], tables.top[file]
        spaces, open_nodes = set[str](), {first}
        for node, symbol in enumerate(tables.facts[file].symbols[1:], start=first + 1):
            is_shared = symbol.visibility == "public" and symbol.kind not in _NAMELESS
            # What is given to something computed goes by no name.
            is_shared = is_shared and (symbol.kind != "method" or "." in symbol.qualname)
            if not is_shared or tables.parents[node] not in open_nodes:
                continue
            known.setdefault(symbol.qualname, []).append(node)
            if tables.parents[node] != first:
                self._outside.setdefault(symbol.name, set()).add(symbol.qualname.rpartition(".")[0])
            elif "." in symbol.qualname:
                self._owners.add(symbol.qualname.split(".")[-2])
            if symbol.kind == "namespace":
                open_nodes.add(node)
                parts = symbol.qualname.split(".")
                spaces.update([".".join(parts[:end]) for end in range(1, len(parts) + 1)])
        inwards = sorted(spaces, key=lambda space: (-space.count("."), space))
        self._around[file] = {space: place for place, space in enumerate(inwards)}

    def _only(self, file: int, name: str) -> int:
        """Return the only meaning of a name among the scripts of a file's folder, else among all."""
        tables = self._tables
        is_aside = tables.is_aside[file]
        for place in ((name, self._folder(file), is_aside), (name, None, is_aside)):
            found = self._found.get(place)
            if found is None:
                found = self._found[place] = self._meant(place)
            if found != UNKNOWN:
                return found
        return UNKNOWN

    def _meant(self, place: _Place) -> int:
        tables, (name, folder, sees_aside) = self._tables, place
        nodes = self._known().get(name, []) if folder is None else self._by_folder(name).get(folder, [])
        if not sees_aside:
            nodes = [node for node in nodes if not tables.is_aside[tables.file_of[node]]]
        defining = [node for node in nodes if not self._path(node).endswith(_DECLARING)] or nodes
        values = [node for node in defining if tables.kinds[node] not in _TYPES_ALONE] or defining
        kinds = {tables.kinds[node] for node in values}
        if kinds == {"namespace"} or (kinds == {"variable"} and name.rpartition(".")[2] in self._owners):
            # Several scripts add to one.
            return max(values, key=self._weight)
        files = self._by_file(values)
        return files[0] if len(files) == 1 else UNKNOWN

    def _by_folder(self, name: str) -> dict[str, list[int]]:
        found = self._folders.get(name)
        if found is None:
            found = self._folders[name] = {}
            for node in self._known().get(name, ()):
                found.setdefault(self._folder(self._tables.file_of[node]), []).append(node)
        return found

    def _folder(self, file: int) -> str:
        return self._tables.paths[file].rpartition("/")[0]

    def _by_file(self, nodes: Iterable[int]) -> list[int]:
        """Return of each file the node that holds most, the last of equals: it stands for the others."""
        ranked = sorted(nodes, key=lambda node: (len(self._tables.children.get(node, ())), node))
        return list({self._tables.file_of[node]: node for node in ranked}.values())

    def _weight(self, node: int) -> tuple[int, int]:
        return len(self._tables.children.get(node, ())), -node

    def _path(self, node: int) -> str:
        return self._tables.paths[self._tables.file_of[node]]
