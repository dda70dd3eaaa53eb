"""What values of Kotlin are by how they are made: collections, what is chosen of several, parameters that take many."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.syntax.java.elements import java_collection

if TYPE_CHECKING:
    from tree_sitter import Node

LISTS = frozenset({
    "arrayListOf", "arrayOf", "emptyList", "hashSetOf", "linkedSetOf", "listOf", "listOfNotNull", "mutableListOf",
    "mutableSetOf", "sequenceOf", "setOf", "sortedSetOf",
})  # fmt: skip
"""What makes a collection of what it is given, or of its type argument."""
_MAPS = frozenset({"hashMapOf", "linkedMapOf", "mapOf", "mutableMapOf", "sortedMapOf"})
_CHOOSING = frozenset({"if_expression", "try_expression", "when_expression"})
_BRANCHES = frozenset({"block", "catch_block", "control_structure_body", "when_entry"})
_NOTHING = frozenset({"null", "return_expression", "throw_expression"})
_MANY = re.compile(rb"\bvararg\s+(?:va[lr]\s+)?(\w+)\s*:")
_SAID = re.compile(
    rb"\bfun\s[^\n({]{0,80}?\b(\w{1,40}+)\s*+\(|\bimport\s++(?!kotlin\.)(?:\w++\.)*+(?:\w++\s++as\s++)?+(\w++)"
    rb"|\b(\w++)\s*+:\s*+\("
)
"""What a file declares as a function, imports, or takes as one."""
_BESIDE = re.compile(r"\b(?:out|in)\s+|\?")
_LONGEST = 300
_MOST_BRANCHES = 8
_MOST_CLASSES = 4


def expression(node: "Node", page: Page) -> str:
    """Return the type of a collection that is made, ``List<Cart>``, or of what is chosen, ``Cart|Line``; or nothing."""
    if node.type == "call_expression":
        return _collection(node, page)
    return "|".join(_chosen(node, page)) if node.type in _CHOOSING else ""


def _collection(call: "Node", page: Page) -> str:
    children = call.named_children
    maker = page.of(children[0]) if children and children[0].type == "identifier" else ""
    is_making = (maker in LISTS or maker in _MAPS) and maker not in _hidden(page.source)
    if not is_making or call.end_byte - call.start_byte > _LONGEST:
        return ""
    outer = "MutableList" if maker in LISTS else "MutableMap"
    given = next((child for child in children if child.type == "type_arguments"), None)
    if given is not None:
        return _held(f"{outer}{_BESIDE.sub('', page.of(given))}")
    listed = next((child for child in children if child.type == "value_arguments"), None)
    kept = [child.named_children[-1] for child in listed.named_children if child.named_children] if listed else []
    if outer == "MutableMap":
        kept = [each.named_children[-1] for each in kept if each.type == "infix_expression" and each.named_children]
    made = {_made(each, page) for each in kept}
    return _held(f"{outer}<{'' if outer == 'MutableList' else 'Any, '}{next(iter(made))}>") if len(made) == 1 else ""


@lru_cache(maxsize=2)
def _hidden(source: bytes) -> frozenset[str]:
    """Return the names, of those that make collections, by which a file knows something else."""
    named = (found[found.lastindex or 0] for found in _SAID.finditer(source))
    return frozenset({name.decode("utf-8", "replace") for name in named} & (LISTS | _MAPS))


def _held(written: str) -> str:
    said = java_collection(written)
    return said if said[-1:] == ">" else ""


def _made(value: "Node", page: Page) -> str:
    """Return the class that a call makes an object of by its name; empty for every other value."""
    called = value.named_children[0] if value.type == "call_expression" and value.named_children else None
    name = page.of(called) if called is not None and called.type == "identifier" else ""
    return name if name and is_capitalised(name) else ""


def _chosen(node: "Node", page: Page) -> list[str]:
    """Return the classes of which what is chosen is one; nothing where that is not known of each."""
    values: list[Node] = []
    waiting = node.named_children[1:] if node.type == "if_expression" else node.named_children
    waiting = [part for part in waiting if part.type != "when_subject"]
    while waiting and len(values) < _MOST_BRANCHES:
        part = waiting.pop(0)
        if part.type in _CHOOSING:
            return []
        if part.type in _BRANCHES:
            waiting[:0] = part.named_children[-1:]
        elif part.type not in _NOTHING and part.type != "finally_block":
            values.append(part)
    made = list(dict.fromkeys(_made(value, page) for value in values))
    is_known = not waiting and 0 < len(made) <= _MOST_CLASSES and all(made)
    return made if is_known else []


def bind_many(findings: Findings, page: Page) -> None:
    """Say of parameters that take many things that they hold these: ``vararg carts: Cart``."""
    if b"vararg" not in page.source:
        return
    places = {found.start(1) for found in _MANY.finditer(page.source)}
    for rows in (findings.parameters, findings.attributes, findings.bindings):
        for place, (at, name, said) in enumerate(rows):
            if at in places and said[:1].isupper() and "<" not in said:
                rows[place] = (at, name, f"Array<{said}>")
