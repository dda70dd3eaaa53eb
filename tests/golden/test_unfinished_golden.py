"""Files that are being typed: what stands before and after a broken place is found where it stands."""

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.parse import parse_source

CASES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases" / "unfinished").glob("*.toml"))
}
CUTS = 60


def found(path: str, source: str) -> set[tuple[str, str, str, int, int]]:
    """Return what a file defines, as (name, dotted name, kind, first line, last line)."""
    facts = parse_source(source.encode(), language_of(path) or "", path)
    return {
        (symbol.name, symbol.qualname, symbol.kind, symbol.header_line, symbol.end_line) for symbol in facts.symbols[1:]
    }


@pytest.mark.parametrize(
    ("case", "broken"), [(case, broken) for case in CASES.values() for broken in case["broken"]], ids=str
)
def test_a_broken_definition_hides_no_other(case: dict[str, Any], broken: str) -> None:
    path, lines = case["path"], broken.count("\n")
    before = case["whole"].partition("%s")[0].count("\n")
    shifted = {
        (*names, first + lines * (first > before), last + lines * (last > before))
        for *names, first, last in found(path, case["whole"].replace("%s", ""))
    }
    rows = found(path, case["whole"].replace("%s", broken))
    assert set() == shifted - rows
    assert {name for name, *_ in rows - shifted} <= {"f1", "x"}
    assert all(before < first <= last <= before + lines + 1 for *_, first, last in rows - shifted)


@pytest.mark.parametrize("case", [case for case in CASES.values() if "parts" in case], ids=lambda case: case["path"])
def test_what_follows_a_line_that_is_cut_off_is_found(case: dict[str, Any]) -> None:
    path, parts = case["path"], case["parts"]
    whole, dice = found(path, "".join(parts)), random.Random(path)  # noqa: S311 - repeatable cuts, no secret
    hidden = []
    for _ in range(CUTS):
        place = dice.randrange(1, len(parts) - 1)
        before, broken, behind = "".join(parts[:place]), parts[place], "".join(parts[place + 1 :])
        at = dice.randrange(broken.index("\n"), len(broken))
        text = f"{before}{broken[:at]}{broken[broken.index(chr(10), at) :]}{behind}"
        rows = {(name, first) for name, _, _, first, _ in found(path, text)}
        behind_line = f"{before}{broken}".count("\n")
        missing = {(name, first) for name, _, _, first, _ in whole if first > behind_line} - rows
        if missing:
            hidden.append((missing, text))
    assert [] == hidden


def test_what_is_nested_deeply_and_closed_further_to_the_left_is_read_all_the_same() -> None:
    deep = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(600))
    assert "f100" in {name for name, *_ in found("a.py", f"{deep}x = foo(1,\n\ndef last():\n    pass\n")}
    odd = "class A {\n    void a() {\n  }\n        void b() {\n      foo(\n}\n\nclass Last {\n}\n"
    assert "A" in {name for name, *_ in found("A.java", odd)}
