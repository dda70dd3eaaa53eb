"""What is Go's alone: the files of a folder are a package, and all of it is known in each, to others by its path."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ctxcode.codegraph.facts import BindingFact, FileFacts, SymbolFact
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.told import (
    MOST_FILES,
    Mentioning,
    Told,
    bound_name,
    differences,
    passed_on,
    words_said,
)
from ctxcode.codegraph.resolve.modules.imports import go_packages
from ctxcode.codegraph.resolve.modules.naming import GoPaths
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path

FAMILY = "go"
_WORD = re.compile(r"[\w$]+")


class Seeing(NamedTuple):
    """Who may mean by a name what stands at the top of another file of Go."""

    files: Mapping[int, FileFacts]
    names: frozenset[str]
    """What else may mean something else by that, whoever says it."""


class GoPackages:
    """The changed files of Go of one refresh, and the packages they stand in."""

    def __init__(
        self,
        paths: Sequence[str],
        packages: Sequence[str],
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        mentioning: Mentioning,
    ) -> None:
        """Take files and packages as they were, what changed files say now, what any said, and who of Go says it."""
        self._numbers = {path: number for number, path in enumerate(paths) if path.endswith(".go")}
        self._packages = packages
        self._facts = facts
        self._mentioning = mentioning
        self._changed = {path: now for path, now in changed.items() if path.endswith(".go")}
        self._tops: dict[str, set[str]] = {}
        """Folders to what may mean something else there, for who sees their package."""

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file tells anew; None when more hangs on it than names tell."""
        one = now or before
        if one is None:
            return None
        if before is None or now is None:
            before, now = of_module_alone(one), one._replace(imports=())
        differing = differences(before, now)
        if differing is None:
            return None
        places, imports, bindings = differing
        if any(fact.name == "*" for fact in imports):
            return None
        kept = set(places)
        come = {place for place in range(len(now.symbols)) if place not in kept}
        gone = {place for place, there in enumerate(places) if there < 0}
        if any(binding.scope not in come and _is_of_type(binding, now) for binding in bindings):
            # What embeds a type has its elements, and does not name what they are.
            return None
        (names, tops), (names_gone, tops_gone) = _names_of(now.symbols, come), _names_of(before.symbols, gone)
        names, tops = names | names_gone, tops | tops_gone
        aliases = {fact.alias for fact in imports} - {""}
        names |= passed_on(before, aliases) | passed_on(now, aliases)
        for binding in bindings:
            _add_bound(binding, now, come, names, tops)
        self._tops.setdefault(_folder(path), set()).update(tops - {""})
        return Told(frozenset(names - {""}), places)

    def are_others_meant(self) -> bool:
        """Return whether the path of an import that did not change may mean another package than before."""
        folders = self._listed_anew()
        if self._chosen(self._before, folders) != self._chosen(self._now, folders):
            return True
        imports = [
            {fact.module for one in said if one is not None for fact in one.imports}
            for said in ([self._said(path) for path in self._changed], self._changed.values())
        ]
        differing = imports[0] ^ imports[1]
        return bool(differing) and self._is_prefix_other(differing, imports[1])

    def seeing(self) -> Seeing | None:
        """Return the files that did not change in which something else may be meant; None for too many."""
        found, names = dict[int, FileFacts](), set[str]()
        said = [now for now in self._changed.values() if now is not None]
        for folder in self._listed_anew():
            if self._node(self._before, folder) != self._node(self._now, folder):
                if not folder:
                    return None
                found.update(self._importing(folder))
        for folder, tops in self._tops.items():
            files = set(self._mentioning(sorted(tops))) if tops else set[int]()
            if folder:
                files &= {*self._inside(folder), *self._mentioning([_longest_word(folder)])}
            if len(files) > MOST_FILES:
                return None
            sure = {
                file: facts
                for file, facts in ((file, self._facts(file)) for file in files.difference(self._numbers_changed))
                if self._sees(file, facts, folder) and not words_said(facts).isdisjoint(tops)
            }
            names |= set[str]().union(*[passed_on(one, tops) for one in (*sure.values(), *said)])
            found |= sure
        return None if len(found) > MOST_FILES else Seeing(found, frozenset(names))

    @cached_property
    def _paths(self) -> list[str]:
        return list(self._numbers)

    @cached_property
    def _numbers_changed(self) -> set[int]:
        return {self._numbers[path] for path in self._changed if path in self._numbers}

    @cached_property
    def _before(self) -> dict[str, str]:
        """The packages of the files as they were, by path."""
        return {path: self._packages[number] for path, number in self._numbers.items()}

    @cached_property
    def _now(self) -> dict[str, str]:
        """The same as they are now."""
        rest = {path: package for path, package in self._before.items() if path not in self._changed}
        return rest | {path: facts.package for path, facts in self._changed.items() if facts is not None}

    def _said(self, path: str) -> FileFacts | None:
        return self._facts(self._numbers[path]) if path in self._numbers else None

    def _listed_anew(self) -> set[str]:
        """Return the folders in which files have come or gone."""
        return {_folder(path) for path, now in self._changed.items() if (now is None) == (path in self._numbers)}

    def _chosen(self, packages: Mapping[str, str], folders: Collection[str]) -> dict[str, str]:
        """Return the packages that some folders are imported as."""
        keys = {f"{folder}:{package}" for path, package in packages.items() if (folder := _folder(path)) in folders}
        return {folder: key[1] for folder, key in go_packages([(FAMILY, key) for key in keys]).items()}

    def _node(self, packages: Mapping[str, str], folder: str) -> str:
        """Return the file that stands for the package of a folder."""
        key = self._chosen(packages, {folder})[folder]
        files = [path for path, package in packages.items() if f"{_folder(path)}:{package}" == key]
        return min(files, key=lambda path: (is_aside_path(path), path))

    def _is_prefix_other(self, differing: Collection[str], now: Collection[str]) -> bool:
        """Return whether the repository's own paths begin otherwise once some are imported by more or fewer files."""
        folders = sorted({_folder(path) for path in self._paths})
        if GoPaths(folders, sorted(differing)).prefix is None:
            return False
        rest, before = set(now), set[str]()
        for path, number in self._numbers.items():
            modules = {fact.module for fact in self._facts(number).imports}
            before |= modules
            if path not in self._changed:
                rest |= modules
        return GoPaths(folders, sorted(before)).prefix != GoPaths(folders, sorted(rest)).prefix

    def _inside(self, folder: str) -> list[int]:
        return [number for path, number in self._numbers.items() if _folder(path) == folder]

    def _importing(self, folder: str) -> dict[int, FileFacts]:
        files = set(self._mentioning([_longest_word(folder)])).difference(self._numbers_changed)
        return {file: facts for file in files if _may_import(facts := self._facts(file), folder)}

    def _sees(self, file: int, facts: FileFacts, folder: str) -> bool:
        return not folder or file in self._inside(folder) or _may_import(facts, folder)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _longest_word(folder: str) -> str:
    """Return a word that all say who import a folder."""
    last = folder.rpartition("/")[2]
    return max(_WORD.findall(last), key=len, default=last)


def _may_import(facts: FileFacts, folder: str) -> bool:
    last = folder.rpartition("/")[2]
    return any(fact.module.rpartition("/")[2] == last for fact in facts.imports)


def _names_of(symbols: Sequence[SymbolFact], differing: Collection[int]) -> tuple[set[str], set[str]]:
    """Return what symbols that come or go are called: what anybody may mean by that, and what who sees the package."""
    names, tops = set[str](), set[str]()
    for position in differing:
        symbol = symbols[position]
        if _is_top(symbol):
            tops.add(symbol.name)
        elif symbol.parent in differing and symbols[symbol.parent].kind in CLASS_KINDS:
            # Who gets to the type knows the rest; a method may be known by its name alone.
            names.update([symbol.name] if symbol.kind == "method" and not is_common(FAMILY, symbol.name) else [])
        else:
            names.add(symbol.name)
    return names, tops


def _add_bound(binding: BindingFact, facts: FileFacts, come: Collection[int], names: set[str], tops: set[str]) -> None:
    """Add the name that is bound to something else now, unless that of its type says so."""
    scope = facts.symbols[binding.scope]
    if binding.scope == 0 and binding.name.isidentifier():
        tops.add(binding.name)
    elif binding.scope not in come or scope.kind not in CLASS_KINDS:
        (tops if binding.name[0] == "(" and _is_top(scope) else names).add(bound_name(binding, facts.symbols))


def _is_top(symbol: SymbolFact) -> bool:
    """Whether nobody means a symbol who does not see its package: of types and methods some know the names alone."""
    return (
        symbol.parent == 0
        and symbol.kind != "method"
        and symbol.kind not in CLASS_KINDS
        and symbol.qualname == symbol.name
    )


def _is_of_type(binding: BindingFact, facts: FileFacts) -> bool:
    return binding.name[0] == "(" and facts.symbols[binding.scope].kind in CLASS_KINDS
