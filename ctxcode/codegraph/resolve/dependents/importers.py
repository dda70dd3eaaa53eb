"""Who can get at a module of Python: by its place, by a name of the package around it, or by what others call it.

Thousands of files of a large repository say ``const``; which of them mean one of its modules tells the path alone.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts, ImportFact
from ctxcode.codegraph.resolve.again.said import bound_names, dotted_names
from ctxcode.codegraph.resolve.again.told import BOUND, EVERYTHING, RENAMED

Mentioning = Callable[[Collection[str]], Collection[int]]
Names = frozenset[str] | None
"""Names of a module; None for all it may have."""
_NO_NAMES: frozenset[str] = frozenset()
_Parts = tuple[str, ...]
_FEW = 50
"""Files that are looked at as quickly as they are searched for words."""


class Gained(NamedTuple):
    """What a file has of some names of a module."""

    aliases: frozenset[str] = frozenset()
    """What it calls them."""
    handles: frozenset[str] = frozenset()
    """What it calls the module."""
    is_taken: bool = False
    """It imports everything."""
    is_reached: bool = False
    """It may mean the module by a longer name."""


def parts_of(path: str) -> _Parts | None:
    """Return a module's place, a package's without ``__init__``; None for one whose name says something else."""
    folder, _, name = path.rpartition("/")
    stem, _, ending = name.partition(".")
    if "." in ending or not stem:
        return None
    folders = tuple(folder.split("/")) if folder else ()
    return folders if stem == "__init__" else (*folders, stem)


def is_init(path: str) -> bool:
    """Return whether a file is what a package of Python says of itself."""
    return path.rpartition("/")[2].startswith("__init__.")


class Importers:
    """The files of Python among all of a graph."""

    def __init__(
        self,
        paths: Sequence[str],
        modules: Mapping[str, str],
        facts: Callable[[int], FileFacts],
        mentioning: Mentioning,
    ) -> None:
        """Take the paths, in order, and modules by path; what files say, and which of Python say one of some words."""
        self._paths = paths
        self._modules = modules
        self._facts = facts
        self._mentioning = cache(lambda names: frozenset(mentioning(names)))
        self._handles = cache(self._called)

    def of(self, path: str, names: Names) -> Iterator[tuple[int, Gained]]:
        """Yield the files that may mean something of a module, or the module, given those of its names that count."""
        place = parts_of(path)
        if not place:
            return
        around = place[:-1]
        is_single = "." not in self._modules.get(path, "")
        handles = self._handles(around[-1]) if around else _NO_NAMES
        reaching = _reaching(handles, place[-1])
        for file in sorted(self._possible(path, place, names, handles, is_single=is_single)):
            facts = self._facts(file)
            importer = tuple(self._paths[file].split("/")[:-1])
            gained = _gained(facts, _Sought(place, importer, is_single, names, is_init(self._paths[file])))
            if any(reaching.search(text) for text in dotted_names(facts)):
                gained = gained._replace(is_reached=True)
            if any(gained):
                yield file, gained

    def _possible(
        self, path: str, place: _Parts, names: Names, handles: Collection[str], *, is_single: bool
    ) -> frozenset[int]:
        """Return at least the files that mean it, looking at words only."""
        stem = place[-1]
        saying = self._mentioning((stem,))
        near = saying if is_single else saying & (self._below(place[:-1]) | self._mentioning(tuple(sorted(handles))))
        inside = self._below(place) if is_init(path) else _NO_FILES
        # Who takes in all of a package takes in the modules that stand in it.
        taking = self._mentioning((EVERYTHING,)) & (self._below(place[:-1]) | self._mentioning(place[-2:-1]))
        if names is None or len(near) + len(inside) <= _FEW:
            return near | inside | taking
        naming = self._mentioning(tuple(sorted(names))) | self._mentioning((EVERYTHING,))
        # Who binds the module itself hands it on, whatever it says of it.
        return (near & self._mentioning((f"{BOUND}{stem}",))) | ((near | inside) & naming) | taking

    def _below(self, folder: _Parts) -> frozenset[int]:
        """Return the files somewhere in a folder."""
        if not folder:
            return frozenset(range(len(self._paths)))
        prefix = "/".join((*folder, ""))
        start = bisect_left(self._paths, prefix)
        return frozenset(range(start, bisect_left(self._paths, f"{prefix[:-1]}0", start)))

    def _called(self, name: str) -> frozenset[str]:
        """Return a module's last name and the others it may go by: ``import a.b as c``, ``c = a.b``."""
        known, pending = {name}, {name}
        while pending:
            files = self._mentioning(tuple(sorted([f"{RENAMED}{one}" for one in pending])))
            others = {other for file in files for one, other in bound_names(self._facts(file)) if one in pending}
            pending = others - known - {""}
            known |= pending
        return frozenset(known)


class _Sought(NamedTuple):
    place: _Parts
    importer: _Parts
    """The folder of the file that looks for it."""
    is_single: bool
    """The module has a name without dots: no folder around it need be named."""
    names: Names
    is_by_package: bool
    """The file says what a package is."""

    def is_inside(self, alias: str) -> bool:
        """Return whether a package has the module in it, for a name it imports from where that is not found."""
        return self.is_by_package and (*self.importer, alias) == self.place

    def is_taken_in(self, parts: _Parts, level: int) -> bool:
        """Return whether an import of everything may bring the module along, with all that stands beside it."""
        around = self._replace(place=self.place[:-1], is_single=len(parts) == 1)
        return bool(around.place) and around.is_meant(parts, level)

    def is_meant(self, parts: _Parts, level: int) -> bool:
        """Return whether an import of a dotted name may lead there."""
        if level:
            up = len(self.importer) - (level - 1)
            return up >= 0 and (*self.importer[:up], *parts) == self.place
        if len(parts) == 1:
            is_near = self.is_single or self.importer == self.place[:-1]
            return is_near and parts == self.place[-1:]
        shared = min(len(parts), len(self.place))
        return shared > 0 and parts[-shared:] == self.place[-shared:]


_NO_FILES: frozenset[int] = frozenset()
_NEVER = re.compile(r"(?!)")


def _reaching(handles: Collection[str], stem: str) -> re.Pattern[str]:
    """Return what finds a module behind one of the names of the package around it."""
    around = "|".join([re.escape(handle) for handle in sorted(handles)])
    return re.compile(rf"\b(?:{around})\.{re.escape(stem)}\b") if handles else _NEVER


def _gained(facts: FileFacts, sought: _Sought) -> Gained:
    aliases, handles, is_taken = set[str](), set[str](), False
    for fact in facts.imports:
        module = tuple(fact.module.split(".")) if fact.module else ()
        is_of_it = sought.is_meant(module, fact.level)
        if fact.name == "*":
            is_taken = is_taken or is_of_it
            handles.update(sought.place[-1:] if sought.is_taken_in(module, fact.level) else ())
        elif not fact.name:
            handles.update({fact.alias} if is_of_it or _is_above(fact, sought) else ())
        else:
            aliases.update({fact.alias} if is_of_it and _is_among(fact.name, sought.names) else ())
            is_module = sought.is_meant((*module, fact.name), fact.level) or sought.is_inside(fact.alias)
            handles.update({fact.alias} if is_module else ())
    return Gained(frozenset(aliases), frozenset(handles), is_taken)


def _is_among(name: str, names: Names) -> bool:
    return names is None or name in names


def _is_above(fact: ImportFact, sought: _Sought) -> bool:
    """Return whether what ``import a.b.c`` brings along is meant: ``a`` and ``a.b``."""
    parts = tuple(fact.module.split("."))
    return any(sought.is_meant(parts[:cut], fact.level) for cut in range(1, len(parts)))
