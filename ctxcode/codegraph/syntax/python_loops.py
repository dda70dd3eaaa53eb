"""What loops and comprehensions of Python bind: an element of what they go over, by a name that is theirs alone.

A function calls many things ``item`` one after the other. So a loop's name gets a number wherever the loop means it,
and nothing is said of a name that the function tells of otherwise, or the loop itself gives to something else.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_LONGEST = 200
_FIRST = re.compile(r"(=?)([^\W\d]\w*)")
_ASSIGNS = b" = "
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Digits no language has in names."""
_SAME_ELEMENTS = frozenset({"frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"})
_PAIRS = 2


class _Loop(NamedTuple):
    start: int
    """From where on its name means an element."""
    end: int
    at: int
    """Where the name stands."""
    name: str
    over: str
    """What it goes over."""


class _Regions:
    """Where one name means an element of which loop; loops stand inside one another or apart."""

    def __init__(self, loops: list[tuple[int, int, str]]) -> None:
        self._bounds, self._names = [0], [""]
        open_ends: list[tuple[int, str]] = []
        for start, end, name in loops:
            while open_ends and open_ends[-1][0] <= start:
                at, _ = open_ends.pop()
                self._switch(at, open_ends[-1][1] if open_ends else "")
            self._switch(start, name)
            open_ends.append((min(end, open_ends[-1][0]) if open_ends else end, name))
        while open_ends:
            at, _ = open_ends.pop()
            self._switch(at, open_ends[-1][1] if open_ends else "")

    def _switch(self, at: int, name: str) -> None:
        self._bounds.append(at)
        self._names.append(name)

    def name(self, at: int) -> str:
        """Return the name a loop around a byte has for it, or an empty text."""
        return self._names[bisect_right(self._bounds, at) - 1]


def add_elements(findings: Findings, page: Page, captures: Captures) -> None:
    """Bind what loops and comprehensions go over, and rename it where it is called."""
    loops: list[_Loop] = []
    for node in captures.get("loop", ()):
        body = node.child_by_field_name("body")
        if body is not None:
            _add_loop(loops, page, node, (body.start_byte, node.end_byte))
    for node in captures.get("comprehension", ()):
        for clause in node.named_children:
            if clause.type == "for_in_clause":
                _add_loop(loops, page, clause, node.byte_range)
    if not loops:
        return
    assigned = _assigned(page)
    functions = _Regions([(*node.byte_range, str(node.start_byte)) for node in _by_place(captures.get("function", ()))])
    told = {(functions.name(at), name) for at, name, _ in (*findings.bindings, *findings.parameters)}
    regions: dict[str, list[tuple[int, int, str]]] = {}
    bound: list[tuple[int, str, str]] = []
    for loop in sorted(loops):
        known = regions.setdefault(loop.name, [])
        places = assigned.get(loop.name, ())
        is_given_anew = bisect_left(places, loop.start) < bisect_left(places, loop.end)
        is_told = (functions.name(loop.at), loop.name) in told
        over = "" if is_given_anew or is_told else loop.over
        name = f"{loop.name}{str(len(known) + 1).translate(_DIGITS)}" if over else loop.name
        known.append((loop.start, loop.end, name))
        if over:
            bound.append((loop.at, name, f"{over}.__iter__().__next__()"))
    names = {name: _Regions(known) for name, known in regions.items()}
    findings.calls = [(at, name, _meant(names, at, receiver)) for at, name, receiver in findings.calls]
    findings.bindings = [
        (at, name, _meant(names, at, bound_type) if bound_type[0] == "=" or bound_type[-1] == ")" else bound_type)
        for at, name, bound_type in (*findings.bindings, *bound)
    ]


def _by_place(nodes: Iterable["Node"]) -> list["Node"]:
    return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))


def _meant(names: dict[str, _Regions], at: int, expression: str) -> str:
    """Return an expression that stands on a byte with its first name as the loop around it has it."""
    match = _FIRST.match(expression)
    regions = names.get(match[2]) if match is not None else None
    name = regions.name(at) if regions is not None else ""
    return f"{match[1]}{name}{expression[match.end() :]}" if match is not None and name else expression


def _assigned(page: Page) -> dict[str, list[int]]:
    """Return where statements give something to names, by name."""
    source, found = page.source, dict[str, list[int]]()
    at = source.find(_ASSIGNS)
    while at >= 0:
        start = max(source.rfind(b"\n", 0, at) + 1, at - _LONGEST)
        for name in source[start:at].split(b","):
            found.setdefault(name.strip().decode("utf-8", "replace"), []).append(at)
        at = source.find(_ASSIGNS, at + 1)
    return found


def _add_loop(loops: list[_Loop], page: Page, node: "Node", span: tuple[int, int]) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.end_byte - right.start_byte > _LONGEST:
        return
    names = left.named_children if left.type in {"pattern_list", "tuple_pattern"} else [left]
    for name, over in zip(names, _gone_over(page, right, len(names)), strict=True):
        text = page.of(name) if name.type == "identifier" else ""
        if text:
            is_itself = over.partition(".")[0].removesuffix("()") == text
            loops.append(_Loop(*span, name.start_byte, text, "" if is_itself else over))


def _gone_over(page: Page, node: "Node", count: int) -> list[str]:
    """Return what each of the names of a loop is an element of; empty for what can't be followed."""
    nothing = [""] * count
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call" and function is not None and given is not None:
        called = page.of(function)
        arguments = [child for child in given.named_children if child.type not in {"comment", "keyword_argument"}]
        if called == "zip":
            return [_expression(page, one) for one in arguments] if len(arguments) == count else nothing
        if called == "enumerate" and arguments:
            return ["", _expression(page, arguments[0])] if count == _PAIRS else nothing
        if called.endswith(".items") and not arguments:
            pairs = plain_expression("".join(called.removesuffix(".items").split()))
            return ["", f"{pairs}.values()"] if pairs and count == _PAIRS else nothing
    return [_expression(page, node)] if count == 1 else nothing


def _expression(page: Page, node: "Node") -> str:
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call" and function is not None and given is not None and page.of(function) in _SAME_ELEMENTS:
        if not given.named_children:
            return ""
        node = given.named_children[0]
    return plain_expression("".join(page.of(node).split()))
