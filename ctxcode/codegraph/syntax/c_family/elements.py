"""What types of C++ hold, and what its variables are given whose types nobody writes down: ``auto``."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, call_of, plain_expression
from ctxcode.codegraph.extract.findings import TEST, Findings
from ctxcode.codegraph.extract.names.shadows import Shadows
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.syntax.java.elements import inside
from ctxcode.codegraph.syntax.notation import tidy

if TYPE_CHECKING:
    from tree_sitter import Node

_SMART = re.compile(r"(?:std::)?(?:unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper)\s*<(.*)>", re.DOTALL)
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct|class|typename|mutable)\b|[*&]")
_ARGUMENTS = re.compile(r"<[^<>]*>(?=\s*::)")
_HOLDING = re.compile(r"((?:\w+\s*::\s*)*)(\w+)\s*<(.*)>", re.DOTALL)
_SEQUENCES = frozenset({
    "array", "deque", "forward_list", "initializer_list", "list", "multiset", "priority_queue", "queue", "set", "span",
    "stack", "unordered_multiset", "unordered_set", "valarray", "vector",
})  # fmt: skip
_MAPPINGS = frozenset({"flat_hash_map", "flat_map", "map", "multimap", "unordered_map", "unordered_multimap"})
_GIVING = re.compile(
    r"(?:std::)?(?:make_(?:unique|shared)|(?:static|dynamic|const|reinterpret)_(?:pointer_)?cast)\s*<(.*)>", re.DOTALL
)
"""Calls that give what stands between their brackets."""
_BLOCKS = frozenset({
    "catch_clause", "compound_statement", "expression_statement", "for_range_loop", "for_statement", "if_statement",
    "lambda_expression", "return_statement", "switch_statement", "while_statement",
})  # fmt: skip
_FUNCTIONS = frozenset({"function", "method", TEST})
_PAIR = 2
_LONGEST = 200
_DEEPEST = 4


def type_name(text: str) -> str:
    """Return the type behind pointers, references, ``const`` and smart pointers."""
    smart = _SMART.fullmatch(text.strip())
    text = _QUALIFIERS.sub("", inside(smart[1])[0] if smart else text).partition("{")[0].strip()
    for _ in range(_DEEPEST if ">::" in text else 0):
        text = _ARGUMENTS.sub("", text)
    return dotted_name(text)


def held_type(text: str, deep: int = _DEEPEST) -> str:
    """Return the same with what a collection of the library holds: ``std.vector<A>``, ``map<A>``."""
    written = _QUALIFIERS.sub("", text[:_LONGEST]).strip() if "<" in text else ""
    if (smart := _SMART.fullmatch(written)) is not None and deep:
        return held_type(inside(smart[1])[0], deep - 1)
    holding = _HOLDING.fullmatch(written) if deep else None
    is_mapping = holding is not None and holding[2] in _MAPPINGS
    if holding is None or not (is_mapping or holding[2] in _SEQUENCES):
        return type_name(text)
    parts, outer = inside(holding[3]), dotted_name(f"{holding[1]}{holding[2]}")
    inner = held_type(parts[1], deep - 1) if is_mapping and len(parts) >= _PAIR else ""
    inner = inner if is_mapping else held_type(parts[0], deep - 1)
    return f"{outer}<{inner}>" if inner and outer else outer


def given(names: "Node", value: "Node", page: Page) -> list[tuple[int, str, str]]:
    """Return what is bound, and to what, where a variable without a written type is given a value or each of many."""
    said, around = _value(value, page), names.parent
    is_each = around is not None and around.type == "for_range_loop"
    at = names
    while at.type in {"reference_declarator", "pointer_declarator", "init_declarator"} and at.named_child_count:
        at = at.named_children[-1] if at.type != "init_declarator" else at.named_children[0]
    name = page.of(at)
    if at.type == "structured_binding_declarator" and at.named_child_count == _PAIR:
        name, is_pair = page.of(at.named_children[1]), True
    else:
        is_pair = False
    if not said or not name.isidentifier() or (is_pair and not is_each):
        return []
    said = f"{said}.{EACH}" if is_each else said
    said = f"{said}.second" if is_pair else said
    return [(names.start_byte, name, said if said[-1] == ")" else f"={said}")] if said != name else []


def _value(node: "Node", page: Page) -> str:
    """Return the expression for a value: names, dots and calls; what is made is a call of its class."""
    if node.end_byte - node.start_byte > _LONGEST and node.type != "call_expression":
        return ""
    if node.type == "call_expression":
        callee = node.child_by_field_name("function")
        written = page.of(callee) if callee is not None else ""
        made = _GIVING.fullmatch(written)
        if made is not None:
            name = type_name(made[1])
            return f"{name}()" if name else ""
        return call_of(tidy(written[:_LONGEST], ""))
    if node.type == "compound_literal_expression":
        of = node.child_by_field_name("type")
        name = type_name(page.of(of)) if of is not None else ""
        return f"{name}()" if name else ""
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        return _value(inner, page) if inner is not None else ""
    if node.type in {"field_expression", "identifier", "qualified_identifier", "subscript_expression"}:
        return plain_expression(tidy("".join(page.of(node).split()), ""))
    return ""


def set_apart(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Give variables of a function that go by one name a name each, where they are of several types.

    ``nodes`` are the declarators of variables, parameters and loops.
    """
    del page
    functions, end = list[tuple[int, int]](), 0
    for start, stop in sorted((one.start, one.end) for one in findings.definitions if one.kind in _FUNCTIONS):
        if start >= end:
            functions.append((start, stop))
            end = stop
    Shadows(functions, _BLOCKS, _holder).set_apart(findings, {node.start_byte: node for node in nodes})


def _holder(declarator: "Node") -> "Node":
    """Return what a variable is declared in; of what an ``if`` asks for the statement behind it."""
    declaration = declarator.parent
    if declaration is None:
        return declarator
    clause = declaration.parent
    around = clause.parent if clause is not None and clause.type == "condition_clause" else None
    behind = around.child_by_field_name("consequence") if around is not None else None
    return behind if behind is not None and behind.type in _BLOCKS else declaration
