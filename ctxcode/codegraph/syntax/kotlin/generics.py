"""Type parameters of Kotlin's classes: what members are of them, and what heirs put in their place."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ARGUMENTS, PARAMETER
from ctxcode.codegraph.syntax.java.elements import COLLECTIONS, inside, java_collection, sign_of, type_argument
from ctxcode.codegraph.syntax.kotlin.values import LISTS

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"nullable_type", "user_type"})
_VARIANCE = ("in ", "out ", "reified ")
_LONGEST = 200


def bind_parameters(findings: Findings, node: "Node", page: Page) -> None:
    """Bind what of a class's own parameters its members are, and what it puts in the place of those of its bases."""
    own = _parameters(node, page)
    name = node.child_by_field_name("name")
    for child in node.named_children:
        if child.type == "class_body" and own:
            for member in child.named_children:
                _bind_member(findings, member, own, page)
        elif child.type == "primary_constructor" and own:
            for listed in child.named_children:
                for parameter in listed.named_children:
                    if parameter.type == "class_parameter":
                        _bind_typed(findings, parameter, own, page)
        elif child.type == "delegation_specifiers" and name is not None:
            for base, written in _bases(child, page):
                types = [_argument(each.strip(), own) for each in inside(written)]
                if any(types):
                    findings.attributes.append((name.start_byte, f"{ARGUMENTS}{base}", ",".join(types)))


def _parameters(node: "Node", page: Page) -> list[str]:
    """Return the names of the type parameters of a class or function."""
    listed = next((child for child in node.named_children if child.type == "type_parameters"), None)
    every = [child for child in listed.named_children if child.type == "type_parameter"] if listed is not None else []
    named = [next((part for part in each.named_children if part.type == "identifier"), None) for each in every]
    return [page.of(name) if name is not None else "" for name in named]


def _bind_member(findings: Findings, member: "Node", own: Sequence[str], page: Page) -> None:
    if member.type == "function_declaration":
        name, shadowing = member.child_by_field_name("name"), _parameters(member, page)
        kept = [
            each for each in member.named_children if each.type in _TYPES or each.type == "function_value_parameters"
        ]
        place = next((row for row, each in enumerate(kept) if each.type == "function_value_parameters"), len(kept))
        which = [_place(page.of(each), own) for each in kept[place + 1 :][:1]]
        if name is not None and which and which[0] and own[int(which[0].lstrip("?%"))] not in shadowing:
            findings.parameters.append((name.start_byte, PARAMETER, which[0]))
    elif member.type == "property_declaration":
        for declared in member.named_children:
            if declared.type == "variable_declaration":
                _bind_typed(findings, declared, own, page)


def _bind_typed(findings: Findings, node: "Node", own: Sequence[str], page: Page) -> None:
    name = next((child for child in node.named_children if child.type == "identifier"), None)
    written = next((child for child in node.named_children if child.type in _TYPES), None)
    which = _place(page.of(written), own) if written is not None else _place_made(node, own, page)
    if name is not None and which:
        findings.bindings.append((name.start_byte, f"self.{PARAMETER}.{page.of(name)}", which))


def _place_made(declared: "Node", own: Sequence[str], page: Page) -> str:
    """Return the same of a collection that is made of a parameter: ``val items = mutableListOf<T>()``."""
    made = declared.next_named_sibling
    given = made.named_children[1:2] if made is not None and made.type == "call_expression" else []
    written = page.of(given[0])[1:-1] if given and given[0].type == "type_arguments" else ""
    name = _bare(inside(written)[-1]) if 0 < len(written) <= _LONGEST else ""
    return (
        f"?{own.index(name)}" if name in own and made is not None and page.of(made).partition("<")[0] in LISTS else ""
    )


def _place(written: str, own: Sequence[str]) -> str:
    """Return which parameter a type is, ``0``, or holds, ``?0``; else nothing."""
    if len(written) > _LONGEST:
        return ""
    name, mark, held = written.strip().rstrip("?").removesuffix(">").partition("<")
    sign, name = (
        (sign_of(name), _bare(inside(held)[-1])) if mark and name in COLLECTIONS else ("", "" if mark else name)
    )
    return f"{sign}{own.index(name)}" if name in own else ""


def _bare(written: str) -> str:
    text = written.strip().rstrip("?")
    for word in _VARIANCE:
        text = text.removeprefix(word)
    return text.strip()


def _bases(specifiers: "Node", page: Page) -> list[tuple[str, str]]:
    """Return (name, type arguments as written) of the bases that have some."""
    found = list[tuple[str, str]]()
    for child in specifiers.named_children:
        name, mark, held = page.of(child).partition("<")
        base = dotted_name(name.strip()) if mark and child.end_byte - child.start_byte <= _LONGEST else ""
        written = held[: held.rfind(">")] if base else ""
        if written:
            found.append((base.rpartition(".")[2], written))
    return found


def _argument(written: str, own: Sequence[str]) -> str:
    name = _bare(written)
    return f"<{own.index(name)}>" if name in own else type_argument(java_collection(name))
