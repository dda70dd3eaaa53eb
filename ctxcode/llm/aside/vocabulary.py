"""A vocabulary that is prepared in a process of its own, when it has never been, so that no key waits for it."""

import json
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, cast

from ctxcode.llm.aside.pipes import AWAITED, started
from ctxcode.llm.counting.quick_tokens import QuickCounter
from ctxcode.llm.counting.tokens import TiktokenCounter
from ctxcode.model.errors import CtxcodeError

if TYPE_CHECKING:
    import subprocess

_PROGRAM = "from ctxcode.llm.aside.vocabulary import main; main()"


class CounterAside:
    """Counts like ``QuickCounter``; preparing its vocabulary takes a fifth of a second in which keys would wait."""

    def __init__(self, exact: TiktokenCounter, cache_folder: Path) -> None:
        """Take what ``QuickCounter`` takes; nothing is started yet."""
        self._exact = exact
        self._folder = cache_folder
        self._counter = QuickCounter(exact, cache_folder)
        self._lock = Lock()
        self._is_prepared = False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def id(self) -> str:
        """The tokenizer's name."""
        return self._counter.id

    def count(self, text: str) -> int:
        """Return the number of tokens; the first call blocks. Raises CtxcodeError as ``QuickCounter`` does."""
        if not self._is_prepared:
            self._prepare()
        return self._counter.count(text)

    def begin(self) -> None:
        """Begin to prepare, if that was never done; returns at once."""
        with self._lock, suppress(OSError):
            if self._process is None and not any(self._folder.glob(f"{self.id}-*")):
                wanted = [self.id, str(self._exact.folder or ""), str(self._folder)]
                self._process = started(_PROGRAM, niceness=AWAITED)
                pipe = cast("IO[bytes]", self._process.stdin)
                with pipe:
                    pipe.write(json.dumps(wanted).encode())

    def _prepare(self) -> None:
        """Have the files made; what can't be is made here, or it is said why not, when the first text is counted."""
        self.begin()
        with self._lock, suppress(OSError):
            if self._process is not None:
                with self._process:
                    self._process.wait()
        self._is_prepared = True


def main() -> None:
    """Prepare what standard input names."""
    tokenizer, place, folder = json.load(sys.stdin)
    with suppress(CtxcodeError):
        QuickCounter(TiktokenCounter(tokenizer, folder=Path(place) if place else None), Path(folder)).count("")
