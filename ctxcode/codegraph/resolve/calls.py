"""Call sites become edges, tier by tier: scope, import, self, qualified, type, unique name, a few candidates."""

import re
from collections.abc import Sequence
from typing import Protocol

from ctxcode.codegraph.edges import MOST_CANDIDATES, FoundEdges, Tier
from ctxcode.codegraph.facts import CallFact
from ctxcode.codegraph.resolve.candidates import Candidates
from ctxcode.codegraph.resolve.common_names import common_methods
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, SCOPE_KINDS
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN

_SELF_NAMES = {
    "python": frozenset({"self", "cls"}),
    "ecmascript": frozenset({"this"}),
    "java": frozenset({"this"}),
    "rust": frozenset({"self", "Self"}),
    "go": frozenset[str](),
    "c": frozenset({"this"}),
    "csharp": frozenset({"this"}),
    "php": frozenset({"this", "self", "static"}),
    "ruby": frozenset({"self"}),
    "swift": frozenset({"self", "Self"}),
    "lua": frozenset({"self"}),
}
_NO_OWN_MEMBERS = frozenset({"go", "ecmascript", "lua", "bash"})
"""Families in which a bare name never means a member of the class around it."""
_IMPLICIT_SELF = frozenset({"java", "csharp", "c", "ruby", "swift"})
_NO_NAMES = frozenset[str]()
_SUPER = re.compile(r"super\b(?:\(.*\))?", re.DOTALL)
_PLAIN = re.compile(r"[\w$.?!:]+")
_CALLED = re.compile(r"([\w$.:]+)\(.*\)", re.DOTALL)

_Found = tuple[tuple[int, ...], int]
"""(target nodes, tier); no nodes when there is no edge."""
_NOTHING: _Found = ((), 0)


class _Named(Protocol):
    def __call__(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]: ...


class FileCalls:
    """The call sites of one file."""

    def __init__(self, lookup: Lookup, candidates: Candidates, file: int) -> None:
        self._lookup = lookup
        self._candidates = candidates
        self._file = file
        tables = lookup.tables
        self._tables = tables
        self._first = tables.first_node[file]
        self._family = tables.families[file]
        self._self_names = _SELF_NAMES.get(self._family, _NO_NAMES)
        self._bindings = tables.bindings[file]
        self._chains: dict[int, tuple[int, ...]] = {}
        self._at_top: dict[tuple[str, str], _Found] = {}
        self._by_class: dict[tuple[int, str, str], _Found] = {}

    def resolve(self, calls: tuple[CallFact, ...], graph: FoundEdges) -> None:
        """Add the edges of the file's calls."""
        first = self._first
        seen: set[tuple[int, str, str]] = set()
        for caller, name, receiver, line in calls:
            key = (caller, name, receiver)
            if key in seen:
                continue
            seen.add(key)
            targets, tier = self._bare(caller, name) if not receiver else self._on_receiver(caller, receiver, name)
            for target in targets:
                graph.add(first + caller, target, tier, line)

    def _chain(self, caller: int) -> tuple[int, ...]:
        """Return the definitions around a call that can bind local names, innermost first; often none."""
        chain = self._chains.get(caller)
        if chain is None:
            tables, first = self._tables, self._first
            links, node = [], first + caller
            while tables.parents[node] >= 0:
                binds = node - first in self._bindings or node in tables.children
                if binds and tables.kinds[node] in SCOPE_KINDS:
                    links.append(node - first)
                node = tables.parents[node]
            chain = self._chains[caller] = tuple(links)
        return chain

    def _bare(self, caller: int, name: str) -> _Found:
        first, children = self._first, self._tables.children
        for scope in self._chain(caller):
            node = children.get(first + scope, _NO_MEMBERS).get(name)
            if node is not None:
                return (node,), Tier.CALLS_IN_SCOPE
        key = ("", name)
        found = self._at_top.get(key)
        if found is None:
            found = self._at_top[key] = self._named(self._lookup.visible(self._file, name), name)
        if found[0] or self._family in _NO_OWN_MEMBERS:
            return found
        return self._bare_in_class(caller, name)

    def _bare_in_class(self, caller: int, name: str) -> _Found:
        """Resolve what only a class around the call explains: ``cls()``, and Java's calls on an unwritten ``this``."""
        if self._family in _IMPLICIT_SELF:
            found = self._on_self(caller, name) if self._family == "java" else self._own_member(caller, name)
            if found[0] or self._family not in GLOBAL_FAMILIES:
                return found
            return self._few(self._candidates.functions, name)
        if name in {"cls", "Self", "self", "static"}:
            owner = self._tables.class_of(self._first + caller)
            return ((owner,), Tier.CALLS_ON_SELF) if owner is not None else _NOTHING
        return _NOTHING

    def _own_member(self, caller: int, name: str) -> _Found:
        owner = self._tables.class_of(self._first + caller)
        node = self._lookup.member(owner, name) if owner is not None else UNKNOWN
        return ((node,), Tier.CALLS_ON_SELF) if node >= 0 else _NOTHING

    def _named(self, node: int, name: str) -> _Found:
        """Return the edge to a name found at the top of the file."""
        if node < 0 or self._tables.parents[node] < 0:
            return _NOTHING
        is_here = self._tables.file_of[node] == self._file
        package = self._tables.package_of[self._file]
        shares_package = (
            package is not None
            and package == self._tables.package_of[self._tables.file_of[node]]
            and name not in self._tables.imports[self._file]
        )
        if is_here or shares_package:
            return (node,), Tier.CALLS_IN_SCOPE
        is_known = self._family not in GLOBAL_FAMILIES or name in self._tables.imports[self._file]
        if is_known or self._tables.file_of[node] in self._lookup.included(self._file):
            return (node,), Tier.CALLS_IMPORTED
        return (node,), Tier.CALLS_UNIQUE_NAME

    def _on_receiver(self, caller: int, receiver: str, name: str) -> _Found:
        if receiver in self._self_names:
            return self._on_self(caller, name)
        chain = self._chain(caller)
        is_of_file = not chain and self._family not in _IMPLICIT_SELF
        if is_of_file and not receiver.startswith(("self", "this", "super", "Self")):
            key = (receiver, name)
            found = self._at_top.get(key)
            if found is None:
                found = self._at_top[key] = self._on_expression(caller, receiver, name)
            return found
        return self._on_expression(caller, receiver, name)

    def _on_self(self, caller: int, name: str) -> _Found:
        owner = self._tables.class_of(self._first + caller)
        if owner is None:
            return _NOTHING
        node = self._lookup.member(owner, name)
        if node >= 0:
            return (node,), Tier.CALLS_ON_SELF
        return self._by_name(name)

    def _on_super(self, caller: int, name: str) -> _Found:
        owner = self._tables.class_of(self._first + caller)
        if owner is None:
            return _NOTHING
        for base in self._lookup.mro(owner)[1:]:
            node = self._tables.children.get(base, _NO_MEMBERS).get(name)
            if node is not None:
                return (node,), Tier.CALLS_ON_SELF
        return _NOTHING

    def _on_expression(self, caller: int, receiver: str, name: str) -> _Found:
        if receiver.startswith("super") and _SUPER.fullmatch(receiver):
            return self._on_super(caller, name)
        # Half of all receivers are one name.
        is_path, parts = False, [receiver]
        if not receiver.isidentifier():
            if not _PLAIN.fullmatch(receiver):
                return self._on_result(caller, receiver, name)
            is_path = "::" in receiver
            cleaned = receiver.replace("::", ".").replace("?", "").replace("!", "")
            parts = [part for part in cleaned.split(".") if part]
            if not parts:
                return self._by_name(name)
        if parts[0] in self._self_names and not (is_path and parts[0] == "self"):
            owner = self._tables.class_of(self._first + caller)
            return self._on_attribute(owner, parts[1:], name) if owner is not None else _NOTHING
        bound = self._bound_type(caller, parts[0])
        if bound is not None:
            return self._on_bound(bound, parts[1:], name)
        if self._family in _IMPLICIT_SELF and not is_path:
            owner = self._tables.class_of(self._first + caller)
            if owner is not None and self._attribute_type(owner, parts[0]) is not None:
                return self._on_attribute(owner, parts, name)
        return self._on_qualified(caller, parts, name)

    def _on_result(self, caller: int, receiver: str, name: str) -> _Found:
        """Resolve a method of what a call returns: known when the call makes an object of a class."""
        called = _CALLED.fullmatch(receiver)
        if called is None:
            return self._by_name(name)
        maker = called[1].replace("::", ".")
        owner = self._lookup.type_in(self._first + caller, maker)
        if owner == EXTERNAL:
            return _NOTHING
        return self._on_type(owner, name, Tier.CALLS_ON_TYPE) if owner >= 0 else self._by_name(name)

    def _bound_type(self, caller: int, name: str) -> str | None:
        for scope in self._chain(caller):
            bound = self._bindings.get(scope, _NO_BINDINGS).get(name)
            if bound is not None:
                return bound if bound != name else None
        return self._bindings.get(0, _NO_BINDINGS).get(name)

    def _on_bound(self, bound: str, rest: list[str], name: str) -> _Found:
        owner = self._lookup.type_at_top(self._file, bound)
        if owner < 0:
            # Typed, but by nothing of this repository: its methods are not ours.
            return _NOTHING
        if rest:
            return self._on_attribute(owner, rest, name)
        return self._on_type(owner, name, Tier.CALLS_ON_TYPE)

    def _on_attribute(self, owner: int, parts: list[str], name: str) -> _Found:
        """Follow ``.a.b`` from an object of a class through the types its attributes are bound to."""
        lookup, tables = self._lookup, self._tables
        at: int | None = owner
        for part in parts:
            at = self._attribute_type(at, part) if at is not None else None
            if at is None:
                return self._by_name(name)
            if at < 0:
                return _NOTHING
        if at is None or tables.kinds[at] not in CLASS_KINDS:
            return _NOTHING
        node = lookup.member(at, name)
        tier = Tier.CALLS_ON_ATTRIBUTE if parts else Tier.CALLS_ON_SELF
        return ((node,), tier) if node >= 0 else _NOTHING

    def _attribute_type(self, owner: int, attribute: str) -> int | None:
        """Return the class an attribute is bound to, negative when it is none of ours, None when nothing is known."""
        tables, lookup = self._tables, self._lookup
        for link in lookup.mro(owner):
            file = tables.file_of[link]
            bindings = tables.bindings[file].get(link - tables.first_node[file])
            if bindings is None:
                continue
            bound = bindings.get(f"self.{attribute}") or bindings.get(attribute)
            if bound is not None:
                return lookup.type_at_top(file, bound)
        member = lookup.member(owner, attribute)
        return member if member >= 0 and tables.kinds[member] in CLASS_KINDS else None

    def _on_qualified(self, caller: int, parts: list[str], name: str) -> _Found:
        """Resolve ``module.f``, ``Class.m`` and ``package.module.Class.m``."""
        lookup, tables = self._lookup, self._tables
        children, first = tables.children, self._first
        node = UNKNOWN
        for scope in self._chain(caller):
            local = children.get(first + scope, _NO_MEMBERS).get(parts[0])
            if local is not None:
                node = lookup.walk(local, parts[1:])
                break
        else:
            node = lookup.dotted(self._file, parts)
        if node == EXTERNAL:
            return _NOTHING
        if node == UNKNOWN:
            return self._unknown_qualifier(parts, name)
        if (
            tables.kinds[node] in CLASS_KINDS
            or tables.parents[node] < 0
            or tables.kinds[node] in {"namespace", "module"}
        ):
            return self._on_type(node, name, Tier.CALLS_QUALIFIED)
        return self._by_name(name)

    def _unknown_qualifier(self, parts: list[str], name: str) -> _Found:
        """Decide what a receiver bound to nothing known can be: a local variable, or an attribute of one.

        A capitalised name is a type the language or a prelude brings: ``Object``, ``Vec``, ``Math``.
        """
        if parts[0][:1].isupper() or self._lookup.visible(self._file, parts[0]) == EXTERNAL:
            return _NOTHING
        return self._by_name(name)

    def _on_type(self, owner: int, name: str, tier: int) -> _Found:
        node = self._lookup.step(owner, name)
        return ((node,), tier) if node >= 0 and self._tables.parents[node] >= 0 else _NOTHING

    def _by_name(self, name: str) -> _Found:
        if name in common_methods(self._family):
            return _NOTHING
        return self._few(self._candidates.methods, name)

    def _few(self, candidates: _Named, name: str) -> _Found:
        """Return the one candidate, or a few with shared confidence, or nothing.

        What tests define is a candidate for the calls of tests only, and only where the product has none.
        """
        nodes = candidates(self._family, name, is_aside=False)
        if not nodes and self._tables.is_aside[self._file]:
            nodes = candidates(self._family, name, is_aside=True)
        if not nodes or len(nodes) > MOST_CANDIDATES:
            return _NOTHING
        if len(nodes) == 1:
            return (nodes[0],), Tier.CALLS_UNIQUE_NAME
        return tuple(nodes), Tier.CALLS_ONE_OF_TWO + len(nodes) - 2


_NO_MEMBERS: dict[str, int] = {}
_NO_BINDINGS: dict[str, str] = {}
