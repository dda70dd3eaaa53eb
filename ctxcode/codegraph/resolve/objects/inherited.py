"""What a class has of what it inherits from, and what it asks that for by ``super``.

In PHP the traits that a class uses come before the class it inherits from, as they are copied into it; ``parent`` is
none of them, nor is ``super`` an interface of Java. What a trait leaves to others to define is taken from them if they
have it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import LEFT
from ctxcode.codegraph.resolve.tables import Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_RUBY = "ruby"
_ABOVE_CLASSES = frozenset({"java", "php"})
"""Languages in which ``super``, or ``parent``, is the class that another inherits from."""
_NOTHING: Mapping[str, int] = {}


def inherited(lookup: "Lookup", owner: int, name: str) -> int:
    """Return what a class has by a name that it does not define itself."""
    tables = lookup.tables
    found = UNKNOWN
    for link in lookup.mro(owner):
        kept = tables.kept.get(link, _NOTHING).get(name)
        if kept is not None:
            return kept
        node = tables.children.get(link, _NOTHING).get(name) if link != owner else None
        if node is not None and not _is_left(tables, node):
            return UNKNOWN if lookup.fields.are_nearer(owner, node, name) else node
        found = node if node is not None and found == UNKNOWN else found
    return _in_namespace(lookup, owner, name) if found == UNKNOWN and tables.kinds[owner] == "type" else found


def _in_namespace(lookup: "Lookup", alias: int, name: str) -> int:
    """Return what stands in a namespace, wherever that is written, that a type is another name of."""
    kinds = lookup.tables.kinds
    spaces = [base for base in lookup.bases(alias) if kinds[base] == "namespace"]
    return next((node for space in spaces if (node := lookup.step(space, name)) >= 0), UNKNOWN)


def above(lookup: "Lookup", owner: int) -> list[int]:
    """Return what a class means by ``super``, and what that inherits from, nearest first."""
    tables = lookup.tables
    if tables.facts[tables.file_of[owner]].language not in _ABOVE_CLASSES:
        return lookup.mro(owner)[1:]
    parent = next((base for base in lookup.bases(owner) if tables.kinds[base] == "class"), UNKNOWN)
    return lookup.mro(parent) if parent >= 0 else []


def own_type(lookup: "Lookup", scope: int, parts: list[str]) -> int:
    """Return what ``Self.a.b`` means in a definition."""
    tables = lookup.tables
    owner = tables.class_of(tables.parents[scope] if tables.kinds[scope] == "type" else scope)
    return lookup.walk(owner, parts) if owner is not None else UNKNOWN


def said_to_super(lookup: "Lookup", owner: int, name: str, caller: int) -> int:
    """Return what a class means by a name behind ``super``, said by one of its methods.

    Those of Ruby's objects mean no method of the class.
    """
    tables = lookup.tables
    links = above(lookup, owner)
    nodes = [node for link in links if (node := tables.children.get(link, _NOTHING).get(name)) is not None]
    if tables.families[tables.file_of[owner]] == _RUBY and not lookup.concerns.is_own(caller):
        nodes = [node for node in nodes if not lookup.concerns.is_own(node)]
    return next((node for node in nodes if not _is_left(tables, node)), nodes[0] if nodes else UNKNOWN)


def _is_left(tables: Tables, node: int) -> bool:
    file = tables.file_of[node]
    return LEFT in tables.bindings[file].get(node - tables.first_node[file], _NOTHING)
