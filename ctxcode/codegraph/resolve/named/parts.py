"""Types of C# that are written in several places: each part says so, by naming itself as what it inherits from."""

from collections.abc import Callable, Collection

from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables

_FAMILY = "csharp"
MOST_PARTS = 150
"""What is written in more places is asked for what stands in each alone: joining grows with their square."""


def is_part(tables: Tables, node: int, names: Collection[str]) -> bool:
    """Tell whether a type is a part of one, given the names of what it inherits from."""
    return bool(names) and tables.families[tables.file_of[node]] == _FAMILY and tables.name_of(node) in names


def other_parts(tables: Tables, node: int, names_of: Callable[[int], Collection[str]]) -> list[int]:
    """Return the other places a type is written in; ``names_of`` returns what one inherits from, as written."""
    package = tables.package_of[tables.file_of[node]]
    if package is None or not is_part(tables, node, names_of(node)):
        return []
    file = tables.file_of[node]
    symbol = tables.facts[file].symbols[node - tables.first_node[file]]
    found = tables.again_in(package, symbol.name, symbol.qualname)
    if len(found) > MOST_PARTS:
        return []
    parts = [each for each in found if tables.kinds[each] in CLASS_KINDS and is_part(tables, each, names_of(each))]
    return [each for each in parts if each != node]
