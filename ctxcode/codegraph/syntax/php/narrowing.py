"""What a test says of a variable of PHP for as long as it holds: ``if ($x instanceof A) { … }``."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, rename
from ctxcode.codegraph.syntax.php.written_types import type_name

if TYPE_CHECKING:
    from tree_sitter import Node

_BOTH = {"&&": True, "and": True, "||": False, "or": False}
"""Whether both sides hold where it is true; where not, neither does where it is false."""
_LEAVING = frozenset({"break_statement", "continue_statement", "return_statement"})
_CLASSES = frozenset({"name", "qualified_name"})
_CASE, _ARM = "case_statement", "match_conditional_expression"
_CHOSEN = {_CASE: "value", _ARM: "conditional_expressions"}
"""What a ``switch (true)`` or ``match (true)`` chooses, to the field with the condition of that."""
_WHOLE = frozenset({
    "conditional_expression", "else_if_clause", "expression_statement", "if_statement", "return_statement",
    "while_statement", *_CHOSEN,
})  # fmt: skip
"""What a test decides of."""
_BETWEEN = frozenset({
    "argument", "arguments", "binary_expression", "function_call_expression", "match_condition_list",
    "parenthesized_expression", "unary_op_expression",
})  # fmt: skip
_LONGEST_SUBJECT = 20
_MOST_COMMENTS = 20
"""Comments between two cases: each takes longer to find the more there are."""
_HIGHEST = 60
_MOST_CLIMBED = 3_000
"""Steps outwards in a file: each takes longer the deeper it stands."""
_FURTHEST = 20_000
"""Bytes behind a test in which an assignment to its variable is looked for."""


def narrow(findings: Findings, tests: list["Node"], page: Page) -> None:
    """Give variables a name of their own where a test says of what class they are."""
    rename(findings, _regions(tests, page))


def _regions(tests: list["Node"], page: Page) -> Iterator[Region]:
    """Yield from where to where tests hold."""
    whole, left = _decided(tests)
    for node in whole:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if node.type == "expression_statement":
            condition, body = _asserted(node, page), None
        elif node.type == "return_statement":
            condition, body = node.named_children[0], node
        elif node.type in _CHOSEN:
            condition, body = _chosen(node, page)
        if condition is None:
            continue
        true, false = _held(condition, page, is_true=True), _held(condition, page, is_true=False)
        end = body.end_byte if body is not None else 0
        for held in true if end else ():
            yield _cut(held.at, end, held, page)
        others = node.children_by_field_name("alternative")
        for held in false:
            yield Region(held.at, condition.end_byte, held)
            for other in others if node.type in {"conditional_expression", "if_statement"} else ():
                if other.type != "else_if_clause":
                    yield _cut(other.start_byte, other.end_byte, held, page)
        after = true if node.type == "expression_statement" else false if _leaves(node, body) and not others else []
        if after and left:
            left -= 1
            end = node.parent.end_byte if node.parent is not None else node.end_byte
            for held in after:
                yield _cut(node.end_byte, end, held, page)


def _decided(tests: list["Node"]) -> tuple[list["Node"], int]:
    """Return what tests decide of, in source order, and how many steps outwards are left."""
    found: dict[tuple[int, str], Node] = {}
    left = _MOST_CLIMBED
    for test in sorted(tests, key=lambda one: one.start_byte):
        at: Node | None = test
        for _ in range(min(left, _HIGHEST)):
            left -= 1
            at = at.parent if at is not None else None
            if at is None or at.type not in _BETWEEN:
                break
        if at is not None and at.type in _WHOLE:
            found.setdefault((at.start_byte, at.type), at)
    return list(found.values()), left


def _asserted(node: "Node", page: Page) -> "Node | None":
    """Return what ``assert(…);`` asserts."""
    call = node.named_children[0]
    if call.type != "function_call_expression":
        return None
    function, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or given is None or page.of(function) != "assert":
        return None
    return given.named_children[0].named_children[0]


def _chosen(node: "Node", page: Page) -> tuple["Node | None", "Node | None"]:
    """Return (the one condition, what is reached only where it holds) of what is chosen where that is true."""
    condition, block = node.child_by_field_name(_CHOSEN[node.type]), node.parent
    subject = block.parent.child_by_field_name("condition") if block is not None and block.parent is not None else None
    if condition is None or subject is None or subject.end_byte - subject.start_byte > _LONGEST_SUBJECT:
        return None, None
    if page.of(subject).strip("( )").lower() != "true":
        return None, None
    if node.type == _ARM:
        conditions = condition.named_children
        return (conditions[0], node) if len(conditions) == 1 else (None, None)
    before = node.prev_named_sibling
    for _ in range(_MOST_COMMENTS):
        if before is None or before.type != "comment":
            break
        before = before.prev_named_sibling
    is_alone = before is None or (before.named_child_count > 0 and _is_left(before.named_children[-1]))
    return condition, node if is_alone else condition


def _leaves(node: "Node", body: "Node | None") -> bool:
    """Whether what follows an ``if`` is reached only where its condition is false."""
    if node.type != "if_statement" or body is None:
        return False
    return _is_left(body.named_children[-1] if body.type == "compound_statement" and body.named_children else body)


def _is_left(last: "Node") -> bool:
    """Whether nothing behind a statement is reached through it."""
    if last.type == "expression_statement" and last.named_children:
        return last.named_children[0].type in {"exit_statement", "throw_expression"}
    return last.type in _LEAVING or last.type == "exit_statement"


def _held(condition: "Node", page: Page, *, is_true: bool) -> list[Held]:
    """Return what holds where a condition is true, or where it is false."""
    found, pending = list[Held](), [(condition, is_true)]
    while pending:
        node, wanted = pending.pop()
        if node.type == "parenthesized_expression" and node.named_children:
            pending.append((node.named_children[0], wanted))
        elif node.type == "unary_op_expression" and node.named_children and node.children[0].type == "!":
            pending.append((node.named_children[-1], not wanted))
        elif node.type == "binary_expression":
            operator, left, right = (node.child_by_field_name(each) for each in ("operator", "left", "right"))
            if operator is None or left is None or right is None:
                continue
            if _BOTH.get(operator.type) is wanted:
                pending += ((right, wanted), (left, wanted))
            elif operator.type == "instanceof" and wanted:
                found += _tested(left, right, page)
    return found


def _tested(left: "Node", right: "Node", page: Page) -> Iterator[Held]:
    written = page.of(left).replace("?->", ".").replace("->", ".").lstrip("$")
    is_own = left.type == "member_access_expression" and written.startswith("this.") and written.count(".") == 1
    class_name = type_name(page.of(right)) if right.type in _CLASSES else ""
    if class_name and written.removeprefix("this.").isidentifier() and (is_own or left.type == "variable_name"):
        yield Held(right.end_byte, written, class_name)


def _cut(start: int, end: int, held: Held, page: Page) -> Region:
    """Return a region up to where its variable gets another value."""
    variable = re.escape(held.name.replace("this.", "this->")).encode()
    given = re.compile(rb"\$%b\s*=(?![=>])|\bas\b[^;{]{0,80}\$%b\s*\)" % (variable, variable))
    found = given.search(page.source, start, min(end, start + _FURTHEST))
    if found is None:
        return Region(start, end, held)
    stop = page.source.find(b";", found.end(), end)
    return Region(start, stop if stop >= 0 else found.end(), held)
