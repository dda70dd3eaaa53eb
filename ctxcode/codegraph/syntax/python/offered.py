"""The names that ``from module import *`` takes of a module of Python: its ``__all__``."""

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import OFFERED, OPEN

if TYPE_CHECKING:
    from tree_sitter import Node

ALL = b"__all__"
"""No module without it says what it offers."""
_LONGEST = 100_000
"""Of all names together, in characters; whoever writes more of them offers everything."""
_BRANCHES = frozenset(
    {
        "block",
        "elif_clause",
        "else_clause",
        "except_clause",
        "expression_statement",
        "finally_clause",
        "if_statement",
        "try_statement",
        "with_statement",
    }
)
_SAYING = frozenset({"assignment", "augmented_assignment", "call"})
_GROUPS = frozenset({"list", "tuple", "set", "parenthesized_expression"})
_ADDING = frozenset({"append", "extend"})
_STRINGS = frozenset({"string", "concatenated_string"})
_NAME = re.compile(r"[^\W\d]\w*")
_NAMED = re.compile(rb"__all__\b")


def add_offered(findings: Findings, page: Page, modules: "Iterable[Node]") -> None:
    """Add what a module offers to who takes in all of it; nothing where it does not say.

    A list that is not written down, as where another module's is added to it, offers everything.
    """
    offered: list[str] | None = None
    for statement in sorted(_statements(modules, page), key=attrgetter("start_byte")):
        names = [name for node in _added(statement, page) for name in _written(node, page)]
        offered = names if offered is None or _is_anew(statement) else [*offered, *names]
    if offered is not None:
        is_open = OPEN in offered or sum(map(len, offered)) > _LONGEST
        findings.bindings.append((0, OFFERED, OPEN if is_open else f",{','.join(dict.fromkeys(offered))}"))


def _statements(modules: "Iterable[Node]", page: Page) -> "Iterator[Node]":
    """Yield what a module itself does to its ``__all__``, under conditions too."""
    pending = list(modules)
    while pending:
        for child in pending.pop().named_children:
            if child.type in _BRANCHES:
                pending.append(child)
            elif child.type in _SAYING and _NAMED.match(page.source, child.start_byte):
                yield child


def _is_anew(statement: "Node") -> bool:
    """Whether a statement of the module's own, under no condition, replaces what was in ``__all__``."""
    around = statement.parent.parent if statement.parent is not None else None
    return statement.type == "assignment" and around is not None and around.type == "module"


def _added(statement: "Node", page: Page) -> "Iterator[Node]":
    """Yield what a statement puts into ``__all__`` one by one; itself where that is not told."""
    if statement.type == "call":
        called, given = (statement.child_by_field_name(field) for field in ("function", "arguments"))
        is_adding = called is not None and page.of(called).rpartition(".")[2] in _ADDING
        pending = given.named_children if given is not None and is_adding else [statement]
    else:
        left, right = (statement.child_by_field_name(field) for field in ("left", "right"))
        is_whole = left is not None and left.type == "identifier"
        pending = [right if right is not None and is_whole else statement]
    while pending:
        node = pending.pop()
        if node.type in _GROUPS:
            pending += node.named_children
        elif node.type == "binary_operator":
            pending += [each for each in map(node.child_by_field_name, ("left", "right")) if each is not None]
        elif node.type != "comment":
            yield node


def _written(node: "Node", page: Page) -> Iterator[str]:
    """Yield the name that a string holds, or those that it is split into; OPEN for what is none."""
    called = node.child_by_field_name("function") if node.type == "call" else None
    is_split = called is not None and page.of(node).endswith(".split()")
    string = called.child_by_field_name("object") if called is not None and is_split else node
    try:
        value = literal_eval(page.of(string)) if string is not None and string.type in _STRINGS else None
    except (ValueError, SyntaxError):
        value = None
    names = value.split() if is_split and isinstance(value, str) else [value]
    for name in names:
        yield name if isinstance(name, str) and _NAME.fullmatch(name) else OPEN
