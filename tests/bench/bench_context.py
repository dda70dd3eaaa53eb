"""One ``ctxcode context`` call on a warm index, as a whole process, beside the bare interpreter.

    python tests/bench/bench_context.py REPOSITORY [RUNS]

Prints medians: the process, the interpreter's start, what is beyond it, and the call's own ``elapsed_ms``.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

QUESTIONS = (
    "how does the query decide between an inner and a left outer join",
    "where are migrations written to disk",
    "retry with back-off when the connection is lost",
    "Session.refresh fails when the token has expired",
    "where is the template loader's cache reset",
)


def timed(command: list[str]) -> tuple[float, str]:
    started = time.perf_counter()
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return (time.perf_counter() - started) * 1000, output


def main() -> None:
    repository, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    ctxcode = str(Path(sys.executable).with_name("ctxcode"))
    command = [ctxcode, "context", "--repo", repository, "--format", "json"]
    timed([*command, QUESTIONS[0]])
    whole, inside, bare = [], [], []
    for _ in range(runs):
        for question in QUESTIONS:
            bare.append(timed([sys.executable, "-c", "pass"])[0])
            elapsed, output = timed([*command, question])
            whole.append(elapsed)
            inside.append(json.loads(output)["elapsed_ms"])
    a, b, c = statistics.median(whole), statistics.median(bare), statistics.median(inside)
    print(f"context: process {a:.0f} ms, interpreter {b:.0f} ms, beyond it {a - b:.0f} ms, inside {c:.0f} ms")


if __name__ == "__main__":
    main()
