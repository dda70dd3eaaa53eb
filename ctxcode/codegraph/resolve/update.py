"""A published graph brought in step with a few files whose bodies changed, without joining all others again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from ctxcode.codegraph.edges import Edges, FoundEdges, PackedGraph, pack, sorted_edges
from ctxcode.codegraph.facts import RETURNED, FileFacts, PackedCalls
from ctxcode.codegraph.rank import central, page_rank
from ctxcode.codegraph.resolve.graph import FileResolver
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.partial import PartialCandidates, PartialTables
from ctxcode.codegraph.resolve.tables import GLOBAL_FAMILIES, SCOPE_KINDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ScalarT = TypeVar("_ScalarT", bound="np.generic")


class StoredGraph(Protocol):
    """A packed graph as it was stored."""

    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def languages(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def modules(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def packages(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def blobs(self) -> Mapping[str, bytes]: ...  # noqa: D102


def update_graph(
    stored: StoredGraph,
    changed: Mapping[int, FileFacts],
    facts: Callable[[int], FileFacts],
    named: Callable[[str], Sequence[tuple[int, int, str]]],
) -> PackedGraph | None:
    """Return the graph that joining all files anew would give, or None when that is what has to be done.

    Files go by their number in the graph. ``changed`` is what some say now, ``facts`` returns what any said when the
    graph was made, ``named`` the definitions of a name as (file, position in it, kind) in order. As long as changed
    files define and import the same names in the same order, what other files say means what it meant, and only edges
    out of the changed ones can differ. Raises ValueError when what was stored makes no sense.
    """
    for file, now in changed.items():
        if family_of(now.language) in GLOBAL_FAMILIES or _told_others(facts(file)) != _told_others(now):
            return None
    graph = _unpacked(stored)
    nodes, edges = graph.nodes(), graph.edges()
    tables = PartialTables(nodes, stored.languages, lambda file: changed.get(file) or facts(file))
    found = _edges_out_of(tables, sorted(changed), named)
    updated = _replaced(edges, found, [nodes.first_node[file : file + 2] for file in sorted(changed)])
    if _are_alike(edges, updated):
        return replace(graph, lines=updated.lines.tobytes())
    ranks = page_rank(nodes, updated)
    return pack(nodes, updated, ranks, central(nodes, updated, ranks))


def _unpacked(stored: StoredGraph) -> PackedGraph:
    names = [field.name for field in fields(PackedGraph)]
    columns = {name: stored.blobs[name] for name in names if name in stored.blobs and name not in _NAMES}
    return PackedGraph(paths=stored.paths, modules=stored.modules, packages=stored.packages, **columns)


_NAMES = frozenset({"paths", "modules", "packages"})


def _told_others(facts: FileFacts) -> FileFacts:
    """Return what other files' names can depend on: all but calls, uses, lines and local bindings."""
    symbols = tuple([symbol._replace(header_line=0) for symbol in facts.symbols])
    bindings = [
        binding
        for binding in facts.bindings
        if binding.name == RETURNED or symbols[binding.scope].kind not in _CLOSED_KINDS
    ]
    imports = tuple([fact._replace(line=0) for fact in facts.imports])
    told = facts._replace(symbols=symbols, imports=imports, bindings=tuple(bindings))
    return told._replace(calls=PackedCalls(), uses="", parse_errors=0)


_CLOSED_KINDS = SCOPE_KINDS - {"module", "namespace"}


def _edges_out_of(
    tables: PartialTables, files: Sequence[int], named: Callable[[str], Sequence[tuple[int, int, str]]]
) -> Edges:
    resolver = FileResolver(Lookup(tables), PartialCandidates(tables, named))
    found = FoundEdges()
    for file in files:
        tables.load(file)
        resolver.resolve(file, found)
    return sorted_edges(found, tables.node_count)


def _replaced(edges: Edges, found: Edges, spans: Sequence[Sequence[int]]) -> Edges:
    """Return edges with those out of some spans of nodes replaced by the ones found there; spans are in order."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    bounds = [bound for span in spans for bound in span]
    old, new = np.searchsorted(edges.sources, bounds).tolist(), np.searchsorted(found.sources, bounds).tolist()
    return Edges(
        _merged(edges.sources, old, found.sources, new),
        _merged(edges.targets, old, found.targets, new),
        _merged(edges.kinds, old, found.kinds, new),
        _merged(edges.resolutions, old, found.resolutions, new),
        _merged(edges.confidences, old, found.confidences, new),
        _merged(edges.lines, old, found.lines, new),
    )


def _merged(
    column: "npt.NDArray[_ScalarT]", old: Sequence[int], added: "npt.NDArray[_ScalarT]", new: Sequence[int]
) -> "npt.NDArray[_ScalarT]":
    """Return a column with its slices ``old`` replaced by another's slices ``new``, given as pairs of bounds."""
    import numpy as np  # noqa: PLC0415 - only while indexing

    parts, at = list["npt.NDArray[_ScalarT]"](), 0
    for first in range(0, len(old), 2):
        parts += [column[at : old[first]], added[new[first] : new[first + 1]]]
        at = old[first + 1]
    return np.concatenate([*parts, column[at:]])


def _are_alike(before: Edges, after: Edges) -> bool:
    """Return whether nothing but lines differs."""
    names = [name for name in Edges.__slots__ if name != "lines"]
    return all(_are_equal(getattr(before, name), getattr(after, name)) for name in names)


def _are_equal(one: "npt.NDArray[np.generic]", other: "npt.NDArray[np.generic]") -> bool:
    import numpy as np  # noqa: PLC0415 - only while indexing

    return np.array_equal(one, other)
