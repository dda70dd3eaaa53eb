"""Names that files know without importing them: C and C++, Ruby and Swift."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ctxcode.codegraph.edges import MOST_CANDIDATES
from ctxcode.codegraph.facts import AT_TOP, SymbolFact, scopeless_enums
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.modules.swift import SwiftModules
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, TYPE_PART, Tables

UNKNOWN = -1
_KNOWING_VALUES = frozenset({"namespace", "class", "struct"})
HOLDERS = CLASS_KINDS | {"namespace"}
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")
VALUES = {"c": "variable", SWIFT: "variable", "ruby": "constant"}
"""Kinds of values that files know without importing them, by family."""
_NOWHERE = frozenset[str]()
_FUNCTIONS = frozenset({"function", "method"})
_NO_PLACES: dict[str, int] = {}
_REOPENED = frozenset({"ruby", "swift"})
"""Families in which a class may be written in several places."""
_IN_PROJECT = re.compile(r"(?:^|/)(?:app|config|lib|spec|test)/")
_LEAST_OF_WHOLE = 4
"""A class of another project's that has so many times more members is meant; what is here adds to it."""
_MOST_AROUND = 100
"""Namespaces around one that are looked at."""


class QualifiedNames:
    """Types, namespaces and free functions by family and qualified name, noted by who derives from it."""

    is_whole = True
    """Whether a name is known to be told without asking where."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._nodes: dict[tuple[str, str], list[int]] = {}
        self._outside: dict[tuple[str, str], set[str]] = {}
        """What the definitions of a simple name stand in, by family and name."""
        self._may_be_told: dict[tuple[str, str], bool] = {}
        self._files: dict[tuple[str, str], int] = {}
        self._open_enums: dict[int, frozenset[int]] = {}
        self._outside_in: dict[int, dict[str, dict[str, list[int]]]] = {}
        self._said: dict[tuple[int, str], list[int]] = {}
        self._near_types: dict[tuple[int, str, str], int] = {}
        self.modules = SwiftModules(tables)
        self._prefixes: dict[int, dict[str, int]] = {}
        """A file's own namespaces and classes and their places, innermost first."""

    def _known(self, key: tuple[str, str]) -> Sequence[int]:
        """Return the definitions of a qualified name of a family, in node order."""
        return self._nodes.get(key, ())

    def _around(self, family: str, name: str) -> Collection[str]:
        """Return what the definitions of a simple name stand in."""
        return self._outside.get((family, name), _NOWHERE)

    def _near(self, file: int, name: str) -> set[str]:
        """Return a file's own namespaces and classes that a simple name stands in."""
        return self._places(file).keys() & self._around(self._tables.families[file], name)

    def _places(self, file: int) -> Mapping[str, int]:
        """Return a file's own namespaces and classes and their places."""
        return self._prefixes.get(file, _NO_PLACES)

    def _note(self, node: int) -> None:
        """Note a symbol under its name if files can mean it by that."""
        tables = self._tables
        file, kind = tables.file_of[node], tables.kinds[node]
        family, symbol = tables.families[file], tables.facts[file].symbols[node - tables.first_node[file]]
        is_linked, qualname = kind == "function" or kind == VALUES.get(family), symbol.qualname
        if kind == "variant" and family == "c":
            around = self._around_value(file, symbol)
            qualname = f"{around}.{symbol.name}" if around else ""
        elif not (kind in HOLDERS or is_linked) or not self._is_reachable(node):
            return
        elif is_linked and family == "c" and symbol.visibility == "private":
            qualname = qualname if self._may_see_private(file, symbol) else ""
        if not qualname:
            return
        self._nodes.setdefault((family, qualname), []).append(node)
        outer, _, name = qualname.rpartition(".")
        if outer:
            self._outside.setdefault((family, name), set()).add(outer)

    def _may_see_private(self, file: int, symbol: SymbolFact) -> bool:
        """Whether others know what is declared ``static``: in a namespace of a header, by including that."""
        return "." in symbol.qualname and not self._tables.paths[file].endswith(SOURCES)

    def _around_value(self, file: int, symbol: SymbolFact) -> str:
        """Return the namespace or class of C++ that knows a value of an enum by its own name; empty for none."""
        symbols = self._tables.facts[file].symbols
        around = symbols[symbol.parent]
        if around.kind == "enum":
            around = symbols[around.parent] if symbol.parent in self._scopeless(file) else symbols[0]
        return around.qualname if around.kind in _KNOWING_VALUES else ""

    def _scopeless(self, file: int) -> frozenset[int]:
        known = self._open_enums.get(file)
        if known is None:
            known = self._open_enums[file] = scopeless_enums(self._tables.facts[file])
        return known

    def _is_reachable(self, node: int) -> bool:
        parent = self._tables.parents[node]
        return parent >= 0 and (self._tables.parents[parent] < 0 or self._tables.kinds[parent] in HOLDERS)

    def _places_in(self, file: int) -> dict[str, int]:
        tables, first = self._tables, self._tables.first_node[file]
        prefixes = [
            symbol.qualname
            for node, symbol in enumerate(tables.facts[file].symbols[1:], start=first + 1)
            if symbol.kind in HOLDERS and symbol.kind != "type" and self._is_reachable(node)
        ]
        inwards = sorted({*prefixes, *outer_names(prefixes)}, key=lambda name: (-name.count("."), name))
        return {prefix: place for place, prefix in enumerate(inwards)}

    def has_namespaces(self, file: int) -> bool:
        """Whether something in a file stands in a namespace."""
        return any(symbol.kind == "namespace" for symbol in self._tables.facts[file].symbols)

    def is_global(self, node: int) -> bool:
        """Whether a node belongs to one of these languages."""
        return self._tables.families[self._tables.file_of[node]] in GLOBAL_FAMILIES

    def is_part_of(self, node: int, name: str) -> bool:
        """Whether a name, with some of what is around it, can mean a node."""
        whole = self._qualname(node)
        return whole == name or whole.endswith(f".{name}") or name.endswith(f".{whole}")

    def seen_from(self, file: int, name: str) -> int:
        """Return what a bare name means in a file, its own namespaces and classes first."""
        found = (self._only(file, key) for key in self._meanings(file, name))
        return next((node for node in found if node != UNKNOWN), UNKNOWN)

    def said_in(self, function: int, name: str) -> list[int]:
        """Return what a bare name can mean in a function of C++ by what that stands in as it is named: ``int a::f()``.

        It is what is nearest: nothing further out, though several share the name there.
        """
        tables, file = self._tables, self._tables.file_of[function]
        while (around := tables.parents[function]) >= 0 and tables.kinds[around] in _FUNCTIONS:
            function = around
        outer = self._qualname(function).rpartition(".")[0]
        for _ in range(_MOST_AROUND):
            if not outer:
                break
            whole = f"{outer}.{name}"
            # A class is called by its own name within it, not its constructor.
            is_constructor = outer.rpartition(".")[2] == name
            if not is_constructor and (found := self._called_so(file, whole, name)):
                return found
            outer = outer.rpartition(".")[0]
        return []

    def near(self, node: int, name: str) -> int:
        """Return the type that a bare name means by the namespaces and classes around a definition of C++."""
        file, outer = self._tables.file_of[node], self._qualname(node)
        key = file, outer.rpartition(".")[0], name
        found = self._near_types.get(key)
        if found is None:
            found = self._near_types[key] = self._find_near(*key)
        return found

    def _find_near(self, file: int, outer: str, name: str) -> int:
        family = self._tables.families[file]
        for _ in range(_MOST_AROUND):
            if not outer:
                break
            if self._seen(file, (family, f"{outer}.{name}")):
                found = self._only(file, (family, f"{outer}.{name}"))
                is_type = found >= 0 and self._tables.kinds[found] in HOLDERS
                return found if is_type else UNKNOWN
            outer = outer.rpartition(".")[0]
        return UNKNOWN

    def namesakes(self, file: int, name: str) -> Iterator[int]:
        """Yield the types of a bare name that namespaces of C++ have, or that stand in nothing, as a file sees them."""
        tables, family = self._tables, self._tables.families[file]
        for outer in ("", *sorted(self._around(family, name))):
            is_space = not outer or any(tables.kinds[each] == "namespace" for each in self._known((family, outer)))
            found = self._only(file, (family, f"{outer}.{name}".lstrip("."))) if is_space else UNKNOWN
            if found >= 0 and tables.kinds[found] in CLASS_KINDS:
                yield found

    def _called_so(self, file: int, whole: str, name: str) -> list[int]:
        """Return what a file means by a whole name, with its functions that are written outside; a few of too many."""
        known = self._said.get((file, whole))
        if known is None:
            key = self._tables.families[file], whole
            known = self._seen(file, key) or self._written_outside(file, name).get(whole, [])
            if known:
                one = self._only(file, key)
                known = self._said[file, whole] = [one] if one >= 0 else known[: MOST_CANDIDATES + 1]
        return known

    def _written_outside(self, file: int, name: str) -> dict[str, list[int]]:
        """Return a file's functions of a name that are written outside of their namespace or class, by whole name."""
        known = self._outside_in.get(file)
        if known is None:
            known = self._outside_in[file] = {}
            for node, symbol in enumerate(self._tables.facts[file].symbols, start=self._tables.first_node[file]):
                if symbol.kind == "method" and self._tables.kinds[self._tables.parents[node]] not in CLASS_KINDS:
                    known.setdefault(symbol.name, {}).setdefault(symbol.qualname, []).append(node)
        return known.get(name, {})

    def in_several(self, file: int, name: str) -> list[int]:
        """Return what a bare name can mean by namespaces of a file; none where it stands in one of them alone."""
        near = sorted(self._near(file, name))
        found = [self._only(file, (self._tables.families[file], f"{prefix}.{name}")) for prefix in near]
        return [node for node in found if node >= 0] if len(near) > 1 else []

    def functions(self, family: str, name: str) -> list[int]:
        """Return the free functions of a name."""
        return [node for node in self._known((family, name)) if self._tables.kinds[node] == "function"]

    def at_top(self, file: int, name: str) -> int:
        """Return what a file means by a name that stands in nothing."""
        return self._only(file, (self._tables.families[file], name))

    def whole(self, file: int, name: str) -> int:
        """Return what a file of C++ means by a whole name, where files of tests add to its namespace, too."""
        if "." not in name or self._tables.families[file] != "c":
            return UNKNOWN
        return self.at_top(file, name.removeprefix(AT_TOP))

    def may_be_told(self, family: str, name: str) -> bool:
        """Whether ``seen_from`` can tell some file what a bare name means."""
        key = family, name
        known = self._may_be_told.get(key)
        if known is None:
            known = self._may_be_told[key] = bool(self._around(family, name)) or self._is_one(self._known(key))
        return known

    def among(self, file: int, name: str, files: int) -> int:
        """Return the only type of a name in a namespace or class that is written in files, given as a set of bits."""
        family, tables = self._tables.families[file], self._tables
        around = self._around(family, name)
        if len(around) > _MOST_AROUND:
            return UNKNOWN
        wholes = [f"{outer}.{name}" for outer in around if files & self._written_in(family, outer, name)]
        found = {self._only(file, (family, whole)) for whole in wholes}
        types = [node for node in found if node >= 0 and tables.kinds[node] in CLASS_KINDS]
        return types[0] if len(types) == 1 else UNKNOWN

    def _written_in(self, family: str, outer: str, name: str) -> int:
        """Return the files in which a name, or what it stands in, is written, as a set of bits."""
        key = family, f"{outer}.{name}"
        known = self._files.get(key)
        if known is None:
            nodes = [*self._known((family, outer)), *self._known(key)]
            known = self._files[key] = sum(1 << file for file in {self._tables.file_of[node] for node in nodes})
        return known

    def _is_one(self, nodes: Sequence[int]) -> bool:
        """Whether these may be one definition for some file, one that has none of them."""
        tables = self._tables
        seen = [node for node in nodes if self._is_seen(node)]
        product = sum(not tables.is_aside[tables.file_of[node]] for node in seen)
        return 1 in {len(seen), product} or any(tables.kinds[node] == "namespace" for node in nodes)

    def beside(self, file: int, name: str) -> int:
        """Return the only function of a name in the folder of a file: one for each system, say, and a folder is built.

        Only of C and C++, and for what several files define.
        """
        paths, file_of, kinds = self._tables.paths, self._tables.file_of, self._tables.kinds
        folder = paths[file].rpartition("/")[0]
        for key in self._meanings(file, name):
            nodes = self._seen(file, key)
            if any(kinds[node] != "function" for node in nodes):
                continue
            near = [node for node in nodes if paths[file_of[node]].rpartition("/")[0] == folder]
            if len(near) == 1:
                return near[0]
        return UNKNOWN

    def _meanings(self, file: int, name: str) -> list[tuple[str, str]]:
        """Return what a bare name can mean: in the file's own namespaces and classes, innermost first, and outside."""
        family, places = self._tables.families[file], self._places(file)
        near = sorted(self._near(file, name), key=places.__getitem__)
        inside, outside = [(family, f"{prefix}.{name}") for prefix in near], (family, name)
        # What stands in a type of Swift is known inside of it alone: who asks has looked there.
        return [outside, *inside] if family == SWIFT else [*inside, outside]

    def inside(self, node: int, name: str) -> int:
        """Return what stands under a name in a namespace or class that is written in several places."""
        file, outer = self._tables.file_of[node], self._qualname(node)
        return self._only(file, (self._tables.families[file], f"{outer}.{name}" if outer else name))

    def in_space(self, space: int, name: str) -> Sequence[int]:
        """Return what stands under a name in a namespace, wherever that is written."""
        return self._known((self._tables.families[self._tables.file_of[space]], f"{self._qualname(space)}.{name}"))

    def other_parts(self, node: int) -> list[int]:
        """Return the other places a class is written in."""
        file = self._tables.file_of[node]
        family = self._tables.families[file]
        if family not in _REOPENED:
            return []
        nodes = [
            each for each in self._known((family, self._qualname(node))) if self._tables.kinds[each] in CLASS_KINDS
        ]
        return self.modules.parts(node, nodes) if family == SWIFT else [each for each in nodes if each != node]

    def _is_seen(self, node: int) -> bool:
        """Whether other files can see a definition: a type that stands in a source of C is nobody else's."""
        tables = self._tables
        return tables.kinds[node] not in CLASS_KINDS or not tables.paths[tables.file_of[node]].endswith(SOURCES)

    def _qualname(self, node: int) -> str:
        file = self._tables.file_of[node]
        return self._tables.facts[file].symbols[node - self._tables.first_node[file]].qualname

    def is_only(self, file: int, node: int) -> bool:
        """Whether a node is the only definition of its name that a file can mean."""
        family = self._tables.families[self._tables.file_of[node]]
        return self._seen(file, (family, self._qualname(node))) == [node]

    def _seen(self, file: int, key: tuple[str, str]) -> list[int]:
        """Return the definitions of a name that a file can mean; tests know what is not theirs, too."""
        tables = self._tables
        nodes = [node for node in self._known(key) if tables.file_of[node] == file or self._is_seen(node)]
        if not tables.is_aside[file]:
            nodes = [node for node in nodes if not tables.is_aside[tables.file_of[node]]]
        return nodes

    def _only(self, file: int, key: tuple[str, str]) -> int:
        """Return the only definition of a name; of one type in several places the one with most members."""
        tables, nodes = self._tables, self._seen(file, key)
        if key[0] == SWIFT:
            nodes = [*self.modules.nearest(file, nodes)]
            # A function may be called like a type; whoever calls it looks for that, too.
            nodes = [node for node in nodes if tables.kinds[node] in HOLDERS] or nodes
        if len(nodes) < 2:
            return nodes[0] if nodes else UNKNOWN
        if key[0] in VALUES:
            # A variable of one program is called as a function of another, a constant as a class.
            nodes = [node for node in nodes if tables.kinds[node] != VALUES[key[0]]] or nodes
            if len(nodes) == 1:
                return nodes[0]
        # What extends a type is not the type, which may be somebody else's.
        nodes = [node for node in nodes if tables.kinds[node] != TYPE_PART] or nodes
        kinds = {tables.kinds[node] for node in nodes}
        if kinds == {"namespace"} or (key[0] in _REOPENED and kinds <= HOLDERS):
            return self._of_project(file, nodes) if key[0] == "ruby" else self._fullest(nodes)
        return UNKNOWN

    def _fullest(self, nodes: Sequence[int]) -> int:
        """Return which of the places of a definition has most members."""
        return max(nodes, key=lambda node: (self._members(node), -node))

    def _members(self, node: int) -> int:
        """Return how many members stand in a definition: what stands outside of it may be told by this."""
        return len(self._tables.children.get(node, ())) - self._tables.guests[node]

    def _of_project(self, file: int, nodes: Sequence[int]) -> int:
        """Return the same, in a file's own project if that has one that does not merely add to it."""
        paths, file_of, fullest = self._tables.paths, self._tables.file_of, self._fullest(nodes)
        project = _project_of(paths[file])
        own = [node for node in nodes if _project_of(paths[file_of[node]]) == project]
        node = self._fullest(own) if own else fullest
        return node if self._members(node) * _LEAST_OF_WHOLE >= self._members(fullest) else fullest


class AllQualifiedNames(QualifiedNames):
    """Those of all files, noted at once."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        for file in range(len(tables.paths)):
            if tables.families[file] in GLOBAL_FAMILIES:
                for node in range(tables.first_node[file] + 1, tables.first_node[file + 1]):
                    self._note(node)
                self._prefixes[file] = self._places_in(file)


def _project_of(path: str) -> str:
    """Return the folder of the project that a file of Ruby belongs to, by the usual folders in one."""
    found = _IN_PROJECT.search(path)
    return path[: found.start()] if found else ""


def outer_names(names: list[str]) -> set[str]:
    """Return the names around the names: ``a`` and ``a.b`` of ``a.b.c``."""
    found: set[str] = set()
    for name in names:
        while "." in name:
            name = name.rpartition(".")[0]  # noqa: PLW2901 - walks outwards
            found.add(name)
    return found
