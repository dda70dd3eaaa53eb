"""What scripts of JavaScript and TypeScript share, looked up name by name, and which of its places a name means."""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ctxcode.codegraph.edges import EDGE_KINDS, Nodes, PackedGraph
from ctxcode.codegraph.facts import SCRIPT, FileFacts, SymbolFact
from ctxcode.codegraph.resolve.again.listed import Listed
from ctxcode.codegraph.resolve.dependents.namespaces import endings
from ctxcode.codegraph.resolve.dependents.spoken import Changing
from ctxcode.codegraph.resolve.modules.scripts import (
    DECLARING,
    NAMELESS,
    TYPES_ALONE,
    Place,
    Scripts,
    folder_of,
    shared,
    spaces_around,
)
from ctxcode.codegraph.resolve.partial.tables import PartialTables
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.symbol import EdgeKind

_MOST_READ = 300
"""Scripts that are read for what others share: with more, joining all anew is as quick."""
_MOST_RIVALS = 8
"""Places of a namespace that are looked at to find one that holds more than another."""

_SEVERAL = frozenset({"namespace", "variable"})
"""Kinds of which one stands for what several scripts add to."""

_CONTAINS = EDGE_KINDS.index(EdgeKind.CONTAINS)

_Named = Callable[[str], Sequence[tuple[int, int, str]]]
"""From a name to its definitions: (file, position in it, kind), in this order."""


class TooManyScriptsError(Exception):
    """More scripts would have to be read than is worth it."""


class PartialScripts(Scripts):
    """The same as of all files, of the names that are asked for only. Raises TooManyScriptsError."""

    def __init__(
        self, tables: PartialTables, nodes: Nodes, named: _Named, contained: "Contained | None" = None
    ) -> None:
        """Take the nodes, the definitions of a name as (file, position in it, kind), in order, and what stands where.

        Without the last more files are read.
        """
        super().__init__(tables)
        self._loaded = tables
        self._added = frozenset(nodes.added)
        self._named = named
        self._contained = contained
        self._guests = cache(lambda: Counter([owner for _, owner in nodes.owners]))
        self._declared: dict[int, Mapping[int, SymbolFact]] = {}
        self._spaces = cache(lambda file: spaces_around(self._declared_in(file).values()))

    @property
    def added(self) -> Collection[str]:
        """The names of what something is added to behind a dot."""
        return self._added

    def _around(self, file: int) -> Sequence[str]:
        return self._spaces(file)

    def _declares(self, space: str, name: str, *, sees_aside: bool) -> bool:
        whole = f"{space}.{name}"
        rows = self._rows((name,), None, sees_aside=sees_aside)
        for file, position, _ in self._standing(rows, whole, may_be_outermost=False):
            symbol = self._declared_in(file).get(position)
            if symbol is not None and symbol.parent and symbol.qualname == whole:
                return True
        return False

    def _shared(self, place: Place) -> Sequence[int]:
        rows = self._rows(endings(place.name), place.folder, sees_aside=place.sees_aside)
        spaces = [row for row in rows if row[2] == "namespace"]
        others = self._nodes([row for row in rows if row[2] != "namespace"], place.name)
        if any(self._tables.kinds[node] not in TYPES_ALONE for node in others):
            return sorted([*others, *self._nodes(spaces, place.name)])
        is_declaring = [self._tables.paths[file].endswith(DECLARING) for file, _, _ in spaces]
        for wanted in (False, True):
            some = [row for row, declares in zip(spaces, is_declaring, strict=True) if declares is wanted]
            heaviest = self._heaviest(some, place.name)
            if heaviest is not None:
                return sorted([*others, heaviest])
        return others

    def _rows(self, names: Iterable[str], folder: str | None, *, sees_aside: bool) -> list[tuple[int, int, str]]:
        """Return the definitions that may be meant by some names, without reading any file."""
        tables = self._tables
        return [
            (file, position, kind)
            for name in names
            for file, position, kind in self._named(name)
            if file in tables.scripts
            and kind not in NAMELESS
            and (sees_aside or not tables.is_aside[file])
            and (folder is None or folder_of(tables.paths[file]) == folder)
        ]

    def _nodes(self, rows: Iterable[tuple[int, int, str]], name: str) -> list[int]:
        """Return those of some definitions that are shared by a qualified name, in order."""
        tables, found = self._loaded, list[int]()
        for file, position, _ in self._standing(rows, name):
            symbol = self._declared_in(file).get(position)
            if symbol is not None and symbol.qualname == name:
                tables.load(file)
                found.append(tables.first_node[file] + position)
        return sorted(found)

    def _standing(
        self, rows: Iterable[tuple[int, int, str]], name: str, *, may_be_outermost: bool = True
    ) -> Iterator[tuple[int, int, str]]:
        """Yield those of some definitions that may have a qualified name: what is around them has the first parts."""
        if self._contained is None:
            yield from rows
            return
        spaces: set[tuple[int, int]] | None = None
        for row in rows:
            file, parent = row[0], self._contained.parent(row[0], row[1])
            if parent > 0 and spaces is None:
                spaces = self._namespaces_of(name)
            if (may_be_outermost and parent <= 0) or (spaces is not None and (file, parent) in spaces):
                yield row

    def _namespaces_of(self, name: str) -> set[tuple[int, int]]:
        """Return by file and position what may be the first parts of a qualified name."""
        parts = name.split(".")
        around = {".".join(parts[start:end]) for end in range(1, len(parts)) for start in range(end)}
        rows = [row for each in around for row in self._named(each)]
        return {(file, position) for file, position, kind in rows if kind == "namespace"}

    def _heaviest(self, rows: Iterable[tuple[int, int, str]], name: str) -> int | None:
        """Return the one that holds most. What holds less than another one is not read."""
        best = None
        for row in sorted(rows, key=lambda row: (-self._most_in(row), row)):
            if best is not None and self._most_in(row) < self._weight(best)[0]:
                break
            nodes = self._nodes([row], name)
            best = max([*nodes, *([] if best is None else [best])], key=self._weight, default=None)
        return best

    def _most_in(self, row: tuple[int, int, str]) -> int:
        """Return how many names at most stand in a definition."""
        file, position, _ = row
        first = self._tables.first_node
        if self._contained is None:
            return first[file + 1] - first[file] - 1
        return self._contained.count(file, position) + self._guests()[first[file] + position]

    def _declared_in(self, file: int) -> Mapping[int, SymbolFact]:
        found = self._declared.get(file)
        if found is None:
            if len(self._declared) >= _MOST_READ:
                raise TooManyScriptsError
            found = self._declared[file] = shared(self._tables.facts[file].symbols)
        return found


class Contained:
    """Tells what symbols stand in, by what is stored of those that have not changed."""

    def __init__(self, graph: PackedGraph, files: Listed, changed: Mapping[int, FileFacts]) -> None:
        """Take the graph before, the files now, and what some of them say now, by number."""
        import numpy as np  # noqa: PLC0415 - only while indexing

        self._files = files
        self._changed = changed
        self._first = array("i", graph.first_node)
        self._offsets = np.frombuffer(graph.in_offsets, dtype=np.int32)
        self._edges = np.frombuffer(graph.in_edges, dtype=np.int32)
        self._sources = np.frombuffer(graph.sources, dtype=np.int32)
        self._kinds = np.frombuffer(graph.kinds, dtype=np.int8)

    def parent(self, file: int, position: int) -> int:
        """Return the position of what is around a symbol; -1 for what holds it only as a part."""
        if file in self._changed:
            return self._changed[file].symbols[position].parent
        first = self._first[self._files.before[file]]
        node = first + position
        for edge in self._edges[self._offsets[node] : self._offsets[node + 1]].tolist():
            if self._kinds[edge] == _CONTAINS:
                return int(self._sources[edge]) - first
        return -1

    def count(self, file: int, position: int) -> int:
        """Return how many symbols stand in one, without those that are only parts of it."""
        if file in self._changed:
            return sum(symbol.parent == position for symbol in self._changed[file].symbols)
        node = self._first[self._files.before[file]] + position
        start, end = self._sources.searchsorted([node, node + 1])
        return int((self._kinds[start:end] == _CONTAINS).sum())


class _Held(NamedTuple):
    """What stands in something that a script shares."""

    kind: str
    names: frozenset[str]
    added: int
    """At most how many more names are added to it behind a dot."""

    @property
    def most(self) -> int:
        """How many names there are at most."""
        return len(self.names) + self.added


class SharedPlaces:
    """Finds whether an edited script makes another of the places of what it shares the one that a name means."""

    def __init__(self, changing: Changing) -> None:
        """Take the graph of before and what has changed."""
        self._nodes, self._changed, facts, self._named, self._numbers = changing
        self._held = cache(lambda file: _held_in(facts(file)))

    def are_others_meant(self) -> bool:
        """Return whether that may be.

        Where something shared comes or goes is left to the names: who says one of them is looked at again.
        """
        numbers, changed = self._numbers, self._changed
        scripts = {path: now for path, now in changed.items() if now is not None and now.package == SCRIPT}
        edited = {numbers[path] for path in changed if path in numbers}
        for path, now in scripts.items():
            before, after = self._held(numbers[path]) if path in numbers else {}, _held_in(now)
            for name in before.keys() & after.keys():
                places = _Places(name, before[name], after[name])
                if places.differ and self._is_other_meant(numbers[path], places, edited):
                    return True
        return False

    def _is_other_meant(self, file: int, places: "_Places", edited: set[int]) -> bool:
        if not places.is_same_in_file:
            return True
        is_owner = places.name.rpartition(".")[2] in self._nodes.added
        kinds = _SEVERAL if is_owner else _SEVERAL - {"variable"}
        if kinds.isdisjoint(each.kind for each in places.now):
            return False
        return not all(self._stays(file, places, rivals, edited) for rivals in self._rivals(file, places.name, kinds))

    def _rivals(self, file: int, name: str, kinds: Collection[str]) -> Iterator[list[int]]:
        """Yield the other files that may hold some of the same, the largest first, as one or another file sees them."""
        nodes, folder = self._nodes, folder_of(self._nodes.paths[file])
        files = {other for ending in endings(name) for other, _, kind in self._named(ending) if kind in kinds}
        files = {other for other in files if other != file and nodes.packages[other] == SCRIPT}
        all_of_them = sorted(files, key=lambda other: (-self._size(other), other))
        beside = [other for other in all_of_them if folder_of(nodes.paths[other]) == folder]
        for rivals in (beside, all_of_them):
            yield self._of_kind(file, rivals)
            if not nodes.is_aside[file]:
                yield self._of_kind(file, [other for other in rivals if not nodes.is_aside[other]])

    def _of_kind(self, file: int, rivals: list[int]) -> list[int]:
        """Return the files that declare what others define, or the others, as one file is: both are not compared."""
        paths = self._nodes.paths
        return [other for other in rivals if paths[other].endswith(DECLARING) == paths[file].endswith(DECLARING)]

    def _stays(self, file: int, places: "_Places", rivals: Sequence[int], edited: set[int]) -> bool:
        """Return whether something else holds more before and now, or nothing else as much."""
        is_largest = edited.isdisjoint(rivals)
        for rival in [rival for rival in rivals[:_MOST_RIVALS] if rival not in edited]:
            held = [each for each in self._held(rival).get(places.name, ()) if each.kind in _SEVERAL]
            # Of equals the first is meant.
            if any((len(each.names), -rival) > (places.most, -file) for each in held):
                return True
            is_largest = is_largest and all(each.most < places.least for each in held)
        return is_largest and all(self._size(rival) <= places.least for rival in rivals[_MOST_RIVALS:])

    def _size(self, file: int) -> int:
        first = self._nodes.first_node
        return first[file + 1] - first[file]


class _Places(NamedTuple):
    """Where one file shares something by one qualified name, before and now."""

    name: str
    before: Sequence[_Held]
    now: Sequence[_Held]

    @property
    def differ(self) -> bool:
        """Whether other names stand in the same places; a place more or less is told by its name."""
        kinds = [each.kind for each in self.before]
        return kinds == [each.kind for each in self.now] and self.before != self.now

    @property
    def is_same_in_file(self) -> bool:
        """Whether the same of several places holds most."""
        if len(self.now) == 1:
            return True
        # To a type scripts add that are not looked at.
        has_type = any(each.kind in CLASS_KINDS for each in self.now)
        first = _heaviest_of(self.before)
        return not has_type and first is not None and first == _heaviest_of(self.now)

    @property
    def least(self) -> int:
        """How many names the place that holds most has at least."""
        return min(max(len(each.names) for each in held) for held in (self.before, self.now))

    @property
    def most(self) -> int:
        """How many names any place has at most."""
        return max(each.most for each in (*self.before, *self.now))


def _heaviest_of(held: Sequence[_Held]) -> int | None:
    """Return which of some places holds most, the last of equals; None when that is not sure."""
    first = max(range(len(held)), key=lambda number: (len(held[number].names), number))
    rest = [(each.most, number) for number, each in enumerate(held) if number != first]
    return first if max(rest, default=(-1, -1)) < (len(held[first].names), first) else None


def _held_in(facts: FileFacts) -> dict[str, list[_Held]]:
    """Return what stands in each thing that a script shares, by qualified name."""
    if facts.package != SCRIPT:
        return {}
    names: dict[int, set[str]] = {}
    added = Counter[str]()
    for symbol in facts.symbols[1:]:
        if symbol.parent and symbol.kind != "field":
            names.setdefault(symbol.parent, set()).add(symbol.name)
        elif not symbol.parent and "." in symbol.qualname:
            added[symbol.qualname.split(".")[-2]] += 1
    found: dict[str, list[_Held]] = {}
    for position, symbol in shared(facts.symbols).items():
        held = _Held(symbol.kind, frozenset(names.get(position, ())), added[symbol.qualname.rpartition(".")[2]])
        found.setdefault(symbol.qualname, []).append(held)
    return found
