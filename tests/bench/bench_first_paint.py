"""First paint: ctxcode beside a minimal Textual app, in a real pseudo-terminal, in turn.

    python tests/bench/bench_first_paint.py REPOSITORY [RUNS]

Prints the time from process start to the first frame that shows text, for both, and their ratio (medians).
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

MINIMAL = """
from textual.app import App
from textual.widgets import Static, TextArea
class Minimal(App):
    def compose(self):
        yield Static("first-paint-marker")
        yield TextArea()
Minimal().run()
"""
DEADLINE_SECONDS = 20.0


def first_paint_seconds(command: list[str], marker: bytes) -> float:
    """Start a command in a terminal of 120 × 36 cells and return when its marker is written."""
    started = time.perf_counter()
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.execv(command[0], command)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    written = b""
    try:
        while marker not in written:
            if time.perf_counter() - started > DEADLINE_SECONDS:
                raise SystemExit(f"{command} did not paint {marker!r}: {written[-400:]!r}")
            if select.select([master], [], [], 0.5)[0]:
                written += os.read(master, 65536)
        return time.perf_counter() - started
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(master)


def main() -> None:
    repository, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    ctxcode = str(Path(sys.executable).with_name("ctxcode"))
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(
            XDG_CACHE_HOME=f"{home}/cache", XDG_DATA_HOME=f"{home}/data", XDG_CONFIG_HOME=f"{home}/config"
        )
        ours, minimal = [], []
        for _ in range(runs + 1):
            minimal.append(first_paint_seconds([sys.executable, "-c", MINIMAL], b"first-paint-marker"))
            ours.append(first_paint_seconds([ctxcode, repository], b"CTX"))
        a, b = statistics.median(ours[1:]), statistics.median(minimal[1:])
        print(f"first paint: ctxcode {a * 1000:.0f} ms, minimal Textual app {b * 1000:.0f} ms, ratio {a / b:.2f}")


if __name__ == "__main__":
    main()
