"""The same requests in several languages: how much of what was edited do their plans hold?

    python tests/bench/bench_languages.py BENCHMARK

BENCHMARK is the folder of the public set, prepared with its ``prepare.py``. The requests are in ``questions.toml``
beside this file. Prints, at 4k tokens and for each language, the % of edited files / of edited definitions whose
signature is shown / of those whose body is shown, macro over the repositories; the same without the glossary, where
only what the words share with the code tells.
"""

import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_retrieval import Case, Figures, answers, cases_of, macro, opened, scored

BUDGET = 4_000
QUESTIONS = Path(__file__).with_name("questions.toml")
FIRST = "en"


@contextmanager
def without_glossary() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ctxcode.retrieval.glossary.translate.translated", lambda query, _graph: (query, ""))
        yield


def found(benchmark: Path, cases: Sequence[Case]) -> Figures:
    """Return how much of what was edited the plans of cases hold."""
    packages = sorted({case["package"] for case in cases})
    with tempfile.TemporaryDirectory() as folder:
        lines: list[Case] = []
        for package in packages:
            application = opened(benchmark / "work" / "trees" / package, benchmark / "home")
            asked = [case for case in cases if case["package"] == package]
            lines += answers(application, asked, "query", (BUDGET,))
        kept = {}
        for name, rows in (("answers", lines), ("cases", cases)):
            kept[name] = Path(folder) / f"{name}.jsonl"
            kept[name].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        table = scored(benchmark, kept["answers"], "query", cases=str(kept["cases"]))
        return macro(table[str(BUDGET)], packages)


def told(figures: Figures) -> str:
    return " / ".join(f"{100 * figures[name]:.0f}" for name in ("file", "sym", "body"))


def main() -> None:
    benchmark = Path(sys.argv[1])
    said = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    cases = [case for case in cases_of(benchmark, frozenset()) if case["id"] in said]
    languages = list(said[cases[0]["id"]])
    print(f"{len(cases)} requests, {BUDGET} tokens")
    for title, glossary in (("with the glossary", nullcontext), ("without", without_glossary)):
        foreign: list[Figures] = []
        for language in languages:
            with glossary():
                figures = found(benchmark, [case | {"query": said[case["id"]][language]} for case in cases])
            foreign += [figures] if language != FIRST else []
            print(f"{title}, {language}: {told(figures)}")
        mean = {name: sum(one[name] for one in foreign) / len(foreign) for name in foreign[0]}
        print(f"{title}, all but {FIRST} on average: {told(mean)}")


if __name__ == "__main__":
    main()
