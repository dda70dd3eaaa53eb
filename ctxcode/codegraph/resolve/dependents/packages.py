"""What hangs on packages of Java and C# and on names of methods when files or types come or go."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.bound import words_in
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.told import MAKING, WHOLE_MODULE, Told, extending, told_anew
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.naming import family_of, standing_for
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, EXTENDED
from ctxcode.model.naming.folder import is_aside_path

_MOST_ROWS = 400
"""Definitions of a name that are looked at to know that it has too many."""
_Place = tuple[int, int]
"""(file, position in it)."""


class Standing(NamedTuple):
    """The files that stand for packages, by which others import everything of these."""

    names: frozenset[str]
    """The last words of packages that have come or gone."""
    files: frozenset[int]
    """Files that stood for a package for which another one stands now, or no longer alone, or alone now."""


class _Stored(Protocol):
    @property
    def paths(self) -> tuple[str, ...]: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def packages(self) -> tuple[str, ...]: ...


class Packages:
    """The packages of a family of languages in a graph of which some files have changed, and the methods in them."""

    def __init__(
        self,
        family: str,
        stored: _Stored,
        changing: Changing,
        mentioning: Callable[[Collection[str]], Collection[int]],
    ) -> None:
        """Take the graph of before, what has changed, and at least the files that say one of some words."""
        self._family = family
        self._paths = stored.paths
        self._languages = stored.languages
        self._packages = stored.packages
        _, self._changed, self._facts, self._named, self._numbers = changing
        self._mentioning = mentioning

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file tells anew, come or gone too; None when more hangs on it than names."""
        one = before or now
        if one is None:
            return Told(frozenset(), ())
        told = told_anew(
            self._leading(before) if before is not None else of_module_alone(one),
            self._leading(now) if now is not None else of_module_alone(one),
        )
        if told is None:
            return None
        # Of a type that is hidden, or hides another, all could be taken in.
        inside = frozenset({WHOLE_MODULE}) if told.types else frozenset[str]()
        alone = set[str]().union(*[words_in(name) for name in told.alone])
        said = {name: {name} if name.startswith(MAKING) else words_in(name) for name in told.names}
        if not all(said.values()):
            return None
        return told._replace(names=frozenset(self._meant_alone(alone, path).union(*said.values())), inside=inside)

    def _leading(self, facts: FileFacts) -> FileFacts:
        """Return what a file says without the imports of everything that lead nowhere, whatever has come or gone."""
        imports = [fact for fact in facts.imports if fact.name != "*" or self._is_known(fact.module)]
        return facts._replace(imports=tuple(imports))

    def _is_known(self, dotted: str) -> bool:
        name = dotted.rpartition(".")[2]
        return name in self._last_words or bool(self._named(name))

    @cached_property
    def _last_words(self) -> set[str]:
        """The last words of packages, and what changed files define."""
        says = [now for now in self._changed.values() if now is not None]
        packages = {*self._packages, *[now.package for now in says]}
        names = {symbol.name for now in says for symbol in now.symbols}
        return names.union([package.rpartition(".")[2] for package in packages])

    def standing(self) -> Standing:
        """Return what stands for packages otherwise now that files have come or gone."""
        numbers, changed = self._numbers, self._changed
        come = {path: now for path, now in changed.items() if now is not None and path not in numbers}
        come_to = {path: now.package for path, now in come.items() if family_of(now.language) == self._family}
        gone = {self._paths[number] for number in numbers.values() if changed[self._paths[number]] is None}
        of_gone = [numbers[path] for path in gone if family_of(self._languages[numbers[path]]) == self._family]
        names, files = set[str](), set[int]()
        for package in {*come_to.values(), *[self._packages[number] for number in of_gone]}:
            before = self._files_of(package)
            now = [row for row in before if row[1] not in gone]
            now += [(is_aside_path(path), path) for path, each in come_to.items() if each == package]
            if not before or not now:
                names.add(package.rpartition(".")[2])
            else:
                stood, stands = standing_for(package, before), standing_for(package, now)
                if (before[stood[0]], stood[1]) != (now[stands[0]], stands[1]):
                    files.add(self._paths.index(before[stood[0]][1]))
        return Standing(frozenset(names - {""}), frozenset(files))

    def _files_of(self, package: str) -> list[tuple[bool, str]]:
        """Return whether each file of a package is a test or the like, and its path."""
        return [
            (is_aside_path(self._paths[number]), self._paths[number])
            for number, each in enumerate(self._packages)
            if each == package and family_of(self._languages[number]) == self._family
        ]

    def _meant_alone(self, names: Collection[str], path: str) -> set[str]:
        """Return those of the names of a file's methods that a call can mean of which nothing else is known."""
        return {name for name in names if self._is_meant(name, path)}

    def _is_meant(self, name: str, path: str) -> bool:
        """Return whether it counts that a file has a method of a name, or had.

        With so many of the name in files that did not change that it means none, it means none now. Where functions of
        the name are called like methods of other types, it counts whether any type of the product has one at all.
        """
        rows = [row for row in self._named(name) if family_of(self._languages[row[0]]) == self._family]
        extensions, is_aside = self._extensions(name, rows), is_aside_path(path)
        in_product, in_tests = self._owners(name, [row for row in rows if row[:2] not in extensions])
        if extensions and not is_aside and (not in_product or len(extensions) > MOST_CANDIDATES):
            return True
        if is_common(self._family, name) or len(in_product) > MOST_CANDIDATES:
            return False
        return not is_aside or (not in_product and len(in_tests) <= MOST_CANDIDATES)

    def _extensions(self, name: str, rows: Collection[tuple[int, int, str]]) -> set[_Place]:
        """Return those definitions of a name, as (file, position), that are called like methods of other types."""
        places = [(file, position) for file, position, _ in rows if file in self._saying_what_they_extend]
        return {(file, position) for file, position in places if name in extending(self._facts(file), {position})}

    @cached_property
    def _saying_what_they_extend(self) -> set[int]:
        return set(self._mentioning((EXTENDED,)))

    def _owners(self, name: str, rows: Sequence[tuple[int, int, str]]) -> tuple[set[_Place], set[_Place]]:
        """Return types of the product, and of tests, that have a method of a name: not all where these are many."""
        owners: tuple[set[_Place], set[_Place]] = (set(), set())
        methods = [row for row in rows if row[2] == "method" and self._paths[row[0]] not in self._changed]
        for file, position, _ in methods[:_MOST_ROWS]:
            symbols, counted = self._facts(file).symbols, owners[is_aside_path(self._paths[file])]
            owner = symbols[position].parent
            if symbols[owner].kind in CLASS_KINDS and symbols[owner].name != name:
                counted.add((file, owner))
            if len(owners[False]) > MOST_CANDIDATES:
                break
        return owners
