"""Prints precision and recall of the resolved Python call edges against jedi, in all and by tier.

Run: ``python tests/bench/bench_edges.py FOLDER --jedi PYTHON [--truth FILE] [--files N] [--under PART] [--wrong N]
[--missed N]``. PYTHON is an interpreter with jedi installed; FILE keeps its answers, which take minutes.

A call site is a called name or a decorator; what a symbol calls alike a second time is not judged again. An edge is
right when jedi names its target. Where jedi knows nothing, or leads to a name and no definition, edges are counted
apart as *unjudged*. A call jedi leads into the folder is recalled when one of the edges drawn for it is right. Several
candidates of one call are several edges. A call whose name the symbol around it never calls by the facts is missed.
"""

import argparse
import json
import random
import subprocess
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ctxcode.codegraph.edges import TIERS, FoundEdges
from ctxcode.codegraph.facts import FileFacts, arguments_of, calls_of
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.candidates import AllCandidates
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import WholeTables

Place = tuple[str, int]
SiteKey = tuple[str, int, str, int]
"""(path, line, called name, number among equal names on the line)."""


class Site(NamedTuple):
    """What the resolver draws for one call."""

    receiver: str
    targets: tuple[tuple[Place, str, int], ...]
    """(place, qualified name, tier)."""


class _Drawn(FoundEdges):
    """The edges of one call, also one of a function to itself."""

    def add(self, source: int, target: int, tier: int, line: int) -> None:
        """Note an edge."""
        del source
        self.targets.append(target)
        self.tiers.append(tier)
        self.lines.append(line)


def facts_of(root: Path, language: str, ending: str) -> dict[str, FileFacts]:
    found = {}
    for path in sorted(root.rglob(f"*.{ending}")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and path.stat().st_size < 1_000_000:
            found[name] = parse_source(path.read_bytes(), language, name)
    return found


def resolved(facts: dict[str, FileFacts], wanted: set[str]) -> dict[SiteKey, Site]:
    """Return each call site of the wanted files with its edges."""
    tables = WholeTables(facts)
    Lookup(tables).attach_orphans()
    lookup, candidates = Lookup(tables), AllCandidates(tables)
    values = Values(lookup)
    sites: dict[SiteKey, Site] = {}
    for number, path in enumerate(tables.paths):
        if path not in wanted:
            continue
        seen = Counter[tuple[int, str]]()
        arguments = arguments_of(facts[path])
        for row, call in enumerate(calls_of(facts[path])):
            drawn = _Drawn()
            FileCalls(lookup, values, candidates, number).resolve((call,), drawn, arguments[row : row + 1])
            key = (path, call.line, call.name, seen[call.line, call.name])
            seen[call.line, call.name] += 1
            sites[key] = Site(call.receiver, tuple(_targets(tables, drawn)))
    return sites


def _targets(tables: WholeTables, drawn: FoundEdges) -> list[tuple[Place, str, int]]:
    rows = []
    for node, tier in zip(drawn.targets, drawn.tiers, strict=True):
        number = bisect_right(tables.first_node, node) - 1
        symbol = tables.facts[number].symbols[node - tables.first_node[number]]
        rows.append(((tables.paths[number], symbol.header_line), symbol.qualname, tier))
    return rows


def truth(command: list[str], paths: list[str], kept: Path | None) -> dict[SiteKey, set[Place] | str]:
    """Return the answers of a real resolver, from the file that keeps them if it is there.

    The command takes the file to write to and the paths.
    """
    with TemporaryDirectory() as folder:
        file = kept or Path(folder, "truth.json")
        if not file.exists():
            subprocess.run([*command, str(file), *paths], check=True)
        rows = json.loads(file.read_text("utf-8"))
    return {
        (path, line, name, number): found if isinstance(found, str) else {(at, row) for at, row in found}
        for path, line, name, number, found in rows
    }


def lost_calls(
    facts: dict[str, FileFacts], expected: dict[SiteKey, set[Place] | str], sites: dict[SiteKey, Site]
) -> list[SiteKey]:
    """Return the calls into the folder that no fact stands for, of the same name in the same symbol neither."""
    called: dict[tuple[str, int], set[str]] = {}
    for path, each in facts.items():
        for call in calls_of(each):
            called.setdefault((path, call.caller), set()).add(call.name)
    lost = []
    for key, places in sorted(expected.items()):
        path, line, name, _ = key
        if key not in sites and isinstance(places, set) and path in facts:
            symbols = facts[path].symbols
            around = [row for row, symbol in enumerate(symbols) if symbol.start_line <= line <= symbol.end_line]
            if not any(name in called.get((path, row), ()) for row in around):
                lost.append(key)
    return lost


class Tally:
    """Counts by tier, and samples of what differs."""

    def __init__(self, judge: str) -> None:
        self.judge = judge
        self.right: Counter[int] = Counter()
        self.wrong: Counter[int] = Counter()
        self.unjudged: Counter[int] = Counter()
        self.recalled: Counter[int] = Counter()
        self.internal = 0
        self.faults: dict[int, list[str]] = defaultdict(list)
        self.misses: list[str] = []

    def add(self, key: SiteKey, site: Site, expected: set[Place] | str) -> None:
        """Judge one call."""
        path, line, name, _ = key
        call = f"{path}:{line}: {site.receiver}.{name}()"
        known = expected if isinstance(expected, set) else set()
        self.internal += bool(known)
        hits = [tier for place, _, tier in site.targets if place in known]
        if hits:
            self.recalled[min(hits)] += 1
        elif known:
            self.misses.append(f"{call} is {sorted(known)}; drawn {[(q, t) for _, q, t in site.targets]}")
        for place, qualname, tier in site.targets:
            if expected == "unknown":
                self.unjudged[tier] += 1
            elif place in known:
                self.right[tier] += 1
            else:
                self.wrong[tier] += 1
                self.faults[tier].append(f"{call} drawn to {place[0]}:{place[1]} {qualname}; is {expected}")

    def report(self) -> None:
        """Print the table."""
        print(f"{'tier':34} {'edges':>6} {'right':>6} {'precision':>9} {'unjudged':>8} {'recalls':>7}")
        for tier, (kind, resolution, confidence) in enumerate(TIERS):
            if kind == "calls" and (self.right[tier] or self.wrong[tier] or self.unjudged[tier]):
                self._row(f"{tier} {resolution} {confidence:.2f}", {tier})
        calls = {tier for tier, row in enumerate(TIERS) if row[0] == "calls"}
        single = {tier for tier in calls if TIERS[tier][1] != "ambiguous"}
        self._row("all but ambiguous", single)
        self._row("all", calls)
        print(f"calls {self.judge} leads into the folder: {self.internal}")

    def _row(self, label: str, tiers: set[int]) -> None:
        right, wrong = sum(self.right[tier] for tier in tiers), sum(self.wrong[tier] for tier in tiers)
        recall = sum(self.recalled[tier] for tier in tiers) / max(1, self.internal)
        unjudged = sum(self.unjudged[tier] for tier in tiers)
        share = right / max(1, right + wrong)
        print(f"{label:34} {right + wrong + unjudged:6} {right:6} {share:9.3f} {unjudged:8} {recall:7.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--jedi", default=sys.executable)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--under", default="")
    parser.add_argument("--wrong", type=int, default=0)
    parser.add_argument("--missed", type=int, default=0)
    arguments = parser.parse_args()
    root = Path(arguments.folder).resolve()
    facts = facts_of(root, "python", "py")
    paths = [path for path in facts if path.startswith(arguments.under) and facts[path].calls.names]
    chosen = sorted(random.Random(7).sample(paths, min(arguments.files, len(paths))))
    script = Path(__file__).with_name("jedi_calls.py")
    expected = truth([arguments.jedi, str(script), str(root)], chosen, arguments.truth)
    compare(f"{root.name}: {len(chosen)} files", facts, expected, Tally("jedi"), (arguments.wrong, arguments.missed))


def compare(
    title: str,
    facts: dict[str, FileFacts],
    expected: dict[SiteKey, set[Place] | str],
    tally: Tally,
    shown: tuple[int, int],
) -> None:
    """Print what the resolver draws beside what is right, and as many samples of wrong and missed edges as asked."""
    sites = resolved(facts, {key[0] for key in expected})
    for key in sorted(expected.keys() & sites.keys()):
        tally.add(key, sites[key], expected[key])
    for key in lost_calls(facts, expected, sites):
        tally.add(key, Site("?", ()), expected[key])
    print(f"{title}, {len(expected)} calls, {len(expected.keys() - sites.keys())} not seen")
    tally.report()
    wrong, missed = shown
    for tier in sorted(tally.faults):
        for row in random.Random(1).sample(tally.faults[tier], min(wrong, len(tally.faults[tier]))):
            print(f"wrong {tier}: {row}")
    for row in random.Random(1).sample(tally.misses, min(missed, len(tally.misses))):
        print(f"missed: {row}")


if __name__ == "__main__":
    main()
