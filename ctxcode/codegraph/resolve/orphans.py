"""Methods that stand outside their type: Go's receivers, Rust's impl blocks, C++'s qualified names, prototypes."""

from ctxcode.codegraph.facts import OF
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
    if tables.kinds[node] == "function" and tables.families[tables.file_of[node]] == "c":
        # A test that is called after something.
        return None
    file = tables.file_of[node]
    bound = tables.bindings[file].get(node - tables.first_node[file]) if tables.families[file] == "rust" else None
    path = bound.get(OF) if bound is not None else None
    is_above = path is None and ".super." in type_name and tables.families[file] == "rust"
    owner = lookup.type_in(node, path) if path is not None else _owner(lookup, file, type_name)
    owner = _above(lookup, node, type_name) if is_above else owner
    return owner if owner >= 0 and (tables.kinds[owner] in CLASS_KINDS or _is_held(tables, node, owner)) else None


def _is_held(tables: Tables, node: int, owner: int) -> bool:
    """Whether a function or object of JavaScript's gets a member: ``function F() {}; F.prototype.m = …``."""
    file = tables.file_of[owner]
    return file == tables.file_of[node] and tables.families[file] == "ecmascript" and tables.parents[owner] >= 0


def _above(lookup: Lookup, node: int, type_name: str) -> int:
    """Return the type in a module around that of a block of Rust: ``mod a { impl super::Cart { … } }``."""
    tables, at, parts = lookup.tables, lookup.tables.parents[node], type_name.split(".")
    for _ in range(parts.count("super")):
        at = max(tables.parents[at], tables.first_node[tables.file_of[node]])
    if tables.parents[at] < 0:
        return lookup.visible(tables.file_of[node], parts[-1])
    return tables.children.get(at, {}).get(parts[-1], UNKNOWN)


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
    again = _alike(tables, outside, _taken(tables, node))
    if tables.parents[outside] == owner:
        return again[-1:] > [node]
    return bool(again) or len(namesakes(tables, node)) == len(namesakes(tables, outside)) == 1


def namesakes(tables: Tables, node: int) -> list[int]:
    """Return the functions of a file that share a function's whole name and place, itself included."""
    return _alike(tables, node, "")


def declared_in(tables: Tables, owner: int, name: str) -> list[int]:
    """Return the functions of a name that stand in a class where that is written."""
    file = tables.file_of[owner]
    at = owner - tables.first_node[file]
    return _functions(tables, file).get((at, f"{tables.facts[file].symbols[at].qualname}.{name}"), [])


def _alike(tables: Tables, node: int, taken: str) -> list[int]:
    file = tables.file_of[node]
    symbol = tables.facts[file].symbols[node - tables.first_node[file]]
    return _functions(tables, file).get((symbol.parent, f"{symbol.qualname}{taken}"), [])


def _functions(tables: Tables, file: int) -> dict[tuple[int, str], list[int]]:
    """Return the functions of a file by place and whole name, and by what they take, too."""
    known = tables.namesakes.get(file)
    if known is None:
        known = tables.namesakes[file] = {}
        for node, each in enumerate(tables.facts[file].symbols, start=tables.first_node[file]):
            if each.kind in _FUNCTIONS:
                known.setdefault((each.parent, each.qualname), []).append(node)
                known.setdefault((each.parent, f"{each.qualname}{_taken(tables, node)}"), []).append(node)
    return known


def _taken(tables: Tables, function: int) -> str:
    """Return the types of what a function takes, in parentheses and without what is around them."""
    written = tables.parameters_of(function).replace("=", "")
    return f"({','.join([one.rpartition('.')[2] for one in written.split(',')])})"
