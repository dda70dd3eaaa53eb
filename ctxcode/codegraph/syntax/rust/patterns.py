"""What the names in Rust's patterns stand for, given what the whole pattern stands for.

``Some(x)`` opens a wrapper, ``Shape::Circle(x)`` gets at the first of what the variant holds, ``[x, ..]`` at what a
slice does: ``=y.#`` is one of what ``y`` holds.
"""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import ELEMENT
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.syntax.rust.expressions import result_of, without_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_OPENED = frozenset({"Some", "Ok", "Ready", "Continue"})
_OPENED_TYPES = frozenset({"", "Option", "Result", "Poll", "ControlFlow"})
_USING = frozenset({
    "identifier", "shorthand_field_identifier", "slice_pattern", "struct_pattern", "tuple_pattern",
    "tuple_struct_pattern",
})  # fmt: skip
"""Patterns that look at what they are matched with."""
_GIVING_SAME = frozenset({
    "as_ref()", "expect()", "into_iter()", "iter()", "iter_mut()", "next()", "pop()", "unwrap()", "unwrap_or_default()",
})  # fmt: skip
"""What gives the tuples themselves that a call gives, or one of them."""
_SIGNS = frozenset("?^")
_NAMES = frozenset({"identifier", "shorthand_field_identifier"})
_MOST_NODES = 2_000
"""Of one pattern that are looked at."""


def behind(bound: str, part: str) -> str:
    """Return what stands behind what a pattern or closure is given; empty where nothing is known of it."""
    if not bound:
        return ""
    if bound[0] not in _SIGNS and (bound[0] == "=" or bound[-1] == ")"):
        return as_bound(f"{bound.removeprefix('=')}.{part}")
    return bound[1:] if bound[0] == "?" and part in {ELEMENT, "unwrap()"} else ""


def as_bound(expression: str) -> str:
    """Return what a binding to an expression says."""
    if expression[:1] in _SIGNS:
        return expression[:1] + as_bound(expression[1:])
    return expression if expression.endswith(")") or not expression else f"={expression}"


def bound_to(value: "Node | None", page: Page) -> tuple[str, int]:
    """Return (what a value says, where it says it): ``f()`` for what a call gives, ``=x`` for the same as a name."""
    said, at = result_of(value, page) if value is not None else ("", 0)
    return as_bound(said.replace("::", ".")), at


def names_in(pattern: "Node", bound: str, value: "Node | None", page: Page) -> "Iterator[tuple[Node, str, int]]":
    """Yield (identifier, what it is bound to, where that is said) for each name a pattern binds.

    ``value`` is what it is matched with, where that is an expression.
    """
    pending = [(pattern, bound, value)]
    for _ in range(_MOST_NODES):
        if not pending:
            break
        node, bound, value = pending.pop()
        if not bound and value is not None and node.type in _USING:
            bound, said_at = bound_to(value, page)
        else:
            said_at = value.start_byte if value is not None else pattern.start_byte
        if node.type in _NAMES:
            name = page.of(node)
            if node.type != "identifier" or not is_capitalised(name):
                yield node, bound, said_at
        else:
            pending += _inside(node, bound, value, page)


def _inside(node: "Node", bound: str, value: "Node | None", page: Page) -> "list[tuple[Node, str, Node | None]]":
    """Return the patterns directly inside one, with what each is bound to and matched with."""
    inner = node.named_children
    match node.type:
        case "mut_pattern" | "ref_pattern" | "reference_pattern":
            return [(child, bound, value) for child in inner[-1:]]
        case "match_pattern":
            return [(child, bound, value) for child in inner[:1]]
        case "captured_pattern" | "or_pattern":
            return [(child, bound, value) for child in inner]
        case "tuple_pattern":
            return _of_tuple(node, bound, value)
        case "slice_pattern":
            return [(child, behind(bound, ELEMENT), None) for child in inner]
        case "tuple_struct_pattern" | "struct_pattern":
            return [(child, of, None) for child, of in _of_struct(node, bound, page)]
        case _:
            return []


def _of_tuple(node: "Node", bound: str, value: "Node | None") -> "list[tuple[Node, str, Node | None]]":
    inner = node.named_children
    if value is not None and value.type == "tuple_expression" and value.named_child_count == len(inner):
        return list(zip(inner, [""] * len(inner), value.named_children, strict=True))
    second, places = "", _places(node)
    if places and places[-1][1] == 1 and bound.endswith(f".{ELEMENT}"):
        # A place and what stands there, or a key and its value.
        second = as_bound(bound.removeprefix("=").removesuffix(f".{ELEMENT}").removesuffix(".enumerate()"))
        second = behind(second, ELEMENT)
    returned = _returned(bound)
    found: list[tuple[Node, str, Node | None]] = []
    for child, place in places:
        of_place = f"={returned}.{place}" if returned and place >= 0 else ""
        known = second if place == 1 else ""
        found.append((child, f"{known}|{of_place}" if known and of_place else known or of_place, None))
    return found


def _returned(bound: str) -> str:
    """Return the call that gives a tuple, or something that holds tuples, given what a pattern gets of it."""
    *parts, last = bound.removeprefix("=").split(".")
    while parts and (last == ELEMENT or last in _GIVING_SAME):
        last = parts.pop()
    return ".".join([*parts, last]) if last.endswith("()") and last != "enumerate()" else ""


def _places(node: "Node") -> "list[tuple[Node, int]]":
    """Return what is inside brackets with its place; -1 for what stands behind ``..``."""
    found, place = [], 0
    for child in node.children:
        if child.type == ",":
            place += place >= 0
        elif child.type == "remaining_field_pattern":
            place = -1
        elif child.is_named and "comment" not in child.type:
            found.append((child, place))
    return found


def _of_struct(node: "Node", bound: str, page: Page) -> "Iterator[tuple[Node, str]]":
    of = node.child_by_field_name("type")
    path = without_arguments("".join(page.of(of).split())) if of is not None else ""
    owner, _, name = path.rpartition("::")
    is_wrapper = name in _OPENED and owner.rpartition("::")[2] in _OPENED_TYPES
    is_known = is_capitalised(name) and not (name == "Err" and owner.rpartition("::")[2] in _OPENED_TYPES)
    dotted = path.replace("::", ".")
    if node.type == "tuple_struct_pattern":
        for child, place in _places(node):
            if child == of:
                continue
            known = f"={dotted}.{place}" if place >= 0 and is_known else ""
            yield child, behind(bound, "unwrap()") if is_wrapper else known
        return
    for child in node.named_children:
        field = child.child_by_field_name("name") if child.type == "field_pattern" else None
        if field is not None:
            known = f"={dotted}.{page.of(field)}" if is_known else ""
            yield child.child_by_field_name("pattern") or field, known
