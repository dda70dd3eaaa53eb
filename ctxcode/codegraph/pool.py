"""Worker processes under watch: files in, outcomes out, whatever a grammar does."""

import os
import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from ctxcode.codegraph.codec import EncodedRows
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.isolation.idle import IdleWorkers
from ctxcode.codegraph.isolation.lane import Files, Run
from ctxcode.codegraph.isolation.process import WorkerProcess
from ctxcode.codegraph.isolation.program import end_program, start_program
from ctxcode.codegraph.isolation.shared_names import SharedNames
from ctxcode.codegraph.renamed import RenamedRow, imported_in, renamed_in
from ctxcode.model.errors import IndexingError
from ctxcode.model.source import SkippedFile, SkipReason

if TYPE_CHECKING:
    from subprocess import Popen

_BATCH_FILES = 64
_SMALLEST_BATCH_BYTES = 128_000
_LARGEST_BATCH_BYTES = 2_000_000
_BATCHES_PER_WORKER = 4
_LEAST_FILE_BYTES = 500
"""What opening a file costs, in bytes parsed in the same time."""


class ParseOutcome(NamedTuple):
    """What became of one file: facts, or why there are none."""

    path: str
    content_hash: str
    """BLAKE2b of the raw bytes, 20 hex digits; empty when they could not be read."""
    facts: FileFacts | None
    """The skeleton: what name resolution needs."""
    skipped: SkippedFile | None
    size_bytes: int
    encoded: bytes = b""
    """The facts as bytes."""
    rows: EncodedRows | None = None
    """What the index keeps of the symbols; there when facts are."""
    renamed: Sequence[RenamedRow] = ()
    """Other names for what is defined somewhere."""
    imported: str = ""
    """What it imports; see ``imported_in``."""


class ParsePool:
    """Parses files of one repository in processes of its own; idle workers are kept for the next call."""

    def __init__(
        self,
        root: Path,
        *,
        workers: int,
        timeout_seconds: float = 5.0,
        memory_bytes: int = 1 << 30,
        programs: "Sequence[Popen[bytes]]" = (),
        idle: IdleWorkers | None = None,
    ) -> None:
        """Take over the ``programs`` of workers that were started before.

        Workers are kept between calls, all of them, or those that ``idle`` keeps: these also outlive the pool.
        """
        self.root = os.path.realpath(root)
        self._workers = max(1, workers)
        self._shared = idle
        self._idle = idle or IdleWorkers(self._workers)
        self._timeout_seconds = timeout_seconds
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._runs: set[Run] = set()
        self._is_closed = False
        self._programs = list(programs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def worker_ids(self) -> tuple[int, ...]:
        """Process ids of the workers alive now."""
        with self._lock:
            tasks = [lane.task for run in self._runs for lane in run.lanes]
            busy = [task.process for task in tasks if task is not None]
            return tuple(sorted({*self._idle.ids, *(process.id for process in busy)}))

    def warm_up(self) -> None:
        """Begin to start a worker unless one waits already; returns at once.

        One is all that a small repository needs; others start when there is more to parse.
        """
        with self._lock:
            if self._is_closed:
                return
            # What can't start now is started, and complained of, when it is needed.
            with suppress(OSError):
                if not self._idle.ids and not self._programs:
                    self._programs.append(start_program())

    def parse(self, paths: Sequence[tuple[str, str]], *, written: Collection[str] = ()) -> Iterator[ParseOutcome]:
        """Yield one outcome per (path, language), in the order they are done.

        What was ``written`` is parsed also where something in it says that it was generated.
        Closing the iterator early kills the workers busy with it. Raises IndexingError when workers can't start or
        the pool is closed.
        """
        batches = _batches(self.root, paths, self._workers)
        run, names = Run(self, deque(batches), written), SharedNames()
        with self._lock:
            if self._is_closed:
                raise IndexingError("the parser pool is closed")
            self._runs.add(run)
        try:
            run.start(min(self._workers, len(batches)))
            for answer, said in run.results(len(paths), self._timeout_seconds):
                facts, rows = (names.shared(said[0]), said[1]) if said else (None, None)
                skipped = None if said else SkippedFile(answer.path, SkipReason(answer.reason), answer.detail)
                named = (renamed_in(facts), imported_in(facts)) if facts is not None else ()
                yield ParseOutcome(
                    answer.path, answer.content_hash, facts, skipped, answer.size_bytes, answer.facts, rows, *named
                )
        finally:
            run.stop()
            with self._lock:
                self._runs.discard(run)

    def close(self) -> None:
        """Kill every worker but those that others may use; iterators still open end early."""
        with self._lock:
            self._is_closed = True
            runs = list(self._runs)
            programs, self._programs = self._programs, []
        for program in programs:
            end_program(program)
        for run in runs:
            run.stop()
        if self._shared is None:
            self._idle.close()

    def borrow(self) -> WorkerProcess:
        """Return an idle worker, or a new one. Raises IndexingError when it can't start."""
        if (waiting := self._idle.take()) is not None:
            return waiting
        with self._lock:
            program = self._programs.pop() if self._programs else None
        return WorkerProcess(self._timeout_seconds, self._memory_bytes, program)

    def give_back(self, process: WorkerProcess) -> None:
        """Keep a worker that has nothing left to do."""
        with self._lock:
            # Under the lock, so that no worker comes to a pool that has ended its own.
            is_kept = (not self._is_closed or self._shared is not None) and self._idle.keep(process)
        if not is_kept:
            process.kill()


def _batches(root: str, paths: Sequence[tuple[str, str]], workers: int) -> list[Files]:
    """Return the files in batches, language by language; workers take them from both ends.

    So hardly any language is prepared by all of them, which takes as long as parsing a hundred files. Where they meet
    batches are small, so that no worker is alone for long.
    """
    sized = [(entry, _size_bytes(root, entry[0])) for entry in sorted(paths, key=itemgetter(1))]
    sums, middle, lanes = list(accumulate(size for _, size in sized)), len(sized), (workers + 1) // 2
    if workers > 1 and sums and sums[-1] > _SMALLEST_BATCH_BYTES:
        middle = bisect_left(sums, sums[-1] / 2) + 1
    return [*_smaller_and_smaller(sized[:middle], lanes), *_smaller_and_smaller(sized[middle:][::-1], lanes)[::-1]]


def _smaller_and_smaller(sized: Sequence[tuple[tuple[str, str], int]], workers: int) -> list[Files]:
    """Return files in batches that get smaller towards the end."""
    batches: list[Files] = []
    left, room = sum(size for _, size in sized), 0
    for entry, size in sized:
        if not batches or room < size or len(batches[-1]) == _BATCH_FILES:
            batches.append([])
            share = left // (workers * _BATCHES_PER_WORKER)
            room = min(max(share, _SMALLEST_BATCH_BYTES), _LARGEST_BATCH_BYTES)
        batches[-1].append(entry)
        room -= size
        left -= size
    return batches


def _size_bytes(root: str, path: str) -> int:
    try:
        return max(_LEAST_FILE_BYTES, os.lstat(f"{root}/{path}").st_size)
    except (OSError, ValueError):
        return _LEAST_FILE_BYTES
