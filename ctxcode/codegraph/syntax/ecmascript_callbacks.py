"""What functions that are given to functions get: types that stand where the parameter is declared."""

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import call_of
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Binding = tuple[int, str, str]
"""(byte, name, type); see ``facts.BindingFact``."""

_OF_LANGUAGE = frozenset({
    "catch", "every", "filter", "finally", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "reduce",
    "reduceRight", "some", "sort", "then",
})  # fmt: skip
"""What arrays and promises call with what is theirs."""


def declared(captures: Captures, page: Page, extended: Mapping[str, str]) -> Iterator[Binding]:
    """Yield the types that functions promise to give to the functions they are given: ``f(use: (a: A) => void)``.

    ``extended`` says what the file's type parameters extend.
    """
    for node in captures.get("callback", ()):
        annotation, around = node.child_by_field_name("type"), node.parent
        function = annotation.named_children[0] if annotation is not None else None
        inner = function.child_by_field_name("parameters") if function is not None else None
        if inner is None or around is None:
            continue
        at = _position(around, node)
        for index, parameter in enumerate(_parameters(inner)):
            written = parameter.child_by_field_name("type")
            type_name = typescript_type(page.of(written)) if written is not None else ""
            type_name = extended.get(type_name, type_name)
            if len(type_name) > 1:
                yield node.start_byte, f"({at}.{index})", type_name


def given(captures: Captures, page: Page, wanted: Container[str]) -> Iterator[Binding]:
    """Yield what the wanted names among the parameters of functions are that are given to calls: ``(0.1)f``."""
    for name in captures.get("given", ()):
        text = page.of(name)
        function = _around(name) if text in wanted else None
        arguments = function.parent if function is not None else None
        if function is None or arguments is None or arguments.type != "arguments" or arguments.parent is None:
            continue
        call = arguments.parent
        callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
        called = call_of(page.of(callee)).removesuffix("()") if callee is not None else ""
        if not called or called.rpartition(".")[2] in _OF_LANGUAGE:
            continue
        inner = function.child_by_field_name("parameters")
        index = _position(inner, name) if inner is not None else 0
        yield name.start_byte, text, f"({_position(arguments, function)}.{index}){called}"


def _around(name: "Node") -> "Node | None":
    """Return the function that has a parameter."""
    node = name.parent
    while node is not None and node.type in {"required_parameter", "formal_parameters"}:
        node = node.parent
    return node


def _parameters(holder: "Node") -> list["Node"]:
    """Return parameters or arguments; TypeScript's ``this`` is none."""
    found = []
    for child in holder.named_children:
        pattern = child.child_by_field_name("pattern")
        if child.type != "comment" and (pattern is None or pattern.type != "this"):
            found.append(child)
    return found


def _position(holder: "Node", node: "Node") -> int:
    """Return which of the parameters or arguments a node is, or is in."""
    return sum(child.end_byte <= node.start_byte for child in _parameters(holder))
