"""The shape of the code, held without an exception list."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "ctxcode").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SHEETS = sorted((ROOT / "ctxcode").rglob("*.tcss"))
EMPTY_NAMES = {"utils", "helpers", "common", "misc", "base", "manager", "functions", "core", "types"}
TOP_LEVEL = {
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "uv.lock",
    "ctxcode",
    "tests",
    "assets",
    "themes",
}


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the code, by its measures: the trees of all files are some hundred megabytes."""

    name: str
    lines: int
    positional: int


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is stated below a node, at any depth; expressions, nearly all of a tree, hold no statement."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from statements(inner)


@cache
def functions(path: Path) -> list[Function]:
    return [
        Function(
            node.name,
            (node.end_lineno or node.lineno) - node.lineno + 1,
            len([arg for arg in (*node.args.posonlyargs, *node.args.args) if arg.arg not in ("self", "cls")]),
        )
        for node in statements(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_source_file_is_longer_than_400_lines() -> None:
    assert [] == [str(path) for path in SOURCES if line_count(path) > 400]


def test_no_test_file_is_longer_than_600_lines() -> None:
    assert [] == [str(path) for path in TESTS if line_count(path) > 600]


def test_no_style_sheet_is_longer_than_250_lines() -> None:
    assert [] == [str(path) for path in SHEETS if line_count(path) > 250]


def test_no_function_is_longer_than_60_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{function.name}"
        for path in SOURCES + TESTS
        for function in functions(path)
        if function.lines > 60
    ]
    assert [] == long


def test_functions_take_at_most_six_positional_parameters() -> None:
    wide = [
        f"{path.relative_to(ROOT)}:{function.name}"
        for path in SOURCES
        for function in functions(path)
        if function.positional > 6
    ]
    assert [] == wide


def test_no_folder_is_deeper_than_four_levels_or_holds_more_than_twelve_modules() -> None:
    deep = [str(path) for path in SOURCES if len(path.relative_to(ROOT).parts) > 5]
    counts = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    assert ([], []) == (deep, [str(folder) for folder, number in counts.items() if number > 12])


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [] == [str(path) for path in SOURCES if path.stem in EMPTY_NAMES]


def test_package_files_hold_a_docstring_and_nothing_else() -> None:
    for path in SOURCES:
        if path.name == "__init__.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert (1, True) == (len(tree.body), bool(ast.get_docstring(tree))), path


def test_colours_stand_in_themes_only() -> None:
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|\brgba?\(")
    assert [] == [str(path) for path in [*SHEETS, *SOURCES] if literal.search(path.read_text(encoding="utf-8"))]


def test_nothing_is_left_for_later() -> None:
    later = re.compile(r"\b(TODO|FIXME|XXX)\b|NotImplementedError|mark\.(skip|xfail)\b")
    here = Path(__file__)
    assert [] == [str(p) for p in SOURCES + TESTS if p != here and later.search(p.read_text(encoding="utf-8"))]


def test_tests_use_no_mocks_and_never_sleep() -> None:
    bad = re.compile(r"unittest\.mock|MagicMock|mock\.patch|\btime\.sleep\(")
    here = Path(__file__)
    assert [] == [str(path) for path in TESTS if path != here and bad.search(path.read_text(encoding="utf-8"))]


def test_broad_excepts_stand_in_no_module() -> None:
    broad = re.compile(r"except (Base)?Exception\b|except:\s*$", re.MULTILINE)
    allowed = {"codegraph/isolation/boundary.py", "session/strategy/worker.py"}
    found = {path for path in SOURCES if broad.search(path.read_text(encoding="utf-8"))}
    assert allowed == {path.relative_to(ROOT / "ctxcode").as_posix() for path in found}


def test_the_top_level_holds_what_was_agreed() -> None:
    here = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert set() == here - TOP_LEVEL - {"dist", "build", "work"}
