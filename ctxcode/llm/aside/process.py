"""The process that calls models, as the app sees it: started when first needed, and again when it has died."""

import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import IO, cast

from ctxcode.llm.aside.messages import (
    Answer,
    Call,
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
Hear = Callable[[Answer], None]
"""Is called in a thread of its own with each answer."""


class ModelProcess:
    """Calls models elsewhere: what they are called with takes 170 MB and, once, seconds of processor time."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._line: _Line | None = None

    @property
    def id(self) -> int | None:
        """The process's id, None when none is running."""
        line = self._line
        return line.id if line is not None and line.is_open else None

    def load(self) -> None:
        """Have everything ready for the first call; blocks for seconds. Raises ModelError."""
        answers = SimpleQueue[Answer]()
        number = next(self._numbers)
        self._open().tell(Load(number), answers.put)
        answer = answers.get()
        if isinstance(answer, Failed):
            raise error_of(answer)

    def call(self, model: Known, request: ModelRequest, hear: Hear) -> Callable[[], None]:
        """Begin a reply; return what ends it early. May block while the process starts. Raises ModelError."""
        line, number = self._open(), next(self._numbers)
        line.tell(Call(number, model, request), hear)
        return lambda: line.stop(number)

    def embed(self, model: Known, texts: tuple[str, ...], hear: Hear) -> Callable[[], None]:
        """Begin to make vectors; return what ends it early. May block while the process starts. Raises ModelError."""
        line, number = self._open(), next(self._numbers)
        line.tell(Embed(number, model, texts), hear)
        return lambda: line.stop(number)

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.end()

    def _open(self) -> "_Line":
        with self._lock:
            if self._line is None or not self._line.is_open:
                self._line = _Line()
            return self._line


class _Line:
    """One such process and the pipes to it. Raises ModelError when it can't start."""

    def __init__(self) -> None:
        try:
            self._process = started(_PROGRAM)
        except OSError as error:
            reason = f"The process that calls models can't start: {error.strerror or error}."
            raise ModelError(reason, "Try again; the offline navigator works without it.") from error
        self.id = self._process.pid
        self.is_open = True
        self._lock = threading.Lock()
        self._hearers: dict[int, Hear] = {}
        self._said = SimpleQueue[bytes | None]()
        sink, source = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        # A request may be larger than a pipe holds, and whoever sends it must not wait.
        threading.Thread(target=self._speak, args=(sink,), name="ctxcode-models-out", daemon=True).start()
        threading.Thread(target=self._listen, args=(source,), name="ctxcode-models-in", daemon=True).start()

    def tell(self, wish: Load | Call | Embed, hear: Hear) -> None:
        """Ask for something; who hears of it hears to the end, also when that is the end of the process."""
        with self._lock:
            if self.is_open:
                self._hearers[wish.number] = hear
                self._say(wish)
                return
        hear(self._gone(wish.number))

    def stop(self, number: int) -> None:
        """End a reply that has not ended."""
        with self._lock:
            if self._hearers.pop(number, None) is not None:
                self._say(Stop(number))

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
                if hear is not None:
                    hear(answer)
        self.end()
        with self._lock:
            self.is_open = False
            left, self._hearers = self._hearers, {}
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
