"""The refresh of the index: scan, compare, parse what changed, join everything, publish."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.isolation.boundary import HaltedError
from ctxcode.model.errors import IndexingError, StoreError
from ctxcode.model.source import IndexReport, SourceFile
from ctxcode.session.index.growth import Growth
from ctxcode.session.index.joining import FactMemory, FactTools, Joining, RowsGoneError
from ctxcode.session.index.meanwhile import beside, rare_collections
from ctxcode.session.index.order import foremost_first, in_parts, usual_file
from ctxcode.session.index.parsers import MOST_WORKERS, Parsers
from ctxcode.session.index.ports import IndexStore, Parser, WorkTree, Writer
from ctxcode.session.index.refresh import Begun, Refresh
from ctxcode.session.index.turn import IndexTurn, NotInTurnError
from ctxcode.session.ports import Clock, IndexProgress
from ctxcode.store.index.seen import LastSeen
from ctxcode.store.index.writer import NewFile, Published

if TYPE_CHECKING:
    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.facts import FileFacts
    from ctxcode.codegraph.pool import ParseOutcome

_BATCH_BYTES = 4_000_000
"""Source bytes parsed between two writes: what memory holds, and what a killed refresh loses."""
_LAST_BATCH_BYTES = 500_000
"""Batches get smaller towards the end, because nobody parses any more while the last one is written."""
_WORKER_BYTES = 1_000_000
"""Changed source from which another worker pays for its start."""
_PROGRESS_STEP = 16
_ATTEMPTS = 4
"""One may end with waiting for another process."""
_FEW_FILES = 100


class Indexing:
    """Brings the index in step with the work tree. One refresh at a time; another process may run its own."""

    def __init__(
        self,
        tree: WorkTree,
        store: IndexStore,
        open_parser: Callable[[int], AbstractContextManager[Parser]],
        *,
        hash_file: Callable[[str], str],
        tools: FactTools,
        clock: Clock = time.monotonic,
    ) -> None:
        """Take the adapters.

        ``open_parser`` is given a number of workers; ``hash_file`` returns a path's content hash as the parser does,
        empty when the file can't be read; ``clock`` counts seconds.
        """
        self._tree = tree
        self._store = store
        self._open_parser = open_parser
        self._hash_file = hash_file
        self._tools = tools
        self._clock = clock
        self._memory: FactMemory | None = None
        self._is_prepared = False
        """All is loaded that joining a few files takes."""

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        is_awaited: bool = False,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        """Re-index what changed; blocks. A damaged index is moved aside and built anew.

        Files whose parsing took too long are tried once more, unless somebody waits.

        ``is_awaited`` is for who has found out that something has changed: what can follow the answer is left to
        ``tidy`` and ``settle``, also what was left before, and of a large first index the beginning is published before
        the rest is parsed. Then ``note_ahead`` is called when what a quick look found changed is published, before
        everything has been looked at. Raises IndexingError when parsing can't start, StoreError when the index can't be
        written.
        """
        started = self._clock()
        with IndexTurn(self._store.turn(), self._clock, progress, is_pressing=is_awaited) as turn:
            for _ in range(_ATTEMPTS):
                try:
                    with rare_collections():
                        seen = None if is_awaited else self._store.last_seen()
                        begun = Begun(started, seen, is_awaited, turn, is_cancelled)
                        is_done = seen is not None and seen.report.is_settled and not seen.report.has_late
                        report = (self._unchanged(seen) if is_done else None) or self._refreshed(begun, note_ahead)
                except NotInTurnError:
                    turn.wait(is_cancelled)
                except RowsGoneError:
                    continue
                except StoreError:
                    if not self._store.repair():
                        raise
                else:
                    if report is not None:
                        return report
        raise IndexingError("the index changes while it is being refreshed", "Is another ctxcode running? Try again.")

    def tidy(self) -> None:
        """Do what an awaited refresh has left to be done. Raises StoreError."""
        with self._store.open_writer() as writer:
            writer.tidy()

    def settle(self, is_wanted: Callable[[], bool] = lambda: False) -> None:
        """Join all files where an awaited refresh has left edges as they were, until something else is wanted.

        What another process is about to publish is left to that one. Raises StoreError.
        """

        def check() -> None:
            if is_wanted():
                raise HaltedError

        with self._store.open_writer() as writer, rare_collections():
            published, seen, known = writer.published(), self._store.last_seen(), writer.known()
            kept = {path: file.row for path, file in known.items() if not file.skip_reason}
            if published.is_settled or published.rows != frozenset(kept.values()):
                return
            rows = {path: file.row for path, file in known.items()}
            try:
                joining = Joining(self._tools, writer, self._memory_of(writer), check)
                graph = joining.settled(kept, {}, published.publication) or joining.anew(kept, {})
            except (HaltedError, RowsGoneError):
                return
            with writer.at_once():
                found = self._published(rows, writer, graph)
            if found is None or seen is None or seen.publication != published.publication or graph.unjoined:
                return
            report = replace(seen.report, revision=found.revision, edges=found.edges, is_settled=True)
            writer.note_seen(LastSeen(found.publication, seen.snapshot, report))

    def read_ahead(self, is_wanted: Callable[[], bool]) -> None:
        """Read what the next refresh may ask of all stored facts, until something else is wanted. Raises StoreError."""
        with self._store.open_writer() as writer, rare_collections():
            try:
                self._memory_of(writer).read_ahead(writer.published().rows, is_wanted)
            except ValueError:
                writer.distrust()

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        """Load what following an edit takes, unless one was followed, until something else is wanted; changes nothing.

        Raises IndexingError, RepositoryError or StoreError.
        """
        if self._is_prepared or is_wanted():
            return
        with self._store.open_writer() as writer, Parsers(self._open_parser) as parsers, rare_collections():
            published = writer.published()
            if not (published.revision and published.is_settled):
                return
            parsers.expect()
            rows = {path: file.row for path, file in writer.known().items() if not file.skip_reason}
            usual = usual_file([file for file in self._tree.scan().files if file.path in rows])
            if usual is None or is_wanted():
                return
            # What fails is not tried again and again.
            self._is_prepared = True
            self._tools.build_graph({})
            facts = {each.path: each.facts for each in parsers.outcomes([usual]) if each.facts is not None}
            if not is_wanted():
                with suppress(RowsGoneError):
                    Joining(self._tools, writer, self._memory_of(writer)).early(rows, facts)

    def unchanged(self) -> IndexReport | None:
        """Return what there is to report when the work tree is as it was last time, else None; reads only.

        The index may still have to be settled. Raises StoreError when it is damaged.
        """
        return self._unchanged(self._store.last_seen())

    def _unchanged(self, seen: LastSeen | None) -> IndexReport | None:
        started = self._clock()
        if seen is None or not self._tree.is_as_in(seen.snapshot):
            return None
        return replace(seen.report, parsed=0, removed=0, seconds=self._clock() - started)

    def _refreshed(self, begun: Begun, note_ahead: Callable[[], None]) -> IndexReport | None:
        """Return what one attempt did, or None when another process removed what it relied on."""
        begun.turn.note(0, 0, "scanning")
        with self._store.open_writer() as writer, Parsers(self._open_parser) as parsers:
            published = writer.published()
            if begun.seen is not None or begun.is_awaited or not published.revision:
                # Something has changed, or nothing is known yet: what it is, only looking at every file tells.
                parsers.expect()
            ahead: Collection[str] = ()
            gone: Collection[str] = ()
            is_first = not published.revision or bool(published.pending)
            is_early = begun.is_awaited and not is_first
            guess = self._tree.guess() if is_early else None
            if guess is not None:
                if guess.changed:
                    self._begin_turn(begun, len(guess.changed), writer, published)
                    parsers.begin(guess.changed)
                work = Refresh(guess.scan, writer.known(), is_awaited=True, is_early=True, is_guessed=True)
                found = self._brought(work, writer, published, parsers, begun)
                if found is None:
                    return None
                published, ahead = found, work.facts
                if work.is_changed:
                    gone = work.known.keys() - work.rows.keys()
                    note_ahead()
            scan = self._tree.scan()
            if not published.revision:
                writer.note_first_look(scan.files)
            work = Refresh(scan, writer.known(), begun.is_awaited, is_early, suspected=ahead, is_first=is_first)
            work.is_retried = not begun.is_awaited
            found = self._brought(work, writer, published, parsers, begun)
            if found is None:
                return None
            work.parsed += len(set(ahead).difference(work.facts))
            work.removed += len(set(gone).difference(work.rows))
            report = work.report(found, writer, self._clock() - begun.at_seconds)
            is_telling = bool(scan.snapshot) and report.is_complete
            if report.is_complete:
                writer.note_unread(len(report.unread))
            if is_telling:
                writer.note_seen(LastSeen(found.publication, scan.snapshot, report))
            if not begun.is_awaited and (is_telling or work.is_changed):
                writer.tidy()
        return report

    def _brought(
        self, work: Refresh, writer: Writer, published: Published, parsers: Parsers, begun: Begun
    ) -> Published | None:
        """Bring the index in step with a scan; return what is published then, None as in ``_refreshed``.

        A guess for which everything would have to be joined changes nothing.
        """
        changed = work.compare(writer, self._hash_file)
        is_same = not changed and not work.removed and published.rows == frozenset(work.kept.values())
        if is_same and not work.is_first and (published.is_settled or work.is_early):
            return published
        files = len(work.scan.files)
        self._begin_turn(begun, len(changed), writer, published)
        self._parse(work, writer, changed, parsers, begun)
        begun.turn.note(files, files, "resolving")
        graph, is_settled = self._updated(work, writer, published)
        if graph is None:
            if work.is_guessed:
                return published
            graph, is_settled = self._joined(work.kept, work.facts, writer), True
        begun.turn.note(files, files, "storing")
        work.is_changed = True
        with writer.at_once():
            work.write(writer, work.unwritten)
            return self._published(work.rows, writer, graph, is_settled=is_settled, pending=work.pending)

    def _begin_turn(self, begun: Begun, files: int, writer: Writer, published: Published) -> None:
        """Begin to parse so many files. Raises NotInTurnError."""
        begun.turn.begin(files, lambda: writer.published().publication == published.publication)

    def _publish_beginning(self, work: Refresh, writer: Writer, pending: int) -> None:
        """Publish what is parsed so far: whoever asks need not wait for the rest."""
        graph = self._joined(work.kept, work.facts, writer)
        with writer.at_once():
            writer.publish(work.rows, graph, pending=pending)

    def _published(
        self,
        rows: Mapping[str, int],
        writer: Writer,
        graph: "PackedGraph",
        *,
        is_settled: bool = True,
        pending: int = 0,
    ) -> Published | None:
        """Publish a graph, and keep of the files it has not joined what is left of them; in a write transaction."""
        for path, facts, detail in graph.unjoined:
            writer.keep_symbols(rows[path], facts, detail)
            self._memory_of(writer).forget(rows[path])
        published = writer.publish(rows, graph, is_settled=is_settled, pending=pending)
        self._memory_of(writer).note_published("" if is_settled or published is None else published.publication)
        return published

    def _updated(self, work: Refresh, writer: Writer, published: Published) -> "tuple[PackedGraph | None, bool]":
        """Return the published graph with what has changed joined anew, None when that does not do.

        And whether it is settled.
        """
        if work.is_first:
            return None, False
        before = {path: known.row for path, known in work.known.items() if not known.skip_reason}
        gone = before.keys() - work.kept.keys() - work.facts.keys()
        changed = {**dict.fromkeys(gone), **work.facts}
        joining = Joining(self._tools, writer, self._memory_of(writer))
        self._is_prepared, graph = True, None
        if published.is_settled:
            graph = joining.updated(before, changed, is_patient=not work.is_early)
        elif not work.is_early:
            graph = joining.settled(work.kept, work.facts, published.publication)
        is_settled = graph is not None
        if graph is None and work.is_early:
            graph = joining.early(before, changed)
            if graph is not None:
                joining.remember(before, changed, published)
        if graph is None or graph.is_ranked:
            return graph, is_settled
        with beside(partial(writer.prepare, graph)):
            return self._tools.rank_graph(graph), is_settled

    def _memory_of(self, writer: Writer) -> FactMemory:
        """Return what is remembered of the facts a writer reads; another one may be of another file."""
        if self._memory is None or self._memory.reader is not writer:
            self._memory = FactMemory(self._tools, writer)
        return self._memory

    def _joined(self, kept: Mapping[str, int], facts: "Mapping[str, FileFacts]", writer: Writer) -> "PackedGraph":
        """Return the graph of all files, given the rows of some and what the others say."""
        return Joining(self._tools, writer, self._memory_of(writer)).anew(kept, facts)

    def _parse(
        self,
        work: Refresh,
        writer: Writer,
        changed: Sequence[SourceFile],
        parsers: Parsers,
        begun: Begun,
    ) -> None:
        """Parse files and write them in batches; what is done when it is cancelled stays."""
        if not changed:
            return
        begun.turn.note(0, len(changed), "parsing")
        grows = work.is_first and work.is_awaited
        changed = foremost_first(changed) if grows else changed
        files = {file.path: file for file in changed}
        size_bytes = sum(file.stamp.size for file in changed)
        batch, batch_bytes, left_bytes = list[NewFile](), 0, size_bytes
        growth = Growth(self._clock, size_bytes)
        parsers.get(min(MOST_WORKERS, 1 + size_bytes // _WORKER_BYTES))
        for done, outcome in enumerate(self._outcomes(parsers, changed, grows=grows), 1):
            batch.append(work.new_file(files[outcome.path], outcome))
            batch_bytes += outcome.size_bytes
            left_bytes -= outcome.size_bytes
            work.parsed += outcome.skipped is None
            if done % _PROGRESS_STEP == 0 or done == len(changed):
                begun.turn.note(done, len(changed), "parsing")
            if batch_bytes >= min(_BATCH_BYTES, max(left_bytes, _LAST_BATCH_BYTES)):
                work.write(writer, batch)
                batch, batch_bytes = [], 0
                if work.is_first and growth.is_due(left_bytes) and (grows or begun.turn.is_wished()):
                    with growth.publishing(left_bytes):
                        begun.turn.note(done, len(changed), "resolving")
                        self._publish_beginning(work, writer, len(changed) - done)
                    begun.turn.note(done, len(changed), "parsing")
            if begun.is_cancelled():
                work.pending = len(changed) - done
                break
        parsers.close()
        if work.is_awaited and work.known and len(changed) < _FEW_FILES:
            work.unwritten = batch
        else:
            work.write(writer, batch)

    def _outcomes(self, parsers: Parsers, files: Sequence[SourceFile], *, grows: bool) -> "Iterator[ParseOutcome]":
        """Yield what becomes of files; meanwhile the libraries that join facts are loaded.

        That takes as long as a hundred files do. Of more files the first one comes before: workers would wait for it.
        """
        outcomes = chain.from_iterable(map(parsers.outcomes, in_parts(files) if grows else [files]))
        first = list(islice(outcomes, 0 if len(files) < _FEW_FILES else 1))
        with beside(partial(self._tools.build_graph, {})):
            yield from first
            yield from outcomes
