"""What a source of C or C++ is led to by a name though it includes no file that has it: guesses, not more."""

from collections.abc import Callable, Sequence
from functools import cached_property

from ctxcode.codegraph.edges import FoundEdges, Tier
from ctxcode.codegraph.resolve.linkage import Declarations
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.inclusions import members
from ctxcode.codegraph.resolve.qualified import SOURCES
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

FAMILY = "c"
EVERYTHING = -1
"""All files as a set like those of ``Inclusions``."""
Including = Callable[[str], Sequence[int]]
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

    def __init__(self, lookup: Lookup, including: Including | None = None) -> None:
        """Take what returns at least the files that include one of a name; all are looked at without it."""
        self._lookup, self._tables = lookup, lookup.tables
        self._declarations = Declarations(lookup.tables)
        self._names = frozenset(path.rpartition("/")[2] for path in lookup.tables.paths)
        self._misses: dict[int, bool] = {}
        self._seen: dict[int, int] = {}
        self._including = including or self._all_including

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
        if any(file == home or has(file, home) for home in homes):
            return False
        if self._declarations.are_said(1 << file | self._lookup.inclusions.of(file), node):
            return False
        if any(self._is_missing(each) for each in (file, *members(self._lookup.inclusions.of(file)))):
            return False
        seen = self._seen_by(file)
        is_seen = any(seen >> home & 1 for home in homes) or self._declarations.are_said(seen, node)
        return not is_seen or self._is_one_of_several(node, owner, seen)

    def _is_one_of_several(self, node: int, owner: int, seen: int) -> bool:
        """Whether what is seen in roundabout ways has another of that name, too: which is meant is not known.

        Of sources that are included themselves there may be one for each system.
        """
        tables = self._tables
        path = tables.paths[tables.file_of[node]]
        if path.endswith(SOURCES) and self._including(path.rpartition("/")[2]):
            return True
        named = owner if owner >= 0 and tables.kinds[owner] in CLASS_KINDS else node
        alike = self._lookup.qualified.in_space(tables.parents[named], tables.name_of(named))
        return any(seen >> file & 1 for file in {tables.file_of[each] for each in alike} - {tables.file_of[named]})

    def _seen_by(self, file: int) -> int:
        """Return the files that a source may see, EVERYTHING where that is not known.

        What includes the source itself, all in one, may include headers before it. Who includes none of the repository
        gets what it names in other ways: by modules, by what is included everywhere.
        """
        known = self._seen.get(file)
        if known is None:
            known = self._lookup.inclusions.of(file)
            self._seen[file] = known = self._with_includers(file, known) if known else EVERYTHING
        return known

    def _with_includers(self, file: int, seen: int) -> int:
        tables, inclusions, waiting, known = self._tables, self._lookup.inclusions, [file], {file}
        while waiting:
            one = waiting.pop()
            for other in self._including(tables.paths[one].rpartition("/")[2]):
                if other in known or not inclusions.has(other, one):
                    continue
                if not tables.paths[other].endswith(SOURCES) or self._is_missing(other):
                    return EVERYTHING
                known.add(other)
                waiting.append(other)
                for each in members(inclusions.of(other)):
                    if not tables.paths[each].endswith(SOURCES):
                        seen |= 1 << each
        return seen

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        """The files that include sources, by the names of these."""
        found: dict[str, list[int]] = {}
        for file, family in enumerate(self._tables.families):
            for fact in self._tables.stars[file] if family == FAMILY else ():
                if fact.module.endswith(SOURCES):
                    found.setdefault(fact.module.rpartition("/")[2], []).append(file)
        return found

    def _all_including(self, name: str) -> Sequence[int]:
        return self._by_name.get(name, ())

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
