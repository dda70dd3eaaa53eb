"""Names of their own for variables where more is known of them than elsewhere."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Bound, Regions, raised

_FIRST = re.compile(r"(=?)((?:(?:this|self)\.)?[^\W\d]\w*)(?![\w(])")
_FUNCTIONS = frozenset({"function", "method"})
_MARK = "\N{SUPERSCRIPT LATIN SMALL LETTER N}"
"""Tells such a name from those of loops, which have numbers alone."""


class Held(NamedTuple):
    """What is known of a name, behind the byte ``at``."""

    at: int
    name: str
    type: str
    """Empty for a local name of which nothing is known: it is not what is called so elsewhere."""
    is_other: bool = False
    """Whether it is a local name of its own, of which nothing else is known; one that is bound to itself, ``=x``, keeps
    its name."""


class Region(NamedTuple):
    """From where to where it is known."""

    start: int
    end: int
    held: Held


def rename(findings: Findings, regions: Iterable[Region]) -> None:
    """Give variables a name of their own in some regions, where they are of the class that is known there.

    What else is known of them stands beside it: ``A&=x``. Outside of functions nothing has a name that is its alone.
    """
    regions = list(regions)
    if not regions:
        return
    functions = in_functions(findings)
    regions = [region for region in regions if functions.name(region.held.at)]
    spans: dict[str, list[tuple[int, int, str]]] = {}
    numbers: dict[str, dict[str, int]] = {}
    bound: list[Bound] = []
    for start, end, (at, name, class_name, is_other) in sorted(regions, key=lambda one: (one.start, -one.end)):
        if is_other and class_name == f"={name}":
            spans.setdefault(name, []).append((start, end, name))
            continue
        known = numbers.setdefault(name, {})
        # What a collection is called may mean another one elsewhere.
        key = f"{class_name}&{at if class_name else ''}" if is_other else class_name
        number = known.setdefault(key, len(known) + 1)
        renamed = f"{name.replace('.', '_')}{_MARK}{raised(number)}"
        spans.setdefault(name, []).append((start, end, renamed))
        if class_name:
            tested = "|".join([f"{each}&={name}" for each in class_name.split("|")])
            bound.append((at, renamed, class_name if is_other else tested))
    if not spans:
        return
    names = {name: Regions(known) for name, known in spans.items()}
    findings.calls = [(at, name, _meant(names, at, said) if said else said) for at, name, said in findings.calls]
    findings.bindings = [
        (at, name, _meant(names, at, said) if _is_value(said) else said) for at, name, said in findings.bindings
    ]
    # What is called on stands before the region.
    findings.parameters += [
        (at, name, "|".join([_meant(names, at - 1, each) if _is_value(each) else each for each in said.split("|")]))
        for at, name, said in bound
    ]


def _is_value(said: str) -> bool:
    return said[0] == "=" or said[-1] == ")"


def in_functions(findings: Findings) -> Regions:
    """Return where functions are, by a name that is empty where something else stands in them."""
    rows = sorted((one.start, -one.end, one.kind) for one in findings.definitions if not one.is_leaf)
    return Regions([(start, -end, kind if kind in _FUNCTIONS else "") for start, end, kind in rows])


def _meant(names: dict[str, Regions], at: int, expression: str) -> str:
    match = _FIRST.match(expression)
    regions = names.get(match[2]) if match is not None else None
    name = regions.name(at) if regions is not None else ""
    return f"{match[1]}{name}{expression[match.end() :]}" if match is not None and name else expression
