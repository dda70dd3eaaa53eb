"""Names that scripts of JavaScript and TypeScript know of one another: files that are no modules share one scope."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ctxcode.codegraph.facts import SymbolFact
from ctxcode.codegraph.resolve.tables import TYPE_PART, Tables

UNKNOWN = -1
NAMELESS = frozenset({"module", "field", "variant", "section"})
"""Kinds of symbols that no name leads to."""
TYPES_ALONE = frozenset({"interface", "type", TYPE_PART})
DECLARING = ".d.ts"
"""How files end that declare what others define."""

_NO_SPACES: dict[str, bool] = {}


class Place(NamedTuple):
    """Where a name is looked up."""

    name: str
    folder: str | None
    """None for all of them."""
    sees_aside: bool
    """Whether tests and examples are seen."""


class Scripts(ABC):
    """What the scripts of a repository share, by qualified name. Modules neither know it nor are known by it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._found: dict[Place, int] = {}

    @property
    @abstractmethod
    def added(self) -> Collection[str]:
        """The names of what something is added to behind a dot."""

    @abstractmethod
    def _shared(self, place: Place) -> Sequence[int]:
        """Return what scripts declare by a name; of a namespace's places the one that holds most is enough."""

    @abstractmethod
    def _around(self, file: int) -> Sequence[str]:
        """Return a script's namespaces and what these are in, innermost first."""

    @abstractmethod
    def _declares(self, space: str, name: str, *, sees_aside: bool) -> bool:
        """Whether a namespace declares a simple name in some script."""

    def is_global(self, node: int) -> bool:
        """Whether a node belongs to a script."""
        return self._tables.file_of[node] in self._tables.scripts

    def seen_from(self, file: int, name: str) -> int:
        """Return what a bare name means in a script that does not declare it, its own namespaces first."""
        tables = self._tables
        if file not in tables.scripts:
            return UNKNOWN
        sees_aside = tables.is_aside[file]
        for space in self._around(file):
            if self._declares(space, name, sees_aside=sees_aside):
                return self._only(file, f"{space}.{name}")
        return self._only(file, name)

    def inside(self, node: int, name: str) -> int:
        """Return what stands under a name in a namespace or object that several scripts add to."""
        file, symbol = self._tables.file_of[node], self._symbol(node)
        found = self._only(file, f"{symbol.qualname}.{name}")
        # Of ``a.b.c`` that is given a value the last two parts are known.
        return found if found != UNKNOWN else self._only(file, f"{symbol.name}.{name}")

    def is_added_to(self, node: int) -> bool:
        """Whether scripts give something of theirs a name behind a dot of an object: ``Shop.price = …``."""
        return self.is_global(node) and self._symbol(node).name in self.added

    def _symbol(self, node: int) -> SymbolFact:
        file = self._tables.file_of[node]
        return self._tables.facts[file].symbols[node - self._tables.first_node[file]]

    def _only(self, file: int, name: str) -> int:
        """Return the only meaning of a name among the scripts of a file's folder, else among all."""
        is_aside = self._tables.is_aside[file]
        for place in (Place(name, folder_of(self._tables.paths[file]), is_aside), Place(name, None, is_aside)):
            found = self._found.get(place)
            if found is None:
                found = self._found[place] = self._meant(place)
            if found != UNKNOWN:
                return found
        return UNKNOWN

    def _meant(self, place: Place) -> int:
        tables, nodes = self._tables, self._shared(place)
        defining = [node for node in nodes if not self._path(node).endswith(DECLARING)] or nodes
        values = [node for node in defining if tables.kinds[node] not in TYPES_ALONE] or defining
        kinds = {tables.kinds[node] for node in values}
        if kinds == {"namespace"} or (kinds == {"variable"} and place.name.rpartition(".")[2] in self.added):
            # Several scripts add to one.
            return max(values, key=self._weight)
        files = self._by_file(values)
        return files[0] if len(files) == 1 else UNKNOWN

    def _by_file(self, nodes: Iterable[int]) -> list[int]:
        """Return of each file the node that holds most, the last of equals: it stands for the others."""
        ranked = sorted(nodes, key=lambda node: (len(self._tables.children.get(node, ())), node))
        return list({self._tables.file_of[node]: node for node in ranked}.values())

    def _weight(self, node: int) -> tuple[int, int]:
        return len(self._tables.children.get(node, ())), -node

    def _path(self, node: int) -> str:
        return self._tables.paths[self._tables.file_of[node]]


class AllScripts(Scripts):
    """All of it, noted at once when it is first asked for."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._nodes: dict[str, list[int]] | None = None
        self._spaces: dict[int, Sequence[str]] = {}
        """A script's namespaces and what these are in, innermost first."""
        self._outside: dict[str, dict[str, bool]] = {}
        """The namespaces that declare a simple name, and whether others than tests and examples do."""
        self._folders: dict[str, dict[str, list[int]]] = {}
        """What is declared by a name, by folder."""
        self._added: set[str] = set()

    @property
    def added(self) -> Collection[str]:
        """The names of what something is added to behind a dot."""
        self._known()
        return self._added

    def _around(self, file: int) -> Sequence[str]:
        self._known()
        return self._spaces[file]

    def _declares(self, space: str, name: str, *, sees_aside: bool) -> bool:
        known = self._outside.get(name, _NO_SPACES)
        return space in known and (sees_aside or known[space])

    def _known(self) -> dict[str, list[int]]:
        if self._nodes is None:
            self._nodes = {}
            for file in sorted(self._tables.scripts):
                self._add(file, self._nodes)
        return self._nodes

    def _add(self, file: int, known: dict[str, list[int]]) -> None:
        tables = self._tables
        first, is_of_product = tables.first_node[file], not tables.is_aside[file]
        declared = shared(tables.facts[file].symbols)
        for position, symbol in declared.items():
            known.setdefault(symbol.qualname, []).append(first + position)
            if symbol.parent:
                spaces, space = self._outside.setdefault(symbol.name, {}), symbol.qualname.rpartition(".")[0]
                spaces[space] = spaces.get(space, False) or is_of_product
        self._added.update(_added_to(declared.values()))
        self._spaces[file] = spaces_around(declared.values())

    def _shared(self, place: Place) -> Sequence[int]:
        tables, (name, folder, sees_aside) = self._tables, place
        nodes = self._known().get(name, []) if folder is None else self._by_folder(name).get(folder, [])
        return nodes if sees_aside else [node for node in nodes if not tables.is_aside[tables.file_of[node]]]

    def _by_folder(self, name: str) -> dict[str, list[int]]:
        found = self._folders.get(name)
        if found is None:
            found = self._folders[name] = {}
            for node in self._known().get(name, ()):
                found.setdefault(folder_of(self._path(node)), []).append(node)
        return found


def folder_of(path: str) -> str:
    """Return the folder of a file, empty for the outermost."""
    return path.rpartition("/")[0]


def shared(symbols: Sequence[SymbolFact]) -> Mapping[int, SymbolFact]:
    """Return what a script declares for all others, by position, in order."""
    found, open_positions = dict[int, SymbolFact](), {0}
    for position, symbol in enumerate(symbols):
        if not position or symbol.visibility != "public" or symbol.kind in NAMELESS:
            continue
        # What is given to something computed goes by no name.
        if symbol.parent in open_positions and (symbol.kind != "method" or "." in symbol.qualname):
            found[position] = symbol
            if symbol.kind == "namespace":
                open_positions.add(position)
    return found


def _added_to(declared: Iterable[SymbolFact]) -> set[str]:
    """Return the names of what a script adds something to behind a dot."""
    names = [symbol.qualname for symbol in declared if not symbol.parent]
    return {name.split(".")[-2] for name in names if "." in name}


def spaces_around(declared: Iterable[SymbolFact]) -> list[str]:
    """Return a script's namespaces and what these are in, innermost first, given what it shares."""
    spaces = set[str]()
    for symbol in declared:
        if symbol.kind == "namespace":
            parts = symbol.qualname.split(".")
            spaces.update([".".join(parts[:end]) for end in range(1, len(parts) + 1)])
    return sorted(spaces, key=lambda space: (-space.count("."), space))
