"""What imports of Go bind: nobody writes the name of a package there but who gives it another one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact

if TYPE_CHECKING:
    from tree_sitter import Node

_VERSION = re.compile(r"v\d+")
_MAJOR = re.compile(r"v(?:[2-9]|[1-9]\d+)")
"""What ends the path of a module as from its second version; ``v1`` is a folder like any other."""
_PARTS = re.compile(r"[^\W_]+")
_SAID = re.compile(rb"\b(?<![.\"/])([A-Za-z_]\w*+)\.[A-Z]")
"""What stands before something of another package."""
_MOST_LOOKED_FOR, _MOST_PLACES = 10, 100


def imports_of(nodes: Iterable["Node"], page: Page) -> list[ImportFact]:
    """Return a file's imports.

    The compiler refuses an import that nobody uses: one whose path is not like a name that the file says binds the one
    of its other likely names that the file does say, if there is only one. What is likely of several is none's.
    """
    rows = [_import(node, page) for node in nodes]
    facts = [fact for fact, _ in rows]
    unsure = [row for row, (fact, is_named) in enumerate(rows) if not is_named and _is_unsure(fact.module)]
    if not unsure:
        return facts
    told = Counter([fact.alias for fact in facts])
    if len(unsure) <= _MOST_LOOKED_FOR and all(
        told[name] == 1 and _is_said(name, page) for name in (facts[row].alias for row in unsure)
    ):
        return facts
    said = _said_in(page)
    open_rows = [row for row in unsure if facts[row].alias not in said or told[facts[row].alias] > 1]
    for row in open_rows:
        fact = facts[row]
        others = {name for name in _other_names(fact.module) if name in said and name not in told}
        facts[row] = fact._replace(alias=others.pop()) if len(others) == 1 else fact
    bound = Counter([fact.alias for fact in facts])
    for row in open_rows:
        if bound[facts[row].alias] > 1:
            facts[row] = facts[row]._replace(alias="")
    return facts


def _import(node: "Node", page: Page) -> tuple[ImportFact, bool]:
    """Return an import, and whether it says what it binds."""
    path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    module = page.of(path).strip('"`') if path is not None else ""
    line = page.line(node.start_byte)
    if name is None:
        return ImportFact(module, "", _package_name(module), 0, line, is_reexport=False), False
    alias = page.of(name)
    if alias == ".":
        return ImportFact(module, "*", "", 0, line, is_reexport=False), True
    return ImportFact(module, "", "" if alias == "_" else alias, 0, line, is_reexport=False), True


def _package_name(module: str) -> str:
    """Return the name an import path most likely binds: its last part, versions and ``go-`` apart."""
    name = _last(module)
    return name.removeprefix("go-").removesuffix("-go").rpartition("-")[2]


def _last(module: str) -> str:
    """Return the last part of a path, without the version that it ends with."""
    parts = module.split("/")
    if len(parts) > 1 and _MAJOR.fullmatch(parts[-1]):
        parts.pop()
    stem, dot, version = parts[-1].rpartition(".")
    return stem if dot and _VERSION.fullmatch(version) else parts[-1]


def _is_unsure(module: str) -> bool:
    """Whether a package may as likely have another name than its path tells."""
    last = module.rpartition("/")[2]
    return "." in module and (not last.isidentifier() or _VERSION.fullmatch(last) is not None or last[:2] == "go")


def _other_names(module: str) -> Iterator[str]:
    """Yield what else a package may be called: ``ratelimit``, ``rate_limit``, ``rate`` and ``limit``."""
    last = _last(module)
    parts = _PARTS.findall(last)
    yield from ("".join(parts), "_".join(parts), *parts, last.removeprefix("go"))
    if _VERSION.fullmatch(version := module.rpartition("/")[2]):
        above = module.removesuffix(version).rstrip("/").rpartition("/")[2]
        yield from (version, *_PARTS.findall(above))


def _is_said(name: str, page: Page) -> bool:
    """Whether a file says something of a package by a name: for a few names quicker than to look for all."""
    text, source, at = f"{name}.".encode(), page.source, -1
    for _ in range(_MOST_PLACES):
        at = source.find(text, at + 1)
        if at < 0:
            return False
        if _SAID.match(source, at) is not None:
            return True
    return False


def _said_in(page: Page) -> frozenset[str]:
    return frozenset([name.decode("ascii", "replace") for name in _SAID.findall(page.source)])
