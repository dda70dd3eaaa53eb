"""Does a plan hold what a developer then really edited? The benchmark of real commits, in this process.

    python tests/bench/bench_retrieval.py BENCHMARK [--only flask,rich] [--packages] [--semantic on] [--readme FILE]

BENCHMARK is the folder of the public set, prepared with its ``prepare.py``. Opens each repository once, plans every
request at 1k and 2k (light), 4k and 8k (heavy), and the requests without identifiers at 4k; writes the answers to
BENCHMARK/ans, has the set's own ``score.py`` score them, and prints them beside the baselines that ship with it.
Cells are % of the edited files / of the edited definitions whose signature is shown / of those whose body is shown,
macro over the repositories; the last column is the mean reciprocal rank of the first edited file at 4k. Budgets are
tokens.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctxcode.bootstrap.application import Application, Use, open_application
from ctxcode.model.plan import ContextMode
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.report import plan_object

MODES = {1000: ContextMode.LIGHT, 2000: ContextMode.LIGHT, 4000: ContextMode.HEAVY, 8000: ContextMode.HEAVY}
VARIANTS = {"query": (1000, 2000, 4000, 8000), "query_plain": (4000,)}
COLUMNS = tuple((variant, budget) for variant, budgets in VARIANTS.items() for budget in budgets)
FIRST_FILE_AT = ("query", 4000)
TABLE_BEGIN, TABLE_END = "<!-- benchmark -->", "<!-- end of benchmark -->"
BASELINES = {
    "aider": "aider's repository map",
    "bm25_chunks": "BM25 over functions",
    "embed": "static embeddings",
    "tuned_hybrid": "tuned mixture, bodies and signatures",
}
MEASURES = ("file", "sym", "body", "mrr")
_KEPT = ("path", "start_line", "end_line", "symbol", "kind", "section", "tokens", "lines")

Case = dict[str, Any]
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a system's figures by variant and budget."""

    system: str
    figures: dict[tuple[str, int], Figures]


def cases_of(benchmark: Path, only: frozenset[str]) -> list[Case]:
    lines = (benchmark / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    return [case for case in cases if not only or case["package"] in only]


def opened(tree: Path, home: Path, semantic: str | None = None) -> Application:
    """Return the application on a repository, its index up to date; everything it keeps is below ``home``."""
    places = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    environment = {"HOME": str(home), **places}
    application = open_application(tree, overrides={"semantic": semantic}, environment=environment, use=Use.ANSWER)
    application.adapters.indexer.refresh(lambda _done, _total, _phase: None, lambda: False)
    return application


def answers(application: Application, cases: Iterable[Case], variant: str, budgets: Iterable[int]) -> Iterator[Case]:
    """Yield an answer for each case and budget, in the scorer's form."""
    adapters = application.adapters
    model = application.models.info("navigator")
    counter = adapters.counter_for(model.tokenizer)
    assembler = Assembler(adapters.workspace, adapters.graph, counter, semantic=adapters.semantic)
    for case in cases:
        for budget in budgets:
            started = time.perf_counter()
            planned, _ = assembler.assemble(
                Ask(case[variant], MODES[budget], model, budget_tokens=budget, is_budget_explicit=True)
            )
            elapsed_ms = (time.perf_counter() - started) * 1000
            made: Any = plan_object(planned.plan)
            items = [{key: row[key] for key in _KEPT} for row in made["items"] if row["included"] and row["path"]]
            active = planned.plan.active_tokens
            yield {"id": case["id"], "budget": budget, "items": items, "tokens": active, "latency_ms": elapsed_ms}


def answered(benchmark: Path, cases: list[Case], semantic: str | None) -> dict[str, Path]:
    """Write the answers of each variant to its file; return the files."""
    folder = benchmark / "ans"
    folder.mkdir(exist_ok=True)
    files = {variant: folder / f"ctxcode-{variant}.jsonl" for variant in VARIANTS}
    lines: dict[str, list[str]] = {variant: [] for variant in VARIANTS}
    for package in sorted({case["package"] for case in cases}):
        application = opened(benchmark / "work" / "trees" / package, benchmark / "home", semantic)
        took: list[float] = []
        for variant, budgets in VARIANTS.items():
            asked = [case for case in cases if case["package"] == package and case[variant]]
            for answer in answers(application, asked, variant, budgets):
                took.append(answer["latency_ms"])
                lines[variant].append(json.dumps(answer))
        print(f"{package:12} {len(took):4} plans, median {statistics.median(took):.0f} ms", file=sys.stderr)
    for variant, path in files.items():
        path.write_text("\n".join(lines[variant]) + "\n", encoding="utf-8")
    return files


def scored(
    benchmark: Path, answers_file: Path, variant: str, only: str = "", cases: str = "cases.jsonl"
) -> dict[str, Any]:
    """Return what the set's scorer says, by budget and repository."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "scores.json"
        command = [sys.executable, "score.py", "--cases", cases, "--trees", "work/trees", "--variant", variant]
        command += [str(answers_file.resolve()), "--json", str(out), "--budgets", ",".join(map(str, VARIANTS[variant]))]
        done = subprocess.run(
            [*command, *(["--only", only] if only else [])], cwd=benchmark, check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return next(iter(found.values()))


def macro(tables: dict[str, Figures], packages: Iterable[str]) -> Figures:
    """Return the mean over repositories."""
    return {name: statistics.mean(tables[package][name] for package in packages) for name in MEASURES}


def rows(benchmark: Path, cases: list[Case], only: str, semantic: str | None, *, with_packages: bool) -> Iterator[Row]:
    packages = sorted({case["package"] for case in cases})
    shipped = json.loads((benchmark / "baselines.json").read_text(encoding="utf-8"))["sets"]["public"]
    files = answered(benchmark, cases, semantic)
    ours = {variant: scored(benchmark, files[variant], variant, only) for variant in VARIANTS}
    for name, title in BASELINES.items():
        yield Row(title, {place: macro(table, packages) for place, table in _tables(shipped, name)})
    yield Row("**ctxcode**", {place: macro(ours[place[0]][str(place[1])], packages) for place in COLUMNS})
    for package in packages if with_packages else ():
        yield Row(f"ctxcode, {package}", {place: ours[place[0]][str(place[1])][package] for place in COLUMNS})


def _tables(shipped: dict[str, Any], name: str) -> Iterator[tuple[tuple[str, int], dict[str, Figures]]]:
    for variant, budget in COLUMNS:
        if name in shipped[variant]:
            yield (variant, budget), shipped[variant][name][str(budget)]


def table(made: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    titles = [
        f"{budget // 1000}k {MODES[budget].value}{'' if variant == 'query' else ', no identifiers'}"
        for variant, budget in COLUMNS
    ]
    lines = [f"| | {' | '.join(titles)} | first file |", f"|---|{'---|' * (len(titles) + 1)}"]
    for row in made:
        cells = [_cell(row.figures.get(place)) for place in COLUMNS]
        first = row.figures.get(FIRST_FILE_AT)
        cells.append(f"{first['mrr']:.2f}" if first is not None else "")
        lines.append(f"| {row.system} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(figures: Figures | None) -> str:
    return " / ".join(f"{100 * figures[name]:.0f}" for name in MEASURES[:3]) if figures is not None else ""


def put_into(readme: Path, text: str) -> None:
    """Replace what stands between the table's marks."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(TABLE_BEGIN)
    _, end, after = rest.partition(TABLE_END)
    if not end:
        raise SystemExit(f"{str(readme)!r} has no marks for the table: {TABLE_BEGIN} … {TABLE_END}")
    readme.write_text(f"{before}{TABLE_BEGIN}\n{text}{end}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("--only", default="", help="repositories, comma-separated")
    parser.add_argument("--packages", action="store_true", help="add a line for each repository")
    parser.add_argument("--semantic", choices=("off", "auto", "on"), help="compare by meaning; auto without it")
    parser.add_argument("--readme", type=Path, help="put the table into this file, between its marks")
    given = parser.parse_args()
    cases = cases_of(given.benchmark, frozenset(filter(None, given.only.split(","))))
    made = table(rows(given.benchmark, cases, given.only, given.semantic, with_packages=given.packages))
    print(made, end="")
    if given.readme is not None:
        put_into(given.readme, made)


if __name__ == "__main__":
    main()
