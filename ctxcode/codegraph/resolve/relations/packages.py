"""Which files of a package are meant by who imports all of it: those whose definitions it uses."""

from collections import Counter
from collections.abc import Collection, Mapping

from ctxcode.codegraph.edges import TIERS, FoundEdges, Tier
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import PACKAGE_FAMILIES, Package
from ctxcode.model.symbol import EdgeKind

_MOST_FILES = 5
"""Of a package, the most used ones."""
_SUREST = 0.85
"""What is found with less may stand elsewhere."""
_USING = frozenset({EdgeKind.CALLS, EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.REFERENCES})
_SURE_USES = frozenset(
    tier for tier, (kind, _, confidence) in enumerate(TIERS) if kind in _USING and confidence >= _SUREST
)

_MAKING = ("__construct", "constructor")
"""What makers of objects are called that are not called like their type."""


class ImportedPackages:
    """Finds what imports of packages lead to, file by file, after all that a file uses is found."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._tables = lookup.tables

    def imported(self, file: int, fact: ImportFact, target: int) -> Package | None:
        """Return the package that an import of a file means as a whole, given what stands for it."""
        tables = self._tables
        if target < 0 or tables.families[file] not in PACKAGE_FAMILIES or tables.kinds[target] != "module":
            return None
        is_file = tables.families[file] == "php" and fact.level
        return None if is_file else tables.package_of[tables.file_of[target]]

    def resolve(self, file: int, packages: Mapping[Package, int], found: FoundEdges, start: int) -> None:
        """Add the edges from a file's imports, given the line of each; from ``start`` on ``found`` is the file's own.

        Where nothing of a package is used for sure, the file that stands for it is perhaps what is meant.
        """
        if not packages:
            return
        tables, used = self._tables, self._used(packages, found, start)
        module = tables.first_node[file]
        for package, line in packages.items():
            meant = [other for other in self._most_used(used.get(package, ())) if other != file]
            for other in meant[:_MOST_FILES]:
                found.add(module, tables.first_node[other], Tier.IMPORTS, line)
            if not meant:
                standing, is_alone = self._lookup.targets.standing_for(package)
                tier = Tier.IMPORTS if is_alone else Tier.IMPORTS_PACKAGE
                found.add(module, tables.first_node[standing], tier, line)

    def _used(self, packages: Mapping[Package, int], found: FoundEdges, start: int) -> dict[Package, set[int]]:
        """Return what the edges from a place on surely lead to, by package."""
        tables, used = self._tables, dict[Package, set[int]]()
        for target, tier in zip(found.targets[start:], found.tiers[start:], strict=True):
            package = tables.package_of[tables.file_of[target]] if tier in _SURE_USES else None
            if package is not None and package in packages:
                used.setdefault(package, set()).add(target)
        return used

    def _most_used(self, nodes: Collection[int]) -> list[int]:
        """Return the files of definitions, those with most of them first.

        Who imports a package says the names of what it means; what calls of methods lead to counts where none is said.
        """
        said = [node for node in nodes if self._is_said(node)]
        counts = Counter([self._tables.file_of[node] for node in said or nodes])
        return sorted(counts, key=lambda file: (-counts[file], file))

    def _is_said(self, node: int) -> bool:
        """Whether who means a definition says its name, or that of the type it makes."""
        file = self._tables.file_of[node]
        symbols = self._tables.facts[file].symbols
        symbol = symbols[node - self._tables.first_node[file]]
        return symbol.kind != "method" or symbol.name in {symbols[symbol.parent].name, *_MAKING}
