"""What Rust files call: paths, methods, also among the tokens in a macro's brackets."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import RECEIVER_CHARACTERS, Call, called
from ctxcode.codegraph.syntax.rust.expressions import UNKNOWN, chained, without_arguments
from ctxcode.codegraph.syntax.rust.generics import Generics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_QUALIFIED_SELF = re.compile(r"<\s*([^\W\d][\w:]*)[^>]*>::\w+")
_PRELUDE = frozenset({"Some", "Ok", "Err"})
_BACKWARDS = re.compile(
    r"\s*(?:\.|::)\s*((?:\??(?:\)[^()]*\()?\w+)(?:\s*(?:\.|::)\s*\??(?:\)[^()]*\()?\w+)*)?\s*(.)?", re.DOTALL
)
"""What stands before a called name and its dot, read from right to left: the receiver, and what precedes it."""
_SEPARATORS = frozenset({b".", b":"})
_PART = frozenset('.:)]?>}"')
"""With these before it a receiver is no whole one."""
_TURBOFISH = re.compile(rb"::<[^()<>;]{0,100}(?:<[^()<>;]{0,100}>[^()<>;]{0,100}){0,3}>")
_ARGUMENTS = re.compile(r"\([^()]*\)")


def find_calls(captures: Captures, page: Page, generics: Generics) -> list[Call]:
    """Return a file's calls."""
    calls: list[Call] = []
    plain: list[Node] = []
    for node in captures.get("callee", ()):
        value = node.child_by_field_name("value") if node.type == "field_expression" else None
        if value is None or value.type in {"identifier", "self"}:
            plain.append(node)
        else:
            field = node.child_by_field_name("field")
            if field is not None:
                receiver = chained(value, page) or UNKNOWN
                calls.append((node.end_byte - 1, page.of(field), receiver[:RECEIVER_CHARACTERS]))
    calls += [call for call in called(page, plain) if call[1] not in _PRELUDE]
    paths = captures.get("path_callee", ())
    for node, (at, name, receiver) in zip(paths, called(page, paths, "::"), strict=True):
        owner = receiver
        if "<" in receiver:
            qualified = _QUALIFIED_SELF.match(page.of(node))
            owner = qualified[1] if qualified else without_arguments(receiver)
        if name not in _PRELUDE or owner:
            calls.append((at, name, generics.bound(at, owner)))
    return calls + _among_tokens(captures.get("token", ()), captures.get("macro", ()), page, generics)


def _among_tokens(tokens: "Iterable[Node]", macros: "Iterable[Node]", page: Page, generics: Generics) -> list[Call]:
    """Return what looks like calls in macros' brackets, but for those in definitions of macros."""
    spans = sorted(node.byte_range for node in macros)
    starts = [start for start, _ in spans]
    calls: list[Call] = []
    for node in tokens:
        start, end = node.byte_range
        row = bisect_right(starts, start) - 1
        turbofish = _TURBOFISH.match(page.source, end)
        behind = turbofish.end() if turbofish is not None else end
        if page.source[behind : behind + 1] != b"(" or (row >= 0 and start < spans[row][1]):
            continue
        if page.source[start - 1 : start] in _SEPARATORS:
            before = page.text(max(0, start - RECEIVER_CHARACTERS), start)
            calls.append((end - 1, page.of(node), generics.bound(start, _receiver(before))))
        elif page.of(node) not in _PRELUDE and page.source[max(0, start - 3) : start] != b"fn ":
            calls.append((end - 1, page.of(node), ""))
    return calls


def _receiver(before: str) -> str:
    """Return what stands before a called name and its dot, as far as it is names and calls."""
    found = _BACKWARDS.match(before[::-1])
    if found is None or not found[1] or found[2] in _PART:
        return UNKNOWN
    return _ARGUMENTS.sub("()", "".join(found[1][::-1].split())).replace("?", ".unwrap()")
