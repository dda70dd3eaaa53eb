"""Planning a request and finding earlier turns with a short and a very long conversation behind it.

    python tests/bench/bench_history.py REPOSITORY [TURNS] [RUNS]

Prints medians of processor time and the ratio of planning with 100 and with TURNS (100,000) stored turns, by strategy,
and the 95th percentile of finding the turns that are about a question. The two are measured in turns, as machines have
moods. The index over the turns is built once, when it is first asked; that time stands by itself.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ctxcode.bootstrap.application import open_application
from ctxcode.context.strategies.port import Memory
from ctxcode.llm.embedding.static import StaticEmbedder
from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.retrieval.semantic import Semantic
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.strategy.catalogue import StrategyCatalogue
from ctxcode.session.strategy.past import Past

QUESTIONS = (
    "how does the query decide between an inner and a left outer join",
    "where are migrations written to disk",
    "retry with back-off when the connection is lost",
    "Session.refresh fails when the token has expired",
    "where is the template loader's cache reset",
)
FEW = 100


def conversation(turns: int) -> tuple[Turn, ...]:
    """Return turns with words as frequent as words are: a few everywhere, most of them rare."""
    chance = random.Random(7)
    vocabulary = [f"{a}{b}" for a in ("query", "join", "token", "cache", "loader", "retry") for b in range(2_000)]
    frequent = ["query", "join", "migration", "disk", "retry", "connection", "session", "token", "template", "cache"]

    def words(count: int) -> str:
        return " ".join(chance.choice(frequent if chance.random() < 0.3 else vocabulary) for _ in range(count))

    return tuple(Turn(number, words(12), words(60), None, StoppedBy.ANSWER, "bench") for number in range(1, turns + 1))


def planned(assembler: Assembler, ask: Ask, question: str) -> object:
    return assembler.assemble(replace(ask, prompt=question))


def milliseconds(work: Callable[[str], object], question: str) -> float:
    started = time.process_time()
    work(question)
    return (time.process_time() - started) * 1000


def main() -> None:
    repository = Path(sys.argv[1])
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home}
        application = open_application(repository, overrides={}, environment=environment)
        adapters = application.adapters
        adapters.indexer.refresh(lambda *_: None, lambda: False)
        model = replace(application.models.info("navigator"), context_tokens=128_000)
        counter = adapters.counter_for(model.tokenizer)
        histories = {turns: (conversation(turns), Past()) for turns in (FEW, many)}
        for name in ("sliding-window", "rolling-summary", "semantic-window"):
            plans: dict[int, Callable[[str], object]] = {}
            for turns, (history, past) in histories.items():
                assembler = Assembler(adapters.workspace, adapters.graph, counter, past)
                ask = Ask(
                    prompt="",
                    mode=application.settings.mode,
                    model=model,
                    budget_tokens=8_000,
                    turn=turns + 1,
                    history=history,
                    strategy=StrategyCatalogue().open(name),
                    memory=Memory("A summary.", turns - 8) if name == "rolling-summary" else Memory(),
                )
                plans[turns] = partial(planned, assembler, ask)
                first = milliseconds(plans[turns], QUESTIONS[0])
                if name == "semantic-window":
                    print(f"first plan, with the index over {turns:,} turns: {first:.0f} ms, once")
            taken: dict[int, list[float]] = {FEW: [], many: []}
            for question in QUESTIONS * runs:
                for turns, work in plans.items():
                    taken[turns].append(milliseconds(work, question))
            few, lots = statistics.median(taken[FEW]), statistics.median(taken[many])
            print(f"{name}: {few:.1f} ms with {FEW}, {lots:.1f} ms with {many:,} turns, ratio {lots / few:.2f}")
        history, past = histories[many]
        found = [milliseconds(lambda q: past.search(history, q).related(10), q) for q in QUESTIONS * runs * 4]
        p95 = statistics.quantiles(found, n=20)[-1]
        print(f"related turns among {many:,}: median {statistics.median(found):.1f} ms, p95 {p95:.1f} ms")
        meaning = Semantic(StaticEmbedder)
        embedder = meaning.open()
        meaning = replace(meaning, open=lambda: embedder)
        first = milliseconds(lambda q: past.search(history, q, meaning).related(10), QUESTIONS[0])
        found = [milliseconds(lambda q: past.search(history, q, meaning).related(10), q) for q in QUESTIONS * runs * 4]
        p95 = statistics.quantiles(found, n=20)[-1]
        print(f"the same by meaning too: first {first:.0f} ms, median {statistics.median(found):.1f}, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
