"""The modules that files of Swift belong to: what stands in one knows all the rest of it without an import.

A module is a target of ``Package.swift``, what a ``.podspec`` stands beside, or else a folder of sources.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.tables import TYPE_PART, Tables

FAMILY = "swift"
PACKAGE = "Package.swift"
MAKER = "init"
"""What makes objects of a type."""
_SPEC = ".podspec"
_FAR = 3
_GIVING = frozenset({"interface", "enum"})
"""Types whose members are offered as they are."""
_SOURCES = frozenset({"Sources", "Tests"})


class Module(NamedTuple):
    """A module by where it stands."""

    folder: str
    names: frozenset[str]
    """What imports call it, as far as is known."""
    package: str | None = None
    """The folder of the manifest that declares it; None for none."""


Importing = Callable[[str], Iterable[int]]
"""From a module's name to at least the files of Swift that import it."""


class SwiftModules:
    """Answers by file and node numbers."""

    def __init__(self, tables: Tables, importing: Importing | None = None) -> None:
        self._tables = tables
        self._importing = importing if importing is not None else self._files_of_swift
        self._modules: dict[int, Module] = {}
        self._are_imported: dict[str, bool] = {}
        self._imports: dict[int, frozenset[str]] = {}
        self._parts: dict[int, list[int]] = {}
        self._homes: dict[int, str | None] = {}

    def nearness(self, file: int, other: int) -> int:
        """Return 0 for two files of one module, 1 where the first imports the other's, 3 for all else."""
        own, there = self._of(file), self._of(other)
        if own.folder == there.folder:
            return 0
        return 3 if there.names.isdisjoint(self._imported_by(file)) else 1

    def _is_known(self, other: int, nearness: int) -> bool:
        """Whether a file so near can know the names of another: not where it has to import that one's module.

        What a folder is called need not be what a module is, unless others import it by that.
        """
        if nearness < _FAR:
            return True
        there = self._of(other)
        return there.package is None and not any(self._is_imported(name) for name in there.names)

    def is_seen(self, file: int, node: int) -> bool:
        """Whether a file can mean a definition: its own, what its module keeps to no file, and what others offer.

        Tests see what a module keeps to itself, and so do the modules of one package.
        """
        home = self._tables.file_of[node]
        if home == file:
            return True
        nearness = self.nearness(file, home)
        if not self._is_known(home, nearness):
            return False
        is_within = nearness == 0 or self._tables.is_aside[file]
        return self._is_offered(node, is_within=is_within or self._of(home).package in {self._of(file).package, None})

    def _is_offered(self, node: int, *, is_within: bool) -> bool:
        """Whether a definition is for other files of its module, or for others, as what stands around it is."""
        tables, first = self._tables, self._tables.first_node[self._tables.file_of[node]]
        symbols, at = tables.facts[tables.file_of[node]].symbols, node - first
        if symbols[at].kind == TYPE_PART:
            return True
        while at > 0 and symbols[at].kind != TYPE_PART:
            around = symbols[symbols[at].parent]
            if "private" in {symbols[at].visibility, around.visibility}:
                return False
            is_inherited = around.kind in _GIVING or (around.kind == TYPE_PART and around.visibility == "public")
            if not (is_within or is_inherited or symbols[at].visibility == "public"):
                return False
            at = symbols[at].parent
        return True

    def nearest(self, file: int, nodes: Sequence[int]) -> Sequence[int]:
        """Return those of some definitions of a name that a file means: what its own module has hides all else.

        What extends a type is not meant where the type is known.
        """
        tables = self._tables
        seen = [node for node in nodes if self.is_seen(file, node)]
        seen = [node for node in seen if tables.kinds[node] != TYPE_PART] or seen
        near = [(self.nearness(file, tables.file_of[node]), node) for node in seen]
        least = min(near)[0] if near else 0
        return [node for nearness, node in near if nearness == least]

    def parts(self, node: int, nodes: Sequence[int]) -> list[int]:
        """Return the other places of those of a name in which the type is written that stands, in part, in one."""
        found = self._parts.get(node)
        if found is None:
            own, file = self._home(node, nodes), self._tables.file_of[node]
            others = [each for each in nodes if each != node and self._home(each, nodes) == own]
            found = self._parts[node] = [each for each in others if self._is_part(file, each)]
        return found

    def _is_part(self, file: int, node: int) -> bool:
        home = self._tables.file_of[node]
        return self._tables.kinds[node] != TYPE_PART or self._is_known(home, self.nearness(file, home))

    def _home(self, node: int, nodes: Sequence[int]) -> str | None:
        """Return the folder of the module that has the type; None for one that is nobody's here."""
        tables = self._tables
        file = tables.file_of[node]
        if tables.kinds[node] != TYPE_PART:
            return self._of(file).folder
        if node not in self._homes:
            defined = [each for each in self.nearest(file, nodes) if tables.kinds[each] != TYPE_PART]
            self._homes[node] = self._of(tables.file_of[defined[0]]).folder if defined else None
        return self._homes[node]

    def _imported_by(self, file: int) -> frozenset[str]:
        found = self._imports.get(file)
        if found is None:
            found = self._imports[file] = imported_by(self._tables.facts[file])
        return found

    def _is_imported(self, name: str) -> bool:
        """Whether files import a module by a name that it has for sure."""
        found = self._are_imported.get(name)
        if found is None:
            found = self._are_imported[name] = any(
                name in self._imported_by(file) and name not in self._of(file).names for file in self._importing(name)
            )
        return found

    def _files_of_swift(self, name: str) -> list[int]:
        del name
        return [file for file, family in enumerate(self._tables.families) if family == FAMILY]

    @cached_property
    def _layout(self) -> "Layout":
        tables = self._tables
        manifests = {path: tables.facts[file] for file, path in enumerate(tables.paths) if is_manifest(path)}
        return Layout(manifests)

    def _of(self, file: int) -> Module:
        found = self._modules.get(file)
        if found is None:
            found = self._modules[file] = self._layout.module_of(self._tables.paths[file])
        return found


def imported_by(facts: FileFacts) -> frozenset[str]:
    """Return the modules that a file imports."""
    return frozenset([fact.module.partition(".")[0] for fact in facts.imports])


def is_manifest(path: str) -> bool:
    """Whether a file says which modules there are."""
    return path.rpartition("/")[2] == PACKAGE or path.endswith(_SPEC)


class Layout:
    """Where modules stand."""

    def __init__(self, manifests: Mapping[str, FileFacts]) -> None:
        """Take what manifests say, by path."""
        self._declared: dict[str, list[Module]] = {}
        """The modules that packages declare, by the folder of their manifest."""
        self._specified: dict[str, set[str]] = {}
        """The names that specifications of pods give to the folders they stand in."""
        for path, facts in manifests.items():
            folder, _, name = path.rpartition("/")
            if name != PACKAGE:
                given = facts.package or name.removesuffix(_SPEC).replace("-", "_")
                self._specified.setdefault(folder, set()).add(given)
                continue
            for row in facts.package.splitlines():
                target, _, place = row.partition("=")
                module = Module(_joined(folder, place), frozenset({target}), folder)
                self._declared.setdefault(folder, []).append(module)

    def module_of(self, path: str) -> Module:
        """Return the module of a file."""
        folder, inner = path.rpartition("/")[0], ""
        while True:
            targets = [each for each in self._declared.get(folder, ()) if _holds(each.folder, path)]
            if targets:
                return max(targets, key=lambda each: (len(each.folder), each.folder))
            if folder in self._specified:
                return Module(folder, frozenset(self._specified[folder]), folder)
            if folder in self._declared:
                return Module(_joined(folder, inner), frozenset({inner}), folder)
            if not folder:
                return _by_folder(path)
            folder, _, inner = folder.rpartition("/")


def _holds(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _joined(folder: str, place: str) -> str:
    return "/".join(part for part in (folder, place.removeprefix("./").strip("/.")) if part)


def _by_folder(path: str) -> Module:
    """Return the module of a file that no manifest speaks of: by the layout of packages, else the folder at the top."""
    folders = path.split("/")[:-1]
    start = next((place for place, name in enumerate(folders) if name in _SOURCES), None)
    kept = folders[:1] if start is None else folders[: start + 2]
    return Module("/".join(kept), frozenset(kept[-1:]))
