"""What Python's own functions give of what they are given: an element of it, ``max(carts)``, or all of it."""

import re
from functools import lru_cache
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
EMPTY = frozenset({"()", "None", "[]", "dict()", "list()", "set()", "tuple()", "{}"})
_ALTERNATIVES = frozenset({"boolean_operator", "conditional_expression"})
_LISTED = frozenset({"list", "set", "tuple"})
FILTER, NUMBERED, PAIRED = "filter", "enumerate", "zip"
_NAMES = "|".join(sorted(name for name in (*SAME_ELEMENTS, *PICKING, FILTER, NUMBERED, PAIRED) if name.isidentifier()))
_OWN = re.compile(
    rf"^(?:(?:(?:async[ \t]+)?def|class)[ \t]+({_NAMES})\b|({_NAMES})[ \t]*(?::[^=\n]{{0,200}})?=(?!=))".encode(),
    re.MULTILINE,
)
_IMPORTED = re.compile(rb"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]*(\([^()]{1,5000}\)|[^\n]{1,500})", re.MULTILINE)
_BROUGHT = re.compile(rf"(?<![\w.])({_NAMES})(?![\w.]|[ \t]+as\b)".encode())
_PAIR, _DEEPEST = 2, 4
_LONGEST = 200


@lru_cache(maxsize=4)
def own_names(source: bytes) -> frozenset[str]:
    """Return which of the names of Python's own functions a file has for something else, at its top or by an import."""
    found = {name for match in _OWN.findall(source) for name in match}
    found.update([name for match in _IMPORTED.finditer(source) for name in _BROUGHT.findall(match[1])])
    return frozenset([name.decode() for name in found if name])


def picked(page: Page, call: "Node", called: str) -> str:
    """Return what a call of one of these functions gives as an expression; empty for other calls."""
    if (called not in PICKING and called not in SAME_ELEMENTS) or called in own_names(page.source):
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
    """Return what has the elements of a value: ``a`` of ``sorted(a)``, ``a or []`` and ``(b for b in a if b)``."""
    node = _opened(page, node)
    if node.type in _COMPREHENSIONS:
        return _filtered(page, node)
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call" and function is not None and given is not None:
        name = page.of(function)
        is_built_in = (name in SAME_ELEMENTS or name == FILTER) and name not in own_names(page.source)
        place = int(name == FILTER)
        if is_built_in and place < len(given.named_children):
            node = _opened(page, given.named_children[place])
        elif is_built_in and name in SAME_ELEMENTS:
            return ""
    return plain_expression("".join(page.of(node).split())) if node.end_byte - node.start_byte <= _LONGEST else ""


def element_said(page: Page, value: "Node") -> str:
    """Return the expression for what stands behind an index, or for a part of a collection: ``a[1:]``."""
    element = plain_expression("".join(page.of(value).split()))
    of, index = (value.child_by_field_name(field) for field in ("value", "subscript"))
    if of is not None and index is not None and _is_ordered(page, of) and (over := elements_of(page, of)):
        # Of what has no order there is an element, too.
        return f"{over}.__iter__()" if index.type == "slice" else f"{over}{NEXT}"
    if element and index is not None and index.type == "slice":
        return f"{element}.__iter__()"
    return element if element.endswith(")") else ""


def _is_ordered(page: Page, value: "Node") -> bool:
    """Whether a value is a list that is made of another collection: ``sorted(a)``, ``[b for b in a if b]``."""
    function = value.child_by_field_name("function")
    name = page.of(function) if function is not None else ""
    return value.type == "list_comprehension" or (name in SAME_ELEMENTS and name not in own_names(page.source))


def _opened(page: Page, node: "Node") -> "Node":
    """Return what a value is but for brackets, stars and what stands for it where it is nothing: ``(a or [])``."""
    for _ in range(_DEEPEST):
        parts = node.named_children
        if not parts:
            break
        is_sum = node.type == "binary_operator" and any(child.type == "+" for child in node.children)
        if is_sum or (node.type in _ALTERNATIVES and page.of(parts[-1]) in EMPTY):
            # What is added to a collection is like what it has.
            node = parts[0]
        elif len(parts) == 1 and (
            node.type == "parenthesized_expression" or (node.type in _LISTED and parts[0].type == "list_splat")
        ):
            node = parts[0] if node.type == "parenthesized_expression" else parts[0].named_children[0]
        else:
            break
    return node


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
