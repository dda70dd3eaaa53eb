"""Tests of C++ that macros declare: ``TEST(Suite, Name) { … }``, ``TEST_F(Fixture, Name) { … }``; those of Catch2."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import TEST

if TYPE_CHECKING:
    from tree_sitter import Node

_OF_FIXTURES = frozenset({b"TEST_F", b"TEST_P", b"TYPED_TEST", b"TYPED_TEST_P"})
"""Those whose tests are methods of a class: what they are called after is its heir."""
_MACROS = _OF_FIXTURES | {b"TEST"}
_SUITE_AND_NAME = 2
_WRITTEN = re.compile(r"(TEST(?:_[FP])?|TYPED_TEST(?:_P)?)\s*\(\s*([^\W\d]\w*)\s*,\s*([^\W\d]\w*)\s*\)")
_SAID = re.compile(r"(?:TEST_CASE|SCENARIO)\s*\(\s*\"([^\"\n\\]+)\"")


def tested(declarator: "Node | None") -> "tuple[Node, Node] | None":
    """Return the suite and the name of a test; None for what is none."""
    if declarator is None or declarator.type != "function_declarator" or declarator.parent is None:
        return None
    macro, listed = (declarator.child_by_field_name(field) for field in ("declarator", "parameters"))
    is_typed = declarator.parent.child_by_field_name("type") is not None
    if macro is None or listed is None or is_typed or macro.text not in _MACROS:
        return None
    names = [name for one in listed.named_children for name in one.named_children]
    is_two = len(names) == listed.named_child_count == _SUITE_AND_NAME
    is_test = is_two and all(name.type == "type_identifier" for name in names)
    return (names[0], names[1]) if is_test else None


def has_fixture(suite: "Node") -> bool:
    """Whether a test's suite is a class."""
    at: Node | None = suite
    while at is not None and at.type != "function_declarator":
        at = at.parent
    macro = at.child_by_field_name("declarator") if at is not None else None
    return macro is not None and macro.text in _OF_FIXTURES


def written_test(header: str) -> tuple[str, str, str] | None:
    """Return (name, kind, suite) of a test that no tree shows, given what stands before its body."""
    said, written = _SAID.match(header), _WRITTEN.match(header)
    if said is not None:
        return said[1], TEST, ""
    if written is None:
        return None
    return written[3], "function" if written[1].encode() in _OF_FIXTURES else TEST, written[2]
