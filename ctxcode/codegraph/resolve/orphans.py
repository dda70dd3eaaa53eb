"""Methods that stand outside their type: Go's receivers, Rust's impl blocks, C++'s qualified names, prototypes."""

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN


def attach_orphans(lookup: Lookup) -> None:
    """Make them its members, where it is found."""
    tables = lookup.tables
    for node, type_name in tables.orphans:
        owner = owner_of(lookup, node, type_name)
        if owner is not None:
            tables.add_member(owner, node)
            tables.owners[node] = owner


def owner_of(lookup: Lookup, node: int, type_name: str) -> int | None:
    """Return the type that a definition outside it belongs to, given what that calls it."""
    tables = lookup.tables
    owner = _owner(lookup, tables.file_of[node], type_name)
    return owner if owner >= 0 and (tables.kinds[owner] in CLASS_KINDS or _is_held(tables, node, owner)) else None


def _is_held(tables: Tables, node: int, owner: int) -> bool:
    """Whether a function or object of JavaScript's gets a member: ``function F() {}; F.prototype.m = …``."""
    file = tables.file_of[owner]
    return file == tables.file_of[node] and tables.families[file] == "ecmascript" and tables.parents[owner] >= 0


def _owner(lookup: Lookup, file: int, type_name: str) -> int:
    """Return the type that a definition outside it names, in C++ with all that is around it."""
    simple = type_name.rpartition(".")[2]
    if lookup.tables.families[file] != "c" or simple == type_name:
        return lookup.visible(file, simple)
    found = lookup.dotted(file, type_name.split("."))
    if found >= 0:
        return found
    found = lookup.visible(file, simple)
    return found if found >= 0 and lookup.qualified.is_part_of(found, type_name) else UNKNOWN
