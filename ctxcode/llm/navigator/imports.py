"""Which files import a package that is defined elsewhere."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ctxcode.llm.navigator.graph_port import NavigableGraph
from ctxcode.llm.navigator.lookup import Found
from ctxcode.model.naming.qualified import dotted_name
from ctxcode.model.symbol import ImportedName

_BREAKS = re.compile(r"::|[./\\]")
_BUILT_IN = "node:"
_WHOLE = frozenset({"", "*"})
_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which a bare name is that of a package, whatever file is called so."""


class Importing(NamedTuple):
    """What one file imports of one module."""

    path: str
    line: int
    """Of the first import."""
    module: str
    names: tuple[str, ...]
    """Empty for the module itself."""

    @property
    def text(self) -> str:
        """Return the module with what is imported of it."""
        return f"{self.module}: {', '.join(self.names)}" if self.names else self.module


def importing(graph: NavigableGraph, name: str, found: Found) -> tuple[Importing, ...]:
    """Return which files import what a name means elsewhere, by path; nothing for what leads to a definition here.

    ``name`` is as it was asked for, and ``found`` what it means here.
    """
    said = _said(graph, name) or _said(graph, found.name)
    # What is imported inside a function has no edge of its own.
    modules = {entry.module for entry in graph.modules()} if said else set[str]()
    scripts = {entry.path for entry in graph.modules() if entry.language in _SCRIPTS} if said else set[str]()
    said = [
        one for one in said if not (one.is_here or (one.path not in scripts and dotted_name(one.module) in modules))
    ]
    grouped: dict[tuple[str, str], list[ImportedName]] = {}
    for one in said:
        grouped.setdefault((one.path, one.module), []).append(one)
    made = (
        Importing(path, rows[0].line, module, tuple(sorted({row.name for row in rows} - _WHOLE)))
        for (path, module), rows in grouped.items()
    )
    return tuple(sorted(made))


def _said(graph: NavigableGraph, name: str) -> Sequence[ImportedName]:
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
