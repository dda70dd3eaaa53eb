"""What hangs on Java's packages and on names of methods when files or types come or go."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.told import WHOLE_MODULE, Told, told_anew
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path

FAMILY = "java"
_MOST_ROWS = 400
"""Definitions of a name that are looked at to know that it has too many."""


class Standing(NamedTuple):
    """The files that stand for packages, by which others import everything of these."""

    names: frozenset[str]
    """The last words of packages that have come or gone."""
    files: frozenset[int]
    """Files that stood for a package for which another one stands now."""


class _Stored(Protocol):
    @property
    def paths(self) -> tuple[str, ...]: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def packages(self) -> tuple[str, ...]: ...


class Packages:
    """The packages of a graph of which some files have changed, and the methods in them."""

    def __init__(
        self,
        stored: _Stored,
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        named: Callable[[str], Sequence[tuple[int, int, str]]],
    ) -> None:
        """Take what some files say now by path, None for one that is gone, and what the graph says.

        That is what a file said, by its number, and the definitions of a name: (file, position in it, kind).
        """
        self._paths = stored.paths
        self._languages = stored.languages
        self._packages = stored.packages
        self._changed = changed
        self._facts = facts
        self._named = named
        self._numbers = {path: number for number, path in enumerate(stored.paths) if path in changed}
        languages = {self._languages[number] for number in self._numbers.values()}
        languages |= {now.language for now in changed.values() if now is not None}
        is_java_alone = {each for each in languages if family_of(each) == FAMILY} == {"java"}
        self.free = frozenset({FAMILY}) if is_java_alone else frozenset[str]()
        """The family, where none of the changed files can hold what stands outside its type."""

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file of Java tells anew, come or gone too; None when more hangs on it than names."""
        one = before or now
        told = told_anew(before or of_module_alone(one), now or of_module_alone(one)) if one is not None else None
        if told is None or (told.types and not self.free):
            return None
        # Of a type that is hidden, or hides another, all could be taken in.
        inside = frozenset({WHOLE_MODULE}) if told.types else frozenset[str]()
        return told._replace(names=told.names | self._meant_alone(told.alone, path), inside=inside)

    def standing(self) -> Standing:
        """Return what stands for packages otherwise now that files have come or gone."""
        numbers, changed = self._numbers, self._changed
        come = {path: now for path, now in changed.items() if now is not None and path not in numbers}
        come_to = {path: now.package for path, now in come.items() if family_of(now.language) == FAMILY}
        gone = {self._paths[number] for number in numbers.values() if changed[self._paths[number]] is None}
        of_gone = [numbers[path] for path in gone if family_of(self._languages[numbers[path]]) == FAMILY]
        names, files = set[str](), set[int]()
        for package in {*come_to.values(), *[self._packages[number] for number in of_gone]}:
            before = self._files_of(package)
            now = [row for row in before if row[1] not in gone]
            now += [(is_aside_path(path), path) for path, each in come_to.items() if each == package]
            if not before or not now:
                names.add(package.rpartition(".")[2])
            elif min(before) != min(now):
                files.add(self._paths.index(min(before)[1]))
        return Standing(frozenset(names - {""}), frozenset(files))

    def _files_of(self, package: str) -> list[tuple[bool, str]]:
        """Return whether each file of a package is a test or the like, and its path: the least stands for all."""
        return [
            (is_aside_path(self._paths[number]), self._paths[number])
            for number, each in enumerate(self._packages)
            if each == package and family_of(self._languages[number]) == FAMILY
        ]

    def _meant_alone(self, names: Collection[str], path: str) -> set[str]:
        """Return those of the names of a file's methods that a call can mean of which nothing else is known.

        With so many methods of a name in files that did not change that it means none, it means none now.
        """
        if "kotlin" in self._languages:
            # There it counts for what extends a type whether any type has a method of the name.
            return set(names)
        return {name for name in names if not is_common(FAMILY, name) and self._is_meant(name, path)}

    def _is_meant(self, name: str, path: str) -> bool:
        rows = [row for row in self._named(name) if row[2] == "method" and family_of(self._languages[row[0]]) == FAMILY]
        if len(rows) > _MOST_ROWS:
            return True
        owners: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        for file, position, _ in rows:
            other = self._paths[file]
            if other in self._changed:
                continue
            symbols, counted = self._facts(file).symbols, owners[is_aside_path(other)]
            owner = symbols[position].parent
            if symbols[owner].kind in CLASS_KINDS and symbols[owner].name != name:
                counted.add((file, owner))
            if len(owners[False]) > MOST_CANDIDATES:
                return False
        if not is_aside_path(path):
            return True
        return not owners[False] and len(owners[True]) <= MOST_CANDIDATES
