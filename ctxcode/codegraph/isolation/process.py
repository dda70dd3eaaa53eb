"""One worker process and the pipes to it."""

import contextlib
import signal
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO, cast

import msgspec

from ctxcode.codegraph.codec import OTHER_VERSION, Answer, Batch, Setup, read_frame, write_message
from ctxcode.codegraph.isolation.program import start_program
from ctxcode.model.errors import IndexingError, UpdatedError

if TYPE_CHECKING:
    import subprocess

_START_SECONDS = 60.0
_PIPE_BYTES = 1 << 20
IS_TIME_COUNTED = sys.platform != "win32"
"""Whether the system ends a worker that has had a processor for too long; elsewhere only the time that passes tells."""


class WorkerGoneError(Exception):
    """The worker ended, or speaks nonsense, which is the same."""


class WorkerProcess:
    """A started worker that said it is ready. Raises IndexingError when it never does."""

    def __init__(
        self,
        timeout_seconds: float,
        memory_bytes: int,
        program: "subprocess.Popen[bytes] | None" = None,
    ) -> None:
        """Take over a program that was started before, or start one."""
        self._decoder = msgspec.msgpack.Decoder(Answer)
        try:
            self._process = program or start_program()
        except OSError as error:
            raise _no_start(error.strerror or str(error)) from error
        self._source = cast("BinaryIO", self._process.stdout)
        _widen(self._source)
        self._sink = cast("BinaryIO", self._process.stdin)
        self.id = self._process.pid
        late = threading.Timer(_START_SECONDS, self._process.kill)
        late.daemon = True
        late.start()
        try:
            self._write(Setup(timeout_seconds, memory_bytes))
            is_updated = self.receive().reason == OTHER_VERSION
        except WorkerGoneError as error:
            self.kill()
            raise _no_start(str(error)) from error
        finally:
            late.cancel()
        if is_updated:
            self.kill()
            raise UpdatedError

    def send(self, root: str, files: list[tuple[str, str]], written: list[str]) -> None:
        """Hand over a batch of a repository's (path, language), and which are not generated. Raises WorkerGoneError."""
        self._write(Batch(root, files, written))

    def receive(self) -> Answer:
        """Wait for the next answer. Raises WorkerGoneError."""
        try:
            frame = read_frame(self._source)
            if frame is None:
                raise WorkerGoneError("the worker ended")
            return self._decoder.decode(frame)
        except (OSError, ValueError) as error:
            raise WorkerGoneError(str(error)) from error

    def stop_now(self) -> None:
        """Kill the process; whoever waits for it sees it end."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process and close its pipes; only for the thread that talks to it."""
        self._process.kill()
        for stream in (self._source, self._sink):
            try:
                stream.close()
            except OSError:
                continue
        self._process.wait()

    @property
    def is_out_of_time(self) -> bool:
        """Whether it ended because a file had taken all the processor time that it may."""
        return sys.platform != "win32" and self._process.wait() == -signal.SIGPROF

    @property
    def ending(self) -> str:
        """How the process ended, for people: ``signal 11``, ``exit code 1``."""
        code = self._process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _write(self, message: Setup | Batch) -> None:
        try:
            write_message(self._sink, message)
        except (OSError, ValueError) as error:
            raise WorkerGoneError(str(error)) from error


def _widen(pipe: BinaryIO) -> None:
    """Let a worker go on with the next files while its parent is busy, where the system has such pipes."""
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415 - does not exist on Windows

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _no_start(why: str) -> IndexingError:
    return IndexingError(f"parser workers can't start: {why}", "Run `ctxcode doctor` to see what is missing.")
