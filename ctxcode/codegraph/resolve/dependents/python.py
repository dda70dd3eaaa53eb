"""What hangs on the names of a module of Python: on those at its top for who gets at the module, on others anywhere.

A constant is nothing to a file that says its name and means another module's.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from sys import stdlib_module_names
from typing import NamedTuple

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import OFFERED, BindingFact, FileFacts, SymbolFact, is_returned
from ctxcode.codegraph.resolve.again.bound import is_closed
from ctxcode.codegraph.resolve.again.said import CALLED, MEMBER, PYTHON
from ctxcode.codegraph.resolve.again.told import Told, bound_name, differences, symbol_keys, told_anew
from ctxcode.codegraph.resolve.dependents.importers import Names, is_init, parts_of
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.naming import python_module, python_packages
from ctxcode.codegraph.resolve.named.candidates import CALLED_OBJECTS
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path


class PythonTold(NamedTuple):
    """What changed files of Python tell anew."""

    names: frozenset[str]
    """What may mean something else anywhere, members as such."""
    own: Mapping[str, Names]
    """What may, by path, for who gets at a file; None for all of one that has come or gone, or takes in others."""


class PythonFiles:
    """The changed files of Python in a graph of before."""

    def __init__(self, changing: Changing, languages: Sequence[str], modules: Mapping[str, str]) -> None:
        """Take what has changed, the languages of the files of before, and the modules by path."""
        nodes, self._changed, self._facts, self._named, _ = changing
        self._paths = nodes.paths
        self._is_aside = nodes.is_aside
        self._languages = languages
        self.modules = {**modules, **self._come(modules)}
        """The modules of all files, by path."""
        self._names, self._own = set[str](), dict[str, Names]()

    def _come(self, modules: Mapping[str, str]) -> dict[str, str]:
        """Return the modules of files that have come, among all that are or were there."""
        come = [path for path, now in self._changed.items() if now is not None and path not in modules]
        packages = python_packages([*modules, *come]) if come else set[str]()
        return {path: python_module(path, packages) for path in come}

    @property
    def all_told(self) -> PythonTold:
        """What has been told so far."""
        return PythonTold(frozenset(self._names), dict(self._own))

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return where the symbols of a file stand now; None when more hangs on it than what ``all_told`` says then."""
        if not parts_of(path):
            return None
        if before is None or now is None:
            return self._told_by_file(path, before or now)
        plain, stood = _in_order_of(_without_bases(before), now)
        plain_now = _by_scope(_without_bases(now))
        told, differing = told_anew(plain, plain_now), differences(plain, plain_now)
        if told is None or differing is None:
            return None
        _, imports, bindings = differing
        places = tuple([differing.places[at] for at in stood])
        kept = set(places)
        own = {fact.alias for fact in imports}
        rows = [
            (old, old.parent >= 0 and places[old.parent] >= 0)
            for old, at in zip(before.symbols, places, strict=True)
            if at < 0
        ]
        rows += [(new, new.parent in kept) for at, new in enumerate(now.symbols) if at not in kept]
        if any(symbol.name in CALLED_OBJECTS for symbol, _ in rows):
            # Who calls an object says no name of it.
            return None
        # A type that inherits something else is another one; what a function has of one inside of it, that alone knows.
        heirs = _with_other_bases(before, now, places)
        if any(now.symbols[at].parent > 0 and is_closed(now.symbols[at].parent, now) for at in heirs):
            return None
        rows += [(now.symbols[at], True) for at in heirs]
        if (staying := [at for at in places if at >= 0]) != sorted(staying):
            # Of namesakes the last one hides the others.
            rows += [(symbol, True) for facts in (before, now) for symbol in _namesakes(facts.symbols)]
        for symbol, is_in_kept in rows:
            if symbol.parent == 0:
                own.add(symbol.name)
            if (symbol.parent != 0 and is_in_kept) or self.is_found_anywhere(symbol, path):
                self._names.add(told_name(symbol))
        for binding in bindings:
            (own if is_at_top(binding, now) else self._names).add(bound_here(binding, now))
        self._own[path] = frozenset(own - {""})
        if _taken_in(before) != _taken_in(now) or _offered(before) != _offered(now):
            types = [symbol for symbol in now.symbols if symbol.kind in CLASS_KINDS]
            self._names.update([told_name(symbol) for symbol in types if self.is_found_anywhere(symbol, path)])
            self._own[path] = None
        return Told(frozenset(), places)

    def _told_by_file(self, path: str, facts: FileFacts | None) -> Told | None:
        """Return nothing for a file that has come or gone; None when others are called otherwise for it."""
        if facts is None or (is_init(path) and not self._keeps_names(path)):
            return None
        if any(symbol.name in CALLED_OBJECTS for symbol in facts.symbols):
            return None
        self._names.update([told_name(symbol) for symbol in facts.symbols if self.is_found_anywhere(symbol, path)])
        self._own[path] = None
        return Told(frozenset(), ())

    def _keeps_names(self, path: str) -> bool:
        """Return whether all other modules are called as before when a package comes or goes.

        So they are where it stands in another one, or nothing stands in it. It must not hide Python's own, either.
        """
        folder = PurePosixPath(path).parent
        gone = {each for each, now in self._changed.items() if now is None}
        kept = [each for each in self._paths if each not in gone]
        beside = [each[len(f"{folder}/") :] for each in kept if each.startswith(f"{folder}/") and each != path]
        around = {str(outer) for outer in folder.parents} - {"."}
        if beside and around.isdisjoint(python_packages(kept)):
            return False
        return stdlib_module_names.isdisjoint([each.partition("/")[0].partition(".")[0] for each in beside])

    def is_found_anywhere(self, symbol: SymbolFact, path: str) -> bool:
        """Return whether a definition can be meant by its name alone: with enough others of the name it can't."""
        if symbol.kind not in CLASS_KINDS and symbol.kind != "method":
            return False
        is_type, is_aside = symbol.kind in CLASS_KINDS, is_aside_path(path)
        if is_type:
            return not is_aside and self._count_types(symbol.name) < 2
        if is_common(PYTHON, symbol.name):
            return False
        in_product, in_tests = self._count_methods(symbol.name)
        if in_product > MOST_CANDIDATES:
            return False
        return not is_aside or (not in_product and in_tests <= MOST_CANDIDATES)

    def _others(self, name: str) -> list[tuple[int, int, str]]:
        """Return the definitions of a name in files that did not change."""
        return [
            row
            for row in self._named(name)
            if self._languages[row[0]] == PYTHON and self._paths[row[0]] not in self._changed
        ]

    def _count_types(self, name: str) -> int:
        """Return how many types of the product at the top of files have a name, if only few."""
        found = 0
        for file, position, kind in self._others(name):
            if kind not in CLASS_KINDS or self._is_aside[file]:
                continue
            top = [symbol.name for symbol in self._facts(file).symbols if symbol.parent == 0]
            found += self._facts(file).symbols[position].parent == 0 and top.count(name) == 1
            if found > 1:
                break
        return found

    def _count_methods(self, name: str) -> tuple[int, int]:
        """Return how many methods of the product, and of tests, have a name."""
        aside = [self._is_aside[file] for file, _, kind in self._others(name) if kind == "method"]
        return aside.count(False), aside.count(True)


def _in_order_of(before: FileFacts, now: FileFacts) -> tuple[FileFacts, list[int]]:
    """Return what a file said with its definitions in the order they have now, and where each stands in that.

    What is gone stands last.
    """
    at = {key: place for place, key in enumerate(symbol_keys(now.symbols))}
    places = [at.get(key, len(at)) for key in symbol_keys(before.symbols)]
    order = sorted(range(len(places)), key=lambda place: places[place])
    stood = [0] * len(order)
    for place, was in enumerate(order):
        stood[was] = place
    symbols = [before.symbols[was] for was in order]
    symbols = [symbol._replace(parent=stood[symbol.parent] if symbol.parent >= 0 else -1) for symbol in symbols]
    bindings = [binding._replace(scope=stood[binding.scope]) for binding in before.bindings]
    return _by_scope(before._replace(symbols=tuple(symbols), bindings=tuple(bindings))), stood


def _by_scope(facts: FileFacts) -> FileFacts:
    """Return what a file says with its bindings scope by scope: only within one their order counts."""
    return facts._replace(bindings=tuple(sorted(facts.bindings, key=lambda binding: binding.scope)))


def _namesakes(symbols: Sequence[SymbolFact]) -> list[SymbolFact]:
    counts = Counter([symbol.qualname for symbol in symbols])
    return [symbol for symbol in symbols if counts[symbol.qualname] > 1]


def _without_bases(facts: FileFacts) -> FileFacts:
    """Return what a file says but for what it inherits and what it takes in as a whole."""
    return facts._replace(bases=(), imports=tuple([fact for fact in facts.imports if fact.name != "*"]))


def _taken_in(facts: FileFacts) -> list[tuple[str, int]]:
    return [(fact.module, fact.level) for fact in facts.imports if fact.name == "*"]


def _offered(facts: FileFacts) -> list[str]:
    """Return what a module says that ``import *`` takes of it."""
    return [binding.type for binding in facts.bindings if binding.name == OFFERED]


def _with_other_bases(before: FileFacts, now: FileFacts, places: Sequence[int]) -> set[int]:
    """Return the types that stay and inherit something else, by their place now."""
    was, is_ = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
    for at, name, _ in before.bases:
        was[places[at]].append(name)
    for at, name, _ in now.bases:
        is_[at].append(name)
    return {at for at in set(places) - {-1} if was.get(at) != is_.get(at)}


def is_at_top(binding: BindingFact, facts: FileFacts) -> bool:
    """Return whether a binding says what a name at the top of a file is, or what a function there returns."""
    symbol = facts.symbols[binding.scope]
    if binding.scope == 0:
        return "." not in binding.name
    return is_returned(binding.name) and symbol.parent == 0 and symbol.kind == "function"


def told_name(symbol: SymbolFact) -> str:
    """Return the name of a definition, as a member's where it does not stand at the top of its file."""
    return symbol.name if symbol.parent == 0 else f"{MEMBER}{symbol.name}"


def bound_here(binding: BindingFact, facts: FileFacts) -> str:
    """Return the name that a binding gives, as a member's where it stands in a type, or as that of what it gives."""
    symbol, name = facts.symbols[binding.scope], bound_name(binding, facts)
    if not name or (symbol.parent <= 0 and symbol.kind not in CLASS_KINDS):
        return name
    return f"{MEMBER}{name}{CALLED}" if is_returned(binding.name) else f"{MEMBER}{name}"
