"""Call edges as the resolver draws them, site by site, and how they compare with those of another resolver."""

import json
import random
import subprocess
from argparse import ArgumentParser, Namespace
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ctxcode.codegraph.edges import TIERS, FoundEdges
from ctxcode.codegraph.extract.names.inner_imports import MARK
from ctxcode.codegraph.facts import FileFacts, arguments_of, calls_of
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.graph import EXTENSIBLE
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.alternatives import Alternatives
from ctxcode.codegraph.resolve.named.candidates import AllCandidates
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.orphans import attach_orphans
from ctxcode.codegraph.resolve.tables import TYPE_PART
from ctxcode.codegraph.resolve.whole import WholeTables

Place = tuple[str, int]
SiteKey = tuple[str, int, str, int | str]
"""(path, line, called name, number among equal names on the line or what stands before the name)."""
Truth = Mapping[SiteKey, set[Place] | str]
"""What another resolver says of each call: definitions, or in a word why there are none."""


_NUMBERS = str.maketrans("", "", f"{MARK}⁰¹²³⁴⁵⁶⁷⁸⁹")
"""What tells local names apart that are written alike."""


class Site(NamedTuple):
    """What the resolver draws for one call."""

    receiver: str
    targets: tuple[tuple[Place, str, int], ...]
    """(place, qualified name, tier)."""


class _Drawn(FoundEdges):
    """The edges of one call, also one of a function to itself."""

    def add(self, source: int, target: int, tier: int, line: int) -> None:
        """Note an edge."""
        self.sources.append(source)
        self.targets.append(target)
        self.tiers.append(tier)
        self.lines.append(line)


def facts_of(root: Path, languages: Container[str]) -> dict[str, FileFacts]:
    """Return the facts of a folder's files in some languages, by path."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        language = language_of(name)
        if language is not None and language in languages and path.is_file() and path.stat().st_size < 1_000_000:
            found[name] = parse_source(path.read_bytes(), language, name)
    return found


def chosen_paths(facts: Mapping[str, FileFacts], arguments: Namespace) -> list[str]:
    """Return the files to judge: those that call something, as many as are asked for."""
    paths = [path for path in facts if path.startswith(arguments.under) and facts[path].calls.names]
    return sorted(random.Random(7).sample(paths, min(arguments.files, len(paths))))


def resolved(facts: Mapping[str, FileFacts], wanted: set[str], *, by_receiver: bool = False) -> dict[SiteKey, Site]:
    """Return each call site of the wanted files with its edges."""
    tables = WholeTables(facts)
    attach_orphans(Lookup(tables))
    lookup, candidates = Lookup(tables), AllCandidates(tables)
    values, alternatives = Values(lookup, candidates.types), Alternatives(lookup)
    sites: dict[SiteKey, Site] = {}
    for number, path in enumerate(tables.paths):
        if path not in wanted:
            continue
        seen = Counter[tuple[int, str]]()
        arguments = arguments_of(facts[path])
        for row, call in enumerate(calls_of(facts[path])):
            drawn = _Drawn()
            FileCalls(lookup, values, candidates, number).resolve((call,), drawn, arguments[row : row + 1])
            alternatives.spread(number, drawn, 0)
            if facts[path].language in EXTENSIBLE:
                drawn.leave_out(0, lambda target, _: tables.kinds[target] == TYPE_PART)
            name = call.name.partition(MARK)[0]
            place = call.receiver.translate(_NUMBERS) if by_receiver else seen[call.line, name]
            seen[call.line, name] += 1
            sites.setdefault((path, call.line, name, place), Site(call.receiver, tuple(_targets(tables, drawn))))
    return sites


def _targets(tables: WholeTables, drawn: FoundEdges) -> list[tuple[Place, str, int]]:
    rows = []
    for node, tier in zip(drawn.targets, drawn.tiers, strict=True):
        number = bisect_right(tables.first_node, node) - 1
        symbol = tables.facts[number].symbols[node - tables.first_node[number]]
        rows.append(((tables.paths[number], symbol.header_line), symbol.qualname, tier))
    return rows


def rows_from(command: list[str], kept: Path | None, *, behind: Sequence[str] = (), asked: str = "") -> Any:
    """Return what another resolver writes, from the file that keeps it if it is there.

    The command takes the file to write to before what stands behind it, and from its input what it is asked.
    """
    with TemporaryDirectory() as folder:
        file = kept or Path(folder, "truth.json")
        if not file.exists():
            subprocess.run([*command, str(file.absolute()), *behind], input=asked, text=True, check=True)
        return json.loads(file.read_text("utf-8"))


def answers(command: list[str], kept: Path | None, *, behind: Sequence[str] = (), asked: str = "") -> Truth:
    """Return what another resolver says of each call; see ``rows_from``."""
    found: dict[SiteKey, set[Place] | str] = {}
    for path, line, name, place, said in rows_from(command, kept, behind=behind, asked=asked):
        found.setdefault((path, line, name, place), said if isinstance(said, str) else {(at, row) for at, row in said})
    return found


def lost_calls(facts: Mapping[str, FileFacts], expected: Truth, sites: Mapping[SiteKey, Site]) -> list[SiteKey]:
    """Return the calls into the folder that no fact stands for, of the same name in the same symbol neither."""
    called: dict[tuple[str, int], set[str]] = {}
    for path, each in facts.items():
        for call in calls_of(each):
            called.setdefault((path, call.caller), set()).add(call.name.partition(MARK)[0])
    lost = []
    for key, places in sorted(expected.items(), key=str):
        path, line, name, _ = key
        if key not in sites and isinstance(places, set) and path in facts:
            symbols = facts[path].symbols
            around = [row for row, symbol in enumerate(symbols) if symbol.start_line <= line <= symbol.end_line]
            if not any(name in called.get((path, row), ()) for row in around):
                lost.append(key)
    return lost


def _written(key: SiteKey, site: Site) -> str:
    return f"{key[0]}:{key[1]}: {site.receiver}.{key[2]}()"


class Tally:
    """Counts by tier, and samples of what differs."""

    def __init__(self, judge: str) -> None:
        self.judge = judge
        self.right: Counter[int] = Counter()
        self.wrong: Counter[int] = Counter()
        self.unjudged: Counter[int] = Counter()
        self.recalled: Counter[int] = Counter()
        self.internal = 0
        self.to_overloads = 0
        self.faults: dict[int, list[str]] = defaultdict(list)
        self.misses: list[str] = []

    def add(
        self, key: SiteKey, site: Site, expected: set[Place] | str, overloads: AbstractSet[Place] = frozenset()
    ) -> None:
        """Judge one call; an edge to another of a name's overloads is right, and counted apart."""
        known = expected if isinstance(expected, set) else set()
        if known and overloads:
            drawn = {place for place, _, _ in site.targets}
            self.to_overloads += bool(drawn & overloads) and not drawn & known
            known |= overloads
        if known:
            self.recall(key, site, [known])
        self.judge_edges(key, site, expected)

    def recall(self, key: SiteKey, site: Site, callees: Iterable[AbstractSet[Place]]) -> None:
        """Judge whether each callee of a call is found, given all that is right for it."""
        for known in callees:
            self.internal += 1
            hits = [tier for place, _, tier in site.targets if place in known]
            if hits:
                self.recalled[min(hits)] += 1
            else:
                drawn = [(qualname, tier) for _, qualname, tier in site.targets]
                self.misses.append(f"{_written(key, site)} is {sorted(known)}; drawn {drawn}")

    def judge_edges(self, key: SiteKey, site: Site, expected: AbstractSet[Place] | str) -> None:
        """Judge what is drawn for a call."""
        for place, qualname, tier in site.targets:
            if expected == "unknown":
                self.unjudged[tier] += 1
            elif not isinstance(expected, str) and place in expected:
                self.right[tier] += 1
            else:
                self.wrong[tier] += 1
                self.faults[tier].append(
                    f"{_written(key, site)} drawn to {place[0]}:{place[1]} {qualname}; is {expected}"
                )

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

    def miss(self, key: SiteKey, expected: set[Place]) -> None:
        """Note a call that is not among the facts."""
        self.add(key, Site("?", ()), expected)

    def samples(self, wrong: int, missed: int) -> None:
        """Print some of what differs."""
        for tier in sorted(self.faults):
            for row in random.Random(1).sample(self.faults[tier], min(wrong, len(self.faults[tier]))):
                print(f"wrong {tier}: {row}")
        for row in random.Random(1).sample(self.misses, min(missed, len(self.misses))):
            print(f"missed: {row}")

    def _row(self, label: str, tiers: set[int]) -> None:
        right, wrong = sum(self.right[tier] for tier in tiers), sum(self.wrong[tier] for tier in tiers)
        recall = sum(self.recalled[tier] for tier in tiers) / max(1, self.internal)
        unjudged = sum(self.unjudged[tier] for tier in tiers)
        share = right / max(1, right + wrong)
        print(f"{label:34} {right + wrong + unjudged:6} {right:6} {share:9.3f} {unjudged:8} {recall:7.3f}")


def compare(
    root: Path,
    facts: Mapping[str, FileFacts],
    expected: Truth,
    tally: Tally,
    arguments: Namespace,
    *,
    by_receiver: bool,
) -> None:
    """Judge all calls, print the table and as many samples of what differs as are asked for."""
    paths = {key[0] for key in expected}
    sites = resolved(facts, paths, by_receiver=by_receiver)
    for key in sorted(expected.keys() & sites.keys(), key=str):
        tally.add(key, sites[key], expected[key])
    for key in lost_calls(facts, expected, sites):
        places = expected[key]
        if isinstance(places, set):
            tally.miss(key, places)
    print(f"{root.name}: {len(paths)} files, {len(expected)} calls, {len(expected.keys() - sites.keys())} not seen")
    tally.report()
    tally.samples(arguments.wrong, arguments.missed)


def add_arguments(parser: ArgumentParser) -> None:
    """Add what every comparison can be asked for."""
    parser.add_argument("folder")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--wrong", type=int, default=0)
    parser.add_argument("--missed", type=int, default=0)


def add_choice(parser: ArgumentParser) -> None:
    """Add which files are judged."""
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--under", default="")
