"""What Swift's collections hold: as their types say it, and as loops and closures get it."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.java.elements import inside
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

Read = Callable[["Node", Page], str]
"""From an expression to names, dots and calls; empty for what is more."""
_HOLDING = re.compile(r"(?:Swift\.)?(\w+)\s*<(.*)>", re.DOTALL)
_SEQUENCES = frozenset({
    "AnyCollection", "AnySequence", "Array", "ArraySlice", "AsyncStream", "AsyncThrowingStream", "ContiguousArray",
    "Set",
})  # fmt: skip
_TAKING_EACH = frozenset({
    "allSatisfy", "compactMap", "contains", "count", "drop", "filter", "first", "firstIndex", "flatMap", "forEach",
    "last", "map", "max", "min", "prefix", "removeAll", "sort", "sorted",
})  # fmt: skip
"""What calls a closure with each element, with two of them if it compares."""
_COMPARING = frozenset({"max", "min", "sort", "sorted"})
_UNNAMED = re.compile(r"\$(?=\d)")
_ANYTHING = frozenset({"Any", "AnyHashable", "AnyObject"})
_PAIR = 2
_LONGEST = 200
_DEEPEST = 3


def held_type(text: str, type_name: Callable[[str], str], deep: int = _DEEPEST) -> str:
    """Return the type an expression of Swift names, with what a collection holds: ``Array<A>``, ``Dictionary<A>``.

    ``type_name`` reads what is no collection.
    """
    written = text.strip()[:_LONGEST].rstrip("?!").strip()
    if not deep:
        return ""
    holding = _HOLDING.fullmatch(written)
    if written[:1] == "[" and written[-1:] == "]":
        key, colon, value = written[1:-1].partition(":")
        outer, held = ("Dictionary", value) if colon and "[" not in key else ("Array", written[1:-1])
    elif holding is not None and holding[1] in _SEQUENCES:
        outer, held = holding[1], holding[2]
    elif holding is not None and holding[1] == "Dictionary":
        outer, held = holding[1], inside(holding[2])[-1]
    else:
        return type_name(text)
    inner = held_type(held, type_name, deep - 1)
    if inner in _ANYTHING:
        return ""
    return f"{outer}<{inner}>" if inner and inner[0] != "=" and "&" not in inner else outer


def given(nodes: Iterable["Node"], page: Page, read: Read) -> Iterator[Region]:
    """Yield where a name stands for what a collection holds: of loops and closures."""
    for node in nodes:
        yield from (_looped if node.type == "for_statement" else _of_closure)(node, page, read)


def name_unnamed(findings: Findings) -> None:
    """Give the parameters of closures that have no names some that can stand elsewhere: ``_0`` for ``$0``."""
    findings.calls = [
        (at, name, _UNNAMED.sub("_", receiver, count=1) if receiver[:1] == "$" else receiver)
        for at, name, receiver in findings.calls
    ]


def _looped(loop: "Node", page: Page, read: Read) -> Iterator[Region]:
    item, over = loop.child_by_field_name("item"), loop.child_by_field_name("collection")
    said = _short(over, page, read) if over is not None else ""
    if item is None or not said:
        return
    name, parts = item.child_by_field_name("bound_identifier"), item.named_children
    if name is None and len(parts) == _PAIR and parts[1].named_child_count == 1:
        # What comes in pairs are dictionaries, and what is counted.
        name = parts[1].named_children[0]
        said = said.removesuffix(".enumerated()") if said.endswith(".enumerated()") else f"{said}.values"
    if name is not None and name.type == "simple_identifier":
        yield _each(page.of(name), said, (name.end_byte, loop.end_byte))


def _of_closure(closure: "Node", page: Page, read: Read) -> Iterator[Region]:
    suffix = closure.parent
    call = suffix.parent if suffix is not None and suffix.type == "call_suffix" else None
    callee = call.named_children[0] if call is not None and call.named_child_count else None
    if callee is None or callee.type != "navigation_expression":
        return
    on, method = callee.child_by_field_name("target"), page.of(callee.named_children[-1]).strip("?!. \n")
    said = _short(on, page, read) if on is not None and method in _TAKING_EACH else ""
    names = _names(closure, page)
    for name in names[: _PAIR if method in _COMPARING else 1] if said else ():
        yield _each(name, said, closure.byte_range)


def _names(closure: "Node", page: Page) -> list[str]:
    """Return what a closure's parameters are called."""
    written = closure.child_by_field_name("type")
    if written is None:
        return ["_0", "_1"]
    listed = written.named_children[0].named_children if written.named_child_count else []
    named = [parameter.child_by_field_name("name") for parameter in listed if parameter.type == "lambda_parameter"]
    return [page.of(name) for name in named if name is not None]


def _each(name: str, said: str, span: tuple[int, int]) -> Region:
    return Region(*span, Held(span[0], name, f"{said}.{EACH}", is_other=True))


def _short(node: "Node", page: Page, read: Read) -> str:
    return read(node, page) if node.end_byte - node.start_byte <= _LONGEST else ""
