"""Macros of C and C++ that several headers define."""

from ctxcode.codegraph.resolve.modules.inclusions import Inclusions, Saying, members
from ctxcode.codegraph.resolve.tables import Tables

_MOST = 8
"""Headers that a file includes and that define a name; of more a name can mean any."""


class Macros:
    """Finds which one a name means: a header's own, not that of a header it includes."""

    def __init__(self, tables: Tables, tops: Saying, inclusions: Inclusions) -> None:
        self._tables = tables
        self._tops = tops
        self._inclusions = inclusions

    def outermost(self, file: int, node: int, name: str) -> int:
        """Return the macro that a file sees when it includes one: that of a header around it, if there is one such."""
        has, inner = self._inclusions.has, self._tables.file_of[node]
        around = [other for other in self._headers(file, name) if has(other, inner)]
        outer = [one for one in around if not any(has(other, one) for other in around if other != one)]
        return self._tables.top[outer[0]][name] if len(outer) == 1 and inner not in around else node

    def _headers(self, file: int, name: str) -> list[int]:
        """Return the files that a file includes and that define a macro, if they are several, but not many."""
        found = self._tops.among(self._inclusions.of(file), name)
        if not 1 < found.bit_count() <= _MOST:
            return []
        tops, kinds = self._tables.top, self._tables.kinds
        nodes = [(other, tops[other].get(name)) for other in members(found)]
        return [other for other, node in nodes if node is not None and kinds[node] == "macro"]
