"""Runs one command as a process of its own and ends all it started: a script for a bare interpreter, nothing of ours.

``python -I -S supervisor.py COUNT PATH… PROGRAM ARGUMENT…``. Standard input is a leash: when it closes, or our parent
dies, which closes it, everything below this process is killed. So it is when the command itself ends: nothing is left
running. The ``COUNT`` paths are what the sandbox has to create; what is empty of them is taken away at the end.
The exit code is the command's, 128 + the signal's number where a signal ended it, 126 or 127 where it never began.
"""

import contextlib
import ctypes
import os
import pathlib
import select
import signal
import stat
import sys

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER: what loses its parent becomes our child, however often it forked."""
_ROUNDS = 200


def main() -> int:
    """Run the command; return its exit code."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    count = int(sys.argv[1])
    made, words = sys.argv[2 : 2 + count], sys.argv[2 + count :]
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(waker)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    child = os.fork()
    if child == 0:
        _become(words)
    status = None
    while status is None:
        ready, _, _ = select.select([0, wake], [], [])
        if 0 in ready:
            break
        if set(os.read(wake, 512)) - {signal.SIGCHLD}:
            break
        status = _reaped(child)
    ended = _end_all(child)
    sweep(made)
    return _code(status if status is not None else ended)


def sweep(paths: list[str]) -> None:
    """Take away folders and files that are empty."""
    for path in paths:
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            if stat.S_ISDIR(status.st_mode):
                os.rmdir(path)  # noqa: PTH106 - only when empty
            elif stat.S_ISREG(status.st_mode) and status.st_size == 0:
                os.unlink(path)  # noqa: PTH108


def _become(words: list[str]) -> None:
    """Turn the child into the command, in a session of its own, without a terminal and with nothing to read."""
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.closerange(3, 256)
        os.execvp(words[0], words)  # noqa: S606 - the user approved exactly this
    except FileNotFoundError:
        os.write(2, f"{words[0]}: not found\n".encode("utf-8", "replace"))
        os._exit(127)
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode("utf-8", "replace"))
        os._exit(126)


def _reaped(child: int) -> int | None:
    """Bury everything that ended; return the command's own status if it is among it."""
    status = None
    while True:
        try:
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == child:
            status = ended


def _end_all(child: int) -> int | None:
    """Kill the command's group and all that came from it, until nothing is left."""
    status = None
    for _ in range(_ROUNDS):
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for pid in _descendants():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == child:
            status = ended
        if pid == 0:
            select.select([], [], [], 0.005)
    return status


def _descendants() -> list[int]:
    """Return every process below this one, as far as /proc tells."""
    parents: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - numbers, no paths
            if name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    said = pathlib.Path(f"/proc/{name}/stat").read_bytes()
                    parents[int(name)] = int(said.rpartition(b")")[2].split()[1])
    found, newest = set[int](), {os.getpid()}
    while newest:
        newest = {pid for pid, parent in parents.items() if parent in newest and pid not in found}
        found |= newest
    return sorted(found)


def _code(status: int | None) -> int:
    if status is None:
        return 137
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


if __name__ == "__main__":
    os._exit(main())
