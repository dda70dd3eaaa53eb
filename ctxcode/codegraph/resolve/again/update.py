"""A published graph brought in step with a few changed files, without joining all others again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from ctxcode.codegraph.edges import Edges, FoundEdges, PackedGraph, pack, sorted_edges
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.rank import central, page_rank
from ctxcode.codegraph.resolve.again.moved import moved, moved_edges
from ctxcode.codegraph.resolve.again.partial import PartialCandidates, PartialTables
from ctxcode.codegraph.resolve.again.told import WITHOUT_ORPHANS, Mentioning, affected_files, told_anew
from ctxcode.codegraph.resolve.graph import FileResolver
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Named = Callable[[str], Sequence[tuple[int, int, str]]]
"""From a name to its definitions: (file, position in it, kind), in this order."""


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
    named: Named,
    mentioning: Mentioning,
) -> PackedGraph | None:
    """Return the graph that joining all files anew would give, or None when that is what has to be done.

    Files go by their number in the graph. ``changed`` is what some say now, ``facts`` returns what any said when the
    graph was made, ``named`` the definitions of a name then as (file, position in it, kind) in order, ``mentioning`` at
    least the files that say one of some names. Edges out of files that neither changed nor say a name whose meaning may
    have changed are as they were. Raises ValueError when what was stored makes no sense.
    """
    facts = cache(facts)
    told = {file: told_anew(facts(file), now) for file, now in changed.items() if _is_joined_by_name(now.language)}
    places = {file: anew.places for file, anew in told.items() if anew is not None}
    if len(places) < len(changed):
        return None
    names = frozenset[str]().union(*[anew.names for anew in told.values() if anew is not None])
    families = {family_of(now.language) for now in changed.values()}
    languages = stored.languages
    if any(
        kind in CLASS_KINDS and family_of(languages[file]) in families - WITHOUT_ORPHANS
        for name in names
        for file, _, kind in named(name)
    ):
        # What stands outside its type belongs to it by the name.
        return None
    affected = affected_files(
        names,
        changed,
        facts,
        lambda names: [file for file in mentioning(names) if family_of(languages[file]) in families],
    )
    graph = _unpacked(stored)
    before, edges = graph.nodes(), graph.edges()
    move = moved(before, changed, places)
    if affected is None or move is None:
        return None
    tables = PartialTables(move.nodes, languages, lambda file: changed.get(file) or facts(file))
    found = _edges_out_of(tables, sorted(affected), _named_now(named, changed))
    updated = moved_edges(edges, found, affected, before, move)
    if updated is None:
        return None
    if move.nodes == before and _are_alike(edges, updated):
        return replace(graph, lines=updated.lines.tobytes())
    ranks = page_rank(move.nodes, updated)
    return pack(move.nodes, updated, ranks, central(move.nodes, updated, ranks))


def _is_joined_by_name(language: str) -> bool:
    """Return whether files of a language say what they mean: in some families names are known without an import."""
    return family_of(language) not in GLOBAL_FAMILIES


def _named_now(named: Named, changed: Mapping[int, FileFacts]) -> Named:
    """Return what tells the definitions of a name, those in changed files as they are now."""

    def find(name: str) -> list[tuple[int, int, str]]:
        rows = [row for row in named(name) if row[0] not in changed]
        rows += [
            (file, position, symbol.kind)
            for file, facts in changed.items()
            for position, symbol in enumerate(facts.symbols)
            if symbol.name == name
        ]
        return sorted(rows)

    return find


def _unpacked(stored: StoredGraph) -> PackedGraph:
    names = [field.name for field in fields(PackedGraph)]
    columns = {name: stored.blobs[name] for name in names if name in stored.blobs and name not in _NAMES}
    return PackedGraph(paths=stored.paths, modules=stored.modules, packages=stored.packages, **columns)


_NAMES = frozenset({"paths", "modules", "packages"})


def _edges_out_of(tables: PartialTables, files: Sequence[int], named: Named) -> Edges:
    resolver = FileResolver(Lookup(tables), PartialCandidates(tables, named))
    found = FoundEdges()
    for file in files:
        tables.load(file)
        resolver.resolve(file, found)
    return sorted_edges(found, tables.node_count)


def _are_alike(before: Edges, after: Edges) -> bool:
    """Return whether nothing but lines differs."""
    names = [name for name in Edges.__slots__ if name != "lines"]
    return all(_are_equal(getattr(before, name), getattr(after, name)) for name in names)


def _are_equal(one: "npt.NDArray[np.generic]", other: "npt.NDArray[np.generic]") -> bool:
    import numpy as np  # noqa: PLC0415 - only while indexing

    return np.array_equal(one, other)
