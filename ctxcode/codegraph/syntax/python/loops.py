"""What loops and comprehensions of Python bind: an element of what they go over, by a name that is theirs alone.

A function calls many things ``item`` one after the other. So a loop's name gets a number wherever the loop means it,
and nothing is said of a name that the function tells of otherwise, or the loop itself gives to something else.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.candidates import is_followed
from ctxcode.codegraph.extract.names.shadows import Element, Regions, bind_elements
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.python.picked import NEXT, NUMBERED, PAIRED, elements_of, own_names
from ctxcode.codegraph.syntax.python.values import value_said

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Meant = Callable[[int, str], str]
_LITERALS = frozenset({"list", "set", "tuple"})
_MOST_LISTED = 5
_LONGEST = 200
_ASSIGNS = b" = "
_PAIRS = 2


def add_elements(findings: Findings, page: Page, captures: Captures, meant: Meant) -> Meant:
    """Bind what loops and comprehensions go over, and rename it where it is called.

    ``meant`` tells what an expression is that stands on a byte. Returns what tells it with the loops' names, too.
    """
    loops: list[Element] = []
    for node in captures.get("loop", ()):
        body = node.child_by_field_name("body")
        if body is not None:
            _add_loop(loops, page, node, (body.start_byte, node.end_byte), meant)
    for node in captures.get("comprehension", ()):
        for clause in node.named_children:
            if clause.type == "for_in_clause":
                _add_loop(loops, page, clause, node.byte_range, meant)
    names = {loop.name for loop in loops if loop.bound}
    if not names:
        return meant
    assigned = _assigned(page, {name.encode(): name for name in names})
    rows = [(at, name) for at, name, _ in (*findings.bindings, *findings.parameters) if name in names]
    # Most files tell of no such name.
    around = _by_place(captures.get("function", ())) if rows else []
    functions = Regions([(*node.byte_range, str(node.start_byte)) for node in around])
    told = {(functions.name(at), name) for at, name in rows}
    looped = bind_elements(
        findings, [_known(loop, functions, told, assigned) if loop.bound else loop for loop in loops]
    )
    return lambda at, expression: looped(at, meant(at, expression))


def _known(
    loop: Element, functions: Regions, told: Collection[tuple[str, str]], assigned: Mapping[str, Sequence[int]]
) -> Element:
    """Return a loop's element; nothing is known of one that is told of, or given something, by other statements."""
    places = assigned.get(loop.name, ())
    is_given_anew = bisect_left(places, loop.start) < bisect_left(places, loop.end)
    return loop._replace(bound="") if is_given_anew or (functions.name(loop.at), loop.name) in told else loop


def _by_place(nodes: Iterable["Node"]) -> list["Node"]:
    return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))


def _assigned(page: Page, names: Mapping[bytes, str]) -> dict[str, list[int]]:
    """Return where statements give something to some names, by name."""
    source, found = page.source, dict[str, list[int]]()
    at = source.find(_ASSIGNS)
    while at >= 0:
        start = max(source.rfind(b"\n", 0, at) + 1, at - _LONGEST)
        for part in source[start:at].split(b","):
            name = names.get(part.strip())
            if name is not None:
                found.setdefault(name, []).append(at)
        at = source.find(_ASSIGNS, at + 1)
    return found


def _add_loop(loops: list[Element], page: Page, node: "Node", span: tuple[int, int], meant: Meant) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.end_byte - right.start_byte > _LONGEST:
        return
    listed = _listed(page, right, meant) if left.type == "identifier" else ""
    if listed:
        loops.append(Element(*span, left.start_byte, page.of(left), listed))
        return
    names = left.named_children if left.type in {"pattern_list", "tuple_pattern"} else [left]
    for name, over in zip(names, _gone_over(page, right, len(names)), strict=True):
        text = page.of(name) if name.type == "identifier" else ""
        if text:
            is_itself = over.partition(".")[0].removesuffix("()") == text
            loops.append(Element(*span, name.start_byte, text, f"{over}{NEXT}" if over and not is_itself else ""))


def _listed(page: Page, node: "Node", meant: Meant) -> str:
    """Return what a loop gets that goes over things that are written there: ``for each in (cart, Cart())``."""
    if node.type not in _LITERALS or not 0 < node.named_child_count <= _MOST_LISTED:
        return ""
    found = dict[str, None]()
    for each in node.named_children:
        said = value_said(page, each)
        found[meant(each.start_byte, said) if is_followed(said) else said] = None
    return "|".join(found) if "" not in found else ""


def _gone_over(page: Page, node: "Node", count: int) -> list[str]:
    """Return what each of the names of a loop is an element of; empty for what can't be followed."""
    nothing = [""] * count
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call" and function is not None and given is not None:
        called = page.of(function)
        arguments = [child for child in given.named_children if child.type not in {"comment", "keyword_argument"}]
        is_built_in = called in {NUMBERED, PAIRED} and called not in own_names(page.source)
        if is_built_in and called == PAIRED:
            return [elements_of(page, one) for one in arguments] if len(arguments) == count else nothing
        if is_built_in and arguments:
            return ["", elements_of(page, arguments[0])] if count == _PAIRS else nothing
        if called.endswith(".items") and not arguments:
            pairs = plain_expression("".join(called.removesuffix(".items").split()))
            return ["", f"{pairs}.values()"] if pairs and count == _PAIRS else nothing
    return [elements_of(page, node)] if count == 1 else nothing
