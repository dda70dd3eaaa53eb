"""Type parameters of C#'s types: what members are of them, and what heirs put in their place."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ARGUMENTS, PARAMETER
from ctxcode.codegraph.syntax.csharp.elements import MAPPINGS, SEQUENCES, TASKS, type_argument
from ctxcode.codegraph.syntax.java.elements import inside

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 200


def bind_parameters(findings: Findings, node: "Node", page: Page) -> None:
    """Bind what of a type's own parameters its members are, and what it puts in the place of those of its bases."""
    own, name, body = _parameters(node, page), node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    for base, written in _bases(node, page):
        types = [_argument(each.strip(), own) for each in inside(written)]
        if any(types):
            findings.attributes.append((name.start_byte, f"{ARGUMENTS}{base}", ",".join(types)))
    for member in body.named_children if own and body is not None else ():
        if member.type == "method_declaration":
            said, at = member.child_by_field_name("returns"), member.child_by_field_name("name")
            which = _place(page.of(said), own) if said is not None else ""
            if at is not None and which and own[int(which.lstrip("?%"))] not in _parameters(member, page):
                findings.parameters.append((at.start_byte, PARAMETER, which))
        else:
            for at, said in _fields(member):
                if which := _place(page.of(said), own):
                    findings.bindings.append((at.start_byte, f"self.{PARAMETER}.{page.of(at)}", which))


def _fields(member: "Node") -> "Iterator[tuple[Node, Node]]":
    """Yield (name, type) of a property, or of each field that is declared at once."""
    if member.type == "property_declaration":
        name, said = member.child_by_field_name("name"), member.child_by_field_name("type")
        if name is not None and said is not None:
            yield name, said
    for declared in member.named_children if member.type == "field_declaration" else ():
        said = declared.child_by_field_name("type")
        for each in declared.named_children if said is not None else ():
            name = each.child_by_field_name("name") if each.type == "variable_declarator" else None
            if name is not None and said is not None:
                yield name, said


def _parameters(node: "Node", page: Page) -> list[str]:
    """Return the names of the type parameters of a type or method."""
    listed = next((child for child in node.named_children if child.type == "type_parameter_list"), None)
    named = [each.child_by_field_name("name") for each in listed.named_children] if listed is not None else []
    return [page.of(name) for name in named if name is not None]


def _bases(node: "Node", page: Page) -> Iterator[tuple[str, str]]:
    """Yield (name, type arguments as written) of the bases that have some."""
    listed = next((child for child in node.named_children if child.type == "base_list"), None)
    for child in listed.named_children if listed is not None else ():
        if child.end_byte - child.start_byte <= _LONGEST and page.source[child.end_byte - 1] == ord(">"):
            name, _, held = page.of(child).partition("<")
            yield dotted_name(name.strip()).rpartition(".")[2], held[:-1]


def _place(written: str, own: Sequence[str]) -> str:
    """Return which parameter a type is, ``0``, or holds, ``?0``; of a task that is what it gives; else nothing."""
    text = "".join(written.split()).rstrip("?") if len(written) <= _LONGEST else ""
    name, mark, held = text.removesuffix(">").partition("<")
    if mark and name in TASKS:
        return _place(held, own)
    if text.endswith("[]"):
        sign, name = "?", text[:-2]
    elif mark:
        known = "?" if name in SEQUENCES else "%" if name in MAPPINGS else ""
        sign, name = known, inside(held)[-1] if known else ""
    else:
        sign = ""
    return f"{sign}{own.index(name)}" if name in own else ""


def _argument(written: str, own: Sequence[str]) -> str:
    return f"<{own.index(written)}>" if written in own else type_argument(written)
