"""Modules of Rust in braces, ``mod tests { … }``, and what ``super`` is inside of them."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import ImportFact, inside
from ctxcode.codegraph.resolve.tables import Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

ABOVE = "super"


def above(tables: Tables, node: int, rest: list[str]) -> tuple[int, list[str]]:
    """Return (module in braces, path in it) for a path behind ``super`` that stands in a definition.

    Where that is no module in braces it is a negative number, and the path is what the file itself would say.
    """
    inner = _module_around(tables, node)
    while inner >= 0 and rest[:1] == [ABOVE]:
        inner, rest = _module_around(tables, tables.parents[inner]), rest[1:]
    if inner < 0:
        return inner, [ABOVE, *rest]
    outer = _module_around(tables, tables.parents[inner])
    return outer, rest if outer >= 0 else ["self", *rest]


def dotted_inside(lookup: "Lookup", node: int, parts: list[str]) -> int:
    """Return what a dotted name means in a definition, as far as that is not told by what the definition binds."""
    tables = lookup.tables
    file = tables.file_of[node]
    if parts[0] != ABOVE or tables.families[file] != "rust":
        return lookup.dotted(file, parts)
    module, path = above(tables, node, parts[1:])
    return lookup.walk(module, path) if module >= 0 else lookup.dotted(file, path)


def holder_inside(lookup: "Lookup", node: int, parts: list[str]) -> int:
    """Return the same of what a path goes on from: in a function of Rust nothing stands, but in its namesake may."""
    found, tables = dotted_inside(lookup, node, parts), lookup.tables
    file = tables.file_of[node]
    if found < 0 or tables.kinds[found] != "function" or tables.families[file] != "rust":
        return found
    outer = dotted_inside(lookup, node, parts[:-1]) if len(parts) > 1 else tables.first_node[file]
    is_module = outer >= 0 and tables.parents[outer] < 0
    module = lookup.targets.namesake(tables.file_of[outer], parts[-1]) if is_module else -1
    return module if module >= 0 else found


def taken_in(lookup: "Lookup", module: int, name: str) -> int:
    """Return what a module in braces has of others under a name: by an import of its file, or of everything of one."""
    tables, file = lookup.tables, lookup.tables.file_of[module]
    if tables.families[file] != "rust":
        return UNKNOWN
    if name in tables.imports[file]:
        return lookup.visible(file, name)
    known = lookup.taken_in[module]
    if name not in known:
        return lookup.memory.find(known, name, UNKNOWN, lambda: _offered_of_all(lookup, module, name))
    return known[name]


def _offered_of_all(lookup: "Lookup", module: int, name: str) -> int:
    tables, file = lookup.tables, lookup.tables.file_of[module]
    called = inside(tables.facts[file].symbols[module - tables.first_node[file]].qualname.split("."))
    for fact in (fact for fact in tables.stars[file] if fact.alias == called):
        target = _passed_on(lookup, module, fact)
        found = lookup.step(target, name) if target >= 0 and target != module else UNKNOWN
        if found >= 0:
            return found
    return UNKNOWN


def _passed_on(lookup: "Lookup", module: int, fact: ImportFact) -> int:
    """Return what a module in braces passes on all of: its file, a module that stands in it, or what the file says."""
    tables, file = lookup.tables, lookup.tables.file_of[module]
    if fact.module == "self":
        return tables.first_node[file]
    parts = fact.module.split("::")
    is_inside = parts[0] in tables.children.get(module, {})
    return lookup.walk(module, parts) if is_inside else lookup.import_target(file, fact)


def _module_around(tables: Tables, node: int) -> int:
    """Return the innermost module in braces around a node, itself included; a negative number for none."""
    while tables.parents[node] >= 0 and tables.kinds[node] != "namespace":
        node = tables.parents[node]
    return node if tables.parents[node] >= 0 else -1
