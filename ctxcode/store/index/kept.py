"""A writer that is kept between refreshes, and remembers what the index holds for as long as nobody else writes it."""

from collections.abc import Iterable, Mapping, Sequence
from operator import ne
from types import TracebackType
from typing import NamedTuple

from ctxcode.model.source import FileStamp
from ctxcode.store.index.database import IndexDatabase
from ctxcode.store.index.graph import BLOB_COLUMNS, GraphColumns, PublishedGraph, StoredFile
from ctxcode.store.index.seen import KnownFile
from ctxcode.store.index.writer import IndexWriter, NewFile, Published


class _Listing(NamedTuple):
    """The files of a graph that was written."""

    paths: tuple[str, ...]
    rows: list[int]
    files: list[StoredFile]
    hashes: list[str]


class KeptWriter(IndexWriter):
    """Reads again only what another connection may have changed: SQLite counts what others commit."""

    def __init__(self, database: IndexDatabase) -> None:
        super().__init__(database)
        self.identity = database.identity()
        """Tells the file from one that is put in its place."""
        self.is_closed = False
        self._version = -1
        self._known: dict[str, KnownFile] | None = None
        self._published: Published | None = None
        self._graph: PublishedGraph | None = None
        self._rows: set[int] | None = None
        self._listing = _NO_LISTING

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.close()

    def close(self) -> None:
        """Close the file and forget what it held."""
        self.is_closed = True
        self._forget()
        self._connection.close()

    def known(self) -> dict[str, KnownFile]:
        """Return what was last seen of each path, published or not."""
        self._notice_others()
        if self._known is None:
            self._known = super().known()
        return self._known.copy()

    def published(self) -> Published:
        """Return what is published."""
        self._notice_others()
        if self._published is None:
            self._published = super().published()
        return self._published

    def graph(self) -> PublishedGraph:
        """Return the published graph; there must be one."""
        self._notice_others()
        if self._graph is None:
            self._graph = super().graph()
        return self._graph

    def touch(self, files: Mapping[str, tuple[int, FileStamp]]) -> None:
        """Note new stamps of files whose content is the same: path to (row, stamp)."""
        super().touch(files)
        self._read_again(files)

    def add(self, files: Sequence[NewFile]) -> list[int]:
        """Add files that nobody sees until they are published; return their rows."""
        rows = super().add(files)
        self._read_again([file.path for file in files])
        return rows

    def publish(
        self, files: Mapping[str, int], graph: GraphColumns, *, is_settled: bool = True, pending: int = 0
    ) -> Published | None:
        """Make these files and this graph the index; return what is published then, None as ``IndexWriter`` does."""
        published = super().publish(files, graph, is_settled=is_settled, pending=pending)
        known, self._known = self._known, None
        self._published = self._graph = None
        if published is None or known is None or pending:
            return published
        stays = {path: file for path, file in known.items() if files.get(path) == file.row}
        if len(stays) == len(files):
            self._known, self._published = stays, published
            self._graph = PublishedGraph(
                tuple([files[path] for path in graph.paths]),
                graph.paths,
                tuple([stays[path].language for path in graph.paths]),
                graph.modules,
                graph.packages,
                {name: getattr(graph, name) for name in BLOB_COLUMNS},
            )
            self._read = int(published.publication), self._graph.blobs
        return published

    def _stored_files(self, files: Mapping[str, int], graph: GraphColumns) -> tuple[list[StoredFile], list[str]]:
        """Return the graph's files as (row, path, language, symbols) and their content hashes, in order.

        Runs inside a write transaction: nobody else writes meanwhile.
        """
        self._notice_others()
        known, last = self._known, self._listing
        if known is None:
            return super()._stored_files(files, graph)
        rows = [files[path] for path in graph.paths]
        if graph.paths != last.paths:
            last = _Listing(graph.paths, [0] * len(rows), [_NO_FILE] * len(rows), [""] * len(rows))
        stored, hashes = last.files.copy(), last.hashes.copy()
        first_node = memoryview(graph.first_node).cast("i")
        # A row never says anything else.
        for number in [number for number, differs in enumerate(map(ne, rows, last.rows)) if differs]:
            path = graph.paths[number]
            file = known.get(path)
            if file is None or file.row != rows[number]:
                return super()._stored_files(files, graph)
            symbols = first_node[number + 1] - first_node[number]
            stored[number], hashes[number] = (file.row, path, file.language, symbols), file.content_hash
        self._listing = _Listing(graph.paths, rows, stored, hashes)
        return stored, hashes

    def _file_rows(self) -> set[int]:
        """Return the rows of all files, published or not; in a write transaction."""
        self._notice_others()
        if self._rows is None:
            self._rows = super()._file_rows()
        return self._rows

    def _insert(self, files: Sequence[tuple[int, NewFile]]) -> None:
        """Add files under row numbers that are free."""
        super()._insert(files)
        if self._rows is not None:
            self._rows.update([row for row, _ in files])

    def _remove(self, rows: Sequence[Sequence[object]]) -> None:
        """Remove file rows, given as (id, …), with everything that hangs on them."""
        super()._remove(rows)
        if self._rows is not None:
            self._rows.difference_update([int(str(row[0])) for row in rows])

    def _stamped_paths(self) -> Iterable[str]:
        """Return the paths with a stamp; in a write transaction, too."""
        self._notice_others()
        return self._known if self._known is not None else super()._stamped_paths()

    def _read_again(self, paths: Iterable[str]) -> None:
        if self._known is not None:
            self._known.update(self._known_at(paths))

    def _notice_others(self) -> None:
        with self._database.guarded():
            version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._forget()
            self._version = version

    def _forget(self) -> None:
        self._known = self._published = self._graph = self._rows = None
        self._listing = _NO_LISTING


_NO_LISTING = _Listing((), [], [], [])
_NO_FILE: StoredFile = (0, "", "", 0)
