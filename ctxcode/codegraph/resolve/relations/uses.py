"""Uses become reference edges: only where a name is bound in its file, is imported or is known by its full name."""

from collections.abc import Collection, Iterable

from ctxcode.codegraph.edges import FoundEdges, Tier
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS
from ctxcode.model.symbol import MEMBER_KINDS

_NAMED_TIERS = (Tier.REFERENCES_IN_SCOPE, Tier.REFERENCES_IMPORTED, *[Tier.REFERENCES_UNIQUE_NAME] * 2)
"""By nearness; what a linker joins is called."""
_NOTHING = (-1, 0)
_CALLABLE = frozenset({"function", "method"})
_ELSEWHERE = 3
"""The nearness of what a file neither defines nor takes in."""


class FileUses:
    """The uses of one file."""

    def __init__(self, lookup: Lookup, file: int) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._file = file
        self._first = lookup.tables.first_node[file]
        self._bindings = lookup.tables.bindings[file]
        self._is_c = lookup.tables.families[file] == "c"
        self._tells_types = lookup.tables.families[file] in {"c", "go"}
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
            if (source, target) in linked or self._is_around(source, target) or self._is_own(source, name, target):
                continue
            if not self._is_c or "." in name or self._is_known(source, target, name):
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
            if self._is_c and tables.kinds[node] == "namespace":
                return _NOTHING
            if length > 1:
                return node, Tier.REFERENCES_QUALIFIED
            nearness = self._lookup.nearness(self._file, node, parts[0])
            if nearness == _ELSEWHERE and self._is_c and parts[0][:1].islower():
                # A short word of another library as likely.
                return _NOTHING
            return node, _NAMED_TIERS[nearness]
        return _NOTHING

    def _is_around(self, source: int, target: int) -> bool:
        """Whether a definition names itself or what it stands in."""
        tables, node = self._tables, source
        while node >= 0:
            if node == target:
                return True
            node = tables.parents[node]
        return tables.owners.get(source) == target

    def _is_known(self, source: int, target: int, name: str) -> bool:
        """Whether a bare name of C++ can mean what stands in a class: that class or an heir of it stands around."""
        tables, owner = self._tables, self._tables.parents[target]
        if tables.kinds[owner] not in CLASS_KINDS:
            return True
        around = tables.classes_around(source)
        return any(each == owner or self._lookup.member(each, name) == target for each in around)

    def _is_own(self, source: int, name: str, target: int) -> bool:
        """Whether a definition around a use gives the name to something of its own that is not the target."""
        tables, (first, dot, _), node = self._tables, name.partition("."), source
        # Where a type can stand, only a type of its own hides one: ``item *item``.
        is_type = self._tells_types and tables.kinds[target] in CLASS_KINDS and tables.file_of[target] != self._file
        while tables.parents[node] >= 0:
            own = tables.children.get(node, {}).get(first)
            if own is not None and own != target and not self._is_aside(node, own, is_scope=bool(dot)):
                return True
            if first in self._bindings.get(node - self._first, ()) and not is_type:
                return True
            node = tables.parents[node]
        return False

    def _is_aside(self, node: int, own: int, *, is_scope: bool) -> bool:
        """Whether what stands in a definition of C++ hides no name there: a namespace was looked in already.

        And a namespace may be called as a method is, behind which nothing stands.
        """
        kinds = self._tables.kinds
        return self._is_c and (kinds[node] == "namespace" or (is_scope and kinds[own] in _CALLABLE))
