"""What types of a file of Go are said to implement: ``var _ I = (*T)(nil)``."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.extract.type_names import go_type

if TYPE_CHECKING:
    from tree_sitter import Node

_PREDECLARED = frozenset({"any", "comparable", "error"})
_POINTING = frozenset({"parenthesized_expression", "unary_expression"})


def add_asserted(findings: Findings, captures: dict[str, list["Node"]], page: Page) -> None:
    """Add the interfaces that variables without a name say types of the file, or of its package, to implement."""
    types = {page.of(name): name.start_byte for node in captures.get("type", ()) if (name := _top_name(node))}
    for node in captures.get("variable", ()):
        names, of, value = node.children_by_field_name("name"), *map(node.child_by_field_name, ("type", "value"))
        if of is None or value is None or value.named_child_count != 1 or [page.of(name) for name in names] != ["_"]:
            continue
        asserted, made = go_type(page.of(of)), _made(value.named_children[0], page)
        if not asserted or asserted in _PREDECLARED:
            continue
        if (at := types.get(made, -1)) >= 0:
            findings.bases.append((at, asserted))
            findings.base_lines.setdefault((at, asserted), page.line(node.start_byte))
        elif made.isidentifier():
            findings.asserted.append((made, asserted))


def _top_name(node: "Node") -> "Node | None":
    """Return the name of a type that stands at the top of its file."""
    around = node.parent.parent if node.parent is not None else None
    is_top = around is not None and around.type == "source_file"
    return node.child_by_field_name("name") if is_top else None


def _made(value: "Node", page: Page) -> str:
    """Return the type of ``(*T)(nil)``, ``T(nil)``, ``T{}``, ``&T{}`` and ``new(T)``."""
    while value.type in _POINTING and value.named_child_count == 1:
        value = value.named_children[0]
    if value.type == "composite_literal":
        of = value.child_by_field_name("type")
    elif value.type in {"call_expression", "type_conversion_expression"}:
        of = value.child_by_field_name("function") or value.child_by_field_name("type")
        if of is not None and page.of(of) == "new":
            of = first_named(value.child_by_field_name("arguments"))
    else:
        return ""
    return go_type(page.of(of).strip("()")) if of is not None else ""
