"""What Kotlin's functions are given that get what they are called on, and what its type parameters extend."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_GIVING = frozenset({"also", "let", "takeIf", "takeUnless"})
"""What gives a function what it is called on."""
_UNNAMED = "it"
_LONGEST = 200


def given(function: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name stands for what a function is called on: ``x.let { it.f() }``, ``x?.also { y -> y.f() }``."""
    call = function.parent.parent if function.parent is not None else None
    callee = call.named_children[0] if call is not None else None
    if callee is None or callee.type != "navigation_expression" or callee.named_child_count <= 1:
        return
    on, method = callee.named_children[0], callee.named_children[-1]
    if page.of(method) not in _GIVING or on.end_byte - on.start_byte > _LONGEST:
        return
    name = _name(function, page)
    said = plain_expression("".join(page.of(on).replace("?.", ".").replace("!!", "").split()))
    if name and said and said != name:
        bound = said if said[-1] == ")" else f"={said}"
        yield Region(function.start_byte, function.end_byte, Held(function.start_byte, name, bound, is_other=True))


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
