"""What changed files tell anew, all of them together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import NamedTuple, Protocol

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import SCRIPT, FileFacts
from ctxcode.codegraph.outline.manifest import is_manifest
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.bound import words_in
from ctxcode.codegraph.resolve.again.listed import Listed, listed, numbers_of, stem_of, told_by_file, told_by_names
from ctxcode.codegraph.resolve.again.said import PYTHON
from ctxcode.codegraph.resolve.again.told import (
    BASH,
    LUA,
    PHP,
    RUBY,
    WHOLE_MODULE,
    Told,
    is_packaged,
    tables_again,
    told_anew,
    told_by_php,
)
from ctxcode.codegraph.resolve.dependents.golang import FAMILY as GO
from ctxcode.codegraph.resolve.dependents.golang import GoPackages
from ctxcode.codegraph.resolve.dependents.includers import LinkedFiles
from ctxcode.codegraph.resolve.dependents.linked import FAMILY, is_of_family
from ctxcode.codegraph.resolve.dependents.namespaces import Namespaces
from ctxcode.codegraph.resolve.dependents.packages import Packages
from ctxcode.codegraph.resolve.dependents.python import PythonFiles
from ctxcode.codegraph.resolve.dependents.reopened import Reopened
from ctxcode.codegraph.resolve.dependents.scripts import SharedPlaces
from ctxcode.codegraph.resolve.dependents.spoken import Changing, Speakers
from ctxcode.codegraph.resolve.dependents.swift import SwiftFiles
from ctxcode.codegraph.resolve.modules.naming import PACKAGED, family_of, module_name_beside
from ctxcode.codegraph.resolve.modules.root_package import is_package
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.qualified import HOLDERS

Named = Callable[[str], Sequence[tuple[int, int, str]]]
"""From a name to its definitions: (file, position in it, kind), in this order."""


class StoredGraph(Protocol):
    """A packed graph as it was stored."""

    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def languages(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def modules(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def packages(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def blobs(self) -> Mapping[str, bytes]: ...  # noqa: D102


class ToldByAll(NamedTuple):
    """What some changed files tell anew."""

    files: Listed
    changed: Mapping[int, FileFacts]
    """What they say now, by the number they have now."""
    names: frozenset[str]
    """What may mean something else now."""
    inside: frozenset[str]
    """What may, too, where everything of a file that has come or gone is taken in."""
    places: Mapping[int, Sequence[int]]
    """Where the symbols of those that stay stand now, by the number they had."""
    standing: frozenset[int]
    """Files that stood for a package, by the number they had: another one stands for it now."""
    seeing: Mapping[int, FileFacts]
    """Files that did not change in which something else may be meant by what others do not see."""
    spoken: bytes
    """Who speaks of what now, encoded."""
    python: PythonFiles
    """What files of Python tell; their names are not among the others."""


def told_by_all(
    stored: StoredGraph,
    changed: Mapping[str, FileFacts | None],
    facts: Callable[[int], FileFacts],
    named: Named,
    mentioning: Mentioning,
) -> ToldByAll | None:
    """Return what changed files tell anew; None when more hangs on it than names tell."""
    names, inside, places = set[str](), set[str](), dict[int, Sequence[int]]()
    numbers = numbers_of(changed, stored.paths)
    telling = _Telling(stored, Changing(unpacked(stored).nodes(), changed, facts, named, numbers), mentioning)
    meant = telling.meant_otherwise()
    if meant is None:
        return None
    names |= meant
    for path, now in changed.items():
        before = facts(numbers[path]) if path in numbers else None
        anew = telling.told(path, before, now)
        if anew is None:
            return None
        names |= anew.names
        inside |= anew.inside
        if before is not None and now is not None:
            places[numbers[path]] = anew.places
    standings, seeing = [packages.standing() for packages in telling.packages.values()], telling.go.affected()
    if seeing is None:
        return None
    # That a namespace of PHP comes or goes, the names of its files tell.
    standing = telling.php.standing().files.union(*[each.files for each in standings])
    names.update(*[each.names for each in standings])
    inside |= {WHOLE_MODULE} if any(each.names for each in standings) else set()
    files = listed(stored.paths, changed)
    now_changed = {number: each for number, path in enumerate(files.paths) if (each := changed.get(path)) is not None}
    names |= telling.speakers.meant_otherwise()
    if telling.speakers.is_concerned:
        # What a name ends in, ``?``, say, files say without it.
        said = {name: words_in(name) for name in names}
        if not all(said.values()):
            return None
        names = set().union(*said.values())
    spoken = telling.speakers.counts
    at_names = frozenset(names), frozenset(inside)
    return ToldByAll(files, now_changed, *at_names, places, standing, seeing, spoken, telling.python)


class _Telling:
    """Knows for each family of languages what hangs on a file."""

    def __init__(
        self,
        stored: StoredGraph,
        changing: Changing,
        mentioning: Mentioning,
    ) -> None:
        self._stored = stored
        self._changing = changing
        self._nodes, self._changed, self._facts, self._named, _ = changing
        self._mentioning = mentioning
        self.packages = {family: Packages(family, stored, self._changing, mentioning) for family in sorted(PACKAGED)}
        self.php = Packages(PHP, stored, self._changing, mentioning)
        self.speakers = Speakers(self._changing)
        self._swift = SwiftFiles(self._changing, _of_family(SWIFT, stored, mentioning))
        modules = dict(zip(stored.paths, stored.modules, strict=True))
        self.python = PythonFiles(self._changing, stored.languages, modules)
        self._has_root_package = is_package(stored.paths) or is_package(self._changed)
        self.go = GoPackages(self._changing, _of_family(GO, stored, mentioning))

    def meant_otherwise(self) -> set[str] | None:
        """Return the names by which something else is meant that is shared by many files; None when no names tell."""
        return None if self._are_others_meant() else self._swift.meant_otherwise()

    def _are_others_meant(self) -> bool:
        if self._swift.are_others_seen():
            return True
        if Namespaces(self._changing).are_others_meant() or self.go.are_others_meant():
            return True
        if self.speakers.is_concerned and Reopened(self._changing).are_others_meant():
            return True
        return self._has_script() and SharedPlaces(self._changing).are_others_meant()

    def _has_script(self) -> bool:
        """Return whether a file is or was a script, of those that changed."""
        before = [
            package
            for path, package in zip(self._stored.paths, self._stored.packages, strict=True)
            if path in self._changed
        ]
        return SCRIPT in before or any(now is not None and now.package == SCRIPT for now in self._changed.values())

    def told(self, path: str, before: FileFacts | None, now: FileFacts | None) -> Told | None:
        """Return what one file tells anew, given what it said and says; None when more hangs on it than names tell."""
        one = before or now
        if one is None:
            return Told(frozenset(), ())
        if is_of_family(one):
            anew = self._linked.told(path, before, now)
            is_of_others = anew is None or any(self._is_type_elsewhere(path, name) for name in anew.types)
            return None if is_of_others else anew
        if is_packaged(one):
            return self.packages[family_of(one.language)].told(path, before, now)
        if one.language == SWIFT:
            return self._swift.told(path, before, now)
        if one.language == PYTHON and not self._has_root_package:
            return self.python.told(path, before, now)
        if one.language == GO:
            return self.go.told(path, before, now)
        if one.language in {PHP, RUBY}:
            return self._told_by_names(path, one, now if before is not None else None)
        if one.language == BASH and not self._is_required(path):
            # What a file brings in matters to who brings in that file.
            one = one._replace(imports=())
            before, now = [each and each._replace(imports=()) for each in (before, now)]
        if before is not None and now is not None:
            # What the tables of a module of Lua hold is known without their names.
            is_other = one.language == LUA and tables_again(before) != tables_again(now)
            return None if is_other else told_anew(before, now)
        said = told_by_file(path, one, self._modules, self._manifests)
        return None if said is None else Told(said.names, (), inside=said.inside)

    def _told_by_names(self, path: str, one: FileFacts, now: FileFacts | None) -> Told | None:
        """Return the same for a file of Ruby or PHP, whose names all others know; None for one that has come or gone.

        Who requires one sees, too, what stands around types of Ruby in it, and what a file of PHP imports.
        """
        if now is None:
            packages = zip(self._stored.paths, self._stored.packages, strict=True)
            is_in_others = any(package == one.package and other != path for other, package in packages)
            return None if self._is_required(path) else told_by_names(path, one, is_package_known=is_in_others)
        anew = told_by_php(one, now) if one.language == PHP else told_anew(one, now)
        if anew is None or not (anew.types if one.language == RUBY else one.imports != now.imports):
            return anew
        return None if self._is_required(path) else anew

    def _is_required(self, path: str) -> bool:
        """Return whether another file may require one."""
        stem = stem_of(path)
        words = words_in(stem)
        saying = self._mentioning(words) if words else range(len(self._stored.paths))
        return any(stem_of(fact.module) == stem for file in saying for fact in self._facts(file).imports)

    @cached_property
    def _linked(self) -> LinkedFiles:
        stored = self._stored
        return LinkedFiles(unpacked(stored), self._changed, self._facts, _of_family(FAMILY, stored, self._mentioning))

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The modules of all files by path; of those of Rust that come, what they are called beside the others."""
        stored = self._stored
        modules = dict(zip(stored.paths, stored.modules, strict=True))
        come = {path: now for path, now in self._changed.items() if now is not None and path not in modules}
        return modules | {path: module_name_beside(path, now, modules) for path, now in come.items()}

    def _manifests(self) -> list[FileFacts]:
        return [self._facts(number) for number, path in enumerate(self._stored.paths) if is_manifest(path)]

    def _is_type_elsewhere(self, path: str, name: str) -> bool:
        """Return whether another file defines a type or namespace of C: what stands in it is seen from this one."""
        paths, languages = self._stored.paths, self._stored.languages
        return any(
            kind in HOLDERS and paths[file] != path and family_of(languages[file]) == FAMILY
            for file, _, kind in self._named(name)
        )


def _of_family(family: str, stored: StoredGraph, mentioning: Mentioning) -> Mentioning:
    languages = stored.languages
    return lambda names: [file for file in mentioning(names) if family_of(languages[file]) == family]


def unpacked(stored: StoredGraph) -> PackedGraph:
    """Return a graph as it was packed."""
    names = [field.name for field in fields(PackedGraph)]
    columns = {name: stored.blobs[name] for name in names if name in stored.blobs and name not in _NAMES}
    return PackedGraph(paths=stored.paths, modules=stored.modules, packages=stored.packages, unjoined=(), **columns)


_NAMES = frozenset({"paths", "modules", "packages", "unjoined"})
