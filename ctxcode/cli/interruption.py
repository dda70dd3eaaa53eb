"""What Ctrl+C does while this process loads what it needs. Imports nothing else: it is there before all that."""

import os
import signal
from types import FrameType

INTERRUPTED_EXIT_CODE = 130
_MESSAGE = b"ctxcode: Interrupted.\n"
_IMPORTING = "<frozen importlib._bootstrap>"


def end_in_imports() -> None:
    """From now on Ctrl+C ends the process at once while something is imported; else it raises, as before.

    An exception in the middle of an import shows a traceback or, raised in a weak reference's callback there, is
    ignored and leaves a lock held that other threads then wait for without end. Nothing is lost: all that has to last
    is stored before the next thing is done.
    """
    # Not where it is ignored, as in what a shell runs behind itself.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def leave_to_event_loop() -> None:
    """Let an event loop that is about to run take Ctrl+C: asyncio does only where nobody else has it."""
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_interrupted() -> None:
    """Say that the user ended it, and end."""
    try:
        os.write(2, _MESSAGE)
    finally:
        # Also where nobody reads that any more.
        os._exit(INTERRUPTED_EXIT_CODE)


def _interrupt(number: int, frame: FrameType | None) -> None:
    outer = frame
    while outer is not None:
        if outer.f_code.co_filename == _IMPORTING:
            end_interrupted()
        outer = outer.f_back
    signal.default_int_handler(number, frame)
