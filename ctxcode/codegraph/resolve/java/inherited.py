"""Which methods of Java's classes and interfaces those below them get."""

import re

from ctxcode.codegraph.resolve.tables import Tables

_TYPE_PARAMETER = re.compile(r"[A-Z]{1,2}")
_STATIC = re.compile(r"\bstatic\b[^(]*\(")


def is_passed_on(tables: Tables, method: int, below: int) -> bool:
    """Return whether the class of another method gets one of a class or interface above it; True outside Java.

    It gets none that is private, stays in another package, or is an interface's own.
    """
    file = tables.file_of[method]
    if tables.facts[file].language != "java":
        return True
    symbol = tables.facts[file].symbols[method - tables.first_node[file]]
    if symbol.visibility == "internal":
        return tables.package_of[file] == tables.package_of[tables.file_of[below]]
    is_of_interface = tables.kinds[tables.parents[method]] == "interface"
    return symbol.visibility != "private" and not (is_of_interface and _STATIC.match(symbol.signature) is not None)


def without_overridden(tables: Tables, methods: list[int]) -> list[int]:
    """Return methods without those that another class overrides: ``take(Cart it)`` does that to ``take(T it)``.

    What stands for the type parameter nobody asks; those of the classes below come first.
    """
    kept = list[int]()
    for method in methods:
        names = tables.parameters_of(method).split(",")
        others = [each for each in kept if tables.parents[each] != tables.parents[method]]
        if not any(_are_alike(names, tables.parameters_of(each).split(",")) for each in others):
            kept.append(method)
    return kept


def _are_alike(above: list[str], below: list[str]) -> bool:
    """Return whether types are the same but for what are type parameters in the first."""
    pairs = zip(above, below, strict=False)
    return len(above) == len(below) and all(one == other or _TYPE_PARAMETER.fullmatch(one) for one, other in pairs)
