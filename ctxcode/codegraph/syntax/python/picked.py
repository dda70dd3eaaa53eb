"""What Python's own functions give of what they are given: an element of it, ``max(carts)``, or all of it."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

NEXT = ".__iter__().__next__()"
"""What gives an element of an expression's value, as a loop gets it."""
SAME_ELEMENTS = frozenset({"frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"})
PICKING = frozenset({"max", "min", "next", "random.choice"})
_COMPREHENSIONS = frozenset({"generator_expression", "list_comprehension", "set_comprehension"})
_PAIR = 2
_LONGEST = 200


def picked(page: Page, call: "Node", called: str) -> str:
    """Return what a call of one of these functions gives as an expression; empty for other calls."""
    if called not in PICKING and called not in SAME_ELEMENTS:
        return ""
    given = call.child_by_field_name("arguments")
    if given is None or given.end_byte - given.start_byte > _LONGEST:
        return ""
    if given.type == "generator_expression":
        arguments = [given]
    else:
        arguments = [child for child in given.named_children if child.type not in {"comment", "keyword_argument"}]
    if not arguments or len(arguments) > (_PAIR if called == "next" else 1):
        return ""
    over = elements_of(page, arguments[0])
    return "" if not over else f"{over}{NEXT}" if called in PICKING else f"{over}.__iter__()"


def elements_of(page: Page, node: "Node") -> str:
    """Return what has the elements of a value: of ``sorted(a)`` and ``(b for b in a if b)`` it is ``a``."""
    if node.type in _COMPREHENSIONS:
        return _filtered(page, node)
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call" and function is not None and given is not None and page.of(function) in SAME_ELEMENTS:
        if not given.named_children:
            return ""
        node = given.named_children[0]
    return plain_expression("".join(page.of(node).split())) if node.end_byte - node.start_byte <= _LONGEST else ""


def _filtered(page: Page, node: "Node") -> str:
    """Return what a comprehension goes over that gives what it gets: ``b for b in a if b``."""
    body = node.child_by_field_name("body")
    clauses = [one for one in node.named_children if one.type == "for_in_clause"]
    left = clauses[0].child_by_field_name("left") if len(clauses) == 1 else None
    right = clauses[0].child_by_field_name("right") if left is not None else None
    if body is None or left is None or right is None or page.of(body) != page.of(left) or left.type != "identifier":
        return ""
    over = elements_of(page, right) if right.type not in _COMPREHENSIONS else ""
    return "" if over.partition(".")[0].removesuffix("()") == page.of(left) else over
