"""The first scaffold of a repository that was never indexed, on the screen of the app, beside a bare parse of it.

    python tests/bench/bench_first_scaffold.py REPOSITORY [RUNS]

The app runs in a real pseudo-terminal with an empty cache; F2 opens the overlay as soon as the first frame is there.
Prints the seconds from the start of the process to the module tree and to the plan of the whole index (medians), and
their ratios to the CPU seconds of parsing all its files with tree-sitter and nothing else.
"""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_index import raw_parse

OPEN = b"\x1bOQ"
FIRST_FRAME, TREE, WHOLE = b"CTX", b"module tree", b"index up to date"
DEADLINE_SECONDS = 120.0


def seconds_to(command: list[str], environment: dict[str, str], markers: tuple[bytes, ...]) -> list[float]:
    """Start the app, open the overlay and return when each marker was written, one after the other."""
    started = time.perf_counter()
    pid, master = pty.fork()
    if pid == 0:
        os.execve(command[0], command, environment)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))
    written, found = b"", list[float]()
    try:
        while len(found) < len(markers):
            now = time.perf_counter() - started
            if now > DEADLINE_SECONDS:
                raise SystemExit(f"{markers[len(found)]!r} never came: {written[-400:]!r}")
            if select.select([master], [], [], 0.5)[0]:
                written += os.read(master, 65_536)
            while len(found) < len(markers) and markers[len(found)] in written:
                written = b""
                found.append(time.perf_counter() - started)
                if len(found) == 1:
                    os.write(master, OPEN)
        return found
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(master)


def main() -> None:
    repository, runs = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    command = [str(Path(sys.executable).with_name("ctxcode")), str(repository)]
    raw, looks, wholes = list[float](), list[float](), list[float]()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}" for kind in ("CACHE", "DATA", "CONFIG", "STATE")}
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color", **folders}
            _, look, whole = seconds_to(command, environment, (FIRST_FRAME, TREE, WHOLE))
        raw.append(raw_parse(repository))
        looks.append(look)
        wholes.append(whole)
    bare, look, whole = (statistics.median(column) for column in (raw, looks, wholes))
    print(f"bare parse {bare:.2f} s; first scaffold on screen after {look:.2f} s, {look / bare:.2f} times that")
    print(f"whole index after {whole:.2f} s, {whole / bare:.2f} times that")


if __name__ == "__main__":
    main()
