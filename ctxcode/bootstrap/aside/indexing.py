"""An index that is refreshed in a process of its own, so that neither its work nor its memory is the screen's."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, cast

import msgspec

from ctxcode.bootstrap.aside.messages import (
    Ahead,
    Cancel,
    Failed,
    Finished,
    Message,
    Prepare,
    Progressed,
    Refresh,
    Rest,
    Setup,
    Wish,
)
from ctxcode.bootstrap.index.early import useful_workers
from ctxcode.llm.aside.pipes import BEHIND, started
from ctxcode.model.errors import IndexingError, StoreError
from ctxcode.model.source import IndexReport
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.ports import IndexProgress
from ctxcode.workspace.files import FolderWorkspace

_PROGRAM = "from ctxcode.bootstrap.aside.index_process import main; main()"
_PROGRAM_OF_TWO = (
    "from ctxcode.workspace.aside.folders import start; folders = start();"
    "from ctxcode.bootstrap.aside.index_process import main; main(folders)"
)
"""Where there are processors for both: a copy that is made before all else is loaded stays small."""
_LOOK_SECONDS = 0.1
"""How late a cancellation is noticed."""
_MOST_PARSED = 200
"""A process that has read more files than that holds much memory and is not kept for the next refresh; nor is one that
had none to read."""
_PREPARED_AFTER_SECONDS = 1.0
"""How long after it was found that nothing has changed the process is started that follows the first edit: what is to
be seen and asked first needs the processors till then."""
_MOST_PREPARED_SYMBOLS = 500_000
"""Of a tenth of a million it holds 140 MB, edit or no edit, until it has been idle for minutes."""
_HINT = "Run `ctxcode index` to see why; /index resume tries again."


class IndexingAside:
    """Brings the index in step. What has not changed is found out here; all else is done by a child process.

    The process is kept: following an edit takes half the time when it need not start first.
    """

    def __init__(
        self,
        indexing: Indexing,
        workspace: FolderWorkspace,
        place: Path,
        workers: int | None,
        *,
        most_prepared: int = _MOST_PREPARED_SYMBOLS,
    ) -> None:
        """Take what indexes in this process, the work tree, where the index is, and the setting of workers.

        For an index of more than ``most_prepared`` symbols nothing is loaded ahead.
        """
        self._most_prepared = most_prepared
        self._indexing = indexing
        self._workspace = workspace
        self._setup = Setup(workspace.info.root, str(place), workers)
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        """Held while the process is told to begin or to rest: which of both it hears last is known."""
        self._child: _Child | None = None
        self._is_closed = False
        self._unsettled = ""
        """The revision that the process is settling, if any, unless it rests."""
        self._rests = False
        """It was told to, and to do nothing since."""
        self._times_rested = 0
        self._is_small = False
        """There is an index, for which a process may be loaded ahead."""
        self._preparing: threading.Timer | None = None
        """Waits, or has waited, to start the process before there is an edit."""

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        """Re-index what changed; blocks. Raises IndexingError or StoreError.

        ``note_ahead`` is called when what had changed as a quick look found it can be asked for.
        """
        times_rested = self._times_rested
        try:
            report = self._indexing.unchanged()
        except StoreError:
            # Whoever writes the index moves a damaged one aside.
            report = None
        if report is not None and (report.is_settled or self._is_settling(report)):
            self._note_size(report)
            if report.is_settled:
                # There is nothing to be left alone.
                self._rests = False
            if self._preparing is None:
                self._prepare_later()
            return report
        progress(0, 0, "scanning")
        with self._lock:
            finished = self._refreshed((progress, note_ahead), is_cancelled, times_rested)
            self._unsettled = "" if finished.report.is_settled else finished.report.revision
            self._note_size(finished.report)
            self._prepare_later()
        self._workspace.note_folders(finished.folders)
        return finished.report

    @property
    def process_id(self) -> int | None:
        """Return the id of the process that is kept, None when there is none."""
        return self._child.id if self._child is not None else None

    def rest(self) -> None:
        """Let the process leave what nobody waits for until a refresh begins after this; returns at once."""
        with self._telling:
            self._rests = True
            self._times_rested += 1
            if (child := self._child) is not None:
                child.rest()

    def prepare(self) -> None:
        """Have the process that follows the next edit again if it has ended for want of work; returns at once."""
        waits = self._preparing
        if self._is_small and not (self._rests or self._is_running or (waits is not None and waits.is_alive())):
            self._prepare_in(0.0)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._preparing is not None:
            self._preparing.cancel()
        with self._lock:
            self._is_closed = True
            self._end()

    def _note_size(self, report: IndexReport) -> None:
        self._is_small = 0 < report.symbols <= self._most_prepared

    def _prepare_later(self) -> None:
        """Let a process that waits for the first edit load soon what it needs to follow it."""
        if self._child is None and self._is_small:
            self._prepare_in(_PREPARED_AFTER_SECONDS)

    def _prepare_in(self, seconds: float) -> None:
        self._preparing = threading.Timer(seconds, self._prepare)
        self._preparing.daemon = True
        self._preparing.start()

    def _prepare(self) -> None:
        # A process that is prepared settles what is left: not when it was told to rest meanwhile.
        with self._lock, self._telling:
            if not (self._rests or self._is_running or self._is_closed):
                self._end()
                # What can't start now is started, and complained of, when it is needed.
                with suppress(IndexingError):
                    self._child = _Child(self._setup)
                    self._child.prepare()

    def _is_settling(self, report: IndexReport) -> bool:
        """Return whether the process goes on by itself with what a report says."""
        return self._is_running and not self._rests and report.revision == self._unsettled

    @property
    def _is_running(self) -> bool:
        child = self._child
        return child is not None and child.is_alive

    def _refreshed(
        self, notes: tuple[IndexProgress, Callable[[], None]], is_cancelled: Callable[[], bool], times_rested: int
    ) -> Finished:
        """Return what a refresh came to; it was to rest so many times when that began."""
        if self._child is None or not self._child.is_alive:
            self._end()
            self._child = _Child(self._setup)
        finished: Finished | None = None
        try:
            with self._telling:
                number = self._child.begin()
                self._rests = times_rested != self._times_rested
                if self._rests:
                    # It was told while this looked whether there is something to do.
                    self._child.rest()
            finished = self._child.refreshed(number, notes, is_cancelled)
        finally:
            if finished is None or finished.report.parsed > _MOST_PARSED:
                self._end()
        return finished

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()


class _Child:
    """The process and the pipes to it. Raises IndexingError when it can't start."""

    def __init__(self, setup: Setup) -> None:
        try:
            # What parses inherits its niceness.
            is_shared = sys.platform == "linux" and useful_workers() > 1
            self._process = started(_PROGRAM_OF_TWO if is_shared else _PROGRAM, niceness=BEHIND)
        except OSError as error:
            raise IndexingError(f"indexing can't start: {error.strerror or error}", _HINT) from error
        self.id = self._process.pid
        self._numbers = count(1)
        self._heard = SimpleQueue[Message | None]()
        self._sink, source = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        threading.Thread(target=_hear, args=(source, self._heard), name="ctxcode-index", daemon=True).start()
        self._tell(setup)

    @property
    def is_alive(self) -> bool:
        """It has not ended, for want of work or otherwise."""
        return self._process.poll() is None

    def begin(self) -> int:
        """Let it refresh; return the number of that."""
        number = next(self._numbers)
        self._tell(Refresh(number))
        return number

    def refreshed(
        self, number: int, notes: tuple[IndexProgress, Callable[[], None]], is_cancelled: Callable[[], bool]
    ) -> Finished:
        """Return what a refresh came to. Raises IndexingError or StoreError."""
        (progress, note_ahead), is_told = notes, False
        while True:
            if not is_told and is_cancelled():
                is_told = True
                self._tell(Cancel(number))
            try:
                message = self._heard.get(timeout=_LOOK_SECONDS)
            except Empty:
                continue
            match message:
                case Progressed():
                    progress(message.done, message.total, message.phase)
                case Ahead():
                    note_ahead()
                case Finished():
                    return message
                case Failed():
                    raise (StoreError if message.is_store else IndexingError)(message.words, message.hint)
                case None:
                    code = self._process.wait()
                    how = f"signal {-code}" if code < 0 else f"exit code {code}"
                    raise IndexingError(f"the process that indexes ended by itself ({how})", _HINT)

    def prepare(self) -> None:
        """Let it load what a refresh is going to need."""
        self._tell(Prepare())

    def rest(self) -> None:
        """Let it leave what nobody waits for."""
        self._tell(Rest())

    def end(self) -> None:
        """Let the process end: it is idle, or what it does is lost."""
        self._process.kill()
        with suppress(OSError):
            self._sink.close()
        self._process.wait()

    def _tell(self, words: Setup | Wish) -> None:
        # When it is gone, whoever listens to it hears how.
        with suppress(OSError):
            self._sink.write(msgspec.json.encode(words) + b"\n")
            self._sink.flush()


def _hear(pipe: IO[bytes], heard: SimpleQueue[Message | None]) -> None:
    """Hand on what the process says, and None at its end; nonsense is its end too."""
    decoder = msgspec.json.Decoder(Message)
    with pipe, suppress(OSError, ValueError):
        for line in pipe:
            heard.put(decoder.decode(line))
    heard.put(None)
