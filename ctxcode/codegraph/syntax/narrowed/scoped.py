"""What Kotlin's functions are given that get what they are called on, and what its type parameters extend."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, plain_expression, without_functions
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_GIVING = frozenset({"also", "let", "takeIf", "takeUnless"})
"""What gives a function what it is called on."""
_GIVING_EACH = frozenset({
    "all", "any", "count", "distinctBy", "dropWhile", "filter", "filterNot", "find", "findLast", "first", "firstOrNull",
    "flatMap", "forEach", "groupBy", "indexOfFirst", "last", "lastOrNull", "map", "mapNotNull", "maxBy", "minBy",
    "none", "onEach", "partition", "removeAll", "removeIf", "single", "singleOrNull", "sortedBy", "sortedByDescending",
    "sumBy", "takeWhile",
})  # fmt: skip
"""What gives it each of what a collection holds."""
_UNNAMED = "it"
_LONGEST = 200


def given(function: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name stands for what a function is called on, ``x?.let { it.f() }``, or for what that holds."""
    call = function.parent.parent if function.parent is not None else None
    callee = call.named_children[0] if call is not None else None
    if callee is None or callee.type != "navigation_expression" or callee.named_child_count <= 1:
        return
    on, method = callee.named_children[0], callee.named_children[-1]
    is_each = page.of(method) in _GIVING_EACH
    if not is_each and page.of(method) not in _GIVING:
        return
    name, said = _name(function, page), _expression(on, page)
    if name and said and said != name:
        bound = f"{said}.{EACH}" if is_each else said if said[-1] == ")" else f"={said}"
        yield Region(function.start_byte, function.end_byte, Held(function.start_byte, name, bound, is_other=True))


def looped(name: "Node", page: Page) -> Iterator[Region]:
    """Yield where a loop's name stands for what is gone over."""
    loop = name.parent.parent if name.parent is not None else None
    if loop is None or loop.type != "for_statement" or loop.named_child_count <= 1:
        return
    text, said = page.of(name), _expression(loop.named_children[1], page)
    if said and said != text:
        yield Region(name.end_byte, loop.end_byte, Held(name.start_byte, text, f"{said}.{EACH}", is_other=True))


def _expression(node: "Node", page: Page) -> str:
    if node.end_byte - node.start_byte > _LONGEST:
        return ""
    return plain_expression("".join(without_functions(page.of(node)).replace("?.", ".").replace("!!", "").split()))


def _name(function: "Node", page: Page) -> str:
    first = function.named_children[0] if function.named_child_count else None
    if first is None or first.type != "lambda_parameters":
        return _UNNAMED
    declared = first.named_children
    is_one = len(declared) == 1 and declared[0].type == "variable_declaration" and declared[0].named_child_count == 1
    return page.of(declared[0].named_children[0]) if is_one else ""


def bind_bounds(findings: Findings, parameters: Iterable["Node"], page: Page, type_name: Callable[[str], str]) -> None:
    """Make what is said to be of a type parameter be of what that extends: ``fun <C : Cart> f(it: C)``."""
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for node in parameters:
        owner = node.parent.parent if node.parent is not None else None
        bound = type_name(page.of(node.named_children[-1])) if node.named_child_count > 1 else ""
        if owner is not None and bound:
            spans.setdefault(page.of(node.named_children[0]), []).append((owner.start_byte, owner.end_byte, bound))
    if spans:
        known = {name: Regions(sorted(rows, key=lambda row: (row[0], -row[1]))) for name, rows in spans.items()}
        for rows in (findings.bindings, findings.parameters, findings.attributes):
            rows[:] = [(at, name, known[said].name(at) or said if said in known else said) for at, name, said in rows]
