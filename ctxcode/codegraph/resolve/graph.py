"""The whole of it: facts of all files to a graph."""

from collections.abc import Mapping

from ctxcode.codegraph.edges import PackedGraph, ResolvedGraph, Tier, pack
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.rank import central_nodes, page_rank
from ctxcode.codegraph.resolve.calls import Callers, FileCalls
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN
from ctxcode.model.symbol import MEMBER_KINDS


def build_graph(files: Mapping[str, FileFacts]) -> PackedGraph:
    """Return the resolved and ranked graph of a repository's files, ready to be stored."""
    graph = resolve(files)
    ranks = page_rank(graph)
    return pack(graph, ranks, central_nodes(graph, ranks))


def resolve(files: Mapping[str, FileFacts]) -> ResolvedGraph:
    """Return nodes and edges of a repository's files, by path.

    Equal files give equal graphs, whatever the mapping's order. A name bound to something outside never gets an edge.
    """
    tables = Tables(files)
    lookup = Lookup(tables)
    graph = ResolvedGraph(
        paths=tuple(tables.paths),
        modules=tuple(tables.modules),
        is_aside=tuple(tables.is_aside),
        first_node=tuple(tables.first_node),
        is_module=bytes(parent < 0 for parent in tables.parents),
        is_private=bytes(symbol.visibility == "private" for facts in tables.facts for symbol in facts.symbols),
    )
    _add_containment(tables, graph)
    _add_imports(lookup, graph)
    _add_inheritance(lookup, graph)
    callers = Callers(tables)
    for file, facts in enumerate(tables.facts):
        if facts.calls:
            FileCalls(lookup, callers, file).resolve(facts.calls, graph)
    return graph


def _add_containment(tables: Tables, graph: ResolvedGraph) -> None:
    """Add the edges from owners; fields and variants are parts of their owner's node and have none."""
    kinds = tables.kinds
    for node, parent in enumerate(tables.parents):
        if parent >= 0 and kinds[node] not in MEMBER_KINDS:
            graph.add(parent, node, Tier.CONTAINS, 0)


def _add_imports(lookup: Lookup, graph: ResolvedGraph) -> None:
    tables = lookup.tables
    for file, facts in enumerate(tables.facts):
        module = tables.first_node[file]
        for fact in facts.imports:
            target = lookup.import_target(file, fact)
            if target >= 0:
                graph.add(module, target, Tier.IMPORTS, fact.line)


def _add_inheritance(lookup: Lookup, graph: ResolvedGraph) -> None:
    tables = lookup.tables
    types = _types_by_name(tables)
    for file, facts in enumerate(tables.facts):
        first = tables.first_node[file]
        for symbol, name in facts.bases:
            heir = first + symbol
            line = facts.symbols[symbol].header_line
            base = lookup.base(heir, name)
            if base >= 0:
                is_here = tables.file_of[base] == file
                graph.add(heir, base, Tier.INHERITS_IN_SCOPE if is_here else Tier.INHERITS_IMPORTED, line)
            elif base == UNKNOWN and "." not in name:
                named = types.get((tables.families[file], name), [])
                if len(named) == 1:
                    graph.add(heir, named[0], Tier.INHERITS_UNIQUE_NAME, line)


def _types_by_name(tables: Tables) -> dict[tuple[str, str], list[int]]:
    """Return top-level types by (family, name), tests left out."""
    types: dict[tuple[str, str], list[int]] = {}
    for file, names in enumerate(tables.top):
        if not tables.is_aside[file]:
            for name, node in names.items():
                if tables.kinds[node] in CLASS_KINDS:
                    types.setdefault((tables.families[file], name), []).append(node)
    return types
