"""Which of the types of one name is meant that namespaces of C++ have."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import AT_TOP

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_UNKNOWN = -1
_LANGUAGE, _FAMILY = "cpp", "c"


def type_around(lookup: "Lookup", node: int, name: str) -> int:
    """Return the type that a dotted name means for a definition of C++, by what is around that, else in its file.

    One letter is what templates call their parameters. In other languages it is what the file means.
    """
    tables = lookup.tables
    file = tables.file_of[node]
    if tables.facts[file].language != _LANGUAGE or name.startswith(AT_TOP):
        return lookup.type_at_top(file, name)
    if len(name) == 1:
        return _UNKNOWN
    first, *rest = name.split(".")
    found = lookup.qualified.near(node, first)
    return lookup.type_at_top(file, name) if found < 0 else lookup.walk(found, rest)


def one_of(lookup: "Lookup", file: int, name: str, found: int) -> int:
    """Return what was found for a bare name; UNKNOWN where what a file of C++ includes has several types of it.

    Which namespace is used where the name stands is not told; what stands in none needs none.
    """
    tables = lookup.tables
    is_inside = found >= 0 and tables.kinds[tables.parents[found]] == "namespace"
    if not is_inside or "." in name or tables.families[file] != _FAMILY:
        return found
    for other in lookup.qualified.namesakes(file, name):
        at = tables.file_of[other]
        if other != found and (at == file or lookup.inclusions.has(file, at)):
            return _UNKNOWN
    return found
