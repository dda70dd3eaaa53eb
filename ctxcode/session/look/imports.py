"""Which files import a package that is defined elsewhere."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ctxcode.llm.navigator.lookup import Found
from ctxcode.model.naming.qualified import dotted_name
from ctxcode.model.symbol import ImportedName
from ctxcode.session.ports import CodeGraph

_BREAKS = re.compile(r"::|[./\\]")
_BUILT_IN = "node:"
_WHOLE = frozenset({"", "*"})


class Importing(NamedTuple):
    """What one file imports of one module."""

    path: str
    line: int
    """Of the first import."""
    module: str
    names: tuple[str, ...]
    """Empty for the module itself."""


def importing(graph: CodeGraph, name: str, found: Found) -> tuple[Importing, ...]:
    """Return which files import what a name means elsewhere, by path; nothing for what leads to a definition here.

    ``name`` is as it was asked for, and ``found`` what it means here.
    """
    said = _said(graph, name) or _said(graph, found.name)
    # What is imported inside a function has no edge of its own.
    modules = {entry.module for entry in graph.modules()}
    said = [one for one in said if not (one.is_here or dotted_name(one.module) in modules)]
    grouped: dict[tuple[str, str], list[ImportedName]] = {}
    for one in said:
        grouped.setdefault((one.path, one.module), []).append(one)
    made = (
        Importing(path, rows[0].line, module, tuple(sorted({row.name for row in rows} - _WHOLE)))
        for (path, module), rows in grouped.items()
    )
    return tuple(sorted(made))


def _said(graph: CodeGraph, name: str) -> Sequence[ImportedName]:
    spellings = dict.fromkeys((name, name.replace("-", "_")))
    found: dict[ImportedName, None] = {}
    for spelling in spellings:
        wanted = _parts(spelling)
        if wanted:
            found.update(dict.fromkeys(one for one in graph.imported(max(wanted, key=len)) if _is_of(one, wanted)))
    return list(found)


def _is_of(one: ImportedName, wanted: Sequence[str]) -> bool:
    """Return whether an import is of a package or of something in it."""
    parts = _parts(one.module) + ([one.name] if one.name not in _WHOLE else [])
    if parts[: len(wanted)] == wanted:
        return True
    # Go's packages are called by the end of an address.
    steps = one.module.split("/")
    return "." in steps[0] and len(wanted) == 1 and wanted[0] in steps[1:]


def _parts(text: str) -> list[str]:
    return [part for part in _BREAKS.split(text.removeprefix(_BUILT_IN)) if part]
