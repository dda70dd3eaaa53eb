"""A real terminal for tests: the installed command in a tmux window of its own server."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from used_home import use_home

TMUX = shutil.which("tmux")
CTXCODE = Path(sys.executable).with_name("ctxcode")
DEADLINE_SECONDS = 30.0
EXIT_MARK = "ended with exit code"
PLAIN_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


@dataclass(frozen=True, slots=True)
class Terminal:
    """One tmux session of 120 × 36 cells or as asked."""

    server: str

    def tmux(self, *words: str) -> str:
        """Run a tmux command on this server and return its output."""
        command = [str(TMUX), "-L", self.server, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=PLAIN_ENVIRONMENT).stdout

    def keys(self, *keys: str) -> None:
        """Press keys by tmux's names."""
        self.tmux("send-keys", "-t", "main", *keys)

    def type(self, text: str) -> None:
        """Type a text literally."""
        self.tmux("send-keys", "-t", "main", "-l", text)

    def paste(self, text: str, *, bracketed: bool = True) -> None:
        """Paste a text the way terminals do, or those that know no brackets."""
        self.tmux("set-buffer", text)
        self.tmux("paste-buffer", *(["-p"] if bracketed else []), "-t", "main")

    def screen(self) -> str:
        """Return what the terminal shows."""
        return self.tmux("capture-pane", "-p", "-t", "main")

    def expect(self, text: str, *, gone: bool = False, seconds: float = DEADLINE_SECONDS) -> str:
        """Return the screen as soon as it shows a text (or no longer does). Raises AssertionError at the deadline."""
        deadline = time.monotonic() + seconds
        pause = threading.Event()
        while True:
            shown = self.screen()
            if (text in shown) is not gone:
                return shown
            if time.monotonic() > deadline:
                raise AssertionError(f"{text!r} {'did not go' if gone else 'did not come'}:\n{shown}")
            pause.wait(0.05)

    def processes(self) -> list[int]:
        """Return the ids of the command's own processes, without those it started in turn."""
        return self.children(int(self.tmux("display-message", "-p", "-t", "main", "#{pane_pid}")))

    @staticmethod
    def children(parent: int) -> list[int]:
        """Return the ids of the processes that a process has started itself."""
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        return [int(line.split()[0]) for line in listed.splitlines() if int(line.split()[1]) == parent]

    def wait_for_exit(self) -> int:
        """Return the command's exit code as soon as it has ended. Raises AssertionError at the deadline."""
        return int(self.expect(EXIT_MARK).rpartition(EXIT_MARK)[2].split()[0])


@contextmanager
def terminal(
    command: list[str],
    *,
    environment: Mapping[str, str],
    columns: int = 120,
    rows: int = 36,
    folder: Path | None = None,
    settings: Path = Path(os.devnull),
) -> Iterator[Terminal]:
    """Run a command in a new tmux server, with tmux's own ``settings``, and end the server afterwards."""
    made = Terminal(f"ctxcode-test-{uuid4().hex[:8]}")
    variables = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
    size = ["-x", str(columns), "-y", str(rows)]
    place = ["-c", str(folder)] if folder is not None else []
    # tmux 3.3 sometimes forgets a dead pane's status, so the shell that started the command tells it.
    told = ["sh", "-c", f'"$@"; echo "{EXIT_MARK} $?"; exec sleep 600', "sh", *command]
    made.tmux("-f", str(settings), "new-session", "-d", "-s", "main", *size, *place, *variables, *told)
    try:
        yield made
    finally:
        made.tmux("kill-server")


def wait_until_gone(processes: list[int], seconds: float = DEADLINE_SECONDS) -> None:
    """Return as soon as none of the processes is left. Raises AssertionError at the deadline."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while left := [process for process in processes if _is_running(process)]:
        assert time.monotonic() < deadline, f"still running: {left}"
        pause.wait(0.05)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def private_home(folder: Path) -> dict[str, str]:
    """Return an environment in which the product keeps everything below one folder, where it ran before."""
    use_home(folder)
    return {
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PATH": os.environ.get("PATH", ""),
        "LANG": "C.UTF-8",
    }
