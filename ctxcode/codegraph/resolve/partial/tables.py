"""The tables of a published graph, filled file by file as names are looked up.

For joining again what a few files say: of the others only those are read that a name leads to.
"""

import sys
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Generic, TypeVar

from ctxcode.codegraph.edges import Nodes
from ctxcode.codegraph.facts import PRIVATE, FileFacts
from ctxcode.codegraph.resolve.bindings import bindings_of, parameters_of, returns_of
from ctxcode.codegraph.resolve.java.file_classes import ENDING, named_after
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.named.candidates import (
    CALLABLE,
    SOURCED,
    Found,
    Place,
    is_class_member,
    is_open,
    likely_of,
)
from ctxcode.codegraph.resolve.named.common_names import is_told
from ctxcode.codegraph.resolve.named.mentions import UNTYPED, Mentions, decode_counts
from ctxcode.codegraph.resolve.named.parts import MOST_PARTS
from ctxcode.codegraph.resolve.nearest import Nearest
from ctxcode.codegraph.resolve.ruby.writers import with_writers
from ctxcode.codegraph.resolve.tables import (
    CLASS_KINDS,
    EXTENSION,
    PACKAGE_FAMILIES,
    TYPE_PART,
    Names,
    Package,
    Tables,
    imports_of,
    parents_of,
)

_MOST_WANTED = 6
"""One more than there may be candidates: more of a name mean nothing."""
_MOST_ASKED = {"rust": 61, "swift": sys.maxsize}
"""The same in families in which not all of them can be meant."""

_T = TypeVar("_T")


class _OnDemand(Generic[_T]):
    """One value per file, made when it is first asked for."""

    def __init__(self, make: Callable[[int], _T]) -> None:
        self._make = make
        self._made: dict[int, _T] = {}

    def __getitem__(self, file: int, /) -> _T:
        if file not in self._made:
            self._made[file] = self._make(file)
        return self._made[file]


class _Everything:
    """The set of all names, where nobody has counted them."""

    def __contains__(self, name: object) -> bool:
        return True


class PartialTables(Tables):
    """Tables over the nodes of a published graph, whose numbers and names still hold."""

    def __init__(
        self,
        nodes: Nodes,
        languages: Sequence[str],
        facts: Callable[[int], FileFacts],
        named: Callable[[str], Sequence[tuple[int, int, str]]],
    ) -> None:
        """Take functions that return a file's facts by its number, and the definitions of a name, in order."""
        super().__init__()
        self._named = named
        self._in_packages: dict[tuple[Package, str], list[int]] = {}
        self.paths, self.modules, self.is_aside = nodes.paths, nodes.modules, nodes.is_aside
        self._nearest = Nearest(self.paths, self.is_aside)
        self.first_node = nodes.first_node
        families = {language: family_of(language) for language in set(languages)}
        self.families = [families[language] for language in languages]
        import numpy as np  # noqa: PLC0415 - only while indexing

        files = np.arange(len(nodes.paths), dtype=np.int32)
        self.file_of = array("i", np.repeat(files, np.diff(nodes.first_node)).tobytes())
        self.kinds, self.parents = [""] * nodes.count, [-1] * nodes.count
        for first in nodes.first_node[:-1]:
            self.kinds[first] = "module"
        self.facts = _OnDemand(facts)
        self.top = _OnDemand(self._load)
        self.bindings = _OnDemand(lambda file: bindings_of(self.facts[file]))
        self.returns = _OnDemand(lambda file: returns_of(self.facts[file]))
        self.parameters = _OnDemand(lambda file: parameters_of(self.facts[file]))
        self.names = self.variables = self.attributes = _Everything()
        self.imports = _OnDemand(lambda file: imports_of(self.facts[file])[0])
        self.stars = _OnDemand(lambda file: imports_of(self.facts[file])[1])
        self.package_of = [None] * len(nodes.paths)
        in_packages = PACKAGE_FAMILIES | {"ecmascript"}
        for file in [file for file, family in enumerate(self.families) if family in in_packages]:
            self._add_package(file, nodes.packages[file])
        self.owners = dict(nodes.owners)
        self._guests: dict[int, list[int]] = {}
        """Files to the methods that stand outside them and belong to their types."""
        for node, owner in nodes.owners:
            self._guests.setdefault(self.file_of[owner], []).append(node)
        self._waiting: list[int] = []
        """Files that are to be loaded with the one that is being loaded."""
        self._is_loading = False

    def is_defined(self, family: str, name: str) -> bool:
        """Return whether a name is that of something at the top of a file, or of a method."""
        rows = [(file, position) for file, position, _ in self._named(name) if self.families[file] == family]
        return any(is_told(family, self.facts[file].symbols[position]) for file, position in rows)

    def load(self, file: int) -> Names:
        """Fill in what a file defines; return what stands at its top."""
        return self.top[file]

    def class_of(self, node: int) -> int | None:
        """Return the innermost class around a node; then its members are known."""
        owner = super().class_of(node)
        if owner is not None:
            self.load(self.file_of[owner])
        return owner

    def named_in(self, package: Package, name: str, asking: int) -> int | None:
        """Return what stands at the top of a package's files under a name: those are read that define it."""
        key = (package, name)
        if key not in self._in_packages:
            rows = self._named(name.removeprefix(EXTENSION).rpartition(".")[2]) if package in self.package_files else ()
            files = sorted(
                {file for file, _, _ in rows if self.package_of[file] == package} | self._called(package, name)
            )
            self._in_packages[key] = [file for file in files if name in self.top[file]]
        file = self._nearest.of(key, self._in_packages[key], asking)
        return None if file is None else self.top[file][name]

    def _called(self, package: Package, name: str) -> set[int]:
        """Return the files of Kotlin that a class is called after whose functions Java may call by other names."""
        owner = name.rpartition(".")[0]
        files = self.package_files.get(package, ()) if owner.endswith(ENDING) else ()
        return {file for file in files if named_after(self.paths[file]) == owner}

    def again_in(self, package: Package, name: str, qualname: str) -> Sequence[int]:
        """Return all definitions of a qualified name in a package's files."""
        rows = [(file, position) for file, position, _ in self._named(name) if self.package_of[file] == package]
        found = [(file, position) for file, position in rows if self.facts[file].symbols[position].qualname == qualname]
        for file in dict.fromkeys(file for file, _ in found) if len(found) <= MOST_PARTS else ():
            self.load(file)
        return [self.first_node[file] + position for file, position in found]

    def _load(self, file: int) -> Names:
        """Fill in everything about a file's symbols. Raises ValueError when they are not those of the graph."""
        facts, start, end = self.facts[file], self.first_node[file], self.first_node[file + 1]
        if len(facts.symbols) != end - start:
            raise ValueError("facts of another file")
        self.kinds[start:end] = [symbol.kind for symbol in facts.symbols]
        self.parents[start:end] = parents_of(facts, start)
        top = self._definitions(file, facts)
        for node in self._guests.get(file, ()):
            self.add_member(self.owners[node], node)
            self._waiting.append(self.file_of[node])
        if not self._is_loading:
            self._load_waiting(file)
        return top

    def _load_waiting(self, first: int) -> None:
        """Load what waits for a file, and what waits for that: one after the other, however long the chain is."""
        self._is_loading = True
        while self._waiting:
            file = self._waiting.pop()
            if file != first:
                self.load(file)
        self._is_loading = False


class PartialCandidates:
    """Candidates looked up by name, for the families of languages of which some files can be joined alone."""

    def __init__(
        self,
        tables: PartialTables,
        nodes: Nodes,
        named: Callable[[str], Sequence[tuple[int, int, str]]],
    ) -> None:
        """Take the nodes and a function that returns the definitions of a name, in order.

        These are (file, position in it, kind).
        """
        self._tables = tables
        self._traits = nodes.traits
        self._named = named
        self._mentions = cache(lambda: Mentions(tables, decode_counts(nodes.spoken)))

    def methods(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the members of classes, so many that it shows whether these are too many."""

        def named(each: str, least: int) -> Sequence[int]:
            return self._methods(family, each, least, is_aside=is_aside)

        return with_writers(self._tables, family, name, named)

    def _methods(self, family: str, name: str, least: int, *, is_aside: bool) -> Sequence[int]:
        tables, found, most = self._tables, list[int](), max(least, _MOST_ASKED.get(family, _MOST_WANTED))
        for file, position, kind in self._named(name):
            if kind != "method" or tables.is_aside[file] != is_aside or tables.families[file] != family:
                continue
            node = self._loaded(file, position)
            if is_class_member(tables, node, name):
                found.append(node)
                if len(found) == most:
                    break
        return found

    def functions(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the free functions, as many."""
        tables, found, most = self._tables, list[int](), _MOST_ASKED.get(family, _MOST_WANTED)
        for file, position, kind in self._named(name):
            if kind != "function" or tables.is_aside[file] != is_aside or tables.families[file] != family:
                continue
            if family not in SOURCED and self._traits[tables.first_node[file] + position] & PRIVATE:
                continue
            node = self._loaded(file, position)
            if is_open(tables, node, ""):
                found.append(node)
                if len(found) == most:
                    break
        return found

    def types(self, family: str, name: str) -> Sequence[int]:
        """Return the types at the top of the product's files."""
        tables = self._tables
        nodes = [
            self._loaded(file, position)
            for file, position, kind in self._named(name)
            if kind in CLASS_KINDS
            and kind != TYPE_PART
            and not tables.is_aside[file]
            and tables.families[file] == family
        ]
        return [node for node in nodes if tables.top[tables.file_of[node]].get(name) == node]

    def macros(self, name: str) -> Sequence[int]:
        """Return the macros that crates of Rust export."""
        tables = self._tables
        nodes = [
            tables.first_node[file] + position
            for file, position, kind in self._named(name)
            if kind == "macro" and tables.families[file] == "rust"
        ]
        return [node for node in nodes if not self._traits[node] & PRIVATE]

    def called(self, family: str, name: str) -> Sequence[Place]:
        """Return what can be called of a name."""
        families = self._tables.families
        rows = self._named(name)
        return [(file, at) for file, at, kind in rows if kind in CALLABLE and families[file] == family]

    def likely(self, found: Found, family: str, receiver: str, name: str) -> Found:
        """Return those of the methods that are likely, where it matters who speaks of what."""
        return likely_of(self._mentions(), found, receiver, name) if family in UNTYPED else found

    def _loaded(self, file: int, position: int) -> int:
        self._tables.load(file)
        return self._tables.first_node[file] + position
