"""Names of a file that a function, a block or a comprehension in it gives to something of its own.

``def f(make): make()`` calls none of the module's ``make``. Where nothing is known of what such a name stands for,
nothing leads to what it hides.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.names.binders import GRAMMARS, Binding, Grammar, binding_of
from ctxcode.codegraph.extract.names.candidates import HEAD, candidates, is_followed
from ctxcode.codegraph.extract.names.shadows import Bound, raised
from ctxcode.codegraph.facts import RETURNED

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.page import Page

_BOUND_AHEAD = re.compile(rb"\s*(?:=(?!=)|:=|[,):\]}?;#]|if\b|in\b|of\b|\Z)|[ \t]*[\r\n]")
"""What can follow a name where it is bound."""
_LEAVES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_HIDDEN = raised(0)
_UNKNOWN, _VALUED, _NAMED = range(3)
"""What is known of a region's name: nothing, its type, which thing of another name it is, or that it is none."""
_BEHIND = 2
"""Bytes that may stand behind a function, and in its definition."""


class _Region(Struct, gc=False):
    start: int
    body: int
    end: int
    known: int
    meant: str
    """The name from outside that it is; empty where that is the same, or none."""


Regions = Mapping[str, Sequence[_Region]]


def hide_names(
    findings: Findings, page: "Page", root: "Node", language: str, placed: tuple[Sequence[int], Sequence[str]]
) -> None:
    """Rename what means something of a block's own where that is called, unless it is told of; drop calls of it.

    ``placed`` are the parents and the kinds of the module and of the definitions.
    """
    grammar = GRAMMARS.get(language)
    if grammar is None:
        return
    regions = _regions(candidates(findings, page, grammar, placed), page, root, grammar, findings)
    if not regions:
        return
    by_header = {found.header: found for found in findings.definitions}
    _mark(regions, findings, page, by_header)
    findings.calls = list(_calls(findings, regions))
    findings.bindings = [_renamed(row, regions, by_header) for row in findings.bindings]
    findings.attributes = [_renamed(row, regions, by_header) for row in findings.attributes]
    # The types of parameters are written for others.
    findings.parameters = [
        _renamed(row, regions, by_header) if is_followed(row[2]) else row for row in findings.parameters
    ]


def _regions(
    searched: Iterable[tuple[int, bytes]], page: "Page", root: "Node", grammar: Grammar, findings: Findings
) -> dict[str, list[_Region]]:
    """Return where names are something else than outside, by name, outer regions first."""
    source, headers = page.source, {found.header for found in findings.definitions}
    found: dict[bytes, dict[tuple[int, int], _Region]] = defaultdict(dict)
    for at, name in searched:
        end = at + len(name)
        if at in headers or not _BOUND_AHEAD.match(source, end):
            continue
        node = root.descendant_for_byte_range(at, end)
        bound = binding_of(grammar, node, name) if node is not None and node.type in _LEAVES else None
        if bound is not None:
            _add(found[name], bound, name)
    return {name.decode(): sorted(rows.values(), key=lambda row: (row.start, -row.end)) for name, rows in found.items()}


def _add(rows: dict[tuple[int, int], _Region], bound: Binding, name: bytes) -> None:
    region = rows.setdefault((bound.body, bound.end), _Region(bound.start, bound.body, bound.end, _UNKNOWN, ""))
    region.start = min(region.start, bound.start)
    if bound.meant is not None:
        region.known = _NAMED
        region.meant = bound.meant.decode() if bound.meant != name else ""


def _mark(regions: Regions, findings: Findings, page: "Page", by_header: Mapping[int, Definition]) -> None:
    """Note of what names there is something known."""
    for found in findings.definitions:
        for region in _around(regions, found.name, found.header):
            region.known = _NAMED
    for fact in (*findings.imports, *findings.told_imports):
        lines = [region for region in regions.get(fact.alias, ()) if _is_on(page, region, fact.line)]
        for region in lines[-1:]:
            region.known = _NAMED
    spans = OutermostSpans(findings.definitions)
    for at, name, bound in (*findings.bindings, *findings.parameters):
        if name in regions:
            # What functions around all of a file hold is the file's.
            known = _NAMED if bound[:1] == "=" or not spans.enclose(at) else _VALUED
            for region in _around(regions, name, at) or _of_function(regions[name], by_header.get(at)):
                region.known = max(region.known, known)


def _around(regions: Regions, name: str, at: int) -> list[_Region]:
    """Return the innermost region of a name around a byte, if there is one; parameters belong to it."""
    return [region for region in regions.get(name, ()) if region.start <= at < region.end][-1:]


def _of_function(regions: Iterable[_Region], found: Definition | None) -> list[_Region]:
    """Return the region of the function that is defined."""
    if found is None:
        return []
    inside = [region for region in regions if found.header <= region.start and region.end <= found.end]
    return [region for region in inside if found.end - region.end <= _BEHIND][:1]


def _is_on(page: "Page", region: _Region, line: int) -> bool:
    return page.line(region.start) <= line <= page.line(region.end - 1)


def _region(regions: Regions, name: str, at: int) -> _Region | None:
    """Return the innermost region of a name that a byte stands in."""
    inside = [region for region in regions.get(name, ()) if region.body <= at < region.end]
    return inside[-1] if inside else None


def _calls(findings: Findings, regions: Regions) -> Iterable[tuple[int, str, str]]:
    for at, name, receiver in findings.calls:
        region = None if receiver else _region(regions, name, at)
        if receiver:
            yield at, name, _meant(receiver, regions, at)
        elif region is None or region.known == _NAMED:
            yield at, name if region is None else region.meant or name, receiver


def _meant(expression: str, regions: Regions, at: int, least: int = _VALUED) -> str:
    """Return an expression that stands on a byte, its first name renamed if less than that is known of it."""
    head = HEAD.match(expression)
    region = _region(regions, head[2], at) if head is not None and head[2] in regions else None
    if head is None or region is None or (region.known >= least and not region.meant):
        return expression
    begin, end = head.span(2)
    return f"{expression[:begin]}{region.meant or head[2] + _HIDDEN}{expression[end:]}"


def _renamed(row: Bound, regions: Regions, by_header: Mapping[int, Definition]) -> Bound:
    """Return a binding; what an attribute is bound to is looked for where the function's own names are not known."""
    at, name, bound = row
    head = HEAD.match(bound)
    if head is None or head[2] not in regions:
        return row
    is_field = name.startswith("self.")
    if is_field or name.startswith(RETURNED):
        # What a function gives is said of its name.
        at = next((region.body for region in _of_function(regions[head[2]], by_header.get(at))), at)
    return row[0], name, _meant(bound, regions, at, _NAMED if is_field else _VALUED)
