"""A Python process beside this one, and the pipes between the two."""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import BinaryIO

BEHIND = 15
"""The niceness of work that nobody types into: where there are too few processors, keys come first. At 5 they waited
twice as long as without an index."""
AWAITED = 5
"""That of short work which what is to be seen first waits for."""


def started(program: str, *, niceness: int = 0) -> "subprocess.Popen[bytes]":
    """Start a process that runs a line of Python, its standard input and output being pipes. Raises OSError."""
    # Not isolated (-I): what is installed for one user only has to be found; -P keeps the folder out.
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if niceness:
        # From here, and not by the process itself: what it imports takes longer than all that follows.
        make_nice(process.pid, niceness)
    return process


def make_nice(process: int, niceness: int) -> None:
    """Let a process wait for others when not all can run."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)


def make_this_thread_nice(niceness: int) -> None:
    """Let this thread wait for others, where threads have priorities of their own; it never gets its old one back."""
    if sys.platform == "linux":
        make_nice(threading.get_native_id(), niceness)


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """In such a process, keep the pipes away from anything that prints or reads, and return them."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return source, sink
