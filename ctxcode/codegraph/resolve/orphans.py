"""Methods that stand outside their type: Go's receivers, Rust's impl blocks, C++'s qualified names, prototypes."""

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

_FUNCTIONS = frozenset({"function", "method"})


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


def is_defined_outside(tables: Tables, node: int, name: str) -> bool:
    """Whether a method of a class of C++ is declared there only: what is defined outside takes the same."""
    owner = tables.parents[node]
    outside = tables.children.get(owner, {}).get(name, node)
    if outside == node or tables.kinds[outside] not in _FUNCTIONS:
        return False
    inside, taken = namesakes(tables, node), _taken(tables, node)
    if tables.parents[outside] == owner:
        return any(_taken(tables, each) == taken for each in inside if each > node)
    defined = namesakes(tables, outside)
    return len(inside) == len(defined) == 1 or any(_taken(tables, each) == taken for each in defined)


def namesakes(tables: Tables, node: int) -> list[int]:
    """Return the functions of a file that share a function's whole name and place, itself included."""
    file = tables.file_of[node]
    first, symbols = tables.first_node[file], tables.facts[file].symbols
    known = tables.namesakes.get(file)
    if known is None:
        known = tables.namesakes[file] = {}
        for at, each in enumerate(symbols):
            if each.kind in _FUNCTIONS:
                known.setdefault((each.parent, each.qualname), []).append(first + at)
    symbol = symbols[node - first]
    return known.get((symbol.parent, symbol.qualname), [])


def _taken(tables: Tables, function: int) -> list[str]:
    """Return the types of what a function takes, without what is around them."""
    written = tables.parameters_of(function).replace("=", "")
    return [one.rpartition(".")[2] for one in written.split(",")]
