"""Casts as comments of JavaScript say them: ``/** @type {Cart} */ (x)``."""

import re
from collections.abc import Container
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import raised
from ctxcode.codegraph.extract.page import Page, shallow
from ctxcode.codegraph.extract.references import receiver_of
from ctxcode.codegraph.extract.type_names import typescript_type
from ctxcode.codegraph.syntax.narrowed.renaming import in_functions

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_TOLD = rb"/\*\*\s{0,9}@type\s{1,9}\{([^{}]{1,200})\}\s{0,9}\*/\s{0,9}"
_BEFORE, _BEHIND = re.compile(_TOLD + rb"\Z"), re.compile(rb"\(\s{0,9}" + _TOLD + rb"\(")
_FURTHEST = 250
"""Bytes before a bracket in which the comment begins."""
_LONGEST = 300
"""Bytes of what is cast."""
_MOST_BEHIND = 20
"""Members of members that are called."""
_MARK = "told\N{SUPERSCRIPT LATIN SMALL LETTER N}"


def _type_told(node: "Node", page: Page, known: Container[str]) -> str:
    """Return the known type that a comment before brackets says, or in them before inner ones; empty for none."""
    before = page.source[max(0, node.start_byte - _FURTHEST) : node.start_byte]
    found = _BEFORE.search(before) if before.rstrip()[-2:] == b"*/" else None
    found = found or _BEHIND.match(page.source, node.start_byte, node.start_byte + _FURTHEST)
    written = found[1].decode("utf-8", "replace").lstrip("!?") if found is not None else ""
    type_name = typescript_type(written) if written else ""
    return type_name if type_name.lstrip("?%").partition(".")[0] in known else ""


def bind_told(findings: Findings, captures: Captures, page: Page, known: Container[str]) -> None:
    """Bind what is cast to one of some types: variables, and what is called on, which gets a name of its own."""
    for node in captures.get("bound_told", ()):
        variable, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if variable is not None and value is not None and (said := _type_told(value, page, known)):
            findings.bindings.append((node.start_byte, page.of(variable), said))
    told = dict[int, tuple[str, str]]()
    """(the type, what is cast to it) by the last byte of what is called behind it."""
    for node in shallow(captures.get("told", ())):
        type_name = _type_told(node, page, known)
        around, inner = (
            node.parent,
            receiver_of(page.text(node.start_byte, min(node.end_byte, node.start_byte + _LONGEST))),
        )
        for _ in range(_MOST_BEHIND if type_name else 0):
            if around is None or around.type not in {"member_expression", "call_expression"}:
                break
            if around.type == "member_expression":
                told.setdefault(around.end_byte - 1, (type_name, inner))
            around = around.parent
    if not told:
        return
    numbers = {name: number for number, name in enumerate(sorted({said for said, _ in told.values()}), start=1)}
    functions, calls = in_functions(findings), []
    for at, name, receiver in findings.calls:
        type_name, inner = told.get(at, ("", ""))
        end = _end(receiver, inner) if type_name else 0
        if not type_name or not end or not functions.name(at):
            calls.append((at, name, receiver))
            continue
        own = f"{_MARK}{raised(numbers[type_name])}"
        calls.append((at, name, f"{own}{receiver[end:].lstrip('?!')}"))
        findings.parameters.append((at, own, type_name))
    findings.calls = calls


def _end(receiver: str, cast: str) -> int:
    """Return where what is cast ends in a receiver, with its brackets if it has some there; 0 for none."""
    if receiver[:1] != "(":
        is_first = cast != "" and receiver.startswith(cast) and receiver[len(cast) : len(cast) + 1] in {"", "."}
        return len(cast) if is_first else 0
    depth = 0
    for place, sign in enumerate(receiver, start=1):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return place
    return 0
