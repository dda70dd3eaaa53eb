"""What functions that are given to functions get: types that stand where the parameter is declared."""

import re
from collections.abc import Callable, Container, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, call_of, plain_expression
from ctxcode.codegraph.extract.names.shadows import Element
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type
from ctxcode.codegraph.syntax.ecmascript.commonjs import module_alias

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


_PAIR = 2
_FUNCTION_TYPES = frozenset({"call_signature", "construct_signature", "constructor_type", "function_type"})
_LONGEST = 150
_VALUES = re.compile(r"Object\.(values|entries)\((.*)\)")
_COPIED = re.compile(r"\A\[\.\.\.([\w$.]+(?:\(\))?)\]")
"""What holds the same as another list."""
_FIRST_NAME = re.compile(r"[.(]")


def declared(captures: Captures, page: Page, bounded: Callable[[int, str], str]) -> Iterator[Binding]:
    """Yield the types that functions promise to give to the functions they are given: ``f(use: (a: A) => void)``.

    ``bounded`` says what a type stands for on a byte where it is a type parameter.
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
            type_name = bounded(node.start_byte, type_name)
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


_CALLED_FOR_EACH = (_OF_LANGUAGE | {"toSorted"}) - {"catch", "finally"}
_FIRST, _SECOND, _BOTH = slice(0, 1), slice(1, 2), slice(0, 2)
_GETTING = {"reduce": _SECOND, "reduceRight": _SECOND, "sort": _BOTH, "toSorted": _BOTH}
"""Which parameters get what is gone over, where that is not the first."""


def elements(captures: Captures, page: Page) -> Iterator[Element]:
    """Yield what ``for (const x of xs)`` and ``xs.map(x => …)`` give to names."""
    for node in captures.get("loop", ()):
        left, right, body = (node.child_by_field_name(field) for field in ("left", "right", "body"))
        operator = node.child_by_field_name("operator")
        if left is None or right is None or body is None or operator is None or page.of(operator) != "of":
            continue
        over, names = _expression(right, page), left.named_children
        is_pair = left.type == "array_pattern" and len(names) == _PAIR
        if left.type == "identifier":
            yield _element(
                page, left, (body.start_byte, body.end_byte), f"{over}.__iter__().__next__()" if over else ""
            )
        elif left.type == "object_pattern" and over:
            yield from _of_parts(page, left, (body.start_byte, body.end_byte), f"{over}.__iter__().__next__()")
        elif is_pair and names[1].type == "identifier":
            entries = over.removesuffix(".entries()")
            yield _element(page, names[1], (body.start_byte, body.end_byte), f"{entries}.get()" if entries else "")
    for node in captures.get("each", ()):
        function, given_to = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        method = function.child_by_field_name("property") if function is not None else None
        if function is None or method is None or given_to is None or page.of(method) not in _CALLED_FOR_EACH:
            continue
        arrow, object_ = given_to.named_children[0], function.child_by_field_name("object")
        over = (_imported(object_, page) or _expression(object_, page)) if object_ is not None else ""
        for name in _untyped(arrow)[_GETTING.get(page.of(method), _FIRST)]:
            bound = over if page.of(method) == "then" else f"{over}.{EACH}"
            if name is not None and name.type == "object_pattern" and over and object_ is not None:
                yield from _of_parts(page, name, arrow.byte_range, bound) if not _imported(object_, page) else ()
            elif name is not None and name.type == "identifier":
                bound = bound if bound[-1:] == ")" else f"={bound}"
                yield _element(page, name, arrow.byte_range, bound if over else "")


def _of_parts(page: Page, pattern: "Node", span: tuple[int, int], bound: str) -> Iterator[Element]:
    """Yield what names stand for that each of what is gone over is taken apart into: ``({ cart }) => …``."""
    for name, key in keys(pattern, page):
        yield _element(page, name, span, f"={bound}.{key}")


def keys(pattern: "Node", page: Page) -> "Iterator[tuple[Node, str]]":
    """Yield (name, the member it is) of what a pattern takes, without what that is taken apart into again."""
    for child in pattern.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            yield child, page.of(child)
        elif child.type == "object_assignment_pattern" and child.named_children:
            yield child.named_children[0], page.of(child.named_children[0])
        elif child.type == "pair_pattern":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if value is not None and value.type == "assignment_pattern":
                value = value.child_by_field_name("left")
            if key is not None and value is not None and value.type == "identifier":
                yield value, page.of(key)


def imported_by(call: "Node", page: Page) -> str:
    """Return what a module goes by that is handed on to a function once it is there: ``import("m").then(f)``."""
    function = call.child_by_field_name("function")
    method = function.child_by_field_name("property") if function is not None else None
    object_ = function.child_by_field_name("object") if function is not None else None
    is_then = method is not None and page.of(method) == "then"
    return _imported(object_, page) if is_then and object_ is not None else ""


def _imported(call: "Node", page: Page) -> str:
    """Return what a module goes by that is imported where it is needed: ``import("m")``."""
    function, given_to = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or function.type != "import" or given_to is None or not given_to.named_child_count:
        return ""
    return module_alias(page.of(given_to.named_children[0]).strip("\"'"))


def _untyped(arrow: "Node") -> "list[Node | None]":
    """Return what a function's parameters without a type are called; None for the others."""
    parameters, name = arrow.child_by_field_name("parameters"), arrow.child_by_field_name("parameter")
    if parameters is None:
        return [name]
    every = _parameters(parameters)
    return [
        (each.child_by_field_name("pattern") or each) if each.child_by_field_name("type") is None else None
        for each in every
    ]


def _element(page: Page, name: "Node", span: tuple[int, int], bound: str) -> Element:
    text = page.of(name)
    is_itself = _FIRST_NAME.split(bound.removeprefix("="), maxsplit=1)[0] == text
    return Element(*span, name.start_byte, text, "" if is_itself else bound)


def _expression(node: "Node", page: Page) -> str:
    """Return what is gone over; the values of an object are gone over without its keys."""
    if node.end_byte - node.start_byte > _LONGEST:
        return ""
    written = _COPIED.sub(r"\1", "".join(page.of(node).split()).replace("?.", ".").replace("!", ""))
    values = _VALUES.fullmatch(written)
    expression = plain_expression(values[2] if values else written)
    return f"{expression}.values()" if values and values[1] == "values" and expression else expression


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


def is_of_type(parameter: "Node") -> bool:
    """Whether a parameter belongs to no function, but to a type: ``new (item: Item) => Box``."""
    listed = parameter.parent
    owner = listed.parent if listed is not None else None
    return owner is not None and owner.type in _FUNCTION_TYPES
