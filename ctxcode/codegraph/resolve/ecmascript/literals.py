"""JavaScript's modules, object literals and prototypes: what stands behind a dot where no class says it."""

from collections import defaultdict
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import WHOLE
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, SCOPE_KINDS, Tables

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_UNKNOWN = -1
_NO_BINDINGS: dict[str, str] = {}
_NO_MEMBERS: dict[str, int] = {}
_OBJECT_KINDS = frozenset({"constant", "variable", "function"})
_KEPT_KINDS = frozenset({"function", "class"})
_MOST_NAMES = 5
"""Of one class, one standing for the other."""


class Literals:
    """Answers are node numbers, UNKNOWN or EXTERNAL, as those of the look-up they belong to."""

    def __init__(self, tables: Tables, lookup: "Lookup") -> None:
        self._tables = tables
        self._lookup = lookup
        self._offered = defaultdict[int, dict[str, int]](dict)
        self._held = defaultdict[int, dict[str, int]](dict)
        self._objects: dict[int, tuple[int, bool]] = {}
        """Whether a node is an object, and how many children it had when that was asked."""

    def offered(self, file: int, name: str) -> int:
        """Return what a module offers under a name: what it exports by that name, defines, re-exports."""
        known = self._offered[file]
        found = known.get(name)
        if found is None:
            found = self._lookup.memory.find(known, name, _UNKNOWN, lambda: self._find_offered(file, name))
        return found

    def meant(self, node: int) -> int:
        """Return what is meant by what is called or constructed.

        A module of JavaScript stands for what it exports as a whole, another name of a class of Python for that.
        """
        tables = self._tables
        family = tables.families[tables.file_of[node]] if node >= 0 else ""
        if family == "python" and tables.kinds[node] == "type":
            return self._class_behind(node)
        if family != "ecmascript" or tables.parents[node] >= 0:
            return node
        found = self.offered(tables.file_of[node], "default")
        return found if found >= 0 else node

    def _class_behind(self, node: int) -> int:
        """Return the class that another name of it stands for, the name itself for none."""
        found = node
        for _ in range(_MOST_NAMES):
            bases = self._lookup.bases(found) if self._tables.kinds[found] == "type" else []
            if len(bases) != 1:
                break
            found = bases[0]
        return found if self._tables.kinds[found] in CLASS_KINDS else node

    def member(self, owner: int, name: str) -> int:
        """Return what an object literal or a function has under a name: no local name of the function."""
        tables = self._tables
        node = tables.kept.get(owner, _NO_MEMBERS).get(name)
        if node is not None:
            return node
        node = tables.children.get(owner, {}).get(name)
        if node is not None and (tables.kinds[owner] not in SCOPE_KINDS or tables.is_attached(node)):
            return node
        held, file = self._held[owner], tables.file_of[owner]
        if name not in held:
            number = owner - tables.first_node[file]
            # ``const a = { b: a.b }`` leads to itself.
            return self._lookup.memory.find(held, name, _UNKNOWN, lambda: self._named(file, number, name))
        return held[name]

    def is_local(self, node: int, scope: int) -> bool:
        """Whether what stands in a scope is known there by its bare name: no member of an object made in it."""
        tables = self._tables
        if tables.is_attached(node) or tables.kept.get(scope, _NO_MEMBERS).get(tables.name_of(node)) == node:
            return False
        family = tables.families[tables.file_of[node]]
        if tables.kinds[scope] not in SCOPE_KINDS:
            # What a function that is called on the spot keeps to itself: ``const a = (() => { function b() {} })()``.
            return family == "ecmascript" and tables.kinds[node] in _KEPT_KINDS
        return tables.kinds[node] != "method" or family not in {"ecmascript", "lua"}

    def around(self, node: int) -> int | None:
        """Return the class around a node, or else the object literal whose method is, or what gives ``this`` something.

        None when there is none.
        """
        tables = self._tables
        if (owner := tables.class_of(node)) is not None:
            return owner
        while node >= 0 and tables.kinds[node] not in CLASS_KINDS:
            if node in tables.kept and tables.parents[node] >= 0:
                return node
            parent = tables.parents[node]
            if tables.kinds[node] == "method" and parent >= 0 and tables.kinds[parent] in _OBJECT_KINDS:
                return parent
            node = parent
        return None

    def is_object(self, node: int) -> bool:
        """Whether the members of a constant are known: an object literal, or what got members one by one."""
        tables = self._tables
        file = tables.file_of[node]
        if tables.families[file] != "ecmascript" or tables.kinds[node] not in _OBJECT_KINDS:
            return tables.kinds[node] == "method" and self._lookup.scripts.is_added_to(node)
        count = len(tables.children.get(node, ()))
        known = self._objects.get(node)
        if known is None or known[0] != count:
            is_one = self._has_members(file, node) or self._lookup.scripts.is_added_to(node)
            known = self._objects[node] = (count, is_one)
        return known[1]

    def _has_members(self, file: int, node: int) -> bool:
        tables = self._tables
        children = tables.children.get(node, {}).values()
        if any(tables.is_attached(child) or tables.kinds[child] == "method" for child in children):
            return True
        bindings = tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS)
        return any(name[0] == "." for name in bindings)

    def _named(self, file: int, symbol: int, name: str) -> int:
        """Return what a symbol has by another name."""
        bound = self._tables.bindings[file].get(symbol, _NO_BINDINGS).get(f".{name}", "")
        if bound[:1] != "=":
            return _UNKNOWN
        inside = self._tables.children.get(self._tables.first_node[file] + symbol, {}).get(bound[1:])
        return inside if symbol and inside is not None else self._lookup.dotted(file, bound[1:].split("."))

    def known(self, file: int) -> dict[str, int]:
        """Return what is known so far of what a module offers."""
        return self._offered[file]

    def offered_itself(self, file: int, name: str) -> int:
        """Return what a module offers by itself: what it exports by a name, defines, re-exports."""
        found = self._named(file, 0, name)
        if found != _UNKNOWN:
            return found
        top = self._tables.top[file]
        whole = top.get(self._tables.bindings[file].get(0, _NO_BINDINGS).get(f".{WHOLE}", "")[1:])
        member = self._tables.children.get(whole, _NO_MEMBERS).get(name) if whole is not None else None
        if whole is not None and member is not None and self._tables.is_attached(member):
            # What else there is of that name the module keeps to itself.
            own = self._lookup.concerns.member(whole, name, is_own=True)
            return own if own >= 0 else member
        node = top.get(name)
        if node is not None:
            return node
        fact = self._tables.imports[file].get(name)
        return self._lookup.import_target(file, fact) if fact is not None and fact.is_reexport else _UNKNOWN

    def keeps(self, file: int, name: str) -> bool:
        """Whether a module has something by a name that it exports neither by that one nor by another one's."""
        tables = self._tables
        node = tables.top[file].get(name)
        if node is None or f".{name}" in tables.bindings[file].get(0, _NO_BINDINGS) or name in tables.imports[file]:
            return False
        return tables.facts[file].symbols[node - tables.first_node[file]].visibility == "internal"

    def offered_whole(self, file: int, name: str) -> int:
        """Return what stands behind what a CommonJS module assigns to ``module.exports``, else what only types say."""
        if name == "default":
            return _UNKNOWN
        whole = self.offered(file, "default")
        found = self._lookup.concerns.said_to(whole, name, is_class=True) if whole >= 0 else _UNKNOWN
        declaring = self._lookup.targets.declarations_beside(file) if found == _UNKNOWN else None
        return found if declaring is None else self.offered(declaring, name)

    def _find_offered(self, file: int, name: str) -> int:
        found = self.offered_itself(file, name)
        if found == _UNKNOWN:
            found = self._lookup.stars.find(file, name)
        return found if found != _UNKNOWN else self.offered_whole(file, name)
