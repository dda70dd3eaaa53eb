"""Members of Swift whose type is not said: ``.home`` of what is declared, given something, compared or switched.

So is that of what a function or a computed property gives, and what a parameter is without an argument.
"""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import READ
from ctxcode.codegraph.syntax.matched.dialect import Match, Named

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE = re.compile(r"[A-Z]\w*(?:\.[A-Z]\w*)*")
_CHAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*){0,5}")
_LONGEST = 200
_AROUND = 4
"""How far above a label its switch stands."""
_OTHER_SIDES = {"assignment": "target", "equality_expression": "lhs", "infix_expression": "lhs"}
"""Where what tells the type stands, by what the member stands in."""
_COMPARING = frozenset({"==", "!="})
_CHOSEN = frozenset({"nil_coalescing_expression", "ternary_expression"})
"""What is of the type of what it is chosen from."""
_GIVING = frozenset({"control_transfer_statement", "statements"})
_IN_BODIES = frozenset({
    "catch_block", "computed_getter", "computed_property", "control_transfer_statement", "do_statement",
    "for_statement", "function_body", "guard_statement", "if_statement", "repeat_while_statement", "statements",
    "switch_entry", "switch_statement", "while_statement",
})  # fmt: skip
"""What may stand between what a function gives and the function."""
_FUNCTIONS = frozenset({"function_declaration", "init_declaration"})
_MOST_AROUND, _MOST_CHOICES = 40, 3
_OF_PARAMETER = re.compile(r":\s*(?:@\w+\s+)*([A-Z][\w.]*)[?!]?\Z")


def named_by_types(match: Match, page: Page) -> Named:
    """Return what members mean whose type is told where they stand."""
    found = [(node.start_byte, _type_around(node, page), page.of(node)) for node in match.get("implied", ())]
    found += [(node.start_byte, _switched(node, page), page.of(node)) for node in match.get("label", ())]
    return Named((), [(at, f"{READ}{told}.{name}") for at, told, name in found if told])


def _type_around(node: "Node", page: Page) -> str:
    """Return the type that is declared, or what stands on the other side; empty for what is not told."""
    value = node.parent
    around = value.parent if value is not None else None
    if around is not None and around.type == "call_expression":
        value, around = around, around.parent
    for _ in range(_MOST_CHOICES):
        if around is None or around.type not in _CHOSEN:
            break
        value, around = around, around.parent
    if value is None or around is None:
        return ""
    if around.type == "property_declaration":
        return _annotated(around, page)
    if around.type in _FUNCTIONS:
        parameter = value.prev_named_sibling
        said = _OF_PARAMETER.search(_short(parameter, page)) if parameter is not None else None
        return said[1] if said is not None and parameter is not None and parameter.type == "parameter" else ""
    if around.type in _GIVING:
        # What is thrown is no result.
        is_given = around.type == "statements" or around.child_by_field_name("result") == value
        return _given_by(around, page) if is_given else ""
    if around.type == "infix_expression" and _short(around.child_by_field_name("op"), page) not in _COMPARING:
        return ""
    other = around.child_by_field_name(_OTHER_SIDES.get(around.type, "")) if around.type in _OTHER_SIDES else None
    written = _short(other, page) if other != value else ""
    return written if _CHAIN.fullmatch(written) else ""


def _annotated(declared: "Node", page: Page) -> str:
    """Return the type that a property is declared with."""
    said = [child.child_by_field_name("name") for child in declared.named_children if child.type == "type_annotation"]
    written = _short(said[0], page).rstrip("?!") if len(said) == 1 else ""
    return written if _TYPE.fullmatch(written) else ""


def _given_by(node: "Node", page: Page) -> str:
    """Return the type of what the function or the computed property around a statement gives."""
    around: Node | None = node
    for _ in range(_MOST_AROUND):
        if around is None or around.type not in _IN_BODIES:
            break
        around = around.parent
    if around is None:
        return ""
    if around.type == "property_declaration":
        return _annotated(around, page)
    arrows = [child for child in around.children if child.type == "->"] if around.type == "function_declaration" else []
    written = _short(arrows[-1].next_named_sibling, page).rstrip("?!") if arrows else ""
    return written if _TYPE.fullmatch(written) else ""


def _switched(node: "Node", page: Page) -> str:
    """Return what a switch asks, of which a label is a value: ``case .home``."""
    around = node.parent if page.source[node.start_byte - 1 : node.start_byte] == b"." else None
    for _ in range(_AROUND):
        if around is None or around.type == "switch_statement":
            break
        around = around.parent
    asked = around.child_by_field_name("expr") if around is not None and around.type == "switch_statement" else None
    written = _short(asked, page)
    return written if _CHAIN.fullmatch(written) else ""


def _short(node: "Node | None", page: Page) -> str:
    return page.of(node) if node is not None and node.end_byte - node.start_byte < _LONGEST else ""
