"""Names that files give to what is called otherwise, or to an object (``import * as z``), and what they import."""

import re
from collections.abc import Iterator

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.outline.known import OUTLINES

RenamedRow = tuple[str, int, str, str]
"""(the name, the line of its import, the module it is imported from, what it is called there).

What a file binds without an import has neither line nor module: ``=b`` is called b in the file itself, ``C`` is an
object of C, ``f()`` what f returns.
"""

_PARTS = re.compile(r"[^\w$-]+")
_TARGET = re.compile(r"=?[^\W\d][\w$]*(?:\(\))?(?:\.[^\W\d][\w$]*(?:\(\))?)*")
_ENDING = re.compile(r"\.[cm]?[jt]sx?$")


def renamed_in(facts: FileFacts) -> list[RenamedRow]:
    """Return the first of each such name that a file knows at its top; who has its own name leads to it anyway."""
    if facts.language in OUTLINES:
        return []
    found: dict[str, RenamedRow] = {}
    for row in (*_imported(facts), *_bound(facts)):
        found.setdefault(row[0], row)
    return list(found.values())


def imported_in(facts: FileFacts) -> str:
    """Return what a file imports, a line each: the number of its line, the module, the name, tabs between them.

    The name is empty where the module itself is meant. What is relative to the file leads to it by edges.
    """
    if facts.language in OUTLINES:
        return ""
    rows = dict.fromkeys(
        f"{line}\t{module}\t{name}"
        for module, name, _, level, line, _ in facts.imports
        if module and not level and module[0] != "."
    )
    return "\n".join([row for row in rows if "\n" not in row and row.count("\t") == 2])


def _imported(facts: FileFacts) -> Iterator[RenamedRow]:
    for module, name, alias, level, line, is_reexport in facts.imports:
        # A module that is passed on whole is told from one whose content is.
        if alias and name not in ("*", alias) and (name or is_reexport or alias not in _ends(module)):
            yield alias, line, "." * level + module, name


def _bound(facts: FileFacts) -> Iterator[RenamedRow]:
    for scope, written, target in facts.bindings:
        name = written.removeprefix(".")
        if scope == 0 and name.isidentifier() and name != "default" and _TARGET.fullmatch(target):
            yield name, 0, "", target


def _ends(module: str) -> tuple[str, str]:
    """Return the first and the last part of a module's name."""
    parts = [part for part in _PARTS.split(_ENDING.sub("", module)) if part] or [""]
    return parts[0], parts[-1]
