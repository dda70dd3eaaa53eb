"""Writing the index: files come in batches and become the index all at once.

A batch adds rows nobody sees yet; ``publish`` then says which rows are the index and removes the others. So a reader
never meets half an index, a killed refresh loses one batch, and two refreshing processes share what they parsed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from types import TracebackType
from typing import NamedTuple, NoReturn, Self

from ctxcode.model.source import BrokenFile, FileStamp, SkippedFile, SkipReason, SourceFile
from ctxcode.store.index import symbols as names
from ctxcode.store.index.database import IndexDatabase, damaged, writing
from ctxcode.store.index.documents import (
    FILE_SHIFT,
    MOST_SYMBOLS,
    StoredRows,
    add_rows,
    end_batches,
    forget_rows,
    storable,
)
from ctxcode.store.index.graph import (
    GraphColumns,
    PackedColumns,
    PublishedGraph,
    StoredFile,
    packed_columns,
    read_files,
    read_graph,
    revision_of,
    write_graph,
)
from ctxcode.store.index.packed import Content, Packing
from ctxcode.store.index.scoring.changes import note_gone
from ctxcode.store.index.seen import (
    KNOWN,
    KNOWN_AT,
    SET_STAMP,
    KnownFile,
    LastSeen,
    forget_first_look,
    known_files,
    stamp_row,
    write_first_look,
    write_seen,
)

_INTEGER_BYTES = 4


class Published(NamedTuple):
    """What the index holds now."""

    revision: str
    """Empty before the first time."""
    rows: frozenset[int]
    """The file rows that are the index; skipped files are not among them."""
    symbols: int
    edges: int
    publication: str = ""
    """Counts what was published into this file."""
    is_settled: bool = True
    """False while edges out of files that did not change may be as they were before."""
    pending: int = 0
    """Files that were found and are not parsed yet."""


class NewFile(NamedTuple):
    """A file after parsing: its facts, or why there are none."""

    path: str
    language: str
    stamp: FileStamp
    content_hash: str
    rows: StoredRows | None
    """None when the file is skipped."""
    facts: bytes
    """What name resolution needs again; empty when the file is skipped."""
    skipped: SkippedFile | None = None
    said: tuple[Sequence[names.RenamedRow], str] = ((), "")
    """The names it gives to what is defined somewhere, and what it imports."""
    syntax_errors: int = 0


_ADD_FILE = "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_FACT = "INSERT INTO fact VALUES (?, ?)"


class IndexWriter:
    """One refresh's access to the index. Use it as a context manager, from one thread."""

    def __init__(self, database: IndexDatabase) -> None:
        self._database = database
        self._read: tuple[int, Mapping[str, bytes]] = (0, {})
        """The columns of a publication, as they were read."""
        self._prepared: PackedColumns = {}
        self._packing: Packing | None = None
        with database.guarded():
            self._connection = database.connect()
            # What is written is hardly read again, and joining takes all the memory there is.
            self._connection.execute("PRAGMA cache_size = -8000")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def known(self) -> dict[str, KnownFile]:
        """Return what was last seen of each path, published or not."""
        with self._database.guarded():
            return known_files(self._connection.execute(KNOWN).fetchall())

    def _known_at(self, paths: Iterable[str]) -> dict[str, KnownFile]:
        """Return the same of some paths."""
        with self._database.guarded():
            rows = [self._connection.execute(KNOWN_AT, (path,)).fetchall() for path in paths]
        return known_files(chain.from_iterable(rows))

    def published(self) -> Published:
        """Return what is published; reads all of the graph, so that damage is met before it is answered from."""
        with self._database.guarded():
            meta = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
            if "revision" not in meta:
                return Published("", frozenset(), 0, 0)
            rows = frozenset(file.row for file in read_files(self._connection))
            counts = int(meta["symbols"]), int(meta["edges"])
            states = meta.get("settled") != "0", int(meta.get("pending", "0"))
            return Published(meta["revision"], rows, *counts, meta["publication"], *states)

    def graph(self) -> PublishedGraph:
        """Return the published graph; there must be one."""
        with self._database.guarded():
            publication = self._number("publication", 0)
            graph = read_graph(self._connection)
        self._read = publication, graph.blobs
        return graph

    def named(self, name: str) -> list[tuple[int, int, str]]:
        """Return (file row, position in the file, kind) of all symbols of a name, published or not, by row."""
        with self._database.guarded():
            found = names.kinds_named(self._connection, name)
        return [(row >> FILE_SHIFT, row & (MOST_SYMBOLS - 1), kind) for row, kind in found]

    def skipped(self, files: Iterable[int]) -> list[SkippedFile]:
        """Return the skipped ones among file rows, and those of which symbols alone are kept."""
        wanted = set(files)
        with self._database.guarded():
            rows = self._connection.execute(
                "SELECT id, path, skip_reason, skip_detail FROM file WHERE skip_reason != '' OR skip_detail != ''"
            ).fetchall()
        return [
            SkippedFile(path, SkipReason(reason or SkipReason.NOT_JOINED), detail)
            for file, path, reason, detail in rows
            if file in wanted
        ]

    def broken(self, files: Iterable[int]) -> list[BrokenFile]:
        """Return those among file rows in which there are syntax errors, most errors first."""
        wanted = set(files)
        query = "SELECT id, path, syntax_errors FROM file WHERE syntax_errors > 0 ORDER BY syntax_errors DESC, path"
        with self._database.guarded():
            rows = self._connection.execute(query).fetchall()
        return [BrokenFile(path, errors) for file, path, errors in rows if file in wanted]

    def touch(self, files: Mapping[str, tuple[int, FileStamp]]) -> None:
        """Note new stamps of files whose content is the same: path to (row, stamp)."""
        rows = [stamp_row(path, row, stamp) for path, (row, stamp) in files.items()]
        with self._database.guarded(), writing(self._connection):
            self._connection.executemany(SET_STAMP, rows)

    def add(self, files: Sequence[NewFile]) -> list[int]:
        """Add files that nobody sees until they are published; return their rows.

        The same content of the same path is added once.
        """
        connection = self._connection
        with self._database.guarded(), writing(connection):
            is_first = connection.execute("SELECT 1 FROM file LIMIT 1").fetchone() is None
            found = [None] * len(files) if is_first else [self._present(file) for file in files]
            free = self._number("free row", 1)
            ids: list[int] = []
            added: list[tuple[int, NewFile]] = []
            for file, present in zip(files, found, strict=True):
                if present is None:
                    added.append((free, file))
                    free += 1
                ids.append(added[-1][0] if present is None else present)
            self._insert(added)
            stamps = [stamp_row(file.path, row, file.stamp) for file, row in zip(files, ids, strict=True)]
            connection.executemany(SET_STAMP, stamps)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('free row', ?)", (str(free),))
        return ids

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all that is written meanwhile in one transaction: each has its price."""
        with self._database.guarded(), writing(self._connection):
            yield

    def facts(self, files: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the stored facts of file rows."""
        with self._database.guarded():
            packing = self._stored_packing() or Packing({})
            for start in range(0, len(files), 500):
                chunk = files[start : start + 500]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT file, facts FROM fact WHERE file IN ({marks})"  # noqa: S608 - marks only
                for row, data in self._connection.execute(query, chunk).fetchall():
                    yield row, packing.unpacked(Content.FACTS, data)

    def are_there(self, files: Collection[int]) -> bool:
        """Return whether all of these file rows are there: another process may have removed some."""
        query = "SELECT 1 FROM file WHERE id = ?"
        with self._database.guarded():
            return all(self._connection.execute(query, (file,)).fetchone() is not None for file in files)

    def keep_symbols(self, file: int, facts: bytes, detail: str) -> None:
        """Put what is left of a file's facts in their place; ``detail`` says why."""
        with self._database.guarded(), writing(self._connection):
            packed = (self._stored_packing() or Packing({})).packed(Content.FACTS, facts)
            self._connection.execute("UPDATE fact SET facts = ? WHERE file = ?", (packed, file))
            self._connection.execute("UPDATE file SET skip_detail = ? WHERE id = ?", (storable(detail), file))

    def distrust(self) -> NoReturn:
        """Say that stored facts make no sense. Raises StoreError; ``repair`` then moves the index aside."""
        with self._database.guarded():
            raise damaged(self._database.path)

    def prepare(self, graph: GraphColumns) -> None:
        """Pack what has changed of a graph that will be published, in any thread; its ranks may still be missing."""
        self._prepared = packed_columns(graph, self._read[1])

    def publish(
        self, files: Mapping[str, int], graph: GraphColumns, *, is_settled: bool = True, pending: int = 0
    ) -> Published | None:
        """Make these files and this graph the index and remove all else; return what is published then.

        While some are ``pending``, that many, nothing is removed: who else parses keeps what it has.

        ``files`` maps every seen path, skipped ones too, to its row; the graph's paths are those with facts. One that
        is not settled has a revision of its own. Returns None, and changes nothing, when another process removed one of
        the rows meanwhile.
        """
        connection = self._connection
        with self._database.guarded(), writing(connection):
            there = self._file_rows()
            if not there.issuperset(files.values()):
                return None
            self._end_batches()
            if not pending:
                self._remove([(row,) for row in sorted(there.difference(files.values()))])
                self._forget_stamps(files)
            kept, hashes = self._stored_files(files, graph)
            publication, (of, blobs) = self._number("publication", 0), self._read
            versions = self._database.content_versions
            versions = versions if is_settled else f"{versions}\0{publication}"
            revision = revision_of(zip(graph.paths, hashes, strict=True), versions)
            stored = blobs if of == publication else {}
            write_graph(connection, graph, kept, publication + 1, (stored, self._prepared))
            self._prepared = {}
            symbols = len(graph.in_offsets) // _INTEGER_BYTES - 1
            counts = (("symbols", str(symbols)), ("edges", str(graph.edge_count)))
            state = ("publication", str(publication + 1)), ("settled", str(int(is_settled))), ("pending", str(pending))
            values = (("revision", revision), *state, *counts)
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values)
            forget_first_look(connection)
        rows = frozenset([file[0] for file in kept])
        return Published(revision, rows, symbols, graph.edge_count, str(publication + 1), is_settled, pending)

    def index_names(self) -> None:
        """Sort the names before the first publication; later they are kept in step file by file.

        May run in another thread while facts are joined: nothing else of this object may be called until it is done.
        """
        with self._database.guarded(), writing(self._connection):
            self._end_batches()
        self._database.checkpoint(self._connection, "PASSIVE")

    def note_first_look(self, files: Iterable[SourceFile]) -> None:
        """Say what there is to index: what readers can be told before anything is published."""
        with self._database.guarded(), writing(self._connection):
            write_first_look(self._connection, files)

    def note_seen(self, seen: LastSeen) -> None:
        """Note which work tree the published index is of, unless another process has published since."""
        with self._database.guarded(), writing(self._connection):
            write_seen(self._connection, seen)

    def note_unread(self, files: int) -> None:
        """Note how many files may define something and could not be read."""
        with self._database.guarded():
            if files != self._number("unread", 0):
                with writing(self._connection):
                    self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('unread', ?)", (str(files),))

    def tidy(self) -> None:
        """Move the write-ahead log into the file, unless another process is about to do so or reads just now.

        Indexes of other versions that nobody uses go.
        """
        with self._database.guarded():
            self._connection.execute("PRAGMA busy_timeout = 0")
        self._database.checkpoint(self._connection, "TRUNCATE")
        self._database.remove_unused()

    def _number(self, key: str, first: int) -> int:
        """Return what is counted under a key: ``publication``, or ``free row``, the next file's.

        No row is given twice, so that readers may keep what they have read.
        """
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return int(row[0]) if row is not None else first

    def _end_batches(self) -> None:
        """Let names be looked up, and single files come and go, if this is the first publication."""
        if not names.are_indexed(self._connection):
            names.index_names(self._connection)
            end_batches(self._connection)

    def _stored_files(self, files: Mapping[str, int], graph: GraphColumns) -> tuple[list[StoredFile], list[str]]:
        """Return the graph's files as (row, path, language, symbols) and their content hashes, in order."""
        rows = self._connection.execute("SELECT id, path, language, symbols, content_hash FROM file").fetchall()
        by_id = {row[0]: row for row in rows}
        kept = [by_id[files[path]] for path in graph.paths]
        return [row[:4] for row in kept], [row[4] for row in kept]

    def _present(self, file: NewFile) -> int | None:
        """Return the row of the same content of the same path; one in another language makes place, a late one too."""
        query = "SELECT id, path, language, skip_reason FROM file WHERE path = ? AND content_hash = ?"
        rows = self._connection.execute(query, (file.path, file.content_hash)).fetchall()
        is_same = bool(rows) and rows[0][2] == file.language and rows[0][3] != SkipReason.PARSER_TIMEOUT
        if is_same and file.content_hash:
            return int(rows[0][0])
        if rows:
            self._remove(rows)
        return None

    def _insert(self, files: Sequence[tuple[int, NewFile]]) -> None:
        """Add files under row numbers that are free."""
        connection = self._connection
        connection.executemany(_ADD_FILE, [_file_row(row, file) for row, file in files])
        facts = [(row, file.facts) for row, file in files if file.rows is not None]
        filled = [(row, file.rows) for row, file in files if file.rows is not None]
        if not filled:
            return
        packing = self._stored_packing()
        if packing is None:
            samples = {
                Content.FACTS: [data for _, data in facts],
                Content.SYMBOLS: [rows.encoded_symbols for _, rows in filled],
                Content.TEXTS: [rows.encoded_documents for _, rows in filled],
            }
            # Kept once it is read again: it may still be taken back with all that is written here.
            packing = Packing.begun(connection, samples)
        connection.executemany(_ADD_FACT, [(row, packing.packed(Content.FACTS, data)) for row, data in facts])
        add_rows(connection, packing, filled)
        names.add_names(connection, [(row, rows.symbols) for row, rows in filled])
        names.add_said(connection, [(row, *file.said) for row, file in files])

    def _stored_packing(self) -> Packing | None:
        """Return the index's packing, None before its first file."""
        if self._packing is None:
            self._packing = Packing.read(self._connection)
        return self._packing

    def _remove(self, rows: Sequence[Sequence[object]]) -> None:
        """Remove file rows, given as (id, …), with everything that hangs on them."""
        connection, packing = self._connection, self._stored_packing() or Packing({})
        files = [int(str(row[0])) for row in rows]
        for file in files:
            forget_rows(connection, packing, file)
            names.forget_names(connection, file)
            connection.execute("DELETE FROM fact WHERE file = ?", (file,))
            connection.execute("DELETE FROM file WHERE id = ?", (file,))
        note_gone(connection, files)

    def _file_rows(self) -> set[int]:
        """Return the rows of all files, published or not; in a write transaction."""
        return {row for (row,) in self._connection.execute("SELECT id FROM file").fetchall()}

    def _stamped_paths(self) -> Iterable[str]:
        return [path for (path,) in self._connection.execute("SELECT path FROM stamp").fetchall()]

    def _forget_stamps(self, files: Mapping[str, int]) -> None:
        gone = [(path,) for path in self._stamped_paths() if path not in files]
        self._connection.executemany("DELETE FROM stamp WHERE path = ?", gone)


def _file_row(row: int, file: NewFile) -> tuple[int, str, str, str, int, str, str, int]:
    symbols = len(file.rows.symbols[:MOST_SYMBOLS]) if file.rows is not None else 0
    reason, detail = (file.skipped.reason, storable(file.skipped.detail)) if file.skipped else ("", "")
    return row, file.path, file.content_hash, file.language, symbols, reason, detail, file.syntax_errors
