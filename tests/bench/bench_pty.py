"""How long a key takes to be painted under load, in a real pseudo-terminal.

    python tests/bench/bench_pty.py REPOSITORY [COPIES] [SECONDS]

The load: a session of 1,000 messages, an answer that streams 100 words a second into it, and an index being built over
COPIES (2) of the repository. Keys are typed 4 times a second into the app, and in between into a minimal Textual app
that runs beside it, for SECONDS (30); a key counts as painted when its letter is written to the terminal. Prints
percentiles in milliseconds, for the minimal app alone first: on a busy machine it tells what is not the app's. Then the
memory of the app, and of it with its processes: resident, and with what is shared counted once. Last, without the load,
the most CPU that one callback of the event loop took after some keys, a resize and 200 resizes one upon the other; the
least and the most of five times. The last turns of the session hold the largest results tools give, fences of 100 KB.
"""

import asyncio
import fcntl
import os
import pty
import random
import shutil
import signal
import struct
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scripted_model import MARKDOWN, ScriptedServer, serving

from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolStatus
from ctxcode.model.event import ReplyFinished, SessionStarted, ToolAnswered, ToolsCalled, TurnCompleted, TurnStarted
from ctxcode.model.ids import SessionId
from ctxcode.model.plan import ContextMode

MINIMAL = """
from textual.app import App
from textual.widgets import Static, TextArea
class Minimal(App):
    def compose(self):
        yield Static("CTX")
        yield TextArea()
    def on_mount(self):
        self.query_one(TextArea).focus()
Minimal().run()
"""
TIMED = """
import asyncio.events, sys, time
from ctxcode.cli.main import main
run, taken = asyncio.events.Handle._run, open(sys.argv.pop(1), "w", buffering=1)
def timed(handle):
    started = time.thread_time()
    run(handle)
    taken.write(f"{1000 * (time.thread_time() - started)}\\n")
asyncio.events.Handle._run = timed
sys.exit(main())
"""
"""The app, writing down how many milliseconds of CPU each callback of its event loop took."""
ACTS = {
    "F2": b"\x1bOQ",
    "F2 again": b"\x1bOQ",
    "Ctrl+O": b"\x0f",
    "Ctrl+O again": b"\x0f",
    "F1": b"\x1bOP",
    "Esc": b"\x1b",
    "palette": b"\x10",
    "Esc again": b"\x1b",
}
ROUNDS, ACT_SECONDS = 5, 1.0
RESIZES, RESIZE_SECONDS = 200, 0.005
TURNS, LARGE_TURNS = 500, 12
"""A question and an answer each."""
RESULT = "".join(f"{line}: def name_{line}(argument): return argument\n" for line in range(110))
FENCE = "```python\n" + "".join(f"value_{line} = 'text {line}'  # comment\n" for line in range(3_000)) + "```\n"
LARGE_ANSWERS = (FENCE, MARKDOWN * 12, MARKDOWN)
LETTERS = "абвгдежзиклмнопрстуфхцчшщэюя"
"""Nothing else on the screen is written with them."""
KEY_SECONDS = 0.125
LOST_SECONDS = 3.0
CLEAR = b"\x15"


def memory_mib(process: int, name: str) -> float:
    """Return a process's memory by one of the names in its status."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024


def proportional_mib(process: int) -> float:
    """Return a process's memory with its share of what it shares."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(rollup.partition("\nPss:")[2].split()[0]) / 1024


@dataclass(slots=True)
class Window:
    """The app in a pseudo-terminal of 120 × 36 cells; a thread reads what it writes."""

    pid: int
    master: int
    written: bytearray = field(default_factory=bytearray)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def read(self) -> None:
        """Read until the app ends."""
        while True:
            try:
                data = os.read(self.master, 65_536)
            except OSError:
                return
            with self.arrived:
                self.written += data
                self.arrived.notify_all()

    def seconds_until(self, marker: bytes, seconds: float) -> float | None:
        """Return after how many seconds a marker is written; None when it is not in time."""
        started = time.perf_counter()
        with self.arrived:
            found = self.arrived.wait_for(lambda: marker in self.written, seconds)
        return time.perf_counter() - started if found else None

    def press(self, keys: bytes) -> None:
        """Press keys; forget what was written before."""
        with self.arrived:
            self.written.clear()
        os.write(self.master, keys)

    def memory_mib(self, name: str) -> float:
        """Return the app's resident memory, now (``VmRSS``) or at most (``VmHWM``)."""
        return memory_mib(self.pid, name)


def family(process: int) -> list[int]:
    """Return a process and all that descend from it."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [process, *(one for child in children for one in family(child))]


def opened(command: list[str], environment: dict[str, str]) -> Window:
    """Start the app."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(command[0], command, environment)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    window = Window(pid, master)
    threading.Thread(target=window.read, daemon=True).start()
    if window.seconds_until(b"CTX", 60) is None:
        raise SystemExit("the app did not paint")
    return window


def end(window: Window) -> None:
    """End the app."""
    os.kill(window.pid, signal.SIGTERM)
    os.waitpid(window.pid, 0)


def milliseconds(windows: list[Window], seconds: float) -> list[list[float]]:
    """Type letters for some seconds, each into all windows in turn; return how long each took to be painted."""
    taken: list[list[float]] = [[] for _ in windows]
    pause = threading.Event()
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for letter in LETTERS:
            for window, times in zip(windows, taken, strict=True):
                window.press(letter.encode())
                painted = window.seconds_until(letter.encode(), LOST_SECONDS)
                times.append(1000 * (LOST_SECONDS if painted is None else painted))
                pause.wait(max(0.0, KEY_SECONDS - times[-1] / 1000))
        for window in windows:
            window.press(CLEAR)
            pause.wait(KEY_SECONDS)
    return taken


def told(name: str, taken: list[float]) -> None:
    ordered = sorted(taken)
    points = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99)]
    lost = sum(one >= 1000 * LOST_SECONDS for one in taken)
    print(f"{name:<20} {len(taken)} keys  p50 {points[0]:.0f}  p95 {points[1]:.0f}  p99 {points[2]:.0f} ", end="")
    print(f"max {ordered[-1]:.0f} ms  lost {lost}")


def write_session(repository: Path, environment: dict[str, str]) -> None:
    """Journal a session of 1,000 messages."""
    journal = open_application(repository, overrides={}, environment=environment).adapters.journal
    session, now = SessionId("bench"), time.time()
    journal.append(session, SessionStarted(session, ContextMode.LIGHT, "openai/script-drip"), now)
    for turn in range(1, TURNS + 1):
        journal.append(
            session, TurnStarted(turn, f"question {turn}: where does the retry live, and who calls it?"), now
        )
        answer = MARKDOWN
        if turn > TURNS - LARGE_TURNS:
            call = ToolCall(f"call{turn}", "read_file", '{"path": "large.py"}')
            journal.append(session, ToolsCalled(turn, 0, "", (call,)), now)
            journal.append(session, ToolAnswered(turn, 0, call, ToolResult(ToolStatus.OK, RESULT)), now)
            answer = LARGE_ANSWERS[turn % len(LARGE_ANSWERS)]
        journal.append(session, ReplyFinished(turn, answer, "openai/script-drip"), now)
        journal.append(session, TurnCompleted(turn, StoppedBy.ANSWER), now)


def tell_callbacks(command: list[str], environment: dict[str, str], written: Path) -> None:
    """Print the greatest callback of each act in the session as it was left."""
    window = opened([sys.executable, "-c", TIMED, str(written), *command[1:], "-c"], environment)
    pause = threading.Event()
    pause.wait(10 * ACT_SECONDS)
    greatest: dict[str, list[float]] = {}

    def note(act: str, begin: Callable[[], object]) -> None:
        before = written.stat().st_size
        begin()
        pause.wait(ACT_SECONDS)
        lines = written.read_text()[before:].split()
        greatest.setdefault(act, []).append(max(map(float, lines), default=0.0))

    def resize(cells: int, rows: int) -> None:
        fcntl.ioctl(window.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cells, 0, 0))

    def resize_often() -> None:
        for cells, rows in sizes[:RESIZES]:
            resize(cells, rows)
            pause.wait(RESIZE_SECONDS)

    sizes = [(cells, rows) for cells in range(60, 201, 10) for rows in range(20, 61, 2)]
    for turn in range(ROUNDS):
        for act, keys in ACTS.items():
            note(act, partial(window.press, keys))
        random.Random(turn).shuffle(sizes)
        note("resizes", resize_often)
        resize(120, 36)
        pause.wait(ACT_SECONDS)
        note("resize", partial(resize, 113, 36))
        resize(120, 36)
        pause.wait(ACT_SECONDS)
    for act, taken in greatest.items():
        print(f"greatest callback, {act:<12} {min(taken):.0f} to {max(taken):.0f} ms of CPU")
    end(window)


def measure(repository: Path, copies: int, seconds: float, url: str) -> None:
    """Measure the app alone, then under load."""
    with tempfile.TemporaryDirectory() as home:
        large = Path(home) / "large"
        for number in range(copies):
            shutil.copytree(repository, large / f"copy{number}", symlinks=True)
        folders = {f"XDG_{name}_HOME": f"{home}/{name.lower()}" for name in ("CACHE", "DATA", "CONFIG", "STATE")}
        known = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "OPENAI_API_KEY": "none"}
        environment = {**known, **folders, "HOME": home, "PATH": os.environ["PATH"]}
        write_session(large, environment)
        minimal = opened([sys.executable, "-c", MINIMAL], environment)
        told("minimal, alone", milliseconds([minimal], seconds)[0])
        ctxcode = str(Path(sys.executable).with_name("ctxcode"))
        command = [ctxcode, str(large), "--model", "openai/script-drip", "--api-base", url]
        window = opened(command, environment)
        window.seconds_until(b"question 500", 60)
        # Index and answer begin together; the answer waits for the index to be read once.
        window.press(b"go on\r")
        for load, sign in (("indexing", b""), ("streaming", b"word1")):
            window.seconds_until(sign, 600)
            ours, others = milliseconds([window, minimal], seconds)
            told(load, ours)
            told("minimal, beside it", others)
        print(
            f"resident memory {window.memory_mib('VmRSS'):.0f} MiB, at most {window.memory_mib('VmHWM'):.0f} MiB",
            end="",
        )
        processes = family(window.pid)
        print(f"; with its processes {sum(memory_mib(one, 'VmRSS') for one in processes):.0f} MiB", end="")
        print(f", what they share counted once {sum(map(proportional_mib, processes)):.0f} MiB")
        end(minimal)
        end(window)
        tell_callbacks(command, environment, Path(home) / "callbacks")


async def bench(repository: Path, copies: int, seconds: float) -> None:
    async with serving(ScriptedServer("drip", drip_seconds=0.01)) as server:
        await asyncio.to_thread(measure, repository, copies, seconds, server.base_url)


if __name__ == "__main__":
    numbers = [float(word) for word in sys.argv[2:]] + [2.0, 30.0][len(sys.argv) - 2 :]
    asyncio.run(bench(Path(sys.argv[1]).resolve(), int(numbers[0]), numbers[1]))
