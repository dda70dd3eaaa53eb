"""The process that calls models, as the app sees it: started when needed, ended when idle, replaced when it died."""

import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import IO, cast

from ctxcode.llm.aside.messages import (
    Answer,
    Call,
    Check,
    Embed,
    Embedded,
    Ended,
    Failed,
    Known,
    Load,
    Stop,
    Wish,
    answer_in,
    line_of,
)
from ctxcode.llm.aside.pipes import started
from ctxcode.model import errors
from ctxcode.model.chat import ModelRequest
from ctxcode.model.errors import ModelError, ModelUnreachableError

_PROGRAM = "from ctxcode.llm.aside.main import main; main()"
IDLE_SECONDS = 300.0
"""Without a call it ends after that: what it holds is more than all else. The first key typed later starts another."""
Hear = Callable[[Answer], None]
"""Is called in a thread of its own with each answer."""


class ModelProcess:
    """Calls models elsewhere: what they are called with takes 170 MB and, once, seconds of processor time."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        """Start nothing yet."""
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._line: _Line | None = None

    @property
    def id(self) -> int | None:
        """The process's id, None when none is running."""
        line = self._line
        return line.id if line is not None and line.is_open else None

    def load(self) -> None:
        """Have everything ready for the first call; blocks for seconds, or until ``close``. Raises ModelError."""
        answers = SimpleQueue[Answer]()
        line = self._tell(Load(next(self._numbers)), answers.put)
        answer = answers.get()
        if isinstance(answer, Failed) and line is self._line:
            raise error_of(answer)

    def check(self, model: Known) -> None:
        """Find out whether a model's provider is one; blocks as ``load`` does. Raises ModelError."""
        answers = SimpleQueue[Answer]()
        self._tell(Check(next(self._numbers), model), answers.put)
        answer = answers.get()
        if isinstance(answer, Failed):
            raise error_of(answer)

    def prepare(self) -> None:
        """Have it started and loaded soon, when it is not; what goes wrong is told by the call that needs it."""
        if self.id is None:
            with suppress(ModelError):
                self._tell(Load(next(self._numbers)), lambda _answer: None)

    def call(self, model: Known, request: ModelRequest, hear: Hear) -> Callable[[], None]:
        """Begin a reply; return what ends it early. May block while the process starts. Raises ModelError."""
        number = next(self._numbers)
        line = self._tell(Call(number, model, request), hear)
        return lambda: line.stop(number)

    def embed(self, model: Known, texts: tuple[str, ...], hear: Hear) -> Callable[[], None]:
        """Begin to make vectors; return what ends it early. May block while the process starts. Raises ModelError."""
        number = next(self._numbers)
        line = self._tell(Embed(number, model, texts), hear)
        return lambda: line.stop(number)

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.end()

    def _tell(self, wish: Load | Check | Call | Embed, hear: Hear) -> "_Line":
        line = self._open()
        while not line.tell(wish, hear):
            line = self._open()
        return line

    def _open(self) -> "_Line":
        with self._lock:
            if self._line is None or not self._line.is_open:
                self._line = _Line(self._idle_seconds)
            return self._line


class _Line:
    """One such process and the pipes to it. Raises ModelError when it can't start."""

    def __init__(self, idle_seconds: float) -> None:
        try:
            self._process = started(_PROGRAM)
        except OSError as error:
            reason = f"The process that calls models can't start: {error.strerror or error}."
            raise ModelError(reason, "Try again; the offline navigator works without it.") from error
        self.id = self._process.pid
        self.is_open = True
        self._idle_seconds = idle_seconds
        self._has_retired = False
        self._lock = threading.Lock()
        self._hearers: dict[int, Hear] = {}
        self._waiting: threading.Timer | None = None
        self._said = SimpleQueue[bytes | None]()
        sink, source = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        # A request may be larger than a pipe holds, and whoever sends it must not wait.
        threading.Thread(target=self._speak, args=(sink,), name="ctxcode-models-out", daemon=True).start()
        threading.Thread(target=self._listen, args=(source,), name="ctxcode-models-in", daemon=True).start()

    def tell(self, wish: Load | Check | Call | Embed, hear: Hear) -> bool:
        """Ask for something; who hears of it hears to the end, also when that is the end of the process.

        False, and nothing is asked, when it has just ended for want of work.
        """
        with self._lock:
            if self._has_retired:
                return False
            if self.is_open:
                self._hearers[wish.number] = hear
                self._say(wish)
                self._wait_for_work()
                return True
        hear(self._gone(wish.number))
        return True

    def stop(self, number: int) -> None:
        """End a reply that has not ended."""
        with self._lock:
            if self._hearers.pop(number, None) is not None:
                self._say(Stop(number))
                self._wait_for_work()

    def _wait_for_work(self) -> None:
        """Count the time anew in which nothing is asked for."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if self.is_open and not self._hearers:
            self._waiting = threading.Timer(self._idle_seconds, self._retire)
            self._waiting.daemon = True
            self._waiting.start()

    def _retire(self) -> None:
        with self._lock:
            if self._hearers:
                return
            self.is_open, self._has_retired = False, True
        self.end()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._said.put(None)

    def _say(self, wish: Wish) -> None:
        self._said.put(line_of(wish))

    def _speak(self, pipe: IO[bytes]) -> None:
        # When the process is gone, whoever listens to it hears so.
        with suppress(OSError), pipe:
            while (line := self._said.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _listen(self, pipe: IO[bytes]) -> None:
        """Hand on what the process says; nonsense is its end too."""
        with pipe, suppress(OSError, ValueError):
            for line in pipe:
                answer = answer_in(line)
                with self._lock:
                    is_last = isinstance(answer, Ended | Embedded | Failed)
                    hear = (self._hearers.pop if is_last else self._hearers.get)(answer.number, None)
                    if is_last:
                        self._wait_for_work()
                if hear is not None:
                    hear(answer)
        self.end()
        with self._lock:
            self.is_open = False
            left, self._hearers = self._hearers, {}
            self._wait_for_work()
        for number, hear in left.items():
            hear(self._gone(number))

    def _gone(self, number: int) -> Failed:
        code = self._process.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        words = f"The process that calls models ended by itself ({how})."
        return Failed(number, ModelUnreachableError.__name__, words, "Send the message again: it is started anew.")


def error_of(failed: Failed) -> ModelError:
    """Return the error that was told."""
    kind = getattr(errors, failed.kind, ModelError)
    is_known = isinstance(kind, type) and issubclass(kind, ModelError)
    return (kind if is_known else ModelError)(failed.words, failed.hint)
