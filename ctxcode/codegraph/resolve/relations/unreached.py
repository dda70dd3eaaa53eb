"""What a source of C or C++ is led to by a name though it includes no file that has it: guesses, not more."""

from ctxcode.codegraph.edges import FoundEdges, Tier
from ctxcode.codegraph.resolve.linkage import Declarations
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.inclusions import members
from ctxcode.codegraph.resolve.qualified import SOURCES

FAMILY = "c"
_GUESSED = {
    Tier.CALLS_ON_SELF: Tier.CALLS_UNIQUE_NAME,
    Tier.CALLS_QUALIFIED: Tier.CALLS_UNIQUE_NAME,
    Tier.CALLS_ON_TYPE: Tier.CALLS_UNIQUE_NAME,
    Tier.CALLS_ON_ATTRIBUTE: Tier.CALLS_UNIQUE_NAME,
    Tier.REFERENCES_QUALIFIED: Tier.REFERENCES_UNIQUE_NAME,
    Tier.REFERENCES_ON_TYPE: Tier.REFERENCES_UNIQUE_NAME,
    Tier.REFERENCES_ON_ATTRIBUTE: Tier.REFERENCES_UNIQUE_NAME,
    Tier.INHERITS_IMPORTED: Tier.INHERITS_UNIQUE_NAME,
    Tier.IMPLEMENTS_IMPORTED: Tier.IMPLEMENTS_UNIQUE_NAME,
}


class Unreached:
    """Weakens edges out of sources; who includes a header may have included more before it."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._declarations = Declarations(lookup.tables)
        self._names = frozenset(path.rpartition("/")[2] for path in lookup.tables.paths)
        self._misses: dict[int, bool] = {}

    def weaken(self, file: int, found: FoundEdges, start: int) -> None:
        """Weaken those edges from a place on, of a file of C or C++, that lead to what it does not include."""
        if not self._tables.paths[file].endswith(SOURCES):
            return
        for place in range(start, len(found.sources)):
            guessed = _GUESSED.get(found.tiers[place])
            if guessed is not None and self._is_unreached(file, found.targets[place]):
                found.tiers[place] = guessed

    def _is_unreached(self, file: int, node: int) -> bool:
        tables, has = self._tables, self._lookup.inclusions.has
        if tables.kinds[node] == "variable" and tables.paths[tables.file_of[node]].endswith(SOURCES):
            # What a class declares of it is no symbol.
            return False
        owner = tables.owners.get(node, tables.parents[node])
        homes = {tables.file_of[each] for each in (node, owner) if each >= 0}
        if file in homes or any(has(file, home) for home in homes):
            return False
        if self._declarations.are_said(file, node, self._lookup.inclusions):
            return False
        return not any(self._is_missing(each) for each in (file, *members(self._lookup.inclusions.of(file))))

    def _is_missing(self, file: int) -> bool:
        """Whether a file includes what is not found, but may be of this repository, or made by its build: ``a.pb.h``.

        What that includes is not known.
        """
        known = self._misses.get(file)
        if known is None:
            known = self._misses[file] = any(
                self._is_ours(fact.module) and self._lookup.import_target(file, fact) < 0
                for fact in self._tables.stars[file]
            )
        return known

    def _is_ours(self, written: str) -> bool:
        name = written.rpartition("/")[2]
        return name in self._names or name.count(".") > 1
