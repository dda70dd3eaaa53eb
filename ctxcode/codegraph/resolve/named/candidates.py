"""What a bare name may mean when nothing says where it comes from: every definition that has it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from ctxcode.codegraph.edges import MOST_CANDIDATES, Tier
from ctxcode.codegraph.extract.assemble import TYPE_KINDS
from ctxcode.codegraph.extract.expressions import EACH
from ctxcode.codegraph.outline.known import CALLING
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.mentions import UNTYPED, Mentions, counted
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.orphans import is_defined_outside
from ctxcode.codegraph.resolve.ruby.writers import with_writers
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, TYPE_PART, Names, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

_NO_NAMES: Names = {}
_OPEN = frozenset({"module", "namespace"})
SOURCED = frozenset({"bash"})
"""Families in which files share the functions of whatever was run before them, private by name or not."""

CALLABLE = frozenset({"function", "method", "macro", *TYPE_KINDS})
"""Kinds of what can be called in languages that are read by patterns."""

CALLED_OBJECTS = ("__call__", "forward")
"""What is called when an object of Python is, and what the first hands on to in modules of neural networks."""
_NETWORKS = frozenset({"LightningModule", "Module"})
"""What these inherit from: PyTorch's."""

Place = tuple[int, int]
"""(file, position in it)."""
Found = tuple[tuple[int, ...], int]
"""(target nodes, tier); no nodes when there is no edge."""
NOTHING: Found = ((), 0)


class Named(Protocol):
    """Looks definitions up by name; see ``Candidates``."""

    def __call__(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]: ...  # noqa: D102


class Candidates(Protocol):
    """Definitions by family of languages and simple name, in node order."""

    def methods(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the members of classes, those of tests and the like or those of the product."""
        ...

    def functions(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the free functions, in the families where every file knows them."""
        ...

    def types(self, family: str, name: str) -> Sequence[int]:
        """Return the types at the top of the product's files."""
        ...

    def macros(self, name: str) -> Sequence[int]:
        """Return the macros that crates of Rust export under a name."""
        ...

    def called(self, family: str, name: str) -> Sequence[Place]:
        """Return what can be called of a name, in families of languages that are read by patterns."""
        ...

    def likely(self, found: "Found", family: str, receiver: str, name: str) -> "Found":
        """Return those of the methods found by name that a call can well mean."""
        ...


class AllCandidates:
    """Candidates from the tables of all files."""

    def __init__(self, tables: Tables) -> None:
        self._methods: dict[tuple[str, bool], dict[str, list[int]]] = {}
        self._functions: dict[tuple[str, bool], dict[str, list[int]]] = {}
        self._types: dict[tuple[str, str], list[int]] = {}
        self._macros: dict[str, list[int]] = {}
        self._called: dict[tuple[str, str], list[Place]] = {}
        self.counts = counted(tables.facts[file] for file in range(len(tables.paths)))
        """Who speaks of what, in families where that matters."""
        self._mentions, self._tables = Mentions(tables, self.counts), tables
        for file in range(len(tables.paths)):
            self._add(tables, file)

    def methods(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the members of classes."""
        known = self._methods.get((family, is_aside), {})
        return with_writers(self._tables, family, name, lambda each, _: known.get(each, ()))

    def functions(self, family: str, name: str, *, is_aside: bool) -> Sequence[int]:
        """Return the free functions."""
        return self._functions.get((family, is_aside), {}).get(name, ())

    def types(self, family: str, name: str) -> Sequence[int]:
        """Return the types at the top of files."""
        return self._types.get((family, name), ())

    def macros(self, name: str) -> Sequence[int]:
        """Return the macros that crates export."""
        return self._macros.get(name, ())

    def called(self, family: str, name: str) -> Sequence[Place]:
        """Return what can be called of a name."""
        return self._called.get((family, name), ())

    def likely(self, found: Found, family: str, receiver: str, name: str) -> Found:
        """Return those of the methods that are likely; what is left of several is as weak as all of them."""
        return likely_of(self._mentions, found, receiver, name) if family in UNTYPED else found

    def _add(self, tables: Tables, file: int) -> None:
        family, is_aside = tables.families[file], tables.is_aside[file]
        if family in CALLING:
            for position, symbol in enumerate(tables.facts[file].symbols):
                if symbol.kind in CALLABLE:
                    self._called.setdefault((family, symbol.name), []).append((file, position))
        methods = self._methods.setdefault((family, is_aside), {})
        functions = self._functions.setdefault((family, is_aside), {})
        is_global = family in GLOBAL_FAMILIES or family in SOURCED
        for node, symbol in enumerate(tables.facts[file].symbols, start=tables.first_node[file]):
            if symbol.kind == "method":
                if is_class_member(tables, node, symbol.name):
                    methods.setdefault(symbol.name, []).append(node)
            elif symbol.kind == "macro" and family == "rust" and symbol.visibility != "private":
                self._macros.setdefault(symbol.name, []).append(node)
            elif is_global and symbol.kind == "function" and is_open(tables, node, symbol.visibility):
                functions.setdefault(symbol.name, []).append(node)
        if not is_aside:
            for name, node in tables.top[file].items():
                if tables.kinds[node] in CLASS_KINDS and tables.kinds[node] != TYPE_PART:
                    self._types.setdefault((family, name), []).append(node)


def likely_of(mentions: Mentions, found: Found, receiver: str, name: str) -> Found:
    """Return those of the methods of a name that a call can well mean."""
    is_alone = len(found[0]) == 1
    nodes = tuple([node for node in found[0] if mentions.is_likely(node, receiver, name, is_alone=is_alone)])
    if not nodes:
        return NOTHING
    # ``&:name`` says nothing of what it is called on: that may be anything, if its name is no type's.
    is_weak = is_alone and receiver.endswith(EACH) and not mentions.is_of_each(nodes[0], receiver)
    return nodes, Tier.CALLS_ONE_OF_TWO if is_weak else found[1]


def is_class_member(tables: Tables, node: int, name: str) -> bool:
    """Return whether a method stands in a type, or was found to belong to one, and calls find it by its name.

    A constructor they don't, nor what is private in Ruby, and of overloads the one that stands for all. What a class of
    C++ declares and what is defined outside of it are one, the latter.
    """
    file = tables.file_of[node]
    if tables.families[file] == "ruby" and _is_private(tables, file, node):
        return False
    if tables.is_attached(node):
        return True
    owner = tables.parents[node]
    is_declared = tables.families[file] == "c" and is_defined_outside(tables, node, name)
    if tables.kinds[owner] not in CLASS_KINDS or is_declared:
        return False
    if not tables.constructors and not tables.overloads:
        return True
    first = tables.children.get(owner, _NO_NAMES).get(name, node)
    return (first == node or first not in tables.overloads) and node not in tables.constructors.get(owner, ())


def _is_private(tables: Tables, file: int, node: int) -> bool:
    return tables.facts[file].symbols[node - tables.first_node[file]].visibility == "private"


def is_open(tables: Tables, node: int, visibility: str) -> bool:
    """Return whether other files may know a function."""
    is_private = visibility == "private" and tables.families[tables.file_of[node]] not in SOURCED
    return not is_private and tables.kinds[tables.parents[node]] in _OPEN


def few(named: Named, family: str, name: str, *, is_of_tests: bool) -> Found:
    """Return the one candidate of a name, or a few with shared confidence, or nothing.

    What tests define is a candidate for the calls of tests only, and only where the product has none.
    """
    nodes = named(family, name, is_aside=False)
    if not nodes and is_of_tests:
        nodes = named(family, name, is_aside=True)
    if not nodes or len(nodes) > MOST_CANDIDATES:
        return NOTHING
    if len(nodes) == 1:
        return (nodes[0],), Tier.CALLS_UNIQUE_NAME
    return tuple(nodes), Tier.CALLS_ONE_OF_TWO + len(nodes) - 2


def shared(found: Sequence[Found]) -> Found:
    """Return what a call means on one of several things, given what it means on each: with shared confidence."""
    nodes = tuple(dict.fromkeys([node for targets, _ in found for node in targets]))
    if len(nodes) == 1:
        # If it is none of the others, it is as good as the only one of its name.
        return nodes, max(tier for _, tier in found) if all(targets for targets, _ in found) else Tier.CALLS_UNIQUE_NAME
    count = max(len(found), len(nodes))
    return (nodes, Tier.CALLS_ONE_OF_TWO + count - 2) if nodes and count <= MOST_CANDIDATES else NOTHING


def on_either(lookup: Lookup, values: Sequence[Value], on_one: Callable[[Value], Found]) -> Found:
    """Return what a call means on one of several things: of PHP's, on that which the others are heirs of, if it can."""
    tables, nodes = lookup.tables, [one.node for one in values]
    is_php = min(nodes) >= 0 and tables.families[tables.file_of[nodes[0]]] == "php"
    wide = (one for one in values if is_php and all(one.node in lookup.mro(node) for node in nodes))
    if (widest := next(wide, None)) is not None and (found := on_one(widest))[0]:
        return found
    return shared([on_one(one) for one in values])


def same_as(lookup: Lookup, value: Value | None, *, is_named: bool = False) -> Found:
    """Return the edge to a definition that goes by another name: a class that an attribute holds.

    Of an object of Python it is what is called when that is, unless a name at the top of a file means it.
    """
    if value is not None and value.either:
        return shared([same_as(lookup, one, is_named=is_named) for one in value.either])
    if value is None or value.node < 0:
        return NOTHING
    tables, node = lookup.tables, value.node
    if value.is_object:
        is_asked = not (is_named or value.wraps) and tables.families[tables.file_of[node]] == "python"
        node = _called_object(lookup, node) if is_asked else UNKNOWN
    elif tables.parents[node] < 0:
        node = lookup.literals.meant(node)
    return ((node,), Tier.CALLS_ON_ATTRIBUTE) if node >= 0 and tables.parents[node] >= 0 else NOTHING


def _called_object(lookup: Lookup, owner: int) -> int:
    """Return what is called when an object of a class of Python is; UNKNOWN for nothing that is known.

    Modules of neural networks hand that on to another method of theirs.
    """
    called, handed = (lookup.member(owner, name) for name in CALLED_OBJECTS)
    if called >= 0 or handed < 0:
        return called
    bases = (name.rpartition(".")[2] for link in lookup.mro(owner) for name in lookup.base_names(link))
    return handed if any(name in _NETWORKS for name in bases) else called
