"""What is left to say of shell scripts: sourced files, aliases, read-only variables, what the grammar can't read."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.outline.patterns import patterned
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Shape, any_comment, without

if TYPE_CHECKING:
    from tree_sitter import Node

_SOURCED = re.compile(r"""(?:\$\w+/)?((?:[\w.@+-]+/)*[\w.@+-]+)["']?\s*$""")
_LONGEST_PATH = 1_000
_HEADER = re.compile(r"(?:function\s+)?[^\s(]+\s*(?:\(\s*\))?")
_NAME = re.compile(rb"[\w:.+@-]+")
_READ_ONLY = re.compile(r"readonly\b|(?:declare|typeset)\s+-\w*r")


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    return node, _plain(page.of(node).partition("=")[0].strip("\"'")), ""


def _plain(name: str) -> str:
    """Return a name without what parts a symbol's path from its name."""
    return name.replace("::", ":")


def _refined(kind: str, node: "Node", page: Page) -> str:
    return "constant" if kind == "variable" and _READ_ONLY.match(page.of(node)[:40]) else kind


def _visibility(shape: Shape) -> str:
    return "private" if shape.name.startswith("_") else "public"


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    """Return the sourced file; what variables stand before its path is left to its last parts."""
    found = _SOURCED.search(page.of(node)[-_LONGEST_PATH:])
    module = re.sub(r"^(?:\.{1,2}/)+", "", found[1]) if found else ""
    return [ImportFact(module, "*", "", 1, page.line(node.start_byte), is_reexport=True)] if module else []


def mend(findings: Findings, page: Page, errors: Sequence[int]) -> None:
    """Put right what the grammar makes of functions around errors, given by their bytes: Zsh is more than it knows.

    By their lines functions begin and end where people see it. What overlaps ends where the other begins.
    """
    by_lines, errors = patterned(page, "shell"), sorted(errors)
    known = {found.header: found for found in findings.definitions}
    for one in by_lines.definitions:
        found = known.get(one.header)
        if found is None:
            header, name = _HEADER.match(one.signature), _NAME.match(page.source, one.header)
            one.signature = header[0].rstrip() if header else one.signature
            one.name = _plain(name[0].decode("utf-8", "replace")) if name else one.name
            findings.definitions.append(one)
        elif bisect_left(errors, found.first) < bisect_right(errors, max(found.end, one.end)):
            found.end = one.end
    findings.calls += [(at, _plain(name), receiver) for at, name, receiver in by_lines.calls]
    opened = list[Definition]()
    for found in sorted(findings.definitions, key=attrgetter("first", "header")):
        while opened and opened[-1].end <= found.first:
            opened.pop()
        for outer in opened:
            outer.end = min(outer.end, max(found.first, outer.header_end)) if outer.end < found.end else outer.end
        opened.append(found)


BASH = Dialect(
    is_doc=any_comment,
    visibility=_visibility,
    imports=_imports,
    declared=_declared,
    refined=_refined,
    name_marks=without(":+@-"),
)
