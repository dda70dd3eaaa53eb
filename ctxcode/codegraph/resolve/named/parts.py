"""Types that are written in several places, and tables of Lua that stand for their modules.

Of C# each part says so beside what it inherits from.
"""

from collections.abc import Callable, Collection

from ctxcode.codegraph.facts import PART
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

_FAMILY = "csharp"
MOST_PARTS = 150
"""What is written in more places is asked for what stands in each alone: joining grows with their square."""


def is_part(tables: Tables, node: int, names: Collection[str]) -> bool:
    """Tell whether a type is a part of one, given the names of what it inherits from."""
    is_family = bool(names) and tables.families[tables.file_of[node]] == _FAMILY
    return is_family and f"{PART}{tables.name_of(node)}" in names


def other_parts(tables: Tables, node: int, names_of: Callable[[int], Collection[str]]) -> list[int]:
    """Return the other places a type is written in; ``names_of`` returns what one inherits from, as written."""
    if not is_part(tables, node, names_of(node)):
        return []
    return [each for each in _again(tables, node) if is_part(tables, each, names_of(each))]


def namesake(tables: Tables, node: int) -> int:
    """Return the one other type of a type's name in C#: ``class Result<T> : Result``."""
    found = _again(tables, node) if tables.families[tables.file_of[node]] == _FAMILY else []
    return found[0] if len(found) == 1 else UNKNOWN


def _again(tables: Tables, node: int) -> list[int]:
    """Return the other types of a type's whole name in its namespace; none of too many."""
    file = tables.file_of[node]
    package, symbol = tables.package_of[file], tables.facts[file].symbols[node - tables.first_node[file]]
    found = tables.again_in(package, symbol.name, symbol.qualname) if package is not None else ()
    if len(found) > MOST_PARTS:
        return []
    return [each for each in found if each != node and tables.kinds[each] in CLASS_KINDS]


def base_names(tables: Tables, file: int) -> dict[int, list[str]]:
    """Return the bases of a file's classes as written, by symbol; what stands for others of its name has theirs too."""
    first, found = tables.first_node[file], dict[int, dict[str, None]]()
    for symbol, name, _ in tables.facts[file].bases:
        node = first + symbol
        while node >= first:
            found.setdefault(node - first, {})[name] = None
            node = tables.said_with.get(node, -1)
    return {symbol: list(names) for symbol, names in found.items()}


def in_tables(tables: Tables, file: int, name: str) -> int:
    """Return what the only table of a Lua module that has a name offers by it, or of several the one it returns."""
    children, kinds = tables.children, tables.kinds
    owners = [
        node for node in tables.top[file].values() if name in children.get(node, ()) and kinds[node] != "function"
    ]
    if len(owners) > 1:
        owners = [node for node in owners if _is_public(tables, node)]
    return children[owners[0]][name] if len(owners) == 1 else UNKNOWN


def offered(tables: Tables, node: int, default: int) -> int:
    """Return the only table of a Lua module that others know, given the module; a default for all else."""
    if node < 0 or tables.parents[node] >= 0 or tables.families[tables.file_of[node]] != "lua":
        return default
    tops = tables.top[tables.file_of[node]].values()
    known = [top for top in tops if tables.kinds[top] == "class" and _is_public(tables, top)]
    return known[0] if len(known) == 1 else default


class OfferedTables:
    """The tables that stand for modules of Lua."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._offered: dict[int, int] = {}

    def member(self, file: int, name: str) -> int:
        """Return what the table that stands for a module has under a name; what is local there is not it."""
        table = self._offered.get(file)
        if table is None:
            table = self._offered[file] = offered(self._tables, self._tables.first_node[file], UNKNOWN)
        return self._tables.children.get(table, {}).get(name, UNKNOWN)


def _is_public(tables: Tables, node: int) -> bool:
    file = tables.file_of[node]
    return tables.facts[file].symbols[node - tables.first_node[file]].visibility == "public"
