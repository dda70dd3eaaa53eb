"""Lanes: one thread per worker feeds it, listens, and replaces it when it hangs or dies."""

import os
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator
from queue import Empty, Full, Queue
from typing import NamedTuple, Protocol

from ctxcode.codegraph.codec import Answer, EncodedRows, decode_facts, decode_rows
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.isolation.intake import parse_patience, take_in
from ctxcode.codegraph.isolation.process import IS_TIME_COUNTED, WorkerGoneError, WorkerProcess
from ctxcode.model.errors import IndexingError
from ctxcode.model.source import SkipReason

_WAITING_PARCELS = 128
_PARCEL_FILES = 16
"""Answers handed over at once: threads that take turns cost as much as a small file."""
_PARCEL_SECONDS = 0.1
"""How long answers wait for more of them."""
_MOST_TIMES = 8 if IS_TIME_COUNTED else 1
"""So many times as long as its worker may have a processor a file may take: others may leave it none for a while."""
_TRIES = 2
"""A worker may die of something else than the file it reads, so a file gets a second one before it is given up."""

Files = list[tuple[str, str]]
Said = tuple[FileFacts, EncodedRows]
Settled = tuple[Answer, Said | None]


class Crew(Protocol):
    """Where lanes get their workers from."""

    @property
    def root(self) -> str:
        """The repository's absolute real path."""
        ...

    def borrow(self) -> WorkerProcess:
        """Return an idle worker, or a new one. Raises IndexingError."""
        ...

    def give_back(self, process: WorkerProcess) -> None:
        """Take a worker back that has nothing left to do."""
        ...


class Task(NamedTuple):
    """What a lane waits for: one file, since when, from which process."""

    path: str
    since: float
    process: WorkerProcess


class Run:
    """One pass over batches of files by several lanes, every other one from the end."""

    def __init__(self, crew: Crew, batches: deque[Files], written: Collection[str] = ()) -> None:
        self.crew = crew
        self.written = written
        """Files that are no generated ones, whatever they say."""
        self.is_stopped = False
        self.lanes: list[Lane] = []
        self._batches = batches
        self._settled: Queue[list[Settled] | IndexingError | None] = Queue(_WAITING_PARCELS)

    def start(self, lanes: int) -> None:
        """Start the lanes."""
        self.lanes = [Lane(self, is_from_end=number % 2 == 1) for number in range(lanes)]
        for lane in self.lanes:
            lane.start()

    def next_batch(self, *, is_from_end: bool) -> Files | None:
        """Return the files a lane does next, or None when there are no more."""
        take = self._batches.pop if is_from_end else self._batches.popleft
        try:
            return None if self.is_stopped else take()
        except IndexError:
            return None

    def put(self, settled: list[Settled] | IndexingError | None) -> None:
        """Hand results to the consumer; waits while it has too many already."""
        while not self.is_stopped:
            try:
                self._settled.put(settled, timeout=0.2)
            except Full:
                continue
            else:
                return

    def results(self, count: int, timeout_seconds: float) -> Iterator[Settled]:
        """Yield results as they come and kill workers that take too long over a file. Raises IndexingError."""
        ended = 0
        while count and not self.is_stopped:
            patience = self._kill_late(timeout_seconds)
            try:
                settled = self._settled.get(timeout=patience)
            except Empty:
                continue
            if isinstance(settled, IndexingError):
                raise settled
            if settled is None:
                ended += 1
                if ended == len(self.lanes):
                    raise IndexingError("the parser workers ended before their work was done")
                continue
            count -= len(settled)
            yield from settled
        for lane in self.lanes if not self.is_stopped else ():
            lane.join()

    def stop(self) -> None:
        """Kill the workers that are still busy and wait for the lanes to end."""
        self.is_stopped = True
        for lane in self.lanes:
            while lane.is_alive():
                task = lane.task
                if task is not None:
                    task.process.stop_now()
                lane.join(0.05)

    def _kill_late(self, timeout_seconds: float) -> float:
        """Return the seconds until the next file can be late."""
        now = time.monotonic()
        patience = min(timeout_seconds, 1.0)
        for lane in self.lanes:
            task = lane.task
            if task is None:
                continue
            age = now - task.since
            left = timeout_seconds * _MOST_TIMES - age
            if left <= 0:
                left = parse_patience(timeout_seconds, self._size_bytes(task.path)) * _MOST_TIMES - age
            if left <= 0 and lane.expired is not task:
                lane.expired = task
                task.process.stop_now()
            elif left > 0:
                patience = min(patience, left)
        return max(patience, 0.005)

    def _size_bytes(self, path: str) -> int:
        try:
            return os.lstat(f"{self.crew.root}/{path}").st_size
        except (OSError, ValueError):
            return 0


class Lane(threading.Thread):
    """Talks to one worker at a time."""

    def __init__(self, run: Run, *, is_from_end: bool) -> None:
        super().__init__(name="ctxcode-parse", daemon=True)
        self.task: Task | None = None
        self.expired: Task | None = None
        """The task whose worker the consumer killed."""
        self._run = run
        self._is_from_end = is_from_end
        self._process: WorkerProcess | None = None

    def run(self) -> None:
        """Work batches off until there are none."""
        try:
            while (files := self._run.next_batch(is_from_end=self._is_from_end)) is not None:
                self._work_off(deque(files))
        except IndexingError as error:
            self._run.put(error)
        finally:
            self._release()
            self._run.put(None)

    def _release(self) -> None:
        if self._process is None:
            return
        if self._run.is_stopped:
            self._process.kill()
        else:
            self._run.crew.give_back(self._process)
        self._process = None

    def _work_off(self, waiting: deque[tuple[str, str]]) -> None:
        tries = 0
        while waiting and not self._run.is_stopped:
            process = self._process = self._process or self._run.crew.borrow()
            before = len(waiting)
            try:
                self._converse(process, waiting)
            except WorkerGoneError:
                task, self.task, self._process = self.task, None, None
                process.kill()
                is_late = task is not None and (self.expired is task or process.is_out_of_time)
                tries = 1 if len(waiting) < before else tries + 1
                if waiting and (is_late or tries >= _TRIES):
                    self._give_up(waiting.popleft()[0], process, is_late=is_late)
                    tries = 0

    def _converse(self, process: WorkerProcess, waiting: deque[tuple[str, str]]) -> None:
        """Send the files and settle the answers in order. Raises WorkerGoneError; what is unanswered is left."""
        handed_over = time.monotonic()
        self.task = Task(waiting[0][0], handed_over, process)
        written = [path for path, _ in waiting if path in self._run.written]
        process.send(self._run.crew.root, list(waiting), written)
        parcel: list[Settled] = []
        try:
            while waiting:
                answer = process.receive()
                self.task = None
                if answer.path != waiting[0][0]:
                    raise WorkerGoneError("an answer nobody asked for")
                parcel.append((answer, _said(answer)))
                waiting.popleft()
                if len(parcel) >= _PARCEL_FILES or time.monotonic() - handed_over >= _PARCEL_SECONDS:
                    self._run.put(parcel)
                    parcel, handed_over = [], time.monotonic()
                if waiting:
                    self.task = Task(waiting[0][0], time.monotonic(), process)
        finally:
            # What was answered before a worker dies is settled.
            if parcel:
                self._run.put(parcel)

    def _give_up(self, path: str, process: WorkerProcess, *, is_late: bool) -> None:
        """Settle a file no worker survives, with the hash by which it is known when it is met again."""
        reason = SkipReason.PARSER_TIMEOUT if is_late else SkipReason.PARSER_CRASH
        detail = "the parser did not come to an end in time" if is_late else f"the parser died: {process.ending}"
        intake = take_in(self._run.crew.root, path, is_written=path in self._run.written)
        answer = Answer(path, intake.content_hash, intake.size_bytes, reason=reason.value, detail=detail)
        self._run.put([(answer, None)])


def _said(answer: Answer) -> Said | None:
    """Return the facts and rows of an answer, None where it gives a reason instead.

    Raises WorkerGoneError for nonsense.
    """
    try:
        if answer.reason:
            SkipReason(answer.reason)
            return None
        facts, rows = decode_facts(answer.facts), decode_rows(answer.symbols, answer.documents)
    except ValueError as error:
        raise WorkerGoneError(str(error)) from error
    if not len(facts.symbols) == len(rows.symbols) == len(rows.documents):
        raise WorkerGoneError("facts without their rows")
    return facts, rows
