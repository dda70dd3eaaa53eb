"""Where a file of PHP gives something to variables: assignments, lists, loops, ``catch``."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSIGNED = re.compile(rb"\$(\w++)\s*+=(?![=>])")
_LISTED = (re.compile(rb"\]\s*+=(?![=>])"), re.compile(rb"\)\s*+=(?![=>])"))
_LOOPED = re.compile(rb"as(?<!\was)\b([^;{:]{1,200})")
_CAUGHT = re.compile(rb"catch(?<!\wcatch)\s*+\([^)$]{0,200}+\$(\w++)")
_REFERRED = (re.compile(rb"\$(\w++)\s*+=\s*+&\s*+\$\w"), re.compile(rb"=\s*+&\s*+\$(\w++)(?!\s*+(?:->|\[|::))"))
"""Variables that go by two names."""
_SHARED = (*_REFERRED, re.compile(rb"static\s++\$(\w++)"))
"""These, and those that hold something when their function begins."""
_JUMP = re.compile(rb"goto(?<!\wgoto)\s++\w++\s*+;")
_NAME = re.compile(rb"\$(\w++)")
_GIVING = frozenset({"assignment_expression", "reference_assignment_expression"})
_NOTHING = frozenset({"boolean", "encapsed_string", "float", "heredoc", "integer", "nowdoc", "null", "string"})
"""Values that have no methods: where something is called of a variable it holds another."""
_LIST = "list_literal"
_DEEPEST = 5
_LONGEST, _LONGEST_WORD = 300, 10
_MOST_LISTED = 50
_MOST_LISTS = 500
"""In a file: looking for what stands around takes longer the deeper it is."""


class Place(NamedTuple):
    """Where a variable is given something."""

    at: int
    name: str
    node: "Node"


def candidates(page: Page, root: "Node", names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (byte, name) of where some variables may be given something."""
    source = page.source
    for match in _ASSIGNED.finditer(source):
        name = match[1].decode("utf-8", "replace")
        if name in names:
            yield match.start(), name
    listed = (match for kind in _LISTED for match in kind.finditer(source) if _is_list(source, match.start()))
    for match in islice(listed, _MOST_LISTS):
        closing = root.descendant_for_byte_range(match.start(), match.start() + 1)
        left = closing.parent if closing is not None else None
        if left is not None and left.type == _LIST:
            yield from _named(page, left.start_byte, left.end_byte, names)
    for match in _LOOPED.finditer(source):
        yield from _named(page, match.start(1), match.end(1), names)
    for match in _CAUGHT.finditer(source):
        name = match[1].decode("utf-8", "replace")
        if name in names:
            yield match.start(1) - 1, name


def shared(page: Page, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (byte, name) of some variables that may be given something elsewhere than where that is written."""
    for match in (match for kind in _SHARED for match in kind.finditer(page.source)):
        name = match[1].decode("utf-8", "replace")
        if name in names:
            yield match.start(), name


def referred(page: Page, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (byte, name) of some variables that go by two names."""
    for match in (match for kind in _REFERRED for match in kind.finditer(page.source)):
        name = match[1].decode("utf-8", "replace")
        if name in names:
            yield match.start(), name


def jumps(page: Page) -> list[int]:
    """Return where ``goto`` stands."""
    return [match.start() for match in _JUMP.finditer(page.source)]


def places(root: "Node", found: Iterable[tuple[int, str]]) -> Iterator[Place]:
    """Yield, of these, where what can have methods is given."""
    for at, name in found:
        node = root.descendant_for_byte_range(at, at + 1 + len(name.encode()))
        around = node.parent if node is not None and node.type == "variable_name" else None
        if node is None or around is None:
            continue
        if around.type in _GIVING:
            left, value = around.child_by_field_name("left"), around.child_by_field_name("right")
            if left == node and (value is None or value.type not in _NOTHING):
                yield Place(at, name, node)
        elif around.type == "catch_clause" or _is_taken_apart(around if around.type != "by_ref" else around.parent):
            yield Place(at, name, node)
        else:
            loop = around.parent if around.type in {"by_ref", "pair"} else around
            # What a loop goes over stands first, what it does last.
            parts = loop.named_children if loop is not None and loop.type == "foreach_statement" else []
            if parts and parts[0].start_byte != at < parts[-1].start_byte:
                yield Place(at, name, node)


def is_emptied(name: "Node") -> bool:
    """Whether a variable is given an array with nothing in it."""
    value = name.parent.child_by_field_name("right") if name.parent is not None else None
    return value is not None and value.type == "array_creation_expression" and not value.named_child_count


def _is_list(source: bytes, end: int) -> bool:
    """Whether brackets that end on a byte may hold names to be given something: they stand behind no other."""
    start = max(source.rfind(b"[", max(0, end - _LONGEST), end), source.rfind(b"(", max(0, end - _LONGEST), end))
    if start < 0:
        return False
    before = source[max(0, start - _LONGEST_WORD) : start].rstrip()
    return before.endswith(b"list") or not (before[-1:].isalnum() or before[-1:] in b"_])}")


def _is_taken_apart(around: "Node | None") -> bool:
    """Whether what stands in a list is given something: ``[$a, [$b]] = …``, ``as [$a]``, ``[&$a] = …``."""
    at = around
    for _ in range(_DEEPEST):
        if at is None or at.type != _LIST:
            break
        at = at.parent
    return (
        around is not None
        and around.type == _LIST
        and at is not None
        and at.type in {*_GIVING, "foreach_statement", "pair"}
    )


def _named(page: Page, start: int, end: int, names: Collection[str]) -> Iterable[tuple[int, str]]:
    found = [(match.start(), match[1].decode("utf-8", "replace")) for match in _NAME.finditer(page.source, start, end)]
    return [(at, name) for at, name in found[:_MOST_LISTED] if name in names]
