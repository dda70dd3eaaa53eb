"""The read side of the index: what the rest of the product asks of the code graph."""

import sqlite3
import threading
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.qualified import dotted_name, spellings
from ctxcode.model.naming.words import stem
from ctxcode.model.retrieval import LexicalHit
from ctxcode.model.symbol import Edge, ImportedName, IndexStats, ModuleEntry, OtherName, Symbol
from ctxcode.store.disk import Turn
from ctxcode.store.index import symbols as rows
from ctxcode.store.index.chain.search import ChainSearch, PathFinder
from ctxcode.store.index.columns import Columns, Link, nodes_of, read_columns
from ctxcode.store.index.database import IndexDamagedError, IndexDatabase
from ctxcode.store.index.documents import FILE_SHIFT, check_rows
from ctxcode.store.index.kept import KeptWriter
from ctxcode.store.index.search import PhraseScores, phrases_of
from ctxcode.store.index.seen import FirstLook, LastSeen, read_first_look, read_seen
from ctxcode.store.index.spelling.words import may_be_misspelt, nearest_word, words_nowhere
from ctxcode.store.index.writer import IndexWriter

_LONGEST_TYPED = 60
_TYPED_ROWS = 400
"""How many near names are weighed for what is being typed."""


class SqliteIndex:
    """A repository's index. Any thread may ask; answers come from one published revision at a time."""

    def __init__(
        self,
        folder: Path,
        *,
        versions: str,
        find_path: PathFinder,
        keeps_writer: bool = False,
        is_kept: bool = True,
    ) -> None:
        """Name the index's folder, the versions its content depends on, and who finds paths.

        Nothing is opened until the first question. A kept writer makes refreshes one after the other quicker. What is
        not kept begins as the file is and stays in memory.
        """
        self._database = IndexDatabase(folder, versions, is_kept=is_kept)
        self._find_path = find_path
        self._is_kept = is_kept
        self._keeps_writer = keeps_writer
        self._writer: KeptWriter | None = None
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._columns: Columns | None = None
        self._looked: FirstLook | None = None
        self._scores, self._data_version = PhraseScores(), -1
        self._unread = self._pending = self._identity = 0

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        with self._lock:
            self._close_reading()
            if self._writer is not None:
                self._writer.close()
            self._writer = None

    def open_writer(self) -> IndexWriter:
        """Return a refresh's access; an index in which damage was met is begun anew. Raises StoreError."""
        if self._database.is_damaged:
            self.repair()
        if not self._keeps_writer:
            return IndexWriter(self._database)
        if self._writer is None or self._writer.is_closed or self._writer.identity != self._database.identity():
            if self._writer is not None:
                self._writer.close()
            self._writer = KeptWriter(self._database)
        return self._writer

    def turn(self) -> Turn:
        """Return the right to index much, not taken yet; what stays in memory is in nobody's way."""
        return Turn(self._database.path if self._is_kept else None)

    def repair(self) -> bool:
        """Move a damaged index aside, so that the next refresh builds it anew; return whether it was damaged."""
        with self._lock:
            if not self._database.is_damaged and self.is_sound():
                return False
            self.close()
            self._database.move_aside()
            return True

    def last_seen(self) -> LastSeen | None:
        """Return which work tree the published index is of, or None; reads the whole graph, so damage is met first.

        None, too, of an index in which damage was met: only a refresh of a work tree that is not known mends it.
        """
        if self._database.is_damaged:
            return None
        with self._current() as (connection, columns):
            return read_seen(connection, columns.publication) if columns is not None else None

    def is_sound(self) -> bool:
        """Return whether the file passes SQLite's own checks; reads all of it."""
        try:
            with self._open() as connection, self._database.guarded():
                first = connection.execute("PRAGMA quick_check(1)").fetchone()
                connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
                check_rows(connection)
        except IndexDamagedError:
            return False
        return first is not None and first[0] == "ok"

    def stats(self) -> IndexStats:
        """Return what the index holds; during the first refresh how many files it will hold, of no revision."""
        with self._current() as (connection, columns):
            stats = columns.stats if columns is not None else self._first_look(connection).stats
            is_whole = not self._unread and not self._pending
            return stats if is_whole else replace(stats, unread=self._unread, pending=self._pending)

    def symbols(self, ids: Iterable[SymbolId]) -> dict[SymbolId, Symbol]:
        """Return the symbols that exist, by id."""
        with self._current() as (connection, columns):
            nodes = nodes_of(connection, columns, ids)
            found = columns.symbols_at(connection, nodes.values()) if columns is not None else {}
            return {symbol: found[node] for symbol, node in nodes.items() if node in found}

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        """Return the definitions of a name, by id order.

        The name is simple, qualified (``Query.join``), dotted, also without its file (``http.HttpResponse``), or an id;
        matching is case-sensitive.
        """
        with self._current() as (connection, columns):
            if columns is None:
                return ()
            by_id = nodes_of(connection, columns, [SymbolId(name)])
            if by_id:
                return tuple(columns.symbols_at(connection, by_id.values()).values())
            spelt = (rows.rows_named(connection, columns.file_of_row, each, limit) for each in spellings(name))
            found = next(filter(None, spelt), [])
            return tuple(_symbols_of_rows(connection, columns, found))

    def renamed(self, name: str, path: str = "", limit: int = 10_000) -> tuple[OtherName, ...]:
        """Return where files give a name to what is called otherwise or to an object, by path.

        With a path only what that file says; the name may be empty then, for all that it gives.
        """
        with self._current() as (connection, columns):
            number = columns.number_of_path.get(path) if columns is not None else None
            if columns is None or (path and number is None):
                return ()
            row = columns.files[number].row if number is not None else None
            return tuple(rows.renamed(connection, columns.file_of_row, name, row)[:limit])

    def imported(self, text: str) -> tuple[ImportedName, ...]:
        """Return what files import in whose module or name a text stands, by path and line."""
        with self._current() as (connection, columns):
            if columns is None or not text:
                return ()
            found = rows.imported(connection, columns.file_of_row, text)
            leading = {path: columns.import_lines(columns.number_of_path[path]) for path in {row[0] for row in found}}
            return tuple(ImportedName(*row, is_here=row[1] in leading[row[0]]) for row in found)

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """Return a file's symbols in source order, its module first; empty when the file is not indexed."""
        with self._current() as (connection, columns):
            number = columns.number_of_path.get(path) if columns else None
            if columns is None or number is None:
                return ()
            file = columns.files[number]
            first = file.row << FILE_SHIFT
            return tuple(_symbols_of_rows(connection, columns, range(first, first + file.symbols)))

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the existing names most like one that may not exist."""
        with self._current() as (connection, columns):
            last = dotted_name(name).rpartition(".")[2]
            if columns is None or not last:
                return ()
            return tuple(columns.nearest_names(connection, last, limit))

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        """Return indexed paths equal to or ending with ``/text``; else those whose last part is ``text``.

        The last part is compared without its ending and without case; shorter paths come first.
        """
        wanted = text.replace("\\", "/").removeprefix("./").strip("/")
        with self._current() as (_, columns):
            if columns is None or not wanted:
                return ()
            alike = columns.paths_by_name.get(wanted.rpartition("/")[2].lower(), ())
            found = [path for path in alike if path == wanted or path.endswith(f"/{wanted}")] or alike
            return tuple(sorted(found, key=lambda path: (path.count("/"), path))[:limit])

    def symbols_like(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        """Return the definitions whose qualified name has the letters of ``text`` in this order, without case.

        Nearer names come first, with capitals typed those that have them so; among equally near ones those outside
        tests and in more central files.
        """
        with self._current() as (connection, columns):
            if columns is None or not text or limit < 1:
                return ()
            typed, ranked = text.rpartition(".")[2], []
            lowered = typed.lower()
            for order, (row, name) in enumerate(rows.rows_like(connection, text[:_LONGEST_TYPED], _TYPED_ROWS)):
                node = columns.node_of(row)
                if node is not None:
                    file, simple = columns.file_of(node), name.lower()
                    is_other_case = typed != lowered and not name.startswith(typed)
                    near = (simple != lowered, not simple.startswith(lowered), is_other_case)
                    ranked.append(((*near, columns.is_aside[file], -columns.file_ranks[file], order), node))
            nodes = [node for _, node in sorted(ranked)[:limit]]
            found = columns.symbols_at(connection, nodes)
            return tuple(found[node] for node in nodes if node in found)

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        """Return full-text hits for any of the (word, weight) terms, best first, ties in node order.

        Words are quoted; nothing in them is query syntax. ``with_aside`` lets in what stands in tests, docs, examples
        and vendored code.
        """
        phrases = phrases_of(terms)
        with self._current() as (connection, columns):
            if columns is None or not phrases or limit < 1:
                return ()
            found = self._scores.best_rows(connection, phrases, limit, None if with_aside else columns.stands_aside)
            if connection.execute("PRAGMA data_version").fetchone()[0] != self._data_version:
                self._scores = PhraseScores()  # Some may be of another state than the others.
            placed = [(columns.node_of(row), score, columns.file_of_row(row)) for row, score in found]
            hits = [LexicalHit(node, score, file.path) for node, score, file in placed if node is not None and file]
            hits.sort(key=lambda hit: (-hit.score, hit.node))
            return tuple(hits[:limit])

    def nearest_word(self, word: str) -> str | None:
        """Return the word that stands in the index and is meant by one that stands nowhere.

        None when the word is there, when nothing comes near, and for what nobody types as a word.
        """
        with self._current() as (connection, columns):
            if columns is None or not may_be_misspelt(word):
                return None
            return nearest_word(connection, columns.listings, word, stem)

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that stand nowhere in the index, in no form of theirs."""
        with self._current() as (connection, columns):
            return frozenset(words) if columns is None else words_nowhere(connection, words)

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        """Return the dense node numbers of symbols; nodes are numbered by (path, position) in this revision."""
        with self._current() as (connection, columns):
            return nodes_of(connection, columns, ids)

    def symbols_at(self, nodes: Collection[int]) -> dict[int, Symbol]:
        """Return the symbols behind node numbers, in the order of these."""
        with self._opened() as (connection, columns):
            return columns.symbols_at(connection, nodes) if columns is not None else {}

    def texts_at(self, nodes: Collection[int]) -> dict[int, str]:
        """Return the texts of the symbols behind node numbers: names, place, signature, doc and body."""
        with self._opened() as (connection, columns):
            if columns is None:
                return {}
            places = {row: (node, file) for node, row, file in columns.places(nodes)}
            made = columns.made.symbols(connection, {row: file for row, (_, file) in places.items()})
            return {places[row][0]: text for row, text in columns.listings.texts(connection, made).items()}

    def links(self, node: int, most: int | None = None, among: Container[int] | None = None) -> Sequence[Link]:
        """Return a node's neighbours both ways as (node, Relation value seen from the neighbour, weight).

        ``(7, "calls", 0.95)``: 7 calls this node. No SQL; none of more than ``most``; ``among`` as in ``Columns``.
        """
        columns = self._columns or self._known()
        return columns.links(node, most, among) if columns is not None else ()

    def width(self, node: int) -> int:
        """Return how many links a node has. No SQL."""
        columns = self._known()
        return columns.width(node) if columns is not None else 0

    def owner(self, node: int) -> int | None:
        """Return the node of what a definition stands in; None for a module. No SQL."""
        columns = self._known()
        return columns.owner(node) if columns is not None else None

    def edges_of(self, symbol: SymbolId) -> tuple[Edge, ...]:
        """Return all edges in and out of a symbol."""
        with self._current() as (connection, columns):
            node = nodes_of(connection, columns, [symbol]).get(symbol)
            if columns is None or node is None:
                return ()
            return columns.edges(connection, columns.edges_of(node))

    def path_between(
        self, sources: Sequence[SymbolId], targets: Sequence[SymbolId], *, may_guess: bool = True
    ) -> tuple[Edge, ...]:
        """Return the chain of edges that tells best how one of some definitions reaches one of others.

        Empty when there is none, or none that tells anything; see ``ChainSearch``.
        """
        with self._current() as (connection, columns):
            nodes = nodes_of(connection, columns, [*sources, *targets])
            starts, goals = ([nodes[one] for one in some if one in nodes] for some in (sources, targets))
            if columns is None:
                return ()
            return ChainSearch(columns, connection, self._find_path).best(starts, goals, may_guess=may_guess)

    def central(self, limit: int) -> tuple[tuple[Symbol, float], ...]:
        """Return the most central definitions (no modules, tests and vendored code weighted down), best first."""
        with self._current() as (connection, columns):
            if columns is None:
                return ()
            ranked = columns.most_central(limit)
            found = columns.symbols_at(connection, [node for node, _ in ranked])
            return tuple((found[node], rank) for node, rank in ranked if node in found)

    def modules(self) -> tuple[ModuleEntry, ...]:
        """Return every indexed file, by path; during the first refresh every file that will be, without symbols."""
        with self._current() as (connection, columns):
            return columns.modules if columns is not None else self._first_look(connection).modules

    def content_hashes(self, paths: Collection[str]) -> dict[str, str]:
        """Return the content hashes of those files that are indexed, by path."""
        with self._current() as (connection, columns):
            numbers = columns.number_of_path if columns is not None else {}
            files = [columns.files[numbers[path]].row for path in sorted(paths) if columns and path in numbers]
            return rows.content_hashes(connection, files)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._connection is not None and self._identity != self._database.identity():
                # Another process found the file of other versions, or damaged, and began a new one.
                self._close_reading()
            if self._connection is None:
                self._connection = self._database.connect()
                self._identity = self._database.identity()
            yield self._connection

    def _known(self) -> Columns | None:
        """Return what the last question saw."""
        if self._columns is None:
            with self._current():
                pass
        return self._columns

    @contextmanager
    def _opened(self) -> Iterator[tuple[sqlite3.Connection, Columns | None]]:
        """Give what the last question saw: numbers it answered with mean the same."""
        with self._open() as connection, self._database.guarded():
            if self._data_version < 0:
                self._reload(connection)
            yield connection, self._columns

    @contextmanager
    def _current(self) -> Iterator[tuple[sqlite3.Connection, Columns | None]]:
        """Give what is published now, by whatever process."""
        with self._open() as connection, self._database.guarded():
            if connection.execute("PRAGMA data_version").fetchone()[0] != self._data_version:
                self._reload(connection)
            yield connection, self._columns

    def _close_reading(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._columns = None
        self._scores, self._data_version = PhraseScores(), -1

    def _first_look(self, connection: sqlite3.Connection) -> FirstLook:
        frame = read_first_look(connection)
        if self._looked is None or self._looked.frame != frame:
            self._looked = FirstLook(frame)
        return self._looked

    def _reload(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        noted = "SELECT key, value FROM meta WHERE key IN ('publication', 'unread', 'pending')"
        meta = dict(connection.execute(noted).fetchall())
        self._unread, self._pending = int(meta.get("unread", "0")), int(meta.get("pending", "0"))
        if self._columns is None or meta.get("publication") != self._columns.publication:
            self._columns = read_columns(connection, self._columns)
            self._looked = self._looked if self._columns is None else None
        self._scores.note_changes(connection)
        self._data_version = version


def _symbols_of_rows(connection: sqlite3.Connection, columns: Columns, found: Sequence[int]) -> Iterator[Symbol]:
    """Yield the published symbols with these row numbers, in this order."""
    values = dict(columns.listings.symbols(connection, found))
    for row in found:
        node = columns.node_of(row)
        if node is not None and row in values:
            yield rows.to_symbol(values[row], columns.files[columns.file_of(node)])
