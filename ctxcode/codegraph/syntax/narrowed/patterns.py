"""What patterns bind and say: cases of Python's ``match`` and Swift's ``switch``, and local names that hide others."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.places import until_given
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDING = frozenset({"block", "for_statement", "function_body", "lambda_literal", "when_entry"})
"""What ends the names that Kotlin declares in it."""
_HIGHEST = 12


def hidden(node: "Node", page: Page, findings: Findings) -> Iterator[Region]:
    """Yield where a local name, of which nothing is known, hides a field of a class of the file."""
    name = page.of(node)
    is_field = any(found.kind == "field" and found.name == name for found in findings.definitions)
    if not is_field or any(at == node.start_byte for at, _, _ in findings.bindings):
        return
    around = node.parent
    for _ in range(_HIGHEST):
        if around is None or around.type in _ENDING:
            break
        around = around.parent
    if around is not None and not _is_same(node, around, page):
        yield Region(node.end_byte, around.end_byte, Held(node.start_byte, name, ""))


def _is_same(node: "Node", around: "Node", page: Page) -> bool:
    """Whether a name is given to the field itself: ``val x = x ?: return``, ``x?.let { x -> … }``."""
    name, whole = re.escape(page.of(node)), around.parent
    declared = node.parent.parent if node.parent is not None else None
    if declared is not None and declared.type == "property_declaration":
        given = rf"\s*=\s*(?:this\.)?{name}\s*(?:\?:|!!|\n|;|\}}|\Z)"
        return re.match(given, page.text(node.end_byte, around.end_byte)) is not None
    while around.type == "lambda_literal" and whole is not None and whole.type != "call_expression":
        whole = whole.parent
    called = page.text(whole.start_byte, node.start_byte) if whole is not None else ""
    return re.match(rf"(?:this\.)?{name}\s*(?:\?|!!)?\.(?:let|also)\b", called) is not None


def matched(case: "Node", page: Page, type_name: Callable[[str], str]) -> Iterator[Region]:
    """Yield what a case says of what is matched, ``case A():``, and of what it binds: ``case A() as x``."""
    start = case.named_children[0].end_byte if case.named_children else case.start_byte
    patterns = [child for child in case.named_children if child.type == "case_pattern"]
    subject = _subject(case)
    if len(patterns) == 1:
        of = _class_of(patterns[0], page, type_name)
        if of and subject is not None:
            yield until_given(start, case.end_byte, Held(start, page.of(subject), of), page)
    waiting = list(patterns)
    while waiting:
        at = waiting.pop()
        waiting += at.named_children
        if at.type == "as_pattern":
            named = at.named_children[-1]
            of = _class_of(at.named_children[0], page, type_name)
            if of and named.type == "identifier":
                yield until_given(start, case.end_byte, Held(start, page.of(named), of, is_other=True), page)


def switched(entry: "Node", page: Page, type_name: Callable[[str], str]) -> Iterator[Region]:
    """Yield what an entry of Swift's ``switch`` says: ``case let x as A:`` of what it binds, ``case is A:`` of x."""
    patterns = [child for child in entry.named_children if child.type == "switch_pattern"]
    parts = patterns[0].named_children[0].named_children if len(patterns) == 1 else []
    whole, start = entry.parent, patterns[-1].end_byte
    of = type_name(page.of(parts[-1])) if parts else ""
    if not of or whole is None:
        return
    if [part.type for part in parts] == ["value_binding_pattern", "pattern", "user_type"]:
        yield until_given(start, entry.end_byte, Held(start, page.of(parts[1]), of, is_other=True), page)
    elif len(parts) == 1 and whole.named_children[0].type == "simple_identifier":
        yield until_given(start, entry.end_byte, Held(start, page.of(whole.named_children[0]), of), page)


def _subject(case: "Node") -> "Node | None":
    """Return the name that is matched, if it is one."""
    around = case.parent
    while around is not None and around.type != "match_statement":
        around = around.parent
    subjects = around.children_by_field_name("subject") if around is not None else []
    return subjects[0] if len(subjects) == 1 and subjects[0].type == "identifier" else None


def _class_of(pattern: "Node", page: Page, type_name: Callable[[str], str]) -> str:
    """Return the one class that a pattern asks for; empty for none or several."""
    for _ in range(_HIGHEST):
        if pattern.type in {"as_pattern", "case_pattern"} and pattern.named_children:
            pattern = pattern.named_children[0]
    if pattern.type != "class_pattern" or not pattern.named_children:
        return ""
    return type_name(page.of(pattern.named_children[0]))
