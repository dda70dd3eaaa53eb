"""What is Go's alone: the files of a folder are a package, and all of it is known in each, to others by its path."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import ALTERNATIVE, BindingFact, FileFacts, SymbolFact
from ctxcode.codegraph.resolve.again.affected import MOST_FILES, Mentioning
from ctxcode.codegraph.resolve.again.bound import outward
from ctxcode.codegraph.resolve.again.listed import of_module_alone
from ctxcode.codegraph.resolve.again.said import words_said
from ctxcode.codegraph.resolve.again.told import Told, bound_name, differences
from ctxcode.codegraph.resolve.dependents.linked import words_of
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.golang import GoPaths, go_modules
from ctxcode.codegraph.resolve.modules.imports import go_packages
from ctxcode.codegraph.resolve.modules.naming import standing_for
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.relations.asserted import asserted, without_asserted
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path

FAMILY = "go"
_SHARE = 8
"""One of so many files is joined again in far less time than all are."""
_CLOSED = frozenset({"function", "method"})
_WORD = re.compile(r"[\w$]+")


class _Split(NamedTuple):
    """Names, by who can mean something by them."""

    names: set[str]
    """Anybody."""
    tops: set[str]
    """Who sees the package."""
    members: set[str]
    """Methods of types that come or go with them: who gets to the type, and anybody by the name alone."""


_Names = dict[str | None, set[str]]
"""What may mean something else, by the folder whose package one has to see to mean it; None for what anybody can."""


class GoPackages:
    """The changed files of Go of one refresh, and the packages they stand in."""

    def __init__(self, changing: Changing, mentioning: Mentioning) -> None:
        """Take the graph of before, what has changed, and at least the files of Go that say one of some words."""
        nodes, changed, self._facts, self._named, _ = changing
        self._changed = {path: now for path, now in changed.items() if path.endswith(".go")}
        files = enumerate(nodes.paths) if self._changed else ()
        self._numbers = {path: number for number, path in files if path.endswith(".go")}
        self._packages = nodes.packages
        self._modules = go_modules(zip(nodes.paths, nodes.packages, strict=True)) if self._changed else []
        self._by_modules = GoPaths((), (), self._modules)
        self._nodes = nodes
        self._mentioning = mentioning
        self._told: _Names = {}
        self._saying_of_types = list[tuple[str, FileFacts]]()
        """What changed files say, or said, of types that stand in others."""
        self._is_unsure = cache(self._find_unsure)

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what a file tells anew; None when more hangs on it than names tell."""
        one = now or before
        if one is None:
            return None
        self._saying_of_types += [(path, each) for each in (before, now) if each is not None and asserted(each)]
        if before is None or now is None:
            before, now = of_module_alone(one), one._replace(imports=())
        before, now = without_asserted(before), without_asserted(now)
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
        aliases = {fact.alias for fact in imports} - {""}
        told = [_names_of(now.symbols, come), _names_of(before.symbols, gone)]
        told += [_passed_on(before, aliases), _passed_on(now, aliases)]
        told += [_bound(binding, now) for binding in bindings if binding.scope not in come]
        known = {name for names, _, _ in told for name in names}
        if any(binding.scope == 0 and binding.name == ALTERNATIVE for binding in bindings):
            # All that the file defines may be there now, or not.
            known.update([symbol.name for symbol in now.symbols])
        known.update([name for _, _, members in told for name in members if not self._is_unsure(name)])
        self._note(None, known)
        self._note(_folder(path), {name for _, tops, _ in told for name in tops})
        return Told(frozenset(), places)

    def _note(self, folder: str | None, names: set[str]) -> None:
        self._told.setdefault(folder, set()).update(names - {""})

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

    def affected(self) -> dict[int, FileFacts] | None:
        """Return the files that did not change in which a name may mean something else now; None for too many."""
        most = max(MOST_FILES, len(self._numbers) // _SHARE)
        found = dict[int, FileFacts]()
        for folder in self._listed_anew():
            if self._node(self._before, folder) != self._node(self._now, folder):
                if not folder:
                    return None
                found.update(self._importing(folder))
        changed = [(path, now) for path, now in self._changed.items() if now is not None]
        known, pending = dict[str | None, set[str]](), self._told
        while any(pending.values()):
            passed: _Names = {}
            for place, names in pending.items():
                known.setdefault(place, set()).update(names)
                saying = self._saying(place, names, most) if names else {}
                if saying is None or len(found.keys() | saying) > most:
                    return None
                found |= saying
                for path, facts in (*changed, *[(self._nodes.paths[file], facts) for file, facts in saying.items()]):
                    anywhere, tops, _ = _passed_on(facts, names)
                    passed.setdefault(None, set()).update(anywhere)
                    passed.setdefault(_folder(path), set()).update(tops)
            # What anybody can mean who sees the package does, too.
            pending = {
                place: names - known.get(place, set()) - known.get(None, set()) for place, names in passed.items()
            }
        saying_of_types = [*self._saying_of_types, *[(self._nodes.paths[file], found[file]) for file in found]]
        for path, facts in saying_of_types:
            found |= self._defining(_folder(path), {name for name, _ in asserted(facts)})
        return found if len(found) <= most else None

    def _defining(self, folder: str, names: Collection[str]) -> dict[int, FileFacts]:
        """Return the files of a folder that did not change and define something by one of some names."""
        paths = self._nodes.paths
        files = {file for name in names for file, _, _ in self._named(name) if _folder(paths[file]) == folder}
        return {file: self._facts(file) for file in files - self._numbers_changed if paths[file] in self._numbers}

    def _saying(self, folder: str | None, names: Collection[str], most: int) -> dict[int, FileFacts] | None:
        """Return the files that did not change and mean something by one of some names; None for too many."""
        files = set(self._mentioning(sorted(names))).difference(self._numbers_changed)
        if folder:
            files &= {*self._inside(folder), *self._mentioning(self._words_of(folder))}
        if len(files) > most:
            return None
        said = {file: self._facts(file) for file in files}
        return {
            file: facts
            for file, facts in said.items()
            if self._sees(file, facts, folder) and not words_said(facts).isdisjoint(names)
        }

    def _find_unsure(self, name: str) -> bool:
        """Whether a method's name alone says nothing: one of the language's own, or so many that stay have it."""
        if is_common(FAMILY, name):
            return True
        count = 0
        for file, position, kind in self._named(name):
            if kind != "method" or file in self._numbers_changed or not self._nodes.paths[file].endswith(".go"):
                continue
            symbols = self._facts(file).symbols
            is_member = symbols[symbols[position].parent].kind in CLASS_KINDS
            count += is_member and not self._nodes.is_aside[file]
            if count > MOST_CANDIDATES:
                return True
        return False

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

    def _node(self, packages: Mapping[str, str], folder: str) -> tuple[str, bool]:
        """Return the file that stands for the package of a folder, and whether that has no others."""
        key = self._chosen(packages, {folder})[folder]
        files = [path for path, package in packages.items() if f"{_folder(path)}:{package}" == key]
        place, is_alone = standing_for(key.rpartition(":")[2], [(is_aside_path(path), path) for path in files])
        return files[place], is_alone

    def _is_prefix_other(self, differing: Collection[str], now: Collection[str]) -> bool:
        """Return whether the repository's own paths begin otherwise once some are imported by more or fewer files."""
        folders = sorted({_folder(path) for path in self._paths})
        if all(self._by_modules.module_around(folder) for folder in folders):
            return False
        if GoPaths(folders, differing, ()).prefix is None:
            return False
        rest, before = set(now), set[str]()
        for path, number in self._numbers.items():
            modules = {fact.module for fact in self._facts(number).imports}
            before |= modules
            if path not in self._changed:
                rest |= modules
        return GoPaths(folders, before, ()).prefix != GoPaths(folders, rest, ()).prefix

    def _inside(self, folder: str) -> list[int]:
        return [number for path, number in self._numbers.items() if _folder(path) == folder]

    def _importing(self, folder: str) -> dict[int, FileFacts]:
        files = set(self._mentioning(self._words_of(folder))).difference(self._numbers_changed)
        return {file: facts for file in files if self._may_import(facts := self._facts(file), folder)}

    def _sees(self, file: int, facts: FileFacts, folder: str | None) -> bool:
        return not folder or file in self._inside(folder) or self._may_import(facts, folder)

    def _words_of(self, folder: str) -> list[str]:
        """Return words of which all say one who import a folder."""
        return [max(_WORD.findall(last), key=len, default=last) for last in self._by_modules.last_parts(folder)]

    def _may_import(self, facts: FileFacts, folder: str) -> bool:
        last = self._by_modules.last_parts(folder)
        return any(fact.module.rpartition("/")[2] in last for fact in facts.imports)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _names_of(symbols: Sequence[SymbolFact], differing: Collection[int]) -> _Split:
    """Return what symbols that come or go are called."""
    names, tops, members = set[str](), set[str](), set[str]()
    for position in differing:
        symbol = symbols[position]
        if _is_top(symbol):
            tops.add(symbol.name)
        elif symbol.kind == "method" and symbol.parent in differing:
            members.add(symbol.name)
        elif not _is_inside(symbol, symbols) and symbol.parent not in differing:
            names.add(symbol.name)
    return _Split(names, tops, members)


def _is_inside(symbol: SymbolFact, symbols: Sequence[SymbolFact]) -> bool:
    """Whether a symbol stands in a function: nobody else can mean it."""
    while symbol.parent > 0:
        symbol = symbols[symbol.parent]
        if symbol.kind in _CLOSED:
            return True
    return False


def _bound(binding: BindingFact, facts: FileFacts) -> _Split:
    """Return the name that is bound."""
    scope = facts.symbols[binding.scope]
    names = {bound_name(binding, facts)}
    if (binding.scope == 0 and binding.name.isidentifier()) or (binding.name.startswith("(") and _is_top(scope)):
        return _Split(set(), names, set())
    is_hidden = binding.scope > 0 and _is_inside(scope, facts.symbols)
    return _Split(set() if is_hidden else names, set(), set())


def _passed_on(facts: FileFacts, names: Collection[str]) -> _Split:
    """Return what a file gives to what it finds by some names; what embeds a type has the elements of that."""
    bases = without_asserted(facts).bases
    found = {facts.symbols[symbol].name for symbol, base, _ in bases if not words_of([base]).isdisjoint(names)}
    tops = set[str]()
    for binding in outward(facts):
        if not words_of([binding.type]).isdisjoint(names):
            more, more_tops, _ = _bound(binding, facts)
            found |= more
            tops |= more_tops
    return _Split(found - {""}, tops - {""}, set())


def _is_top(symbol: SymbolFact) -> bool:
    """Whether nobody means a symbol who does not see its package: of types and methods some know the names alone."""
    return (
        symbol.parent == 0
        and symbol.kind != "method"
        and symbol.kind not in CLASS_KINDS
        and symbol.qualname == symbol.name
    )


def _is_of_type(binding: BindingFact, facts: FileFacts) -> bool:
    return binding.name.startswith("(") and facts.symbols[binding.scope].kind in CLASS_KINDS
