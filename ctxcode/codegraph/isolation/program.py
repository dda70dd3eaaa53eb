"""Starts the program of a worker process; imported before everything else, so it imports little."""

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = "from ctxcode.codegraph.worker import main; main()"
_PASSED_ON = (
    "PATH",
    "HOME",
    "APPDATA",
    "SYSTEMROOT",
    "TEMP",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
)
"""A worker needs no other part of the environment, least of all the user's keys; what is installed for one user only is
looked for in the home."""


def start_program() -> "subprocess.Popen[bytes]":
    """Return a new process that waits for its set-up, and ends when its input does. Raises OSError."""
    return subprocess.Popen(
        # Not isolated (-I): what is installed for one user only has to be found. -P keeps the folder out.
        [sys.executable, "-E", "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).anchor,
        env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def end_program(program: "subprocess.Popen[bytes]") -> None:
    """Kill a process that was never used."""
    program.kill()
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            stream.close()
    program.wait()
