"""Which of the types of one name is meant that namespaces of C++ have."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import AT_TOP
from ctxcode.codegraph.resolve.objects.value import Value, either
from ctxcode.codegraph.resolve.qualified import SOURCES
from ctxcode.codegraph.resolve.tables import Tables

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_UNKNOWN, _SPACE = -1, "namespace"
_LANGUAGE, _FAMILY, _TEMPLATE = "cpp", "c", "template"
_PARAMETER = re.compile(r"\b(?:class|typename)\b[ .]{0,8}(\w+) ?[,>=]")
_LONGEST = 1_000
_SEVERAL = 2


def type_around(lookup: "Lookup", node: int, name: str) -> int:
    """Return the type that a dotted name means for a definition of C++, by what is around that, else in its file.

    A type parameter is none. In other languages it is what the file means.
    """
    tables = lookup.tables
    file = tables.file_of[node]
    if tables.facts[file].language != _LANGUAGE or name.startswith(AT_TOP):
        return lookup.type_at_top(file, name)
    first, *rest = name.split(".")
    if _is_parameter(tables, node, first):
        return _UNKNOWN
    found = lookup.qualified.near(node, first)
    return lookup.type_at_top(file, name) if found < 0 else lookup.walk(found, rest)


def _is_parameter(tables: Tables, node: int, name: str) -> bool:
    """Whether a template around a definition calls a parameter so: ``template <class T> struct Box``."""
    file, at = tables.file_of[node], node
    symbols, first = tables.facts[file].symbols, tables.first_node[file]
    while at > first:
        said = symbols[at - first].signature
        if said.startswith(_TEMPLATE) and name in _PARAMETER.findall(said[:_LONGEST]):
            return True
        at = tables.parents[at]
    return False


def any_namesake(lookup: "Lookup", node: int, name: str) -> Value | None:
    """Return an object of any of the types of C++ that a bare name may mean for a definition, if these are several."""
    tables = lookup.tables
    file = tables.file_of[node]
    if tables.facts[file].language != _LANGUAGE or "." in name or _is_parameter(tables, node, name):
        return None
    found = _seen(lookup, file, name)
    return either([Value(one, is_object=True) for one in found]) if len(found) > 1 else None


def one_of(lookup: "Lookup", file: int, name: str, found: int) -> int:
    """Return what was found for a bare name; UNKNOWN where what a file of C++ includes has several types of it.

    Which namespace is used where the name stands is not told; what stands in none needs none.
    """
    tables = lookup.tables
    is_inside = found >= 0 and tables.kinds[tables.parents[found]] == _SPACE
    if not is_inside or "." in name or tables.families[file] != _FAMILY:
        return found
    return _UNKNOWN if any(other != found for other in _seen(lookup, file, name)) else found


def _seen(lookup: "Lookup", file: int, name: str) -> list[int]:
    """Return the types of a bare name that a file has or includes."""
    has, file_of = lookup.inclusions.has, lookup.tables.file_of
    return [one for one in lookup.qualified.namesakes(file, name) if file_of[one] == file or has(file, file_of[one])]


def inside(lookup: "Lookup", file: int, space: int, name: str) -> int:
    """Return what a file means by a name in a namespace that several files add to, if what it includes tells that.

    A header that declares what a source defines tells nothing.
    """
    tables = lookup.tables
    if tables.families[file] != _FAMILY or tables.kinds[space] != _SPACE:
        return _UNKNOWN
    has, file_of, found = lookup.inclusions.has, tables.file_of, lookup.qualified.in_space(space, name)
    homes = {file_of[one] for one in found}
    if len(homes) < _SEVERAL:
        return _UNKNOWN
    reached = [home for home in homes if home == file or has(file, home)]
    if len(reached) != 1 or any(has(other, reached[0]) for other in homes if tables.paths[other].endswith(SOURCES)):
        return _UNKNOWN
    return next(one for one in found if file_of[one] == reached[0])


def walk(lookup: "Lookup", file: int, node: int, parts: list[str]) -> int:
    """Return what the parts mean to a file, one after the other, behind a node."""
    for part in parts:
        if node < 0:
            break
        found = inside(lookup, file, node, part)
        node = found if found >= 0 else lookup.step(node, part)
    return node
