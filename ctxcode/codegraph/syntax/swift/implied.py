"""Members of Swift whose type is not said: ``.home`` of what is declared, given something, compared or switched."""

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
_OTHER_SIDES = {"assignment": "target", "equality_expression": "lhs"}
"""Where what tells the type stands, by what the member stands in."""


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
    if value is None or around is None:
        return ""
    if around.type == "property_declaration":
        said = [child.child_by_field_name("name") for child in around.named_children if child.type == "type_annotation"]
        written = _short(said[0], page).rstrip("?!") if len(said) == 1 else ""
        return written if _TYPE.fullmatch(written) else ""
    other = around.child_by_field_name(_OTHER_SIDES.get(around.type, "")) if around.type in _OTHER_SIDES else None
    written = _short(other, page) if other != value else ""
    return written if _CHAIN.fullmatch(written) else ""


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
