"""Which local names Rust files bind: parameters, ``let``, match arms, loops, closures."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import ELEMENT
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.rust.expressions import POINTERS, chained
from ctxcode.codegraph.syntax.rust.patterns import as_bound, behind, bound_to, names_in
from ctxcode.codegraph.syntax.rust.scopes import Local

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Typed = Callable[["Node | None"], str]

_EACH = frozenset({
    "all", "and_then", "any", "binary_search_by", "binary_search_by_key", "dedup_by", "dedup_by_key", "filter",
    "filter_map", "find", "find_map", "flat_map", "for_each", "inspect", "is_none_or", "is_ok_and", "is_some_and",
    "map", "map_or", "map_or_else", "map_while", "max_by", "max_by_key", "min_by", "min_by_key", "partition",
    "partition_point", "position", "reduce", "retain", "retain_mut", "rposition", "skip_while", "sort_by",
    "sort_by_cached_key", "sort_by_key", "sort_unstable_by", "sort_unstable_by_key", "take_while", "try_for_each",
})  # fmt: skip
"""Methods that give what an option, an iterator or a collection holds to a closure."""
_EACH_SECOND = frozenset({"fold", "rfold", "scan", "try_fold"})
_PAIRS = frozenset({"retain"})
"""Those that give a map's keys and values apart."""
_OF_PAIR = 2
_HIGHEST = 6
_MOST_ARGUMENTS = 20


def find_locals(captures: Captures, page: Page, typed: Typed) -> Iterator[Local]:
    """Yield what a file binds; ``typed`` tells what a type expression stands for."""
    for node in captures.get("let", ()):
        pattern, value, block = node.child_by_field_name("pattern"), node.child_by_field_name("value"), node.parent
        annotation = node.child_by_field_name("type")
        if pattern is not None and block is not None:
            said = typed(annotation) if annotation is not None else ""
            # ``Vec<_>`` says nothing of what is in it.
            given = ("", value) if said.lstrip("?") in {"", "_"} else (said, None)
            yield from _named(pattern, given, (node.end_byte, block.end_byte), page)
    for node in captures.get("condition", ()):
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        if pattern is not None:
            yield from _named(pattern, ("", value), (node.end_byte, _end_of_condition(node)), page)
    for node in captures.get("arm", ()):
        pattern, block = node.child_by_field_name("pattern"), node.parent
        matched = block.parent if block is not None else None
        value = matched.child_by_field_name("value") if matched is not None else None
        if pattern is not None:
            yield from _named(pattern, ("", value), node.byte_range, page)
    for node in captures.get("for", ()):
        pattern, body = node.child_by_field_name("pattern"), node.child_by_field_name("body")
        if pattern is not None and body is not None:
            bound, _ = bound_to(node.child_by_field_name("value"), page)
            yield from _named(pattern, (behind(bound, ELEMENT), None), body.byte_range, page)
    for node in captures.get("parameter", ()):
        parameters = node.parent
        function = parameters.parent if parameters is not None and parameters.type == "parameters" else None
        pattern = node.child_by_field_name("pattern")
        if function is not None and pattern is not None:
            annotation = node.child_by_field_name("type")
            bound = typed(annotation)
            yield from _named(_taken_out(pattern, annotation, bound, page), (bound, None), function.byte_range, page)
    for node in captures.get("closure", ()):
        yield from _of_closure(node, page, typed)


def _taken_out(pattern: "Node", annotation: "Node | None", bound: str, page: Page) -> "Node":
    """Return what is inside of a pattern for what points at something of that type: ``State(app): State<App>``."""
    name, inner = pattern.child_by_field_name("type"), pattern.named_children
    of = annotation.child_by_field_name("type") if annotation is not None else None
    if pattern.type != "tuple_struct_pattern" or name is None or of is None or len(inner) != _OF_PAIR:
        return pattern
    last = page.of(name).rpartition("::")[2]
    is_pointing = bound[:1] not in {"", "?"} and bound.rpartition(".")[2] != last == page.of(of).rpartition("::")[2]
    return inner[1] if is_pointing else pattern


def _named(pattern: "Node", said: "tuple[str, Node | None]", reach: tuple[int, int], page: Page) -> Iterator[Local]:
    """Yield the names of a pattern, given (what it is bound to, what it is matched with)."""
    start, end = reach
    for node, bound, said_at in names_in(pattern, *said, page):
        yield Local(start, end, node.start_byte, page.of(node), bound, said_at)


def _end_of_condition(node: "Node") -> int:
    """Return where what is bound by ``if let`` ends."""
    at = node.parent
    for _ in range(_HIGHEST):
        if at is None:
            break
        body = at.child_by_field_name("consequence") or at.child_by_field_name("body")
        if at.type in {"if_expression", "while_expression"} and body is not None:
            return body.end_byte
        if at.type == "match_arm":
            return at.end_byte
        at = at.parent
    return node.end_byte


def _of_closure(node: "Node", page: Page, typed: Typed) -> Iterator[Local]:
    parameters = node.child_by_field_name("parameters")
    given = [each for each in parameters.named_children if "comment" not in each.type] if parameters is not None else []
    if not given:
        return
    method, receiver, number = _given_to(node, page)
    each = behind(as_bound(receiver), ELEMENT)
    callee = f"{receiver}.{method}" if receiver else method
    for place, parameter in enumerate(given):
        pattern = parameter.child_by_field_name("pattern") if parameter.type == "parameter" else parameter
        if parameter.type == "parameter":
            bound = typed(parameter.child_by_field_name("type"))
        elif _is_each(method, place, len(given)):
            bound = each
        else:
            bound = f"({number}.{place}){callee}" if callee else ""
        if pattern is not None:
            yield from _named(pattern, (bound, None), node.byte_range, page)


def _is_each(method: str, place: int, count: int) -> bool:
    """Whether what a closure gets in a place is what the receiver holds."""
    if method in _PAIRS and count == _OF_PAIR:
        return place == 1
    return (place == 1 and count == _OF_PAIR) if method in _EACH_SECOND else method in _EACH


def _given_to(closure: "Node", page: Page) -> tuple[str, str, int]:
    """Return (function or method, receiver, the closure's place) of a call that gets it; empty texts for another."""
    arguments, call, function = _call_around(closure)
    if call is not None and function is not None and POINTERS.fullmatch(page.of(function)):
        closure = call
        arguments, call, function = _call_around(closure)
    if function is not None and function.type == "generic_function":
        function = function.child_by_field_name("function")
    if function is None or arguments is None:
        return "", "", 0
    number = _place_in(arguments, closure)
    if function.type != "field_expression":
        return chained(function, page).replace("::", "."), "", number
    value, field = function.child_by_field_name("value"), function.child_by_field_name("field")
    receiver = chained(value, page).replace("::", ".") if value is not None else ""
    return (page.of(field), receiver, number) if field is not None and receiver else ("", "", 0)


def _call_around(argument: "Node") -> "tuple[Node | None, Node | None, Node | None]":
    """Return the arguments an expression is one of, their call, and what that calls."""
    arguments = argument.parent
    call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
    return arguments, call, call.child_by_field_name("function") if call is not None else None


def _place_in(arguments: "Node", argument: "Node") -> int:
    """Return which of a call's arguments an expression is; no function takes more than are looked at."""
    place = 0
    for at in range(min(arguments.named_child_count, _MOST_ARGUMENTS)):
        each = arguments.named_child(at)
        if each == argument:
            break
        place += "comment" not in each.type
    return place
