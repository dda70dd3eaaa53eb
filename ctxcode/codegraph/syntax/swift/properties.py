"""What declarations of Swift say, asked of the tree: queries that do would take most of a second to compile."""

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ctxcode.codegraph.syntax.matched.dialect import Match

_BODIES = frozenset({"computed_property", "willset_didset_block"})
_TYPES = frozenset({
    "array_type", "dictionary_type", "existential_type", "opaque_type", "optional_type", "protocol_composition_type",
    "user_type",
})  # fmt: skip
_CAST_TYPES = frozenset({"existential_type", "user_type"})
_VALUES = frozenset({"call_expression", "navigation_expression"})
_CHOOSING, _NAME = "nil_coalescing_expression", "simple_identifier"
_LONGEST_CHOICE = 300
"""Bytes: what many choices in one another begin with takes long to find."""
_WAITING = ("try_expression", "await_expression")


def declared_in(match: "Match") -> "Iterator[Match]":
    """Yield what a declaration says, captured as ``unread``, in the form of the matches of a query that says it all.

    Beside it ``member`` tells a property of a type and ``global`` one of a file; all properties are captured once more
    without either.
    """
    node = match["unread"][0]
    if node.type == "function_declaration":
        body = node.child_by_field_name("body")
        if body is not None:
            yield {"name": match["name"], "body": [body], "function": [node]}
        return
    is_member, is_bound = "member" in match, "global" not in match
    for name, rest in _parts(node):
        if is_member or not is_bound:
            found = {"name": [name], "field" if is_member else "variable": [node]}
            body = next((child for child in rest if child.type in _BODIES), None) if is_member else None
            yield found if body is None else {**found, "body": [body]}
        if is_bound:
            yield from _bound(name, rest, "member" if is_member else "bound")


def _parts(node: "Node") -> "list[tuple[Node, list[Node]]]":
    """Return the names that a declaration gives and what is said of each: ``let a, b: Int`` says one type of both."""
    found: list[tuple[Node, list[Node]]] = []
    rest: list[Node] = []
    for child in node.named_children:
        if child.type != "pattern":
            rest.append(child)
            continue
        rest = []
        name = child.child_by_field_name("bound_identifier")
        if name is not None:
            found.append((name, rest))
    for (_, next_said), (_, said) in pairwise(reversed(found)):
        if not said:
            said.extend(child for child in next_said if child.type == "type_annotation")
    return found


def _bound(name: "Node", rest: "list[Node]", capture: str) -> "Iterator[Match]":
    for child in rest:
        kind = child.type
        if kind == "type_annotation":
            written = next((one for one in child.named_children if one.type in _TYPES), None)
        elif kind == "constructor_expression":
            written = next((one for one in child.named_children[:1] if one.type == "user_type"), None)
        elif kind == "as_expression" and capture == "bound":
            written = next((one for one in child.named_children[-1:] if one.type in _CAST_TYPES), None)
        else:
            value = _awaited(child) if capture == "bound" else child
            is_chosen = (
                value.type == _CHOOSING and capture == "bound" and value.end_byte - value.start_byte <= _LONGEST_CHOICE
            )
            chosen = value.child_by_field_name("value") if is_chosen else None
            value = _awaited(chosen) if chosen is not None else value
            if value.type in _VALUES or (chosen is not None and value.type == _NAME):
                yield {capture: [name], "value": [value]}
            continue
        if written is not None:
            yield {capture: [name], "type": [written]}


def _awaited(value: "Node") -> "Node":
    """Return what is tried and waited for: ``try await call()``."""
    for kind in _WAITING:
        inner = value.child_by_field_name("expr") if value.type == kind else None
        value = value if inner is None else inner
    return value
