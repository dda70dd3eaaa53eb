"""Variables of one function that go by one name in several blocks: each is what it is bound to there."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.arguments import NO_ARGUMENTS
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.binders import binding_of
from ctxcode.codegraph.extract.names.grammars import GRAMMARS
from ctxcode.codegraph.extract.names.shadows import Bound, Regions, raised
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_BINDING = ("bound", "declared", "parameter")
_FUNCTIONS = frozenset({"function", "method"})
_FIRST = re.compile(r"(=?)([^\W\d]\w*)(?![\w(])")
_LABELLED = "swift"
"""The language whose arguments begin with what they are called, not with what they are."""
_UNTOLD = ""
"""What a variable is bound to of which nothing is known."""


def set_apart(
    findings: Findings, matches: Iterable[tuple[int, Mapping[str, Sequence["Node"]]]], page: Page, language: str
) -> None:
    """Give variables a name of their own where one function binds their name to several things."""
    nodes: dict[str, dict[int, Node]] = {}
    for _, match in matches:
        for capture in _BINDING:
            for node in match.get(capture, ()):
                nodes.setdefault(page.of(node), {})[node.start_byte] = node
    several = {name: found for name, found in nodes.items() if len(found) > 1}
    groups = _groups(findings, several) if several else {}
    regions: dict[str, list[tuple[int, int, str]]] = {}
    bound: dict[tuple[int, str], str] = {}
    for name, rows in groups.items():
        for types in rows:
            numbers: dict[str, int] = {}
            for at, type_name in types:
                binding = binding_of(GRAMMARS[language], several[name][at], name.encode(), page.source)
                if binding is None or binding.meant is not None:
                    continue
                number = numbers.setdefault(type_name, len(numbers) + 1)
                bound[at, name] = f"{name}{raised(number)}" if number > 1 else name
                regions.setdefault(name, []).append((binding.body, binding.end, bound[at, name]))
    if regions:
        ordered = {name: sorted(rows, key=lambda row: (row[0], -row[1])) for name, rows in regions.items()}
        _rename(findings, {name: Regions(rows) for name, rows in ordered.items()}, bound, language)


def _groups(findings: Findings, several: Mapping[str, Mapping[int, "Node"]]) -> dict[str, list[list[tuple[int, str]]]]:
    """Return, by name, the (byte, type) of what a function binds it to, for each that binds it to several things."""
    types: dict[tuple[int, str], str] = {}
    for at, name, type_name in (*findings.parameters, *findings.bindings):
        if name in several:
            types.setdefault((at, name), type_name)
    starts, ends = list[int](), list[int]()
    for start, end in sorted((one.start, one.end) for one in findings.definitions if one.kind in _FUNCTIONS):
        if not ends or start >= ends[-1]:
            starts.append(start)
            ends.append(end)
    found: dict[str, list[list[tuple[int, str]]]] = {}
    for name, nodes in several.items():
        rows: dict[int, list[tuple[int, str]]] = {}
        for at in sorted(nodes):
            function = bisect_right(starts, at) - 1
            if function >= 0 and at < ends[function]:
                rows.setdefault(function, []).append((at, types.get((at, name), _UNTOLD)))
        groups = [group for group in rows.values() if len({type_name for _, type_name in group}) > 1]
        if groups:
            found[name] = groups
    return found


def _rename(
    findings: Findings, regions: Mapping[str, Regions], bound: Mapping[tuple[int, str], str], language: str
) -> None:
    def meant(at: int, said: str) -> str:
        match = _FIRST.match(said)
        known = regions.get(match[2]) if match is not None else None
        name = known.name(at) if known is not None else ""
        return f"{match[1]}{name}{said[match.end() :]}" if match is not None and name else said

    def renamed(row: Bound) -> Bound:
        at, name, said = row
        return at, bound.get((at, name), name), meant(at, said) if said[0] == "=" or said[-1] == ")" else said

    findings.calls = [(at, name, meant(at, said) if said else said) for at, name, said in findings.calls]
    findings.bindings = [renamed(row) for row in findings.bindings]
    findings.parameters = [renamed(row) for row in findings.parameters]
    for at, written in findings.arguments.items() if language != _LABELLED else ():
        if written and written != NO_ARGUMENTS:
            findings.arguments[at] = ",".join([meant(at, shape) for shape in written.split(",")])
