"""The stored graph: its columns as they were packed, each with a checksum."""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class PublishedGraph(NamedTuple):
    """The published graph as it was stored, and the files it was made of, by number."""

    rows: tuple[int, ...]
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    modules: tuple[str, ...]
    packages: tuple[str, ...]
    blobs: Mapping[str, bytes]
    """The columns; see ``codegraph.edges.PackedGraph``."""


class GraphColumns(Protocol):
    """A resolved graph as the resolver packs it; see ``codegraph.edges.PackedGraph`` for the columns."""

    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def modules(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def packages(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def edge_count(self) -> int: ...  # noqa: D102
    @property
    def is_aside(self) -> bytes: ...  # noqa: D102
    @property
    def is_private(self) -> bytes: ...  # noqa: D102
    @property
    def owners(self) -> bytes: ...  # noqa: D102
    @property
    def first_node(self) -> bytes: ...  # noqa: D102
    @property
    def sources(self) -> bytes: ...  # noqa: D102
    @property
    def targets(self) -> bytes: ...  # noqa: D102
    @property
    def kinds(self) -> bytes: ...  # noqa: D102
    @property
    def resolutions(self) -> bytes: ...  # noqa: D102
    @property
    def confidences(self) -> bytes: ...  # noqa: D102
    @property
    def lines(self) -> bytes: ...  # noqa: D102
    @property
    def out_offsets(self) -> bytes: ...  # noqa: D102
    @property
    def in_offsets(self) -> bytes: ...  # noqa: D102
    @property
    def in_edges(self) -> bytes: ...  # noqa: D102
    @property
    def file_ranks(self) -> bytes: ...  # noqa: D102
    @property
    def central(self) -> bytes: ...  # noqa: D102
    @property
    def central_ranks(self) -> bytes: ...  # noqa: D102


BLOB_COLUMNS = (
    "is_aside",
    "is_private",
    "owners",
    "first_node",
    "sources",
    "targets",
    "kinds",
    "resolutions",
    "confidences",
    "lines",
    "out_offsets",
    "in_offsets",
    "in_edges",
    "file_ranks",
    "central",
    "central_ranks",
)


def write_graph(connection: sqlite3.Connection, graph: GraphColumns, files: Sequence[int]) -> None:
    """Store a graph over the one there is, and the rows of its files; inside a write transaction."""
    blobs: list[tuple[str, bytes]] = [(name, getattr(graph, name)) for name in BLOB_COLUMNS]
    blobs += [
        ("files", json.dumps(list(files)).encode()),
        ("modules", json.dumps(list(graph.modules)).encode()),
        ("packages", json.dumps(list(graph.packages)).encode()),
    ]
    rows = [(name, zlib.crc32(blob), blob) for name, blob in blobs]
    connection.executemany("INSERT OR REPLACE INTO graph VALUES (?, ?, ?)", rows)


def read_blobs(connection: sqlite3.Connection) -> dict[str, bytes]:
    """Return the published graph's columns by name. Raises ValueError when one is not as it was written."""
    blobs = {}
    for name, checksum, data in connection.execute("SELECT name, checksum, data FROM graph"):
        if zlib.crc32(data) != checksum:
            raise ValueError(f"column {name!r} is damaged")
        blobs[name] = data
    return blobs


def read_graph(connection: sqlite3.Connection) -> PublishedGraph:
    """Return the published graph; there must be one. Raises ValueError or KeyError when it is not as it was written."""
    blobs = read_blobs(connection)
    rows = tuple(json.loads(blobs["files"]))
    files = {row: (path, language) for row, path, language in connection.execute("SELECT id, path, language FROM file")}
    paths, languages = zip(*[files[row] for row in rows], strict=True) if rows else ((), ())
    modules, packages = json.loads(blobs["modules"]), json.loads(blobs["packages"])
    return PublishedGraph(rows, paths, languages, tuple(modules), tuple(packages), blobs)
