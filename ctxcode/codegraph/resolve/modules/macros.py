"""Macros of C and C++ that several headers define."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from ctxcode.codegraph.resolve.tables import Tables

_MOST = 8
"""Headers that define a name; of more a name can mean any."""
_NOWHERE: tuple[int, ...] = ()


class Macros:
    """Finds which one a name means: a header's own, not that of a header it includes."""

    def __init__(self, tables: Tables, included: Callable[[int], AbstractSet[int]]) -> None:
        """Take what returns the files a file includes, and those that these include."""
        self._tables = tables
        self._included = included
        self._nodes: dict[str, list[int]] | None = None

    def outermost(self, file: int, node: int, name: str) -> int:
        """Return the macro that a file sees when it includes one: that of a header around it, if there is one such."""
        if self._nodes is None:
            self._nodes = self._by_name()
        file_of, included = self._tables.file_of, self._included
        inner = file_of[node]
        around = [
            other
            for other in self._nodes.get(name, _NOWHERE)
            if file_of[other] in included(file) and inner in included(file_of[other])
        ]
        outer = [
            one
            for one in around
            if not any(file_of[one] in included(file_of[other]) for other in around if other != one)
        ]
        return outer[0] if len(outer) == 1 and node not in around else node

    def _by_name(self) -> dict[str, list[int]]:
        """Return the macros that at least two files define, by name."""
        tables, first, several = self._tables, dict[str, int](), dict[str, list[int]]()
        for file in range(len(tables.paths)):
            if tables.families[file] != "c":
                continue
            for name, node in tables.top[file].items():
                if tables.kinds[node] == "macro" and first.setdefault(name, node) != node:
                    several.setdefault(name, [first[name]]).append(node)
        return {name: nodes for name, nodes in several.items() if len(nodes) <= _MOST}
