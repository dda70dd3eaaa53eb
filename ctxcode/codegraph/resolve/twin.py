"""A copy of this process that finds half of the edges, so that the other core does not wait.

A copy has all files in memory already. Where it can't be made, fails, is killed or is late, nothing is lost: what it
was to do is done here.
"""

import contextlib
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ctxcode.codegraph.edges import FoundEdges

if TYPE_CHECKING:
    from array import array

_THREADS = Path("/proc/self/task")
_HEAD = struct.Struct("=qq")
"""(a mark, number of edges)."""
_MARK = 0x7477696E
_PIECE_BYTES = 1 << 20
_PATIENCE_SECONDS = 5.0
_PATIENCE_FACTOR = 4.0
"""How much longer than the same amount of work took here a copy may take, besides the seconds above."""


def can_copy() -> bool:
    """Whether a copy of this process is safe: on Linux, and only while it has no thread whose locks would stay shut."""
    if sys.platform != "linux" or (os.cpu_count() or 1) < 2:
        return False
    try:
        return len(list(_THREADS.iterdir())) == 1
    except OSError:
        return False


class Twin:
    """A copy of this process at work. Use it as a context manager; its end is the copy's."""

    def __init__(self, work: Callable[[], FoundEdges]) -> None:
        """Let a copy of this process do some work; see ``can_copy``. Raises OSError when there is no room for one."""
        self._source, sink = os.pipe()
        self._started = time.monotonic()
        try:
            self._id = os.fork()
        except OSError:
            os.close(self._source)
            os.close(sink)
            raise
        if self._id == 0:
            _work_and_end(work, sink)
        os.close(sink)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._source)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._id, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._id, 0)

    def found(self) -> FoundEdges | None:
        """Wait for what the copy found, about as long again as it has had; None when it ended without."""
        now = time.monotonic()
        deadline = now + _PATIENCE_SECONDS + _PATIENCE_FACTOR * (now - self._started)
        pieces: list[bytes] = []
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self._source], [], [], left)[0]:
                break
            piece = os.read(self._source, _PIECE_BYTES)
            if not piece:
                return _decoded(b"".join(pieces))
            pieces.append(piece)
        return None


def _work_and_end(work: Callable[[], FoundEdges], sink: int) -> None:
    """Do the work, send what comes of it and end, whatever happens; nothing of the process that was copied is ended."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        found = work()
        with os.fdopen(sink, "wb") as stream:
            stream.write(_HEAD.pack(_MARK, len(found.sources)))
            for column in _columns(found):
                stream.write(column.tobytes())
    finally:
        os._exit(0)


def _columns(found: FoundEdges) -> "tuple[array[int], ...]":
    return found.sources, found.targets, found.tiers, found.lines


def _decoded(data: bytes) -> FoundEdges | None:
    """Return the edges a copy sent, None when that is not all of them."""
    if len(data) < _HEAD.size:
        return None
    mark, count = _HEAD.unpack_from(data)
    found, at = FoundEdges(), _HEAD.size
    if mark != _MARK or len(data) != at + count * sum(column.itemsize for column in _columns(found)):
        return None
    for column in _columns(found):
        end = at + count * column.itemsize
        column.frombytes(data[at:end])
        at = end
    return found
