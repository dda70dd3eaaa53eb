"""What macros of C and C++ call where they are expanded, told by the text of their bodies."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_OTHER = re.compile(r'"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)++\'|/\*.*?\*/|//[^\n]*+', re.DOTALL)
_CALL = re.compile(r"(?<![\w.>:#])([^\W\d]\w*)[ \t]*\((?!\s*\*)")
_NO_CALLS = frozenset({
    "alignof", "catch", "decltype", "defined", "do", "for", "if", "return", "sizeof", "switch", "typeof", "while",
    "__attribute__", "__declspec", "__typeof__", "_Pragma",
})  # fmt: skip
_LONGEST = 4_000


def add_expanded(findings: Findings, nodes: Iterable["Node"], page: Page) -> None:
    """Add the calls in the bodies of macros that take arguments; ``nodes`` are those bodies."""
    for node in nodes:
        written = page.text(node.start_byte, min(node.end_byte, node.start_byte + _LONGEST))
        listed = node.parent.child_by_field_name("parameters") if node.parent is not None else None
        if listed is None or not written.isascii():
            continue
        taken = {page.of(name) for name in listed.named_children} | _NO_CALLS
        body = _OTHER.sub(lambda found: " " * len(found[0]), written)
        found = [(call.start(1), call[1]) for call in _CALL.finditer(body) if call[1] not in taken]
        findings.calls += [(node.start_byte + at, name, "") for at, name in found]
