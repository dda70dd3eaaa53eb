"""A Python process beside this one, and the pipes between the two."""

import os
import subprocess
import sys
from typing import BinaryIO


def started(program: str) -> "subprocess.Popen[bytes]":
    """Start a process that runs a line of Python, its standard input and output being pipes. Raises OSError."""
    # Not isolated (-I): what is installed for one user only has to be found; -P keeps the folder out.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """In such a process, keep the pipes away from anything that prints or reads, and return them."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return source, sink
