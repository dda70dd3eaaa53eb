"""Planning alone: 1,000 candidates of every kind with their texts and tokens known, as a warm session has them.

python tests/bench/bench_plan.py [CANDIDATES] [RUNS]
"""

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from plan_inputs import past, request, symbol_candidate

from ctxcode.context.candidate import PinnedCandidate
from ctxcode.context.planner import plan
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode, Section


def words(text: str) -> int:
    """Count roughly, and at no cost: the planner's own time is what is measured."""
    return len(text) // 5


def main() -> None:
    candidates = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    touchpoints = [symbol_candidate(n, path=f"pkg/m{n % 90}.py", body=60) for n in range(candidates - 140)]
    pins = [
        PinnedCandidate(symbol_candidate(n, path="pins.py", section=Section.PIN), PinKind.LEASED, 3, n / 50)
        for n in range(100)
    ]
    history = [past(number, 20) for number in range(1, 41)]
    for mode in (ContextMode.LIGHT, ContextMode.HEAVY):
        made = request(touchpoints=touchpoints, pins=pins, history=history, mode=mode, budget=8_000)
        taken = []
        for _ in range(runs):
            started = time.perf_counter()
            planned = plan(made, words)
            taken.append((time.perf_counter() - started) * 1000)
        shown, middle = len(planned.plan.included), statistics.median(taken)
        print(f"{mode.value}: {candidates:,} candidates, {shown} shown: {min(taken):.1f} ms, median {middle:.1f} ms")


if __name__ == "__main__":
    main()
