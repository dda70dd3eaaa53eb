"""Keys of Go's literals: those of a struct are its fields, those of maps and arrays are values."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page, first_named

if TYPE_CHECKING:
    from tree_sitter import Node

_HELD = {"slice_type": "element", "array_type": "element", "implicit_length_array_type": "element", "map_type": "value"}
"""Types of nodes for what holds others, to the field for the type of those."""
_NAMES = frozenset({"generic_type", "qualified_type", "struct_type", "type_identifier"})
_MOST_NESTED = 10


def field_keys(literals: Iterable["Node"], types: Iterable["Node"], page: Page) -> set[int]:
    """Return the bytes on which keys stand that are fields, in some literals; ``types`` are those the file defines."""
    holding = set[str]()
    for node in types:
        name, of = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None and of is not None and of.type in _HELD:
            holding.add(page.of(name))
    found = set[int]()
    for literal in literals:
        of, body = literal.child_by_field_name("type"), literal.child_by_field_name("body")
        for inner, type_name in _bodies(of, body):
            if type_name.type == "struct_type" or page.of(type_name) not in holding:
                found.update(_keys(inner))
    return found


def _bodies(of: "Node | None", body: "Node | None") -> Iterator[tuple["Node", "Node"]]:
    """Yield (body, type) of a literal, or of those in it that have no type written before them, if it holds others."""
    pending = [(of, body)]
    for _ in range(_MOST_NESTED):
        inner: list[tuple[Node | None, Node | None]] = []
        for kind, values in pending:
            if kind is None or values is None:
                continue
            if kind.type in _NAMES:
                yield values, kind
            elif kind.type in _HELD:
                inner += _inside(kind, values)
        pending = inner


def _inside(of: "Node", body: "Node") -> Iterator[tuple["Node | None", "Node | None"]]:
    """Yield (type, body) of what a literal of maps or arrays holds and says no type of."""
    held = _pointed_at(of.child_by_field_name(_HELD[of.type]))
    key = _pointed_at(of.child_by_field_name("key"))
    if not any(kind is not None and (kind.type in _NAMES or kind.type in _HELD) for kind in (held, key)):
        return
    for element in body.named_children:
        if element.type == "keyed_element":
            yield key, _literal(element.child_by_field_name("key"))
            yield held, _literal(element.child_by_field_name("value"))
        else:
            yield held, _literal(element)


def _pointed_at(of: "Node | None") -> "Node | None":
    is_pointer = of is not None and of.type == "pointer_type" and of.named_child_count
    return first_named(of) if is_pointer else of


def _literal(element: "Node | None") -> "Node | None":
    """Return the body that an element is."""
    inner = first_named(element)
    return inner if inner is not None and inner.type == "literal_value" else None


def _keys(body: "Node") -> Iterator[int]:
    for element in body.named_children:
        key = element.child_by_field_name("key") if element.type == "keyed_element" else None
        if key is not None and key.named_child_count and key.named_children[0].type == "identifier":
            yield key.start_byte
