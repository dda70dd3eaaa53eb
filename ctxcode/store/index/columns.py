"""The published index in memory: its files and the graph's columns, as they were stored."""

import sqlite3
from bisect import bisect_right
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import stands_aside
from ctxcode.model.plan import Relation
from ctxcode.model.symbol import Edge, EdgeKind, IndexStats, ModuleEntry, Resolution, Symbol
from ctxcode.store.index.documents import FILE_SHIFT, Listings
from ctxcode.store.index.graph import PublishedFile, read_blobs
from ctxcode.store.index.packed import Packing
from ctxcode.store.index.published import PublishedFiles
from ctxcode.store.index.spelling.names import NearestNames
from ctxcode.store.index.symbols import MadeSymbols, split_id

EDGE_KINDS = tuple(EdgeKind)
RESOLUTIONS = tuple(Resolution)
_OUTWARD = {
    EdgeKind.CONTAINS: Relation.CONTAINED_IN,
    EdgeKind.IMPORTS: Relation.IMPORTED_BY,
    EdgeKind.CALLS: Relation.CALLED_BY,
    EdgeKind.INHERITS: Relation.INHERITED_BY,
    EdgeKind.IMPLEMENTS: Relation.IMPLEMENTED_BY,
    EdgeKind.RE_EXPORTS: Relation.RE_EXPORTED_BY,
}
_INWARD = {
    EdgeKind.CONTAINS: Relation.CONTAINS,
    EdgeKind.IMPORTS: Relation.IMPORTS,
    EdgeKind.CALLS: Relation.CALLS,
    EdgeKind.INHERITS: Relation.INHERITS,
    EdgeKind.IMPLEMENTS: Relation.IMPLEMENTS,
    EdgeKind.RE_EXPORTS: Relation.RE_EXPORTS,
}
_MOST_REMEMBERED = 2_000
"""Nodes whose links are kept."""
_LINK_COLUMNS = ("first_node", "sources", "targets", "kinds", "confidences", "out_offsets", "in_offsets", "in_edges")
"""What links are made of."""
_MODULE_COLUMNS = ("file_ranks", "is_aside")
"""What modules are made of, besides the files."""
_LINKING = len(_OUTWARD)
"""So many kinds are links; references and tests, the last ones, are for those who ask for edges."""
_NO_LINKS = bytes(range(_LINKING, len(EDGE_KINDS)))
_CONTAINS = EDGE_KINDS.index(EdgeKind.CONTAINS)
_LEADING = frozenset(map(EDGE_KINDS.index, (EdgeKind.IMPORTS, EdgeKind.RE_EXPORTS)))
_OF_TYPES = frozenset(map(EDGE_KINDS.index, (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS)))
_OUT_RELATIONS = tuple(_OUTWARD[kind].value for kind in EDGE_KINDS[:_LINKING])
"""What the target of an edge is to its source, by kind number."""
_IN_RELATIONS = tuple(_INWARD[kind].value for kind in EDGE_KINDS[:_LINKING])
"""What the source of an edge is to its target."""


Link = tuple[int, str, float]
"""(the node at the other end, what that is to this one, confidence)."""


class _Rounded(dict[float, float]):
    """Confidences as they were before they were stored in four bytes; there are few different ones."""

    def __missing__(self, stored: float) -> float:
        self[stored] = confidence = round(stored, 4)
        return confidence


class Columns:
    """One published revision. Nodes are numbered by (path, position in the file)."""

    def __init__(
        self, meta: Mapping[str, str], blobs: Mapping[str, bytes], listings: Listings, before: "Columns | None" = None
    ) -> None:
        """Take what is stored; what was made of the columns of the publication ``before`` stays where they are same."""
        self.revision = meta["revision"]
        self.publication = meta["publication"]
        """Counts what was published into this file; two publications may be of one revision."""
        self.blobs = blobs
        """As they are stored, by name."""
        listed = before._published if before is not None else None  # noqa: SLF001 - of its own kind
        self._published: PublishedFiles = PublishedFiles(blobs, listed)
        self.files = self._published.list
        self.number_of_path = self._published.number_of_path
        self._number_of_row = self._published.number_of_row
        self.is_aside = memoryview(blobs["is_aside"]).cast("b")
        self.first_node = _integers(blobs["first_node"])
        self.node_count = self.first_node[-1] if self.files else 0
        """How many symbols are published."""
        self.sources, self.targets = _integers(blobs["sources"]), _integers(blobs["targets"])
        self.kinds = blobs["kinds"]
        self.resolutions = memoryview(blobs["resolutions"]).cast("b")
        self.confidences, self.lines = _numbers(blobs["confidences"]), _integers(blobs["lines"])
        self.out_offsets = _integers(blobs["out_offsets"])
        self.in_offsets, self.in_edges = _integers(blobs["in_offsets"]), _integers(blobs["in_edges"])
        self.file_ranks = _numbers(blobs["file_ranks"])
        self.central, self.central_ranks = _integers(blobs["central"]), _numbers(blobs["central_ranks"])
        self.listings = listings
        self.made: MadeSymbols = before.made if before is not None else MadeSymbols(listings)
        self._rounded = _Rounded()
        is_linked_alike = before is not None and all(blobs[name] is before.blobs[name] for name in _LINK_COLUMNS)
        self._links: dict[int, list[Link]] = (
            before._links if before is not None and is_linked_alike else {}  # noqa: SLF001 - as above
        )
        """Those asked for lately: one question asks for most of its nodes twice."""
        self._widths: dict[int, int] = (
            before._widths if before is not None and is_linked_alike else {}  # noqa: SLF001 - as above
        )
        """Of nodes with many edges, whose links are rarely made."""
        self._nearest = NearestNames()
        if before is not None and "modules" in vars(before) and self._has_modules_of(before):
            self.modules = before.modules

    @cached_property
    def stats(self) -> IndexStats:
        """What is published, in numbers."""
        counts = len(self.files), self.node_count, len(self.sources)
        return IndexStats(self.revision, *counts, self._published.languages)

    @property
    def paths_by_name(self) -> Mapping[str, Sequence[str]]:
        """The paths by their last part in small letters, with and without its ending."""
        return self._published.paths_by_name

    @cached_property
    def modules(self) -> tuple[ModuleEntry, ...]:
        """Every file, by path."""
        _, paths, languages, symbols, modules = zip(*self.files, strict=True) if self.files else ((),) * 5
        rest = self.file_ranks, map(bool, self.is_aside)
        return tuple(map(ModuleEntry._make, zip(paths, modules, languages, symbols, *rest, strict=True)))

    def _has_modules_of(self, before: "Columns") -> bool:
        """Return whether the modules of the publication before this one are these."""
        is_ranked_alike = all(self.blobs[name] is before.blobs[name] for name in _MODULE_COLUMNS)
        return is_ranked_alike and self._published.has_modules_of(before._published)  # noqa: SLF001 - of its own kind

    def file_of(self, node: int) -> int:
        """Return the number of the file a node is in."""
        return bisect_right(self.first_node, node) - 1

    def places(self, nodes: Collection[int]) -> Iterator[tuple[int, int, PublishedFile]]:
        """Yield (node, symbol row, file) of those that are nodes, in order."""
        first_node, end, first, file = self.first_node, 0, 0, None
        for node in self.existing(nodes):
            if node >= end or file is None:
                number = self.file_of(node)
                end, file = int(first_node[number + 1]), self.files[number]
                first = (file.row << FILE_SHIFT) - int(first_node[number])
            yield node, first + node, file

    def file_of_row(self, row: int) -> PublishedFile | None:
        """Return the file of a symbol row, or None when it is not published."""
        number = self._number_of_row.get(row >> FILE_SHIFT)
        return None if number is None else self.files[number]

    def symbols_at(self, connection: sqlite3.Connection, nodes: Collection[int]) -> dict[int, Symbol]:
        """Return the symbols behind node numbers, in their order: rows are numbered as files come to be parsed."""
        places = {row: (node, file) for node, row, file in self.places(nodes)}
        found = self.made.symbols(connection, {row: file for row, (_, file) in places.items()})
        return {node: found[row] for node, row in sorted((places[row][0], row) for row in found)}

    def edges(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> tuple[Edge, ...]:
        """Return the edges with these numbers, in this order."""
        ends = {end for number in numbers for end in (self.sources[number], self.targets[number])}
        found = self.symbols_at(connection, ends)
        return tuple(
            Edge(
                source=found[self.sources[number]].id,
                target=found[self.targets[number]].id,
                kind=EDGE_KINDS[self.kinds[number]],
                resolution=RESOLUTIONS[self.resolutions[number]],
                confidence=round(self.confidences[number], 4),
                line=self.lines[number],
            )
            for number in numbers
            if self.sources[number] in found and self.targets[number] in found
        )

    def stands_aside(self, row: int) -> bool | None:
        """Return whether a symbol row is left out of a search; None where its file alone does not tell.

        Nor does one that is not published: it may be by the time what is found is used again.
        """
        file = self.file_of_row(row)
        return stands_aside(file.path) if file is not None else None

    def node_of(self, row: int) -> int | None:
        """Return the node of a symbol row, or None when its file is not published."""
        number = self._number_of_row.get(row >> FILE_SHIFT)
        if number is None:
            return None
        return int(self.first_node[number]) + (row & ((1 << FILE_SHIFT) - 1))

    def most_central(self, limit: int) -> list[tuple[int, float]]:
        """Return the most central definitions' nodes with their ranks, best first."""
        most = max(0, limit)
        return list(zip(self.central[:most], self.central_ranks[:most], strict=True))

    def existing(self, nodes: Collection[int]) -> list[int]:
        """Return those that are nodes, in order."""
        count = self.node_count
        return sorted(node for node in set(nodes) if 0 <= node < count)

    def links(self, node: int, most: int | None = None, among: Container[int] | None = None) -> list[Link]:
        """Return a node's neighbours as (node, what it is to this one, confidence); no references, no tests.

        Those of a node that has more than ``most`` are not made: counting them is quicker. ``among`` leaves those that
        lead to one of these nodes, and those between types.
        """
        known = self._links.get(node)
        if known is not None and among is None:
            return known if most is None or len(known) <= most else []
        if not 0 <= node < self.node_count or (most is not None and self._has_more(node, most)):
            return []
        if among is not None:
            return self._links_among(node, among)
        found = self._made_links(node)
        if len(self._links) >= _MOST_REMEMBERED:
            self._links.clear()
        self._links[node] = found
        return found

    def _made_links(self, node: int) -> list[Link]:
        kinds, confidences, rounded = self.kinds, self.confidences, self._rounded
        ends: Sequence[int] = self.targets
        found: list[Link] = []
        # Plain loops: most nodes have few edges, and a comprehension of its own takes as long as several of them.
        for edge in range(self.out_offsets[node], self.out_offsets[node + 1]):
            if kinds[edge] < _LINKING:
                found.append((ends[edge], _OUT_RELATIONS[kinds[edge]], rounded[confidences[edge]]))  # noqa: PERF401
        ends = self.sources
        for edge in self.in_edges[self._into(node)]:
            if kinds[edge] < _LINKING:
                found.append((ends[edge], _IN_RELATIONS[kinds[edge]], rounded[confidences[edge]]))  # noqa: PERF401
        return found

    def _links_among(self, node: int, others: Container[int]) -> list[Link]:
        kinds, confidences, rounded = self.kinds, self.confidences, self._rounded
        found: list[Link] = []
        for edge, end in enumerate(self.targets[self._out(node)], self.out_offsets[node]):
            if (end in others and kinds[edge] < _LINKING) or kinds[edge] in _OF_TYPES:
                found.append((end, _OUT_RELATIONS[kinds[edge]], rounded[confidences[edge]]))
        sources = self.sources
        for edge in self.in_edges[self._into(node)]:
            if (sources[edge] in others and kinds[edge] < _LINKING) or kinds[edge] in _OF_TYPES:
                found.append((sources[edge], _IN_RELATIONS[kinds[edge]], rounded[confidences[edge]]))  # noqa: PERF401
        return found

    def _has_more(self, node: int, most: int) -> bool:
        out, into = self.out_offsets, self.in_offsets
        if out[node + 1] - out[node] + into[node + 1] - into[node] <= most:
            return False
        if node not in self._widths:
            self._widths[node] = self.width(node)
        return self._widths[node] > most

    def width(self, node: int) -> int:
        """Return how many links a node has."""
        if node in self._widths or not 0 <= node < self.node_count:
            return self._widths.get(node, 0)
        around = self.kinds[self._out(node)] + bytes(map(self.kinds.__getitem__, self.in_edges[self._into(node)]))
        return len(around.translate(None, _NO_LINKS))

    def owner(self, node: int) -> int | None:
        """Return the node of the definition, or the module, around one; None for a module and what is no node."""
        kinds = self.kinds
        for edge in self.in_edges[self._into(node)] if 0 <= node < self.node_count else ():
            if kinds[edge] == _CONTAINS:
                return self.sources[edge]
        return None

    def _out(self, node: int) -> slice:
        """Return which edges lead out of a node."""
        return slice(self.out_offsets[node], self.out_offsets[node + 1])

    def _into(self, node: int) -> slice:
        """Return where the numbers of the edges into a node stand."""
        return slice(self.in_offsets[node], self.in_offsets[node + 1])

    def nearest_names(self, connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
        """Return the names most like ``name``, best first, ties by name; all names are looked at once."""
        return self._nearest.of(connection, name, limit)

    def import_lines(self, number: int) -> set[int]:
        """Return the lines on which a file, by its number, imports what is defined here."""
        out = self._out(self.first_node[number])
        return {line for kind, line in zip(self.kinds[out], self.lines[out], strict=True) if kind in _LEADING}

    def edges_into(self, node: int) -> Sequence[int]:
        """Return the numbers of the edges into a node."""
        return self.in_edges[self._into(node)]

    def edges_of(self, node: int) -> list[int]:
        """Return the numbers of the edges out of a node, then into it."""
        return [*range(self.out_offsets[node], self.out_offsets[node + 1]), *self.in_edges[self._into(node)]]


def nodes_of(connection: sqlite3.Connection, columns: Columns | None, ids: Iterable[SymbolId]) -> dict[SymbolId, int]:
    """Return the nodes of those symbols that are published, by id."""
    found: dict[SymbolId, int] = {}
    if columns is None:
        return found
    for symbol in ids:
        if symbol in columns.number_of_path:
            found[symbol] = int(columns.first_node[columns.number_of_path[symbol]])
            continue
        path, qualname, namesake = split_id(symbol)
        number = columns.number_of_path.get(path)
        if number is None:
            continue
        row = columns.made.row(connection, (columns.files[number].row, qualname, namesake))
        node = columns.node_of(row) if row is not None else None
        if node is not None:
            found[symbol] = node
    return found


def read_columns(connection: sqlite3.Connection, before: Columns | None) -> Columns | None:
    """Return what is published, or None when nothing is yet. Raises ValueError or KeyError for damaged columns.

    What has not changed since it was read ``before``, from the same file, is taken over.
    """
    connection.execute("BEGIN")
    try:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        if "revision" not in meta:
            return None
        if before is not None:
            blobs = {**before.blobs, **read_blobs(connection, int(before.publication))}
            return Columns(meta, blobs, before.listings, before)
        return Columns(meta, read_blobs(connection), Listings(Packing.read(connection) or Packing({})))
    finally:
        connection.execute("COMMIT")


def _integers(blob: bytes) -> "memoryview[int]":
    return memoryview(blob).cast("i")


def _numbers(blob: bytes) -> "memoryview[float]":
    return memoryview(blob).cast("f")
