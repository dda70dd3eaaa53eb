"""Some files of a published graph joined again: what their names lead to, looked up one by one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from ctxcode.codegraph.edges import Edges, FoundEdges, Nodes, PackedGraph, sorted_edges
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.listed import Listed
from ctxcode.codegraph.resolve.again.telling import Named
from ctxcode.codegraph.resolve.again.told import ATTACHED
from ctxcode.codegraph.resolve.dependents.linked import is_of_family, names_in_includes, words_of
from ctxcode.codegraph.resolve.dependents.scripts import Contained, PartialScripts
from ctxcode.codegraph.resolve.graph import FileResolver
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.swift import FAMILY as SWIFT
from ctxcode.codegraph.resolve.modules.swift import Importing
from ctxcode.codegraph.resolve.partial.attached import Attaching
from ctxcode.codegraph.resolve.partial.names import PartialNames
from ctxcode.codegraph.resolve.partial.tables import PartialCandidates, PartialTables


class JoinedFiles:
    """What files say now, by the numbers they have now, of which some are joined again."""

    def __init__(
        self,
        files: Listed,
        changed: Mapping[int, FileFacts],
        languages: Sequence[str],
        facts: Callable[[int], FileFacts],
        named: Named,
        mentioning: Mentioning,
    ) -> None:
        """Take the files, and what some of them say now, by number.

        All else goes by the number a file had before: ``languages`` and ``facts`` tell what it was and said, ``named``
        and ``mentioning`` which files define and say a name.
        """
        self._files = files
        self._changed = changed
        self._named = cache(_named_now(named, files, changed))
        self._mentioning = mentioning
        self.facts = cache(lambda file: changed.get(file) or facts(files.before[file]))
        self.languages = [
            changed[file].language if file in changed else languages[number] for file, number in enumerate(files.before)
        ]

    def attached(self, nodes: Nodes, again: Collection[int], places: Mapping[int, Sequence[int]]) -> Nodes | None:
        """Return nodes with what the files joined again say that belongs to types elsewhere.

        ``places`` say where the symbols of changed files that were there before stand now, by the number these had.
        None when one of those belongs to another type now.
        """
        attaching = {file for file in again if self.languages[file] in ATTACHED}
        attaching |= {file for file, each in self._changed.items() if is_of_family(each)}
        if not attaching:
            return nodes
        staying: dict[int, Collection[int]] = {
            file: range(len(self.facts(file).symbols)) for file in attaching.difference(self._changed)
        }
        staying |= {self._files.now[file]: set(there) for file, there in places.items()}
        return Attaching(nodes, self.languages, self.facts, self._named).attached(attaching, staying)

    def edges(self, nodes: Nodes, graph: PackedGraph, again: Collection[int]) -> Edges:
        """Return the edges out of files that are joined again, given the nodes now and the graph before.

        Raises TooManyScriptsError.
        """
        tables, named = PartialTables(nodes, self.languages, self.facts, self._named), self._named
        lookup = Lookup(
            tables,
            PartialNames(tables, nodes, named, self._importing()),
            PartialScripts(tables, nodes, named, Contained(graph, self._files, self._changed)),
        )
        resolver, found = FileResolver(lookup, PartialCandidates(tables, nodes, named), self._including), FoundEdges()
        for file in sorted(again):
            tables.load(file)
            resolver.resolve(file, found)
        return sorted_edges(found, tables.node_count)

    def _importing(self) -> Importing:
        """Return what tells of a module of Swift at least the files that import it."""
        now = self._files.now

        def find(name: str) -> list[int]:
            there = {now[file] for file in self._mentioning((name,))}.union(self._changed)
            return [file for file in there if file >= 0 and self.languages[file] == SWIFT]

        return find

    def _including(self, name: str) -> list[int]:
        """Return the files of C and C++ that include one of a name."""
        now, words = self._files.now, sorted(words_of([name.partition(".")[0]]))[:1]
        there = {now[file] for file in self._mentioning(words)} if words else set(range(len(self.languages)))
        of_family = [file for file in there.union(self._changed) if file >= 0 and is_of_family(self.facts(file))]
        return sorted([file for file in of_family if name in names_in_includes(self.facts(file))])


def _named_now(named: Named, files: Listed, changed: Mapping[int, FileFacts]) -> Named:
    """Return what tells the definitions of a name now, by the numbers files have now."""

    def find(name: str) -> list[tuple[int, int, str]]:
        there = [(files.now[file], position, kind) for file, position, kind in named(name)]
        rows = [row for row in there if row[0] >= 0 and row[0] not in changed]
        rows += [
            (file, position, symbol.kind)
            for file, facts in changed.items()
            for position, symbol in enumerate(facts.symbols)
            if symbol.name == name
        ]
        return sorted(rows)

    return find
