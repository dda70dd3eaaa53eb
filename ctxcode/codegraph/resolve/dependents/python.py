"""What hangs on the names of a module of Python: on those at its top for who gets at the module, on others anywhere.

A constant is nothing to a file that says its name and means another module's.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import PurePosixPath
from sys import stdlib_module_names
from typing import NamedTuple

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import RETURNED, BindingFact, FileFacts, SymbolFact
from ctxcode.codegraph.resolve.again.affected import words_said
from ctxcode.codegraph.resolve.again.told import Told, bound_name, differences, outward, told_anew, words_in
from ctxcode.codegraph.resolve.dependents.importers import Importers, Mentioning, Names, dotted_names, is_init, parts_of
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.naming import python_packages
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.naming.folder import is_aside_path

FAMILY = "python"
_MOST_MODULES = 40
"""Modules whose importers are looked for."""
_MOST_NAMES = 300
"""Names that may be meant anywhere: the methods of a test file are many, and nobody calls them."""
_MOST_SAYING = 2
"""So many times more files than are joined again may say one of some names, in whatever way."""
_FEW = 10
"""Files that say a name: these are looked at as quickly as who gets at it is found out."""


MEMBER = "."
"""What stands before the name of what stands in a type, or of what an object has: who means it says a dot before it."""
_MEMBER_NAME = re.compile(r"\.[\w$]+")


class PythonTold(NamedTuple):
    """What changed files of Python tell anew."""

    names: frozenset[str]
    """What may mean something else anywhere, members as such."""
    own: Mapping[str, Names]
    """What may, by path, for who gets at a file; None for a file that has come or gone: all of it."""


class PythonFiles:
    """The changed files of Python in a graph of before."""

    def __init__(self, changing: Changing, languages: Sequence[str], modules: Mapping[str, str]) -> None:
        """Take what has changed, the languages of the files of before, and the modules by path."""
        nodes, self._changed, self._facts, self._named = changing
        self._paths = nodes.paths
        self._is_aside = nodes.is_aside
        self._languages = languages
        self._modules = modules
        self._names, self._own = set[str](), dict[str, Names]()

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
        told, differing = told_anew(before, now), differences(before, now)
        if told is None or differing is None:
            return None
        places, imports, bindings = differing
        kept = set(places)
        own = {fact.alias for fact in imports}
        rows = [
            (old, old.parent >= 0 and places[old.parent] >= 0)
            for old, at in zip(before.symbols, places, strict=True)
            if at < 0
        ]
        rows += [(new, new.parent in kept) for at, new in enumerate(now.symbols) if at not in kept]
        for symbol, is_in_kept in rows:
            if symbol.parent == 0:
                own.add(symbol.name)
            if (symbol.parent != 0 and is_in_kept) or self._is_found_anywhere(symbol, path):
                self._names.add(_told_name(symbol))
        for binding in bindings:
            (own if _is_at_top(binding, now) else self._names).add(_bound_name(binding, now))
        self._own[path] = frozenset(own - {""})
        return Told(frozenset(), places)

    def _told_by_file(self, path: str, facts: FileFacts | None) -> Told | None:
        """Return nothing for a file that has come or gone; None when others are called otherwise for it."""
        if facts is None or (is_init(path) and not self._is_package_inside(path)):
            return None
        self._names.update([_told_name(symbol) for symbol in facts.symbols if self._is_found_anywhere(symbol, path)])
        self._own[path] = None
        return Told(frozenset(), ())

    def _is_package_inside(self, path: str) -> bool:
        """Return whether a package that comes or goes stands in another one, and hides nothing of Python's own."""
        folder = PurePosixPath(path).parent
        around = {str(outer) for outer in folder.parents} - {"."}
        if around.isdisjoint(python_packages([each for each in self._paths if each not in self._changed])):
            return False
        prefix = f"{folder}/"
        beside = {
            each[len(prefix) :].partition("/")[0].partition(".")[0] for each in self._modules if each.startswith(prefix)
        }
        return beside.isdisjoint(stdlib_module_names)

    def _is_found_anywhere(self, symbol: SymbolFact, path: str) -> bool:
        """Return whether a definition can be meant by its name alone: with enough others of the name it can't."""
        if symbol.kind not in CLASS_KINDS and symbol.kind != "method":
            return False
        is_type, is_aside = symbol.kind in CLASS_KINDS, is_aside_path(path)
        if is_type:
            return not is_aside and self._count_types(symbol.name) < 2
        if is_common(FAMILY, symbol.name):
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
            if self._languages[row[0]] == FAMILY and self._paths[row[0]] not in self._changed
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


def _is_at_top(binding: BindingFact, facts: FileFacts) -> bool:
    """Return whether a binding says what a name at the top of a file is, or what a function there returns."""
    symbol = facts.symbols[binding.scope]
    if binding.scope == 0:
        return "." not in binding.name
    return binding.name == RETURNED and symbol.parent == 0 and symbol.kind == "function"


def _told_name(symbol: SymbolFact) -> str:
    return symbol.name if symbol.parent == 0 else f"{MEMBER}{symbol.name}"


def _bound_name(binding: BindingFact, facts: FileFacts) -> str:
    """Return the name that a binding gives, as a member's where it stands in a type."""
    symbol, name = facts.symbols[binding.scope], bound_name(binding, facts)
    is_member = symbol.parent > 0 or symbol.kind in CLASS_KINDS
    return f"{MEMBER}{name}" if is_member and name else name


def _words_of(facts: FileFacts) -> frozenset[str]:
    """Return what a file says that can be a name, and what it says behind a dot as a member."""
    members = [name for text in dotted_names(facts) for name in _MEMBER_NAME.findall(text)]
    return frozenset(words_said(facts).union(members))


class _Known:
    """What may mean something else now, as far as it is known, and what of it is still to be followed."""

    def __init__(self, mentioning: Mentioning) -> None:
        self._mentioning = mentioning
        self.names = set[str]()
        self.own = dict[tuple[str, Names], Names]()
        """By path and needs."""
        self.pending_names = set[str]()
        self.pending_own = list[tuple[str, Names, Names]]()

    def add(self, names: AbstractSet[str]) -> None:
        """Note names that may be meant anywhere."""
        self.pending_names.update(names - self.names)
        self.names.update(names)

    def add_own(self, path: str, names: Names, needs: Names = None) -> None:
        """Note names of one file; of what they mean only what goes by the names of ``needs`` is another, if not None.

        That is so where they are a module's.
        """
        before, plain = self.own.get((path, needs), frozenset()), self.own.get((path, None), frozenset())
        if before is None or plain is None:
            return
        new = names if names is None else names - before - plain - self.names
        said = new if needs is None else needs
        if said and len(said) == 1 and len(self._mentioning(tuple(said))) <= _FEW:
            self.add(said)
        elif new is None or new:
            self.own[path, needs] = None if new is None else before | new
            self.pending_own.append((path, new, needs))


class Following:
    """Finds the files in which something else may be meant now: from file to file, by what each hands on."""

    def __init__(
        self,
        paths: Sequence[str],
        modules: Mapping[str, str],
        facts: Callable[[int], FileFacts],
        changed: Mapping[int, FileFacts | None],
        mentioning: Mentioning,
    ) -> None:
        """Take what files say, by number of before, and what the changed ones say now; None is for gone ones."""
        self._paths = paths
        self._changed = changed
        self._facts: Callable[[int], FileFacts] = lambda file: changed.get(file) or facts(file)
        self._words = cache(lambda file: _words_of(self._facts(file)))
        self._mentioning = mentioning
        self._importers = Importers(paths, modules, self._facts, mentioning)
        self._known = _Known(mentioning)

    def files(self, told: PythonTold, most: int) -> set[int] | None:
        """Return the files, by number, the changed ones not among them; None for more than ``most``."""
        known, found = self._known, set[int]()
        known.add(told.names)
        for path, names in told.own.items():
            known.add_own(path, names)
        numbers = {self._paths[file]: file for file in self._changed}
        for path, names in told.own.items():
            now = self._changed.get(numbers.get(path, -1))
            if now is not None and names is not None:
                self._hand_on(path, now, names, names)
        while known.pending_names or known.pending_own:
            more = self._saying(most) if known.pending_names else self._importing()
            if more is None or len(found := found | more) > most:
                return None
            if len(known.names) > _MOST_NAMES or len(known.own) > _MOST_MODULES:
                return None
        return found.difference(self._changed)

    def _saying(self, most: int) -> set[int] | None:
        """Follow names that may be meant anywhere; return the files that say one of them, None when that are many."""
        known, found = self._known, set[int]()
        names, known.pending_names = frozenset(known.pending_names), set()
        words = frozenset([name.removeprefix(MEMBER) for name in names])
        possible = self._mentioning(tuple(sorted(words)))
        if len(possible) > most * _MOST_SAYING:
            return None
        for file in possible:
            if not self._words(file).isdisjoint(names):
                found.add(file)
                facts = self._facts(file)
                aliases = frozenset([fact.alias for fact in facts.imports if fact.name in names])
                self._hand_on(self._paths[file], facts, aliases, words | aliases)
        return found

    def _importing(self) -> set[int]:
        """Follow names of one file; return the files that get at it and say what is another now."""
        path, names, needs = self._known.pending_own.pop()
        found = set[int]()
        for file, gained in self._importers.of(path, names):
            other, facts = self._paths[file], self._facts(file)
            # By the module itself nobody gets at anything else without its name.
            inner = needs if needs is not None else names
            if (needs is None and gained.aliases) or inner is None or not self._words(file).isdisjoint(inner):
                found.add(file)
            if gained.handles:
                self._hand_on(other, facts, gained.handles, gained.handles if inner is None else inner, inner)
            aliases: Names = gained.aliases
            if gained.is_taken:
                found.add(file)
                aliases = None if names is None else gained.aliases | names
            if aliases is None or aliases:
                self._hand_on(other, facts, aliases, aliases if needs is None else needs, needs)
            if gained.is_reached:
                self._hand_on(
                    other, facts, frozenset(), frozenset((parts_of(path) or ())[-1:]) if inner is None else inner
                )
        return found

    def _hand_on(self, path: str, facts: FileFacts, own: Names, words: Names, needs: Names = None) -> None:
        """Note what others get from a file: some names of its own, and what is bound to one of some words.

        None of them are all.
        """
        bound, names, pending = set[str](), set[str](), words
        while pending is None or pending:
            found = set[str]()
            for binding in outward(facts):
                if pending is None or not words_in(binding.type).isdisjoint(pending):
                    (found if _is_at_top(binding, facts) else names).add(_bound_name(binding, facts))
            pending = frozenset() if pending is None else frozenset(found - bound - pending)
            bound |= found
        self._known.add(names - {""})
        self._known.add_own(path, frozenset(bound - {""}))
        self._known.add_own(path, own if own is None else own - {""}, needs)
