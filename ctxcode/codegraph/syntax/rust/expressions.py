"""Rust's expressions cut down to names, dots and calls: ``self.a()?.b[0]`` is more, ``self.a()?.b`` is not.

``x?`` gives what ``x.unwrap()`` gives and is written so; ``.await``, references and brackets are left out.
"""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

UNKNOWN = "[]"
"""What stands for an expression that is more than names and calls."""
_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")
_DEEPEST = 20
_TRANSPARENT = frozenset({"await_expression", "parenthesized_expression", "reference_expression"})
_NAMES = frozenset({"identifier", "scoped_identifier", "self", "type_identifier", "scoped_type_identifier"})


def chained(node: "Node", page: Page) -> str:
    """Return an expression with its calls' arguments taken away; empty for one that is more than names and calls."""
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_DEEPEST):
        if at is None:
            break
        brackets = ""
        if at.type in {"call_expression", "struct_expression"}:
            at, brackets = _called(at), "()"
        if at is None:
            break
        if at.type in _NAMES:
            return ".".join((f"{without_arguments(_squeezed(at, page))}{brackets}", *reversed(parts)))
        if at.type == "field_expression":
            field = at.child_by_field_name("field")
            parts.append(f"{page.of(field)}{brackets}" if field is not None else "")
            at = at.child_by_field_name("value")
        elif brackets:
            break
        else:
            if at.type == "try_expression":
                parts.append("unwrap()")
            at = _inner(at, page)
    return ""


def _called(node: "Node") -> "Node | None":
    """Return what a call calls, or the name of a struct that is made."""
    function = node.child_by_field_name("function" if node.type == "call_expression" else "name")
    if function is not None and function.type in {"generic_function", "generic_type_with_turbofish"}:
        return function.named_child(0)
    return function


def _inner(node: "Node", page: Page) -> "Node | None":
    """Return the expression behind a sign that changes nothing, or that is taken away apart."""
    if node.type in _TRANSPARENT:
        return node.child_by_field_name("value") or node.named_child(0)
    is_read = node.type == "unary_expression" and page.source[node.start_byte] == ord("*")
    return node.named_child(0) if is_read or node.type == "try_expression" else None


def without_arguments(path: str) -> str:
    """Return a path without its type arguments."""
    for _ in range(4):
        if "<" not in path:
            break
        path = _ARGUMENTS.sub("", path)
    return path


def _squeezed(node: "Node", page: Page) -> str:
    return "".join(page.of(node).split())
