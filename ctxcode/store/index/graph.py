"""The stored graph: its columns, each compressed."""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, compress, count
from operator import ne
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
    def traits(self) -> bytes: ...  # noqa: D102
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
    @property
    def added(self) -> bytes: ...  # noqa: D102
    @property
    def spoken(self) -> bytes: ...  # noqa: D102


_raw_files = msgspec.msgpack.Decoder(list[msgspec.Raw])
_file = msgspec.msgpack.Decoder(PublishedFile)

BLOB_COLUMNS = (
    "is_aside",
    "traits",
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
    "added",
    "spoken",
)


PackedColumns = dict[str, tuple[bytes, bytes, int]]
"""Columns by name: each as it is, as it is stored, and the checksum of that."""


def revision_of(files: Iterable[tuple[str, str]], versions: str) -> str:
    """Return the digest of (path, content hash) pairs, in any order, and of the versions they were read with."""
    told = "\0".join(chain((versions,), chain.from_iterable(sorted(files))))
    return blake2b(told.encode(), digest_size=10).hexdigest()


def packed_columns(graph: GraphColumns, stored: Mapping[str, bytes]) -> PackedColumns:
    """Return, packed, the columns of a graph that are others than those stored; empty ones are left out."""
    blobs = [(name, blob) for name in BLOB_COLUMNS if (blob := getattr(graph, name)) and blob != stored.get(name)]
    return {name: (blob, *_framed(blob)) for name, blob in blobs}


def _framed(blob: bytes) -> tuple[bytes, int]:
    """Return a column as it is stored, and the checksum of that."""
    frame = packed(blob)
    return frame, zlib.crc32(frame)


def write_graph(
    connection: sqlite3.Connection,
    graph: GraphColumns,
    files: Sequence[StoredFile],
    publication: int,
    known: tuple[Mapping[str, bytes], PackedColumns],
) -> None:
    """Store a graph over the one there is, and its files as (row, path, language, symbols); in a write transaction.

    ``known`` is two things by name: columns there are, which need not be written again when they stay as they are, and
    then stay of the publication they are of; and columns that are packed already.
    """
    stored, prepared = known
    blobs: list[tuple[str, bytes]] = [(name, getattr(graph, name)) for name in BLOB_COLUMNS]
    published = [(*file, module) for file, module in zip(files, graph.modules, strict=True)]
    blobs += [("files", msgspec.msgpack.encode(published)), ("packages", msgspec.msgpack.encode(graph.packages))]
    rows = list[tuple[str, int, int, bytes]]()
    for name, blob in blobs:
        if blob != stored.get(name):
            of, frame, checksum = prepared.get(name, (None, b"", 0))
            frame, checksum = (frame, checksum) if of is blob else _framed(blob)
            rows.append((name, publication, checksum, frame))
    connection.executemany("INSERT OR REPLACE INTO graph VALUES (?, ?, ?, ?)", rows)


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
    return next(compress(count(), map(ne, some, others)), min(len(some), len(others)))
