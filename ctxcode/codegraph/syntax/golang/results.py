"""What functions of Go say that they return."""

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import HIDDEN
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import PARAMETER
from ctxcode.codegraph.syntax.golang.bounds import Bounds
from ctxcode.codegraph.syntax.golang.generics import generic_type, place, type_parameters, unsigned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

PREDECLARED = frozenset({"any", "bool", "byte", "error", "float64", "int", "int64", "string", "uint", "uint64"})
_MOST_AROUND = 10


def add_results(findings: Findings, function: "Node", name: "Node | None", page: Page, bounds: Bounds) -> None:
    """Bind what the function of a name returns: the first of several, and others by their place."""
    result = function.child_by_field_name("result")
    if name is None or result is None:
        return
    declaring = function
    if function.type == "method_elem":
        around = reversed(page.around(function)[-_MOST_AROUND:])
        declaring = next((each for each in around if each.type == "type_spec"), function)
    own, others = type_parameters(declaring, page)
    parts = result.named_children if result.type == "parameter_list" else [result]
    row = 0
    for part in parts:
        of = part.child_by_field_name("type") if result.type == "parameter_list" else part
        told = generic_type(of, page, own) if of is not None else ""
        if of is not None and page.of(unsigned(of)[1]) in {*own, *others}:
            # A type may be called like the parameter.
            bound = bounds.of(of.start_byte, told)
            told = bound if bound != told and HIDDEN not in bound else ""
            if not row and (which := place(of, own, page)):
                findings.parameters.append((name.start_byte, PARAMETER, which))
        for _ in range(max(1, len(part.children_by_field_name("name")) if result.type == "parameter_list" else 1)):
            if not row:
                findings.add_returned(name.start_byte, told)
            elif told not in PREDECLARED:
                findings.add_returned(name.start_byte, told, str(row))
            row += part.type != "comment"


def add_inner_results(
    findings: Findings, inner: "Sequence[tuple[Node, Node]]", functions: "Sequence[Node]", page: Page, bounds: Bounds
) -> None:
    """Bind the same of functions inside of functions, given as (name, function); ``functions`` are those around.

    Blocks may give one name to several, and no call tells which: then nothing is bound, unless all return the same.
    """
    starts = sorted([node.start_byte for node in functions])
    said: dict[tuple[int, str], set[str]] = defaultdict(set)
    for name, function in inner:
        result = function.child_by_field_name("result")
        key = bisect_right(starts, name.start_byte), page.of(name)
        said[key].add("".join(page.of(result).split()) if result is not None else "")
    for name, function in inner:
        if len(said[bisect_right(starts, name.start_byte), page.of(name)]) == 1:
            add_results(findings, function, name, page, bounds)
