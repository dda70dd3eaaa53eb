"""Python's generic classes: what of theirs is of their type parameters, and what heirs put in the place of those."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, is_variable_name, python_arguments, python_type
from ctxcode.codegraph.facts import ARGUMENTS, PARAMETER

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_DECLARED = re.compile(rb"^(\w+)[ \t]*=[ \t]*(?:\w+\.)?(?:TypeVar|ParamSpec|TypeVarTuple)\(", re.MULTILINE)
_NAME = re.compile(r"[^\W\d]\w*")
_DECLARING = frozenset({"Generic", "Protocol"})
_SIGNS = "?%"
_MOST_ARGUMENTS = 10
_LONGEST = 300


def _outer_first(row: tuple[int, int, str]) -> tuple[int, int]:
    return row[0], -row[1]


def is_generic(page: Page, node: "Node") -> bool:
    """Whether a class has type parameters, or puts something in the place of those of another class."""
    bases = node.child_by_field_name("superclasses")
    if bases is not None and page.source.find(b"[", *bases.byte_range) >= 0:
        return True
    return node.child_by_field_name("type_parameters") is not None


def add_places(findings: Findings, page: Page, captures: Captures, classes: Sequence["Node"]) -> None:
    """Bind which of the attributes and results of generic classes are of their parameters, and what heirs put there.

    ``classes`` are those of the file that ``is_generic`` tells of.
    """
    declared = {found[1].decode() for found in _DECLARED.finditer(page.source)}
    own: dict[str, list[str]] = {}
    for node in classes:
        bases = list(_bases(page, node))
        own[str(node.start_byte)] = names = _parameters(page, node, bases, declared)
        for base, given in bases:
            types = [_argument(each, names, declared) for each in given[:_MOST_ARGUMENTS]]
            if any(types) and (last := base.rpartition(".")[2]) not in _DECLARING:
                findings.bindings.append((node.end_byte - 1, f"{ARGUMENTS}{last}", ",".join(types)))
    if any(own.values()):
        _add_members(findings, page, captures, own)


def _bases(page: Page, node: "Node") -> Iterator[tuple[str, list[str]]]:
    """Yield (name, what stands in brackets behind it) for what a class inherits from."""
    bases = node.child_by_field_name("superclasses")
    for base in bases.named_children if bases is not None else ():
        if base.type == "subscript" and base.end_byte - base.start_byte <= _LONGEST:
            written = page.of(base)
            if name := dotted_name(written):
                yield name, python_arguments(written)


def _parameters(page: Page, node: "Node", bases: Sequence[tuple[str, list[str]]], declared: set[str]) -> list[str]:
    """Return the type parameters of a class in their order: what ``Generic[…]`` says, else as the bases name them."""
    listed = node.child_by_field_name("type_parameters")
    if listed is not None:
        return [found[0] for each in listed.named_children if (found := _NAME.search(page.of(each)))]
    told = next((given for name, given in bases if given and name.rpartition(".")[2] in _DECLARING), None)
    if told is not None:
        return told
    names = (name for _, given in bases for each in given for name in _NAME.findall(each))
    return list(dict.fromkeys(name for name in names if _is_variable(name, declared)))


def _is_variable(name: str, declared: set[str]) -> bool:
    return name in declared or is_variable_name(name)


def _argument(written: str, own: Sequence[str], declared: set[str]) -> str:
    """Return what stands in the place of a type parameter: empty for what is nobody's for sure."""
    if written in own:
        return f"<{own.index(written)}>"
    told = python_type(written)
    name = told.lstrip(_SIGNS)
    is_one = name and "|" not in name and name[0] not in "=@"
    return told if is_one and name not in own and not _is_variable(name, declared) else ""


def _add_members(findings: Findings, page: Page, captures: Captures, own: Mapping[str, Sequence[str]]) -> None:
    """Bind what of generic classes is of their type parameters, which stand in ``own`` by where the classes begin."""
    around, functions = (
        Regions(sorted([(*node.byte_range, str(node.start_byte)) for node in captures.get(kind, ())], key=_outer_first))
        for kind in ("class", "function")
    )
    names = {name for each in own.values() for name in each}

    def place(at: int, told: str) -> str:
        name = told.lstrip(_SIGNS)
        parameters = own.get(around.name(at), ()) if name in names else ()
        return f"{told[: len(told) - len(name)]}{parameters.index(name)}" if name in parameters else ""

    decorators = {definition.header: definition.decorators for definition in findings.definitions}
    for node in captures.get("function", ()):
        name, annotation = node.child_by_field_name("name"), node.child_by_field_name("return_type")
        found = place(node.start_byte, python_type(page.of(annotation))) if annotation is not None else ""
        if name is None or not found:
            continue
        if any("property" in decorator for decorator in decorators.get(name.start_byte, ())):
            findings.attributes.append((name.start_byte, f"self.{PARAMETER}.{page.of(name)}", found))
        else:
            findings.parameters.append((name.start_byte, PARAMETER, found))
    kept = []
    for at, bound, said in findings.bindings:
        attribute = bound.removeprefix("self.")
        is_own = bound != attribute or not functions.name(at)
        if attribute.isidentifier() and is_own and (found := place(at, said)):
            kept.append((at, f"self.{PARAMETER}.{attribute}", found))
    findings.bindings += kept
