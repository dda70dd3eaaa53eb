"""The whole of it: facts of all files to a graph."""

from collections.abc import Mapping

from ctxcode.codegraph.edges import FoundEdges, Nodes, PackedGraph, Tier, pack, sorted_edges
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.rank import central_nodes, page_rank
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.candidates import AllCandidates, Candidates
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import WholeTables
from ctxcode.codegraph.resolve.targets import UNKNOWN
from ctxcode.model.symbol import MEMBER_KINDS


def build_graph(files: Mapping[str, FileFacts]) -> PackedGraph:
    """Return the resolved and ranked graph of a repository's files, ready to be stored."""
    nodes, found = resolve(files)
    edges = sorted_edges(found, nodes.count)
    ranks = page_rank(nodes, edges)
    return pack(nodes, edges, ranks, central_nodes(nodes, ranks))


def resolve(files: Mapping[str, FileFacts]) -> tuple[Nodes, FoundEdges]:
    """Return nodes and edges of a repository's files, by path.

    Equal files give equal graphs, whatever the mapping's order. A name bound to something outside never gets an edge.
    """
    tables = WholeTables(files)
    Lookup(tables).attach_orphans()
    nodes = Nodes(
        paths=tuple(tables.paths),
        modules=tuple(tables.modules),
        is_aside=tuple(tables.is_aside),
        first_node=tuple(tables.first_node),
        is_private=b"".join(_privacy(files[path]) for path in tables.paths),
        packages=tuple(files[path].package for path in tables.paths),
        owners=tuple(tables.owners.items()),
    )
    found = FoundEdges()
    resolver = FileResolver(Lookup(tables), AllCandidates(tables))
    for file in range(len(nodes.paths)):
        resolver.resolve(file, found)
    return nodes, found


def _privacy(facts: FileFacts) -> bytes:
    """Return a byte per symbol: 1 for what is private."""
    return bytes(symbol.visibility == "private" for symbol in facts.symbols)


class FileResolver:
    """Finds the edges out of one file's symbols."""

    def __init__(self, lookup: Lookup, candidates: Candidates) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._candidates = candidates
        self._values = Values(lookup)

    def resolve(self, file: int, found: FoundEdges) -> None:
        """Add the edges of one file."""
        facts = self._tables.facts[file]
        self._add_containment(file, facts, found)
        self._add_imports(file, facts, found)
        self._add_inheritance(file, facts, found)
        if facts.calls:
            FileCalls(self._lookup, self._values, self._candidates, file).resolve(facts.calls, found)

    def _add_containment(self, file: int, facts: FileFacts, found: FoundEdges) -> None:
        """Add the edges from owners; fields and variants are parts of their owner's node and have none."""
        first = self._tables.first_node[file]
        for node, symbol in enumerate(facts.symbols, start=first):
            if symbol.parent >= 0 and symbol.kind not in MEMBER_KINDS:
                found.add(first + symbol.parent, node, Tier.CONTAINS, 0)

    def _add_imports(self, file: int, facts: FileFacts, found: FoundEdges) -> None:
        module = self._tables.first_node[file]
        for fact in facts.imports:
            target = self._lookup.import_target(file, fact)
            if target >= 0:
                found.add(module, target, Tier.IMPORTS, fact.line)

    def _add_inheritance(self, file: int, facts: FileFacts, found: FoundEdges) -> None:
        tables = self._tables
        for symbol, name in facts.bases:
            heir = tables.first_node[file] + symbol
            line = facts.symbols[symbol].header_line
            base = self._lookup.base(heir, name)
            if base >= 0:
                is_here = tables.file_of[base] == file
                found.add(heir, base, Tier.INHERITS_IN_SCOPE if is_here else Tier.INHERITS_IMPORTED, line)
            elif base == UNKNOWN and "." not in name:
                named = self._candidates.types(tables.families[file], name)
                if len(named) == 1:
                    found.add(heir, named[0], Tier.INHERITS_UNIQUE_NAME, line)
