"""Prints precision and recall of the resolved call edges of some languages against their compilers, by tier.

Run: ``python tests/bench/bench_compiled_edges.py FOLDER rust [--truth FILE] [--wrong N] [--missed N]`` with a cargo
package (``rustc_calls.py`` says what it needs), or ``… FOLDER c --clang PYTHON [--argument=-DNAME …]`` with C and C++
sources; PYTHON is an interpreter with libclang installed. FILE keeps the answers. ``… FOLDER kotlin|scala|csharp
[--argument=LIBRARIES]`` asks the compiler installed; ``KotlinCalls.java``, ``scalac_calls.py`` and
``mcs_calls.py`` say how.

Words and figures are those of ``bench_edges.py``, but for these: a call the extractor does not see counts as missed,
unless what stands around it calls the same thing in another place; calls the compiler does not see (in tests, macros'
definitions, code for other systems) are *unasked*. An edge to another of a name's overloads is right, and so is one to
what C or C++ defines instead of it, in the same file, on other systems, Kotlin in other files. What overrides a method
is right in C#: code names the first declaration only.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_parse import sources
from bench.call_edges import Place, Site, SiteKey, Tally, add_arguments, resolved, rows_from

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.parse import parse_source

_HERE = Path(__file__).parent
_LANGUAGES = {
    "rust": {"rust"},
    "c": {"c", "cpp"},
    "kotlin": {"kotlin", "java"},
    "scala": {"scala", "java"},
    "csharp": {"csharp"},
}
_NAMES = {"rust": "rustc", "c": "clang", "kotlin": "kotlinc", "scala": "scalac", "csharp": "mcs"}
_SCRIPTS = (".kts", ".sc")
_KOTLIN = "/usr/share/kotlin/kotlinc/lib/*"
"""Where Debian keeps the compiler."""
_Line = tuple[str, int, str]
"""(path, line, called name)."""


class Answer(NamedTuple):
    """What the compiler says of one call."""

    targets: set[Place] | str
    overloads: set[Place]


def facts_of(root: Path, language: str) -> dict[str, FileFacts]:
    """Return the facts of the folder's sources, of none that were built."""
    return {
        path: parse_source(data, each, path)
        for each, files in sources(str(root)).items()
        if each in _LANGUAGES[language]
        for path, data in ((Path(file).relative_to(root).as_posix(), data) for file, data in files)
        if not path.startswith("target/") and not path.endswith(_SCRIPTS)
    }


def truth(command: list[str], kept: Path | None, behind: list[str]) -> dict[_Line, list[Answer]]:
    """Return the compiler's answers, of each line's calls of a name in their order."""
    found: dict[_Line, list[Answer]] = defaultdict(list)
    for path, line, name, _, targets, overloads in rows_from(command, kept, behind=behind):
        places = targets if isinstance(targets, str) else {(at, row) for at, row in targets}
        found[path, line, name].append(Answer(places, {(at, row) for at, row in overloads}))
    return found


def variants(facts: dict[str, FileFacts]) -> dict[Place, set[Place]]:
    """Return what Kotlin defines once for each system: the same name of a package, in a file each."""
    found: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for path, each in facts.items():
        for symbol in each.symbols[1:] if each.language == "kotlin" else ():
            found[each.package, symbol.qualname].add((path, symbol.header_line))
    one_each = [places for places in found.values() if len({path for path, _ in places}) == len(places) > 1]
    return {place: places for places in one_each for place in places}


class Comparison:
    """The calls of both sides, brought together by line and name."""

    def __init__(self, facts: dict[str, FileFacts], answers: dict[_Line, list[Answer]], tally: Tally) -> None:
        self._facts = facts
        self._answers = answers
        self._tally = tally
        self._known: set[tuple[str, int, str, frozenset[Place]]] = set()
        """(path, caller, name, targets) of what was judged."""
        self._variants = variants(facts)
        self.unasked = 0
        self.unpaired = 0

    def judge(self, sites: dict[SiteKey, Site]) -> None:
        """Judge all calls."""
        by_line: dict[_Line, list[tuple[SiteKey, Site]]] = defaultdict(list)
        for key in sorted(sites):
            by_line[key[:3]].append((key, sites[key]))
        for line, seen in sorted(by_line.items()):
            answers = self._answers.get(line, [])
            if not answers:
                self.unasked += len(seen)
            elif len(answers) != len(seen) and any(answer != answers[0] for answer in answers):
                self.unpaired += len(seen)
            else:
                for row, (key, site) in enumerate(seen):
                    self._judge(key, site, answers[min(row, len(answers) - 1)])
        for line, answers in sorted(self._answers.items()):
            if line[0] in self._facts and line not in by_line:
                for number, answer in enumerate(answers):
                    self._add_unseen((*line, number), answer)

    def _judge(self, key: SiteKey, site: Site, answer: Answer) -> None:
        if isinstance(answer.targets, set):
            self._known.add((key[0], self._caller(key), key[2], frozenset(answer.targets)))
        targets = set(answer.targets) if isinstance(answer.targets, set) else answer.targets
        self._tally.add(key, site, targets, answer.overloads | self._elsewhere(targets))

    def _elsewhere(self, targets: set[Place] | str) -> set[Place]:
        """Return where C, C++ and Kotlin define the same things on other systems."""
        found = set[Place]()
        for path, line in targets if isinstance(targets, set) else ():
            facts = self._facts.get(path)
            if facts is not None and facts.language in _LANGUAGES["c"]:
                names = {symbol.qualname for symbol in facts.symbols if symbol.header_line == line}
                found |= {(path, symbol.header_line) for symbol in facts.symbols if symbol.qualname in names - {""}}
            elif facts is not None:
                found |= self._variants.get((path, line), set())
        return found - targets if isinstance(targets, set) else found

    def _add_unseen(self, key: SiteKey, answer: Answer) -> None:
        if isinstance(answer.targets, str):
            return
        call = (key[0], self._caller(key), key[2], frozenset(answer.targets))
        if call not in self._known:
            self._known.add(call)
            self._tally.miss(key, answer.targets)

    def _caller(self, key: SiteKey) -> int:
        """Return the innermost definition around a line."""
        symbols = self._facts[key[0]].symbols
        around = [row for row, symbol in enumerate(symbols) if symbol.start_line <= key[1] <= symbol.end_line]
        return max(around, key=lambda row: (symbols[row].kind not in {"field", "variant"}, row), default=0)


def command(language: str, clang: str, root: Path) -> list[str]:
    """Return what asks a compiler, without where the answers go."""
    if language == "kotlin":
        return ["java", "-noverify", "-Xmx2g", "-cp", _KOTLIN, str(_HERE / "KotlinCalls.java"), str(root)]
    return [clang if language == "c" else sys.executable, str(_HERE / f"{_NAMES[language]}_calls.py"), str(root)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("language", choices=sorted(_LANGUAGES))
    parser.add_argument("--clang", default=sys.executable)
    parser.add_argument("--argument", action="append", default=[])
    arguments = parser.parse_args()
    root = Path(arguments.folder).resolve()
    answers = truth(command(arguments.language, arguments.clang, root), arguments.truth, arguments.argument)
    facts = facts_of(root, arguments.language)
    tally = Tally(_NAMES[arguments.language])
    comparison = Comparison(facts, answers, tally)
    asked = {path for path, each in facts.items() if arguments.language in {"c", each.language}}
    comparison.judge(resolved(facts, asked))
    count = sum(map(len, answers.values()))
    print(f"{root.name}: {len(facts)} files, {count} calls; edges' calls unasked {comparison.unasked}", end=", ")
    print(f"unpaired {comparison.unpaired}; to overloads and other systems {tally.to_overloads}")
    tally.report()
    tally.samples(arguments.wrong, arguments.missed)


if __name__ == "__main__":
    main()
