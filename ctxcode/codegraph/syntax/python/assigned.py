"""What Python's modules and classes give names to: constants, variables, fields, enums' values, names of types."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.docs import docstring
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import SIGNATURE_BYTES, Page
from ctxcode.codegraph.extract.type_names import dotted_name, python_type
from ctxcode.codegraph.syntax.python_comments import comment_doc, long_runs

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_NAMING = frozenset({"attribute", "binary_operator", "identifier", "subscript", "type"})
_LONGEST_TYPE = 200
_NEW_TYPE = re.compile(r"(?:\w+\.)?NewType\(\s*[\"']\w+[\"']\s*,\s*([^()]+?)\s*,?\s*\)")
"""What makes a type that is another one under a name of its own."""
_COLLECTIONS = frozenset("?%")
_STATEMENT, _ASSIGNMENT, _NAME = "expression_statement", "assignment", "identifier"
_LISTS = frozenset({"pattern_list", "tuple_pattern"})
_BRANCHES = frozenset(
    {
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "finally_clause",
        "with_statement",
    }
)
_ENUMS = ("Enum", "Flag", "Choices")
"""What the names of the bases end in whose heirs are enums: of the standard library, of Django, and of projects."""
_BELOW = re.compile(rb"[ \t]*(?:#[^\n]*)?\r?\n[ \t]*+(?=[rRuU]{0,2}[\"'])")


def comments_in(page: Page, node: "Node") -> list[tuple[int, int]]:
    """Return where the comments inside a node stand, as far as its signature reaches."""
    start, end = node.start_byte, min(node.end_byte, node.start_byte + SIGNATURE_BYTES)
    if page.source.find(b"#", start, end) < 0:
        return []
    found: list[tuple[int, int]] = []
    pending = [node]
    while pending:
        for child in pending.pop().named_children:
            if child.start_byte >= end:
                break
            if child.type == "comment":
                found.append(child.byte_range)
            else:
                pending.append(child)
    return sorted([*found, *long_runs(page.source, start, end)])


def visibility(name: str) -> str:
    """Return who may use a name."""
    is_private = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
    return "private" if is_private else "public"


def add_alias(findings: Findings, page: Page, node: "Node") -> None:
    """Add a name that a statement gives to a type: ``type Prices = dict[str, int]``."""
    left = node.child_by_field_name("left")
    name = dotted_name(page.of(left)) if left is not None else ""
    if left is not None and name:
        _add(findings, page, node, (name, left.start_byte, "type"), _doc(page, node))
        _add_meant(findings, page, node, left.start_byte)


def add_assigned(findings: Findings, page: Page, captures: Captures) -> None:
    """Add what the module itself gives names to, under conditions too.

    Names in capitals are constants, capitalised ones those of types. A name that the file also imports, or the module
    defines otherwise, is no variable. Of one that is given several things the first counts; to give None to what is
    imported, where it can't be, defines nothing.
    """
    imported = {fact.alias for fact in findings.imports}
    told = [*[found.name for found in findings.definitions], *imported]
    named = frozenset([*_outermost(findings.definitions), *imported])
    types: list[tuple[str, Node]] = []
    variables = set[str]()
    for assignment in chain.from_iterable(map(_assignments, captures.get("module", ()))):
        names, doc = _names(page, assignment), _doc(page, assignment)
        for name, at in names:
            kind = _kind_at_top(name)
            if name in imported and page.source.endswith(b"None", at, assignment.end_byte):
                continue
            if kind == "type" and len(names) > 1:
                continue
            if kind == "variable":
                if name in named or name in variables or not name.strip("_"):
                    continue
                variables.add(name)
            _add(findings, page, assignment, (name, at, kind), doc, is_leaf=kind == "variable" or len(names) > 1)
            types += [(name, assignment)] if kind == "type" else []
    counts = Counter([*told, *[name for name, _ in types]]) if types else Counter[str]()
    for name, assignment in types:
        # What is one thing or another is neither.
        if counts[name] == 1:
            _add_meant(findings, page, assignment, assignment.start_byte)


def _outermost(definitions: list[Definition]) -> Iterator[str]:
    """Yield the names of definitions that stand in no other: the module's own."""
    end = -1
    for found in sorted(definitions, key=attrgetter("start")):
        if found.start >= end:
            end = found.end
            yield found.name


def _kind_at_top(name: str) -> str:
    if not name.lstrip("_")[:1].isupper():
        return "variable"
    return "constant" if name.isupper() else "type"


def add_members(findings: Findings, page: Page, captures: Captures) -> None:
    """Add what classes give names to in their bodies: an enum's values, constants, and fields of all other names."""
    enums = {at for at, base in findings.bases if base.endswith(_ENUMS)}
    for node in captures.get("class", ()):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            _add_of_class(findings, page, body, is_enum=name.start_byte in enums)


def _add_of_class(findings: Findings, page: Page, body: "Node", *, is_enum: bool) -> None:
    known = set[str]()
    for assignment in _assignments(body):
        doc = _doc(page, assignment)
        for name, at in _names(page, assignment):
            if name in known or not name.strip("_"):
                continue
            known.add(name)
            is_value = is_enum and name[:1] != "_" and assignment.child_by_field_name("right") is not None
            kind = "variant" if is_value else "constant" if name.isupper() else "field"
            _add(findings, page, assignment, (name, at, kind), doc, is_leaf=True)


def _assignments(node: "Node") -> Iterator["Node"]:
    """Yield the assignments of a body, in source order, under conditions too."""
    around = [iter(node.named_children)]
    while around:
        for child in around[-1]:
            kind = child.type
            if kind == _STATEMENT and (assignment := child.named_child(0)) is not None:
                if assignment.type == _ASSIGNMENT:
                    yield assignment
            elif kind in _BRANCHES:
                around.append(iter(child.named_children))
                break
        else:
            around.pop()


def _names(page: Page, assignment: "Node") -> list[tuple[str, int]]:
    """Return the names that an assignment gives something to: one, or several for ``a = b = 1`` and ``a, b = 1, 2``."""
    found: list[tuple[str, int]] = []
    while True:
        left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        if left is not None and left.type in _LISTS:
            found += [(page.of(each), each.start_byte) for each in left.named_children if each.type == _NAME]
        elif left is not None and left.type == _NAME:
            found.append((page.of(left), left.start_byte))
        if right is None or right.type != _ASSIGNMENT:
            return found
        assignment = right


def _add_meant(findings: Findings, page: Page, node: "Node", at: int) -> None:
    """Add the class that another name of it, which stands on a byte, is given to: ``Crate = Box``."""
    value = node.child_by_field_name("right")
    if value is None or value.end_byte - value.start_byte >= _LONGEST_TYPE:
        return
    apart = _NEW_TYPE.fullmatch(page.of(value)) if value.type == "call" else None
    name = python_type(apart[1] if apart is not None else page.of(value)) if apart or value.type in _NAMING else ""
    name = name if name[:1] in _COLLECTIONS or "|" in name else name.partition("<")[0]
    if name.lstrip("?%")[:1].isidentifier():
        findings.add_returned(at, name)


def _add(
    findings: Findings, page: Page, node: "Node", named: tuple[str, int, str], doc: str, *, is_leaf: bool = False
) -> None:
    """Add what is called so, given the (name, its byte, kind) of it."""
    name, at, kind = named
    start, end = node.byte_range
    findings.definitions.append(
        Definition(
            name=name,
            kind=kind,
            start=start,
            first=start,
            end=end,
            header=at,
            signature=page.signature(start, end, comments_in(page, node)),
            header_end=min(end, page.line_end(start) - 1),
            doc=doc,
            visibility=visibility(name),
            is_leaf=is_leaf,
        )
    )


def _doc(page: Page, node: "Node") -> str:
    """Return what the text says that stands on the line below an assignment, or comments where there is none."""
    below = _BELOW.match(page.source, node.end_byte)
    said = docstring(page.source, below.end()) if below is not None else ""
    return said or comment_doc(page, node.start_byte, node.end_byte)
