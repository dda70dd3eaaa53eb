"""Imports inside functions and blocks: each that gives a name something else than the file does has its own name.

``def run(): from b import main`` says nothing of what ``main`` means elsewhere in the file.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.candidates import HEAD
from ctxcode.codegraph.extract.names.grammars import GRAMMARS
from ctxcode.codegraph.extract.names.shadows import Bound, Regions, raised
from ctxcode.codegraph.facts import RETURNED, ImportFact

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.page import Page

_ECMASCRIPT = frozenset({"statement_block", "switch_body"})
_SCOPES = {
    "javascript": _ECMASCRIPT,
    "lua": frozenset({"block"}),
    "python": frozenset({"function_definition"}),
    "rust": frozenset({"block", "declaration_list"}),
    "scala": frozenset({"block", "indented_block", "template_body"}),
    "tsx": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
}
"""By language, the types of nodes in which what is imported is known nowhere else."""
_SEQUENTIAL = frozenset({"lua", "scala"})
"""Languages in which a name means something else before it is imported."""
_HOISTED = "variable_declaration"
"""What JavaScript declares for the function around, whatever block it stands in."""
_OF_FILE = "self"
"""Where modules of Rust that stand in files of their own are said to be."""
MARK = "\N{MODIFIER LETTER SMALL M}"
_HIGHEST = 200
_MOST_NAMES = 200
"""Of more names that are imported again none is looked at."""

Apart = Mapping[str, Regions]
"""By name, what it is called where."""


def set_imports_apart(findings: Findings, page: "Page", root: "Node", language: str) -> Apart:
    """Rename what is imported inside, where something else of the name is known in the file; return where and how."""
    scopes = _SCOPES.get(language)
    again = _imported_again(findings) if scopes is not None else set[str]()
    if scopes is None or not again or len(again) > _MOST_NAMES:
        return {}
    regions: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    imports = list(findings.imports)
    for row, fact in enumerate(imports):
        # What a module of Rust's in brackets offers to others goes by its name.
        is_own = fact.alias in again and not fact.is_reexport and fact.module != _OF_FILE
        at = _place(fact, page) if is_own else -1
        scope = _scope(root, at, scopes) if at >= 0 else None
        if scope is None:
            continue
        start = at if language in _SEQUENTIAL else scope.start_byte
        known = regions[fact.alias]
        name = next((name for begin, end, name in known if (begin, end) == (start, scope.end_byte)), "")
        if not name:
            name = f"{fact.alias}{MARK}{raised(len(known) + 1)}"
            known.append((start, scope.end_byte, name))
        imports[row] = fact._replace(alias=name)
    names = {name: Regions(sorted(rows, key=lambda row: (row[0], -row[1]))) for name, rows in regions.items()}
    if names:
        findings.imports = imports
        _rename(findings, names)
    return names


def inner_name(names: Apart, at: int, chain: str) -> str:
    """Return a dotted name that stands on a byte, its first part as it is called there."""
    if not names:
        return chain
    name, dot, rest = chain.partition(".")
    return f"{names[name].name(at) or name}{dot}{rest}" if name in names else chain


def _imported_again(findings: Findings) -> set[str]:
    """Return the names that a file imports as several things, or defines as well."""
    targets: dict[str, tuple[str, str, int]] = {}
    again = set[str]()
    for module, name, alias, level, _, _ in findings.imports:
        if not alias:
            continue
        # ``import a.b`` and ``import a`` bind the same.
        target = (module if name or not module.startswith(f"{alias}.") else alias, name, level)
        if targets.setdefault(alias, target) != target:
            again.add(alias)
    if targets:
        again.update([found.name for found in findings.definitions if found.name in targets and not found.container])
    return again


def _place(fact: ImportFact, page: "Page") -> int:
    """Return a byte of the statement that imports something: the name's last one on its line, else the line's."""
    start = page.line_ends[fact.line - 2] if fact.line > 1 else 0
    line = page.source[start : page.line_end(start)]
    found = [one.start() for one in re.finditer(rb"(?<![\w$])%b(?![\w$])" % re.escape(fact.alias.encode()), line)]
    return start + (found[-1] if found else max(0, len(line.rstrip()) - 1))


def _scope(root: "Node", at: int, scopes: frozenset[str]) -> "Node | None":
    """Return what ends that which is imported on a byte; None for the file."""
    node = root.descendant_for_byte_range(at, at + 1)
    is_hoisted = False
    for _ in range(_HIGHEST):
        if node is None:
            return None
        is_hoisted = is_hoisted or node.type == _HOISTED
        around = node.parent
        if node.type in scopes and not (is_hoisted and scopes is _ECMASCRIPT and not _is_function(around)):
            return node.child_by_field_name("body") or node
        node = around
    return None


def _is_function(node: "Node | None") -> bool:
    return node is not None and node.type in GRAMMARS["javascript"].functions


def _rename(findings: Findings, names: Apart) -> None:
    by_header = {found.header: found for found in findings.definitions}
    findings.calls = [
        (at, name, _meant(names, at, receiver)) if receiver else (at, inner_name(names, at, name), receiver)
        for at, name, receiver in findings.calls
    ]
    findings.bases = [(at, _meant(names, at, base)) for at, base in findings.bases]
    findings.bases_by_name = [
        (at, (inner_name(names, at, written), inner_name(names, at, of)), inner_name(names, at, base))
        for at, (written, of), base in findings.bases_by_name
    ]
    findings.bindings = [_bound(names, row, by_header) for row in findings.bindings]
    findings.parameters = [_bound(names, row, by_header) for row in findings.parameters]
    findings.attributes = [_bound(names, row, by_header) for row in findings.attributes]


def _bound(names: Apart, row: Bound, by_header: Mapping[int, Definition]) -> Bound:
    """Return a binding as it is meant; what a function gives stands in it, though it is said of its name."""
    at, name, bound = row
    found = by_header.get(at) if name.startswith(RETURNED) else None
    place = found.end - 1 if found is not None else at
    return at, name, "|".join([_meant(names, place, each) for each in bound.split("|")])


def _meant(names: Apart, at: int, expression: str) -> str:
    head = HEAD.match(expression)
    if head is None or head[2] not in names:
        return expression
    begin, end = head.span(2)
    return f"{expression[:begin]}{inner_name(names, at, head[2])}{expression[end:]}"
