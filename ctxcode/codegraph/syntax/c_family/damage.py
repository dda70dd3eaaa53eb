"""Where a tree of C or C++ shows that its grammar could not read the source."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.syntax.c_family.tokens import Span, merged

if TYPE_CHECKING:
    from tree_sitter import Node

_CONDITIONS = frozenset({"preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"})
_CONTAINERS = _CONDITIONS | {"translation_unit", "namespace_definition", "declaration_list", "linkage_specification"}
_AROUND = 3
"""Neighbours that are looked at, too, up to a function."""
_LONGEST_CONDITION = 2_000
"""Bytes."""
_TYPES = frozenset({"class_specifier", "struct_specifier"})
_STATEMENTS = frozenset({"compound_statement", "expression_statement", "labeled_statement"})
"""What stands outside of functions only where what is before it was not understood."""


def damaged(root: "Node") -> list[Span]:
    """Return the bytes of what has errors, with what stands around it, in order and apart; all where nothing has."""
    if root.type not in _CONTAINERS:
        return [root.byte_range]
    spans, pending = list[Span](), [root]
    while pending:
        children = _contents(pending.pop())
        if children and children[-1].is_missing:
            # The end of a condition was taken for a part of something else, and who knows where that ends.
            return [root.byte_range]
        for row, child in enumerate(children):
            if _is_container(child):
                pending.append(child)
            elif child.has_error or child.type in _STATEMENTS or _is_misread(child):
                before, behind = children[max(row - _AROUND, 0) : row], children[row + 1 : row + 1 + _AROUND]
                spans.append((_edge(child, before[::-1]).start_byte, _edge(child, behind).end_byte))
    return merged(spans) or [root.byte_range]


def _is_container(node: "Node") -> bool:
    """Whether what is wrong in a node is looked for in its parts: a short condition may cut a definition in two."""
    if node.type in _CONDITIONS:
        return node.end_byte - node.start_byte > _LONGEST_CONDITION
    return node.type in _CONTAINERS


def _is_misread(node: "Node") -> bool:
    """Whether a node has no error, but a meaning that nobody writes; the queries ask for the same.

    ``class API Box {``, ``LIB_BEGIN namespace {``, ``API int (f) (int a);`` and ``UNUSED(int f(int a)) {``.
    """
    if node.type == "function_definition":
        written, named = node.child_by_field_name("type"), _within(node)
        if named is not None and named.type == "identifier":
            return True
        return written.type in _TYPES if written is not None else _is_wrapped(node)
    return node.type == "declaration" and _is_function(_within(node)) and _is_function(_within(_within(node)))


def _is_wrapped(node: "Node") -> bool:
    """Whether all that a function without a type takes looks like a function."""
    declarator = _within(node)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if parameters is None or parameters.named_child_count != 1:
        return False
    inner = _within(parameters.named_children[0])
    return _is_function(inner) or (inner is not None and _is_function(_within(inner)))


def _is_function(node: "Node | None") -> bool:
    return node is not None and node.type == "function_declarator"


def _within(node: "Node | None") -> "Node | None":
    return node.child_by_field_name("declarator") if node is not None else None


def _contents(node: "Node") -> "list[Node]":
    """Return what stands in a container, without the line of a condition."""
    children = node.children
    if node.type not in _CONDITIONS:
        return children
    line = node.start_point[0]
    return children[next((row for row, child in enumerate(children) if child.start_point[0] > line), len(children)) :]


def _edge(node: "Node", neighbours: "list[Node]") -> "Node":
    """Return the last of the neighbours of a node that counts, or itself."""
    for neighbour in neighbours:
        if _is_container(neighbour) or not (neighbour.is_named or neighbour.type == ";"):
            break
        node = neighbour
        if node.type == "function_definition":
            break
    return node
