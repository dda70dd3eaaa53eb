"""Lua's tables as types: what metatables make objects and heirs of, and which table a module offers."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.facts import RETURNED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from ctxcode.codegraph.extract.findings import Definition, Findings
    from ctxcode.codegraph.syntax.matched.dialect import Match

_MAKING = "setmetatable"
_INDEX = "__index"
_SELF = "self"
_FUNCTIONS = frozenset({"function", "method"})
_ASSIGNED = "assignment_statement"
_NOTHING = frozenset({"false", "nil", "true"})
_LONGEST_FUNCTION = 4_000
_NEAR = 40
"""What stands between a ``return`` and the function around it."""
_GIVEN = r"\b{name}\s*=\s*setmetatable\s*\([^()]{{0,200}},\s*([A-Za-z_]\w*)\s*\)"
_TURNED = r"\bsetmetatable\s*\(\s*{name}\s*,\s*([A-Za-z_]\w*)\s*\)"
"""``setmetatable(made, Cart)``: what was a table becomes an object."""


def raise_tables(findings: "Findings", matches: "Iterable[tuple[int, Match]]", page: Page) -> None:
    """Make classes of the variables that functions are put into: ``M`` of ``function M.f()``.

    What else is put into such a one, or into one that the file returns, is a field of it; elsewhere it is no more than
    a value that changes. A table that the file returns is known outside. What is no class inherits nothing, and tells
    nothing of what it makes: what a metatable finds may be written in its ``__index`` only, and is where that is a
    function.
    """
    offered = {page.of(node) for _, match in matches for node in match.get("offered", ())}
    _keep_fields(findings, offered)
    owners = {found.container for found in findings.definitions if found.container}
    classes = set[int]()
    for found in findings.definitions:
        if found.kind == "variable" and found.name in owners:
            found.kind = "class"
            found.visibility = "public" if found.name in offered else found.visibility
            classes.add(found.header)
    findings.bases = [base for base in findings.bases if base[0] in classes]
    finding = {found.container for found in findings.definitions if found.name == _INDEX}
    known = {found.name for found in findings.definitions if found.header in classes} - finding
    known.update([fact.alias for fact in findings.imports])
    findings.parameters = [row for row in findings.parameters if row[1] != RETURNED or row[2] in known]


def _keep_fields(findings: "Findings", offered: set[str]) -> None:
    """Leave of what the tables of a file are given the first of each name, where the table is more than a value.

    Names that the language has a meaning for, ``Cart.__index = Cart``, say what it is, not what it holds.
    """
    tables = {found.name for found in findings.definitions if found.kind == "variable"}
    tables &= {found.container for found in findings.definitions if found.kind in _FUNCTIONS} | offered
    known, kept = set[tuple[str, str]](), list["Definition"]()
    for found in findings.definitions:
        key = found.container, found.name
        is_own = found.container in tables and not found.name.startswith("__")
        if found.kind != "field" or (is_own and key not in known):
            kept.append(found)
            known.add(key)
    findings.definitions = kept


def inherited_in(match: "Match") -> "Iterator[Match]":
    """Yield what inherits, and from what, by a call that is captured as ``unread``.

    ``local Sub = setmetatable({}, { __index = Base })`` and ``setmetatable(Sub, { __index = Base })`` at the top.
    """
    call = match["unread"][0]
    around = call.parent
    heir, base = _first(call), _metatable(call)
    if around is not None and around.type == "expression_list":
        assignment = around.parent
        names = assignment.named_child(0) if assignment is not None and assignment.type == _ASSIGNED else None
        heir = names.named_child(0) if names is not None and names.named_child_count == 1 else None
        around = assignment.parent if assignment is not None else None
        around = around.parent if around is not None and around.type == "variable_declaration" else around
    if around is None or around.type != "chunk" or heir is None or base is None:
        return
    if heir.type == "identifier" and heir.text != base.text:
        yield {"heir": [heir], "base": [base]}


def made(call: "Node", page: Page) -> str:
    """Return the table that what ``setmetatable`` gives is an object of; empty for other calls."""
    name, table = call.child_by_field_name("name"), _metatable(call)
    return page.of(table) if table is not None and name is not None and page.of(name) == _MAKING else ""


def returned(node: "Node", page: Page) -> tuple[int, str]:
    """Return (the byte the function's name stands on, the table) of ``return setmetatable({}, Cart)`` and the like.

    The byte is -1 where a function without a name returns, or nothing is.
    """
    function, name = _function(node, page)
    value = first_named(first_named(node))
    if function is None or name is None or value is None or value.type in _NOTHING:
        return -1, ""
    last = name.child_by_field_name("field") or name.child_by_field_name("method") or name
    table = ""
    if value.type == "function_call":
        table = made(value, page)
    elif value.type == "identifier" and function.end_byte - function.start_byte < _LONGEST_FUNCTION:
        table = _given(page.of(value), page.of(function))
    owner = name.child_by_field_name("table")
    table = (page.of(owner) if owner is not None else "") if table == _SELF else table
    return last.start_byte, table if table.isidentifier() else ""


def _given(name: str, function: str) -> str:
    """Return the table that a local name is made an object of in a function; empty for none, or several."""
    found = {each[1] for form in (_GIVEN, _TURNED) for each in re.finditer(form.format(name=name), function)}
    return found.pop() if len(found) == 1 else ""


def _function(node: "Node", page: Page) -> "tuple[Node | None, Node | None]":
    """Return the function around a node, and its name."""
    around = page.around(node)
    for row in range(len(around) - 1, max(len(around) - _NEAR, 0), -1):
        if around[row].type == "function_declaration":
            return around[row], around[row].child_by_field_name("name")
        if around[row].type == "function_definition":
            above = around[row - 2] if row > 1 else None
            names = above.named_child(0) if above is not None and above.type == _ASSIGNED else None
            return around[row], names.named_child(0) if names is not None and names.named_child_count == 1 else None
    return None, None


def _first(call: "Node") -> "Node | None":
    return first_named(call.child_by_field_name("arguments"))


def _metatable(call: "Node") -> "Node | None":
    """Return the name of the table that the second argument is, or has as its ``__index``."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_child(1) if arguments is not None and arguments.named_child_count > 1 else None
    if given is not None and given.type == "table_constructor":
        given = next((found for field in given.named_children if (found := _index(field)) is not None), None)
    return given if given is not None and given.type == "identifier" else None


def _index(field: "Node") -> "Node | None":
    name, value = field.child_by_field_name("name"), field.child_by_field_name("value")
    return value if name is not None and name.text == _INDEX.encode() else None
