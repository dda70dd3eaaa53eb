"""From a changed file to the planned request, as the app does it: its index process, its session, its planner, and no
search for garbage while somebody waits.

    python tests/bench/bench_fresh_plan.py GIT_REPOSITORY [RUNS [FILE]]

Works on a copy. One file is changed, then a question is asked at once: the time from there to the planned request, and
how soon the index lets the plan begin. Before every change the work tree has been at rest for longer than file
systems need to tell two changes apart, and the index is up to date.
"""

import asyncio
import gc
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ctxcode.bootstrap.application import Use, open_application
from ctxcode.bootstrap.aside.indexing import IndexingAside
from ctxcode.model.event import ContextPlanned, TurnStarted
from ctxcode.model.source import IndexReport
from ctxcode.session.ports import IndexProgress
from ctxcode.session.session import Session
from ctxcode.tui.terminal.collector import IdleCollector
from ctxcode.workspace.ignore import SETTLED_NS

QUESTION = "how does the query decide between an inner and a left outer join"
MADE = {
    ".py": "\ndef brand_new_{}(x):\n    return x\n",
    ".ts": "\nexport function brandNew{}(x) {{ return x; }}\n",
    ".go": "\nfunc BrandNew{}(x int) int {{ return x }}\n",
    ".rs": "\npub fn brand_new_{}(x: u32) -> u32 {{ x }}\n",
    ".rb": "\nclass BrandNew{}\n  def same(x)\n    x\n  end\nend\n",
    ".php": "\nclass BrandNew{} {{ function same($x) {{ return $x; }} }}\n",
    ".kt": "\nfun brandNew{}(x: Int): Int = x\n",
    ".java": "\nclass BrandNew{} {{ int same(int x) {{ return x; }} }}\n",
}
"""By a file's ending, a definition; put into it goes what tells it from others."""
REST_SECONDS = SETTLED_NS / 1e9 + 0.2


@dataclass
class TimedIndexer:
    """Notes after how long a refresh let the plan begin."""

    indexer: IndexingAside
    taken: float = 0.0

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = lambda: None,
    ) -> IndexReport:
        started = time.perf_counter()
        ahead: list[float] = []

        def note() -> None:
            ahead.append(time.perf_counter() - started)
            note_ahead()

        report = self.indexer.refresh(progress, is_cancelled, note_ahead=note)
        whole = time.perf_counter() - started
        self.taken = ahead[0] if ahead else whole
        return report

    def close(self) -> None:
        self.indexer.close()


def changes(root: Path, runs: int, path: str | None) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what happens: a name, and what makes the change; to a large file of the commonest language if to none."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout
    sources = [path for path in listed.splitlines() if Path(path).suffix in MADE and (root / path).is_file()]
    suffix = Path(path).suffix if path else Counter(Path(path).suffix for path in sources).most_common(1)[0][0]
    sizes = {path: (root / path).stat().st_size for path in sources if path.endswith(suffix)}
    path = path or max(sizes, key=lambda path: (sizes[path] < 40_000, sizes[path]))
    file = root / path
    extra = file.with_stem(f"{file.stem}_more")
    text, made, comment = file.read_text(encoding="utf-8"), MADE[suffix], "#" if suffix in {".py", ".rb"} else "//"
    head = "".join(re.findall(r"^(?:package .*|<\?php)\n", text, re.MULTILINE)[:1])
    for run in range(runs):
        yield "edited body", partial(file.write_text, f"{text}{comment} {run}\n", encoding="utf-8")
    for run in range(runs):
        yield "new definition", partial(file.write_text, text + made.format(run), encoding="utf-8")
    for run in range(runs):
        yield "new file", partial(extra.write_text, head + made.format(f"File{run}"), encoding="utf-8")
        yield "removed file", extra.unlink
    for _ in range(runs):
        yield "removed tracked file", file.unlink
        yield "file put back", partial(file.write_text, text, encoding="utf-8")


async def planned(session: Session) -> tuple[float, float]:
    """Ask and return the seconds to the event that opens the turn, and from there to the planned request."""
    begun = opened = time.perf_counter()
    async with aclosing(session.turn(QUESTION)) as events:
        async for event in events:
            if isinstance(event, TurnStarted):
                opened = time.perf_counter()
            elif isinstance(event, ContextPlanned):
                return opened - begun, time.perf_counter() - opened
    raise RuntimeError("no request was planned")


async def measure(root: Path, environment: Mapping[str, str], runs: int, path: str | None) -> None:
    application = open_application(root, overrides={}, environment=environment, use=Use.SCREEN)
    assert isinstance(application.adapters.indexer, IndexingAside)
    gc.freeze()
    IdleCollector().begin()
    indexer = TimedIndexer(application.adapters.indexer)
    session = replace(application, adapters=replace(application.adapters, indexer=indexer)).session(None)
    await session.warm_up()
    taken: dict[str, list[tuple[float, float]]] = {}
    try:
        await planned(session)
        for name, change in changes(root, runs, path):
            await asyncio.sleep(REST_SECONDS)
            await planned(session)
            change()
            _, whole = await planned(session)
            taken.setdefault(name, []).append((whole * 1000, indexer.taken * 1000))
    finally:
        indexer.close()
    for name, times in taken.items():
        wholes, refreshes = zip(*times, strict=True)
        print(
            f"{name}: fresh plan {statistics.median(wholes):.0f} ms (least {min(wholes):.0f}),"
            f" begun after {statistics.median(refreshes):.0f} ms (least {min(refreshes):.0f})"
        )


def main() -> None:
    source, runs = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / source.name
        subprocess.run(["cp", "-r", str(source), str(root)], check=True)
        folders = {f"XDG_{kind}_HOME": f"{name}/{kind.lower()}" for kind in ("CACHE", "DATA", "CONFIG", "STATE")}
        environment = {"PATH": os.environ["PATH"], "HOME": name, **folders}
        asyncio.run(measure(root, environment, runs, sys.argv[3] if len(sys.argv) > 3 else None))


if __name__ == "__main__":
    main()
