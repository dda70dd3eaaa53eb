"""One process indexes much at a time: the others wait for it, and find done what it has done."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from ctxcode.session.index.ports import Turn
from ctxcode.session.ports import Clock, IndexProgress

ELSEWHERE = "elsewhere"
"""The phase in which another process indexes."""
_MOST_SILENT_SECONDS = 60.0
"""Who tells nothing new for so long puts very much together, or is stopped: it is waited for no longer."""
_LOOK_SECONDS = 0.1
_TELL_SECONDS = 0.25
"""How long the others are told nothing new within a phase: whatever is told is a file that is written."""
_LEAST_FILES = 100
"""Fewer are parsed sooner than it is found out who else does."""


class NotInTurnError(Exception):
    """Another process indexes, or has indexed meanwhile: what there is to do is to be found anew."""


class IndexTurn:
    """This process's turn within one refresh; given up with it."""

    def __init__(self, turn: Turn, clock: Clock, progress: IndexProgress, *, is_pressing: bool) -> None:
        """Take the right, what counts seconds, who is told how far the refresh is, and whether somebody waits."""
        self._turn = turn
        self._clock = clock
        self._progress = progress
        self._is_pressing = is_pressing
        self._is_begun = self._is_had = False
        self._told = ("", 0.0)
        """The phase that the others have been told of, and when they heard of it last."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turn.give_up()

    def begin(self, files: int, is_as_before: Callable[[], bool]) -> None:
        """Begin to parse so many files, of which ``is_as_before`` says whether nobody else has published meanwhile.

        Raises NotInTurnError, after which ``wait`` is called; once only.
        """
        if files < _LEAST_FILES or self._is_begun:
            return
        self._is_had = self._turn.take(is_pressing=self._is_pressing)
        if not (self._is_had and is_as_before()):
            raise NotInTurnError
        self._is_begun = True

    def wait(self, is_cancelled: Callable[[], bool]) -> None:
        """Wait for this process's turn: not when nobody wants the refresh, nor for who gives no sign of life."""
        heard, since = self._turn.heard(), self._clock()
        while not (self._is_had or is_cancelled() or self._clock() - since > _MOST_SILENT_SECONDS):
            # Nothing is heard while it is being written.
            if (words := self._turn.heard()) not in {"", heard}:
                heard, since = words, self._clock()
            self._progress(*_counts(heard), ELSEWHERE)
            time.sleep(_LOOK_SECONDS)
            self._is_had = self._turn.take(is_pressing=self._is_pressing)
        # Nobody is waited for twice.
        self._is_begun = True

    def is_wished(self) -> bool:
        """Return whether another process waits for this one's end, and somebody for that process."""
        return self._is_had and self._turn.is_wished()

    def note(self, done: int, total: int, phase: str) -> None:
        """Tell how far the refresh is; who waits for it hears of a new phase at once, of all else from time to time."""
        if self._is_had:
            now, (told, at_seconds) = self._clock(), self._told
            if phase != told or now - at_seconds >= _TELL_SECONDS:
                self._turn.tell(f"{done} {total} {phase}")
                self._told = phase, now
        self._progress(done, total, phase)


def _counts(heard: str) -> tuple[int, int]:
    """Return files done and files in all; nothing of what makes no sense."""
    words = heard.split()
    if len(words) == 3 and words[0].isdecimal() and words[1].isdecimal() and len(heard) < 100:
        done, total = int(words[0]), int(words[1])
        return min(done, total), total
    return 0, 0
