"""Planning questions about a repository, as a warm session does: retrieval, graph, planner, tokens.

    python tests/bench/bench_questions.py REPOSITORY [QUESTIONS]

The questions are made from the repository itself: what its docstrings say, and the names of its definitions, words
apart. Nothing is asked twice. Prints the median and the 95th percentile in milliseconds of wall time and of processor
time by mode, and both beside a bare full-text query for the same words in the same index.
"""

import gc
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ctxcode.bootstrap.application import open_application
from ctxcode.model.plan import ContextMode
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.tui.terminal.collector import IdleCollector

BUDGETS = {ContextMode.LIGHT: 2_000, ContextMode.HEAVY: 8_000}
SEED = 11
FEWEST_WORDS = 3


def questions(graph_symbols: list[tuple[str, str]], wanted: int) -> list[str]:
    """Return what documented definitions say, and the words of names, three of the one to one of the other."""
    chance = random.Random(SEED)
    chance.shuffle(graph_symbols)
    said = [doc.split(".")[0] for _, doc in graph_symbols if len(doc.split()) >= FEWEST_WORDS]
    named = [" ".join(re.findall(r"[A-Za-z][a-z]+", name)) for name, _ in graph_symbols]
    named = [words for words in named if " " in words]
    found = dict.fromkeys([*said[: wanted * 3 // 4], *named[: wanted - min(len(said), wanted * 3 // 4)]])
    return list(found)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds of wall time and of processor time that something takes."""
    started, used = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - started) * 1000, (time.process_time() - used) * 1000


def searched(index: sqlite3.Connection, question: str) -> list[object]:
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", question.lower())))
    query = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY 2 LIMIT 300"
    return index.execute(query, (match,)).fetchall()


def told(name: str, times: list[tuple[float, float]]) -> str:
    parts = []
    for kind, each in zip(("wall", "CPU"), zip(*times, strict=True), strict=True):
        parts.append(f"{kind} p50 {statistics.median(each):.0f}, p95 {statistics.quantiles(each, n=20)[-1]:.0f} ms")
    return f"{name}: {'; '.join(parts)}"


def main() -> None:
    repository, wanted = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as home:
        application = open_application(repository, overrides={}, environment={"HOME": home})
        adapters = application.adapters
        adapters.indexer.refresh(lambda *_: None, lambda: False)
        graph = adapters.graph
        stats = graph.stats()
        symbols = graph.symbols_at(range(stats.symbols)).values()
        asked = questions([(symbol.name, symbol.doc or "") for symbol in symbols], wanted)
        print(f"{stats.symbols:,} symbols, {len(asked)} questions")
        del symbols
        model = replace(application.models.info("navigator"), context_tokens=128_000)
        assembler = Assembler(adapters.workspace, graph, adapters.counter_for(model.tokenizer))
        gc.freeze()
        IdleCollector().begin()
        index = next(Path(home).rglob("index.db"))
        bare = sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)
        taken: dict[str, list[tuple[float, float]]] = {mode.value: [] for mode in BUDGETS}
        taken["bare full-text query"] = []
        for number, question in enumerate(asked):
            works: dict[str, Callable[[], object]] = {"bare full-text query": partial(searched, bare, question)}
            for mode, budget in BUDGETS.items():
                ask = Ask(prompt=question, mode=mode, model=model, budget_tokens=budget)
                works[mode.value] = partial(assembler.assemble, ask)
            for name, work in works.items():
                times = timed(work)
                if number >= len(asked) // 10:  # the first ones fill what a session has filled
                    taken[name].append(times)
        bare.close()
    for name, each in taken.items():
        print(told(name, each))


if __name__ == "__main__":
    main()
