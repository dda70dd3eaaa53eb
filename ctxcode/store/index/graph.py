"""The stored graph: its columns, each compressed."""

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from ctxcode.store.frames import packed, unpacked


class PublishedFile(NamedTuple):
    """A file of the published index."""

    row: int
    path: str
    language: str
    symbols: int
    module: str


StoredFile = tuple[int, str, str, int]
"""(row, path, language, symbols): a published file without its module."""


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


_PACKED_ALONE_BYTES = 500_000
"""Data up to which a thread costs more than it saves."""
_raw_files = msgspec.msgpack.Decoder(list[msgspec.Raw])
_file = msgspec.msgpack.Decoder(PublishedFile)

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


def write_graph(
    connection: sqlite3.Connection,
    graph: GraphColumns,
    files: Sequence[StoredFile],
    stored: Mapping[str, bytes],
    publication: int,
) -> None:
    """Store a graph over the one there is, and its files as (row, path, language, symbols); in a write transaction.

    ``stored`` holds columns there are, by name: those that stay as they are need not be written again, and stay of
    the publication they are of.
    """
    blobs: list[tuple[str, bytes]] = [(name, getattr(graph, name)) for name in BLOB_COLUMNS]
    published = [(*file, module) for file, module in zip(files, graph.modules, strict=True)]
    blobs += [("files", msgspec.msgpack.encode(published)), ("packages", msgspec.msgpack.encode(graph.packages))]
    changed = [(name, blob) for name, blob in blobs if blob != stored.get(name)]
    frames = _frames([blob for _, blob in changed])
    rows = [(name, publication, zlib.crc32(frame), frame) for (name, _), frame in zip(changed, frames, strict=True)]
    connection.executemany("INSERT OR REPLACE INTO graph VALUES (?, ?, ?, ?)", rows)


def _frames(blobs: Sequence[bytes]) -> list[bytes]:
    """Return data as they are stored; of much of it two are packed at a time."""
    if sum(map(len, blobs)) < _PACKED_ALONE_BYTES:
        return [packed(blob) for blob in blobs]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a question on an up-to-date index does without

    with ThreadPoolExecutor(2, "ctxcode-packing") as threads:
        return list(threads.map(packed, blobs))


def read_blobs(connection: sqlite3.Connection, after: int = 0) -> dict[str, bytes]:
    """Return the published graph's columns by name: those that have changed after a publication.

    Raises ValueError when one is not as it was written.
    """
    found = connection.execute("SELECT name, data FROM graph WHERE publication > ?", (after,)).fetchall()
    return {name: unpacked(data) for name, data in found}


def read_files(connection: sqlite3.Connection) -> list[PublishedFile]:
    """Return the published files, by number; looks at all columns.

    Raises ValueError or KeyError when one is not as it was written.
    """
    frames = {}
    for name, checksum, data in connection.execute("SELECT name, checksum, data FROM graph").fetchall():
        if zlib.crc32(data) != checksum:
            raise ValueError(f"column {name!r} is damaged")
        frames[name] = data
    return published_files({"files": unpacked(frames["files"])})


def read_graph(connection: sqlite3.Connection) -> PublishedGraph:
    """Return the published graph; there must be one. Raises ValueError or KeyError when it is not as it was written."""
    blobs = read_blobs(connection)
    files = published_files(blobs)
    return PublishedGraph(
        tuple(file.row for file in files),
        tuple(file.path for file in files),
        tuple(file.language for file in files),
        tuple(file.module for file in files),
        msgspec.msgpack.decode(blobs["packages"], type=tuple[str, ...]),
        blobs,
    )


def published_files(blobs: Mapping[str, bytes]) -> list[PublishedFile]:
    """Return the files a published graph was made of, by number. Raises ValueError or KeyError for damaged ones."""
    return msgspec.msgpack.decode(blobs["files"], type=list[PublishedFile])


def published_files_after(
    blobs: Mapping[str, bytes], files: list[PublishedFile], of: Mapping[str, bytes]
) -> tuple[list[PublishedFile], slice]:
    """Return the files of a published graph, and where others than in the one before stand.

    ``files`` and ``of`` are that one's files and columns. Before and behind what is other the very objects are taken
    over. Raises ValueError or KeyError for damaged ones.
    """
    if "files" not in of:
        return published_files(blobs), slice(None)
    now, then = _raw_files.decode(blobs["files"]), _raw_files.decode(of["files"])
    start = _common(now, then)
    behind = _common(now[:start:-1], then[:start:-1])
    fresh = [_file.decode(raw) for raw in now[start : len(now) - behind]]
    return [*files[:start], *fresh, *files[len(then) - behind :]], slice(start, len(now) - behind)


def _common(some: Sequence[msgspec.Raw], others: Sequence[msgspec.Raw]) -> int:
    """Return how many of both are the same at the beginning."""
    pairs = zip(some, others, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))
