"""Uses become reference edges: only where a name is bound in its file, is imported or is known by its full name."""

from collections.abc import Collection, Iterable

from ctxcode.codegraph.edges import FoundEdges, Tier
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.model.symbol import MEMBER_KINDS

_NAMED_TIERS = (Tier.REFERENCES_IN_SCOPE, Tier.REFERENCES_IMPORTED, *[Tier.REFERENCES_UNIQUE_NAME] * 2)
"""By nearness; what a linker joins is called."""
_NOTHING = (-1, 0)


class FileUses:
    """The uses of one file."""

    def __init__(self, lookup: Lookup, file: int) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._file = file
        self._first = lookup.tables.first_node[file]
        self._bindings = lookup.tables.bindings[file]
        self._found: dict[str, tuple[int, int]] = {}

    def resolve(
        self, uses: Iterable[tuple[int, str, int]], linked: Collection[tuple[int, int]], found: FoundEdges
    ) -> None:
        """Add the edges of the file's uses, given as (user, name, line).

        Not for pairs of nodes that are linked by what says more.
        """
        for user, name, line in uses:
            target, tier = self._target(name)
            if target < 0:
                continue
            source = self._first + user
            if (source, target) in linked or self._is_around(source, target) or self._is_own(source, name):
                continue
            found.add(source, target, tier, line)

    def _target(self, name: str) -> tuple[int, int]:
        known = self._found.get(name)
        if known is None:
            known = self._found[name] = self._find(name.split("."))
        return known

    def _find(self, parts: list[str]) -> tuple[int, int]:
        """Return (target, tier) of the longest beginning of a dotted name that means a definition."""
        tables = self._tables
        for length in range(len(parts), 0, -1):
            node = self._lookup.dotted(self._file, parts[:length])
            if node < 0 or tables.kinds[node] in MEMBER_KINDS:
                continue
            if tables.parents[node] < 0:
                # That a module is used its import says.
                return _NOTHING
            if length > 1:
                return node, Tier.REFERENCES_QUALIFIED
            return node, _NAMED_TIERS[self._lookup.nearness(self._file, node, parts[0])]
        return _NOTHING

    def _is_around(self, source: int, target: int) -> bool:
        """Whether a definition names itself or what it stands in."""
        tables, node = self._tables, source
        while node >= 0:
            if node == target:
                return True
            node = tables.parents[node]
        return tables.owners.get(source) == target

    def _is_own(self, source: int, name: str) -> bool:
        """Whether a definition around a use gives the name to something of its own."""
        tables, first, node = self._tables, name.partition(".")[0], source
        while tables.parents[node] >= 0:
            if first in tables.children.get(node, ()) or first in self._bindings.get(node - self._first, ()):
                return True
            node = tables.parents[node]
        return False
