"""Which folders have changed: found out here, or by a copy of this process while this one looks at files.

Imports little: what is loaded when the copy is made, it holds too.
"""

import gc
import os
import signal
from array import array
from contextlib import suppress
from typing import BinaryIO

import msgspec

Times = list[tuple[str, tuple[int, int]]]
"""Names with the nanoseconds of the last changes of content and of status."""
Altered = tuple[str, int]
"""What has other times than it had, and the later of them; 0 where it has none."""

_LENGTH_BYTES = 4


def altered(known: Times, root: str) -> list[Altered]:
    """Return what has other times now than it had."""
    try:
        handle = os.open(root, os.O_RDONLY)
    except OSError:
        return [(name, 0) for name, _ in known]
    try:
        found = list[Altered]()
        for name, (changed, status_changed) in known:
            try:
                status = os.lstat(name or ".", dir_fd=handle)
            except OSError:
                found.append((name, 0))
                continue
            if status.st_mtime_ns != changed or status.st_ctime_ns != status_changed:
                found.append((name, max(status.st_mtime_ns, status.st_ctime_ns)))
        return found
    finally:
        os.close(handle)


class FoldersAside:
    """The other process. Where it is gone, or has learnt something else, whoever asks looks for himself."""

    def __init__(self, asking: BinaryIO, answers: BinaryIO) -> None:
        """Take the pipes to who runs ``answer``."""
        self._asking = asking
        self._answers = answers
        self._learnt: Times | None = None
        self._root = ""
        self._own: Times = []
        """What the one who asks looks at himself."""
        self._is_asked = False

    def learn(self, root: str, times: Times) -> None:
        """Say what there is to look at from now on: a list that stays as it is."""
        if times is not self._learnt:
            # Whoever waits for its answer to be taken takes in nothing.
            self.altered()
            # With a name that is no text nothing is learnt, nor with a time before the year 1678.
            with suppress(OSError, UnicodeEncodeError, OverflowError):
                stamps = array("q", [stamp for _, both in times for stamp in both])
                _write(self._asking, _encode(_Known(root, [name for name, _ in times], stamps.tobytes())))
                self._learnt, self._root = times, root

    def begin(self, times: Times, *, is_shared: bool = False) -> bool:
        """Begin to look; return False if this is not the list that was learnt last.

        Half of it is left to ``altered`` when it is shared, by who has nothing else to do meanwhile.
        """
        self.altered()
        if times is self._learnt:
            left = len(times) // 2 if is_shared else 0
            with suppress(OSError):
                _write(self._asking, _encode(left))
                self._own, self._is_asked = times[:left], True
        return self._is_asked

    def altered(self) -> list[Altered] | None:
        """Return what ``altered`` finds, None when that was not begun, or nobody is there any more."""
        if self._is_asked:
            self._is_asked = False
            own = altered(self._own, self._root) if self._own else []
            with suppress(OSError, ValueError):
                frame = _read(self._answers)
                if frame is not None:
                    return own + _found.decode(frame)
            self._learnt = None
        return None


class _Known(msgspec.Struct, array_like=True, frozen=True):
    """What to look at from now on."""

    root: str
    names: list[str]
    times: bytes
    """Two int64 each."""


_encode = msgspec.msgpack.Encoder().encode
_asked = msgspec.msgpack.Decoder(int | _Known)
"""What to look at, or from which of it on to look now."""
_found = msgspec.msgpack.Decoder(list[Altered])


def start() -> FoldersAside | None:
    """Return a copy of this process that looks at folders and ends with this one, None where there can't be one.

    To be called before there are threads: only the one that calls goes on in the copy.
    """
    asked, asking = os.pipe()
    answers, answering = os.pipe()
    try:
        is_copy = os.fork() == 0
    except OSError:
        for handle in (asked, asking, answers, answering):
            os.close(handle)
        return None
    if is_copy:
        try:
            # What the other process has open must end with it.
            for handle in (0, 1, 2, asking, answers):
                os.close(handle)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            gc.disable()
            with os.fdopen(asked, "rb") as source, os.fdopen(answering, "wb") as sink:
                answer(source, sink)
        finally:
            os._exit(0)
    os.close(asked)
    os.close(answering)
    return FoldersAside(os.fdopen(asking, "wb"), os.fdopen(answers, "rb"))


def answer(asked: BinaryIO, answers: BinaryIO) -> None:
    """Look as often as one is asked to, until nobody can ask any more."""
    root, times = "", Times()
    with suppress(OSError):
        while (frame := _read(asked)) is not None:
            asked_for = _asked.decode(frame)
            if isinstance(asked_for, int):
                _write(answers, _encode(altered(times[asked_for:], root)))
            else:
                stamps = iter(memoryview(asked_for.times).cast("q"))
                root = asked_for.root
                times = list(zip(asked_for.names, zip(stamps, stamps, strict=True), strict=True))


def _write(pipe: BinaryIO, frame: bytes) -> None:
    pipe.write(len(frame).to_bytes(_LENGTH_BYTES, "big") + frame)
    pipe.flush()


def _read(pipe: BinaryIO) -> bytes | None:
    """Return what was written at the other end, None at the end of it."""
    length = pipe.read(_LENGTH_BYTES)
    return pipe.read(int.from_bytes(length, "big")) if length else None
