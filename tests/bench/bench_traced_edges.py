"""Prints precision and recall of the resolved call edges of PHP, Ruby, Lua and Bash against what really runs, by tier.

Run: ``python tests/bench/bench_traced_edges.py [--truth FILE] [--wrong N] [--missed N] FOLDER php|ruby|lua|bash
-- SCRIPT ARGUMENT …``. SCRIPT, of the same language, is run under a tracer and calls what FOLDER holds: its test suite
or the program at work; FILE keeps what was called. Needs ``php`` with Xdebug, ``ruby`` (3.1 or later),
``lua`` or ``bash``.

A call site is a called name on a line that ran; making an object is a call of its class or constructor. An edge is
right when what it leads to was called from there, or is overridden by what was: a method of a base, an interface or a
module. It is wrong when something else was called. Each definition in the folder that a site of the folder calls is
recalled when an edge drawn for the site is right for it; a call through a parameter or variable of Lua is one, too.
What a symbol calls alike on several lines is one site; where that is not clear, its later lines are *unpaired*. Left
out are calls that no name at the site shows: by a text, by the language itself (conversions, hooks, magic methods),
of blocks, of operators and assignments.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.call_edges import Place, Site, SiteKey, Tally, add_arguments, facts_of, resolved, rows_from

from ctxcode.codegraph.facts import FileFacts, SymbolFact

_HERE = Path(__file__).parent
_TRACERS = {
    "bash": [sys.executable, str(_HERE / "bash_calls.py")],
    "php": [sys.executable, str(_HERE / "php_calls.py")],
    "ruby": ["ruby", str(_HERE / "ruby_calls.rb")],
    "lua": ["lua5.4", str(_HERE / "lua_calls.lua")],
}
_Line = tuple[str, int, str]
"""(path, line, called name)."""


_SUPER = re.compile(r"(?<![\w'\":$@.])super(?![\w'\"])")
"""What Ruby calls by the name of the method it stands in."""

_Row = tuple[str, int, str, bool, list[Place]]
"""What a tracer writes: (path, line, called name, whether it is defined in the folder, all that is right)."""


class Callee(NamedTuple):
    """What ran."""

    is_inside: bool
    """Whether it is defined in the folder."""
    right: frozenset[Place]
    """Where the folder defines it and what it overrides."""


class Definitions:
    """The folder's definitions, by name and by the lines around them."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._facts = facts
        self._named: dict[tuple[str, str], list[SymbolFact]] = defaultdict(list)
        for path, each in facts.items():
            for symbol in each.symbols[1:]:
                self._named[path, symbol.name.lower()].append(symbol)

    def place(self, path: str, line: int, name: str) -> Place:
        """Return where the name of what a tracer places on a line stands."""
        around = [one for one in self._named[path, name.lower()] if one.start_line <= line <= one.end_line]
        return path, max(around, key=lambda one: one.start_line).header_line if around else line

    def is_inside(self, path: str, line: int, name: str) -> bool:
        """Whether a line stands in a definition of a name."""
        return self._facts[path].symbols[self.caller(path, line)].name == name

    def caller(self, path: str, line: int) -> int:
        """Return the innermost definition around a line."""
        symbols = self._facts[path].symbols
        around = [row for row, symbol in enumerate(symbols) if symbol.start_line <= line <= symbol.end_line]
        return max(around, key=lambda row: (symbols[row].kind not in {"field", "variant"}, row), default=0)


def calls(rows: Iterable[_Row], facts: Mapping[str, FileFacts], root: Path) -> dict[_Line, set[Callee]]:
    """Return what ran, of calls whose name stands on the line."""
    definitions, lines = Definitions(facts), dict[str, list[str]]()
    found: dict[_Line, set[Callee]] = defaultdict(set)
    for path, line, name, is_inside, places in rows:
        if path not in facts:
            continue
        if path not in lines:
            lines[path] = (root / path).read_text("utf-8", "replace").split("\n")
        # Lines of what is evaluated are none of the file's.
        written = lines[path][line - 1] if line <= len(lines[path]) else ""
        if _is_written(written, name) or (_SUPER.search(written) and definitions.is_inside(path, line, name)):
            right = frozenset(definitions.place(at, row, name) for at, row in places if at in facts)
            found[path, line, name.lower()].add(Callee(is_inside and bool(right), right))
    return found


def _is_written(text: str, name: str) -> bool:
    """Whether a line names what is called, not in a text or as a symbol."""
    return name.isidentifier() and re.search(rf"(?<![\w'\":$@]){re.escape(name)}(?![\w'\"\\\\])", text) is not None


class Comparison:
    """The calls of both sides, brought together by line and name."""

    def __init__(self, definitions: Definitions, tally: Tally) -> None:
        self._definitions = definitions
        self._tally = tally
        self.unpaired = 0
        self.unseen = 0

    def judge(self, sites: Mapping[SiteKey, Site], ran: Mapping[_Line, set[Callee]]) -> None:
        """Judge all sites that ran."""
        on_line: dict[_Line, list[SiteKey]] = defaultdict(list)
        in_caller: dict[tuple[str, int, str], list[SiteKey]] = defaultdict(list)
        for key in sorted(sites, key=str):
            path, line, name, _ = key
            on_line[path, line, name.lower()].append(key)
            in_caller[path, self._definitions.caller(path, line), name.lower()].append(key)
        callees: dict[SiteKey, set[Callee]] = defaultdict(set)
        for (path, line, name), called in sorted(ran.items()):
            keys = on_line.get((path, line, name), [])
            if not keys:
                keys = in_caller.get((path, self._definitions.caller(path, line), name), [])
                if len(keys) > 1:
                    self.unpaired += 1
                    continue
            if keys:
                for key in keys:
                    callees[key] |= called
            elif any(callee.is_inside for callee in called):
                self.unseen += 1
                self._tally.recall((path, line, name, 0), Site("?", ()), [one.right for one in called if one.is_inside])
        for key, called in sorted(callees.items(), key=str):
            self._tally.judge_edges(key, sites[key], set().union(*[callee.right for callee in called]))
            inside = [callee.right for callee in called if callee.is_inside]
            if inside:
                self._tally.recall(key, sites[key], inside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("language", choices=sorted(_TRACERS))
    parser.add_argument("script", nargs="*")
    arguments = parser.parse_args()
    root = Path(arguments.folder).resolve()
    facts = facts_of(root, {arguments.language})
    rows = rows_from([*_TRACERS[arguments.language], str(root)], arguments.truth, behind=arguments.script)
    ran = calls(rows, facts, root)
    tally = Tally("the program")
    comparison = Comparison(Definitions(facts), tally)
    comparison.judge(resolved(facts, {path for path, _, _ in ran}), ran)
    print(
        f"{root.name}: {len(facts)} files, {len(ran)} calls; unseen {comparison.unseen}, unpaired {comparison.unpaired}"
    )
    tally.report()
    tally.samples(arguments.wrong, arguments.missed)


if __name__ == "__main__":
    main()
