"""Where a test of a variable's class holds: ``x is A``, ``x instanceof A``, ``isinstance(x, A)``."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_BRACKETS = frozenset({"parenthesized_expression"})
_NEGATIONS = frozenset({"not_operator", "prefix_unary_expression", "unary_expression"})
_JOINED = frozenset({"binary_expression", "boolean_operator"})
_BOTH = frozenset({"&&", "and"})
_EITHER = frozenset({"||", "or"})
_BLOCKS = frozenset({"block", "statement_block"})
_LEAVING = frozenset({"break", "continue", "raise", "return", "throw"})
_HIGHEST = 30
_FURTHEST = 20_000
"""Bytes behind a test in which an assignment to its variable is looked for."""


class Test(NamedTuple):
    """A test of a variable's class."""

    node: "Node"
    name: str
    type: str
    is_true: bool
    """Whether it holds where the variable is of that class."""


def held(test: Test, page: Page) -> Iterator[Region]:
    """Yield from where to where a variable is known to be of the class it is tested for."""
    at, is_true = test.node, test.is_true
    said = Held(test.node.end_byte, test.name, test.type)
    for _ in range(_HIGHEST):
        around = at.parent
        if around is None:
            return
        if around.type in _NEGATIONS and around.children[0].type in {"!", "not"}:
            is_true = not is_true
        elif around.type in _JOINED:
            operator = around.child_by_field_name("operator")
            if operator is None or operator.type not in (_BOTH if is_true else _EITHER):
                return
            yield until_given(at.end_byte, around.end_byte, said, page)
        elif around.type not in _BRACKETS:
            for start, end in _decided(around, at, is_true=is_true):
                yield until_given(start, end, said, page)
            return
        at = around


def _decided(node: "Node", condition: "Node", *, is_true: bool) -> Iterator[tuple[int, int]]:
    """Yield the bytes where a condition of a statement or expression is known to hold, or not to."""
    if node.type == "assert_statement":
        if is_true and node.parent is not None:
            yield node.end_byte, node.parent.end_byte
        return
    if node.type == "conditional_expression" and node.child_by_field_name("condition") is None:
        # Python's has its parts in another order.
        parts = node.named_children
        if is_true and parts[1:2] == [condition]:
            yield parts[0].byte_range
        return
    if node.children_by_field_name("condition") != [condition]:
        return
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body") or _behind(node, condition)
    other = node.child_by_field_name("alternative") or _behind_else(node)
    if is_true:
        yield body.byte_range if body is not None else (condition.end_byte, node.end_byte)
    elif other is not None:
        if other.type != "elif_clause":
            yield other.byte_range
    elif body is not None and node.type.startswith("if") and _leaves(body) and node.parent is not None:
        yield node.end_byte, node.parent.end_byte


def _behind(node: "Node", condition: "Node") -> "Node | None":
    return next((child for child in node.named_children if child.start_byte >= condition.end_byte), None)


def _behind_else(node: "Node") -> "Node | None":
    word = next((child for child in node.children if child.type == "else"), None)
    return word.next_named_sibling if word is not None else None


def _leaves(body: "Node") -> bool:
    """Whether nothing behind a body is reached through it."""
    parts = [child for child in body.named_children if "comment" not in child.type] if body.type in _BLOCKS else [body]
    return bool(parts) and parts[-1].type.partition("_")[0] in _LEAVING


def until_given(start: int, end: int, said: Held, page: Page) -> Region:
    """Return a region up to where its variable gets another value."""
    given = re.compile(rb"(?<![\w.])%b\s*:?=(?![=>])" % re.escape(said.name).encode())
    found = given.search(page.source, start, min(end, start + _FURTHEST))
    return Region(start, end if found is None else found.start(), said)
