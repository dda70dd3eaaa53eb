"""Languages by name, and grammars that load."""

import tomllib
from pathlib import Path

import pytest
from tree_sitter import Parser

from ctxcode.codegraph.grammars import TRIED, check_grammars, untried
from ctxcode.codegraph.languages import LANGUAGES, errors_in, grammar_versions, language_of, open_grammar

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("b.pyi", "python"),
        ("a.JS", "javascript"),
        ("a.mjs", "javascript"),
        ("a.cjs", "javascript"),
        ("a.jsx", "javascript"),
        ("a.d.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.cts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.rs", "rust"),
        ("a.go", "go"),
        ("A.java", "java"),
        ("a.c", "c"),
        ("a.h", "cpp"),
        ("a.CC", "cpp"),
        ("a.hpp", "cpp"),
        ("A.cs", "csharp"),
        ("a.rb", "ruby"),
        ("Rakefile", "ruby"),
        ("a.php", "php"),
        ("A.kt", "kotlin"),
        ("build.gradle.kts", "kotlin"),
        ("A.swift", "swift"),
        ("A.scala", "scala"),
        ("a.sh", "bash"),
        ("a.lua", "lua"),
        ("a-1.rockspec", "lua"),
        (".zshrc", "bash"),
        ("app/app-1.0.ebuild", "bash"),
        ("build.sbt", "scala"),
        ("blink/blink.ino", "cpp"),
        ("Brewfile", "ruby"),
        ("Snakefile", "python"),
        ("mod/mod.module", None),
        ("docs/SConstruct", "python"),
        ("a.ipynb", "python"),
        ("a.ex", "elixir"),
        ("views/index.html.erb", "html"),
        ("a.scss", "css"),
        ("Dockerfile", "docker"),
        ("notes.txt", "rst"),
        ("README", "rst"),
        ("a/b/CMakeLists.txt", "cmake"),
        ("docs/topics/http/views.txt", "rst"),
        ("tests/data/input.txt", None),
        ("app/src/main/res/layout/main.xml", "xml"),
        ("tests/data/input.xml", None),
        ("core/pom.xml", "xml"),
        ("a.png", None),
        ("LICENSE", None),
        (".py", None),
        ("Makefile", "make"),
        ("dir.py/readme", None),
    ],
)
def test_a_name_tells_its_language(path: str, language: str | None) -> None:
    assert language == language_of(path)


def test_every_grammar_loads_and_its_query_compiles() -> None:
    rows = check_grammars(tried={})
    assert list(LANGUAGES) == [language for language, _, _ in rows]
    assert [] == [(language, detail) for language, ok, detail in rows if not ok]


def test_the_versions_that_were_tried_are_the_locked_ones() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    locked = {row["name"]: row["version"] for row in packages if row["name"].startswith("tree-sitter")}
    names = {"csharp": "c-sharp", "tsx": "typescript"}
    wanted = {name: locked[f"tree-sitter-{names.get(name, name)}"] for name in LANGUAGES}
    assert {"tree-sitter": locked["tree-sitter"], **wanted} == TRIED


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({}, frozenset()),
        ({"ruby": "0.23.2"}, {"ruby"}),
        ({"c": "missing"}, {"c"}),
        ({"tree-sitter": "0.26.7"}, frozenset()),
        ({"tree-sitter": "0.25.2"}, set(LANGUAGES)),
        ({"tree-sitter": "missing"}, set(LANGUAGES)),
    ],
)
def test_a_query_is_compiled_for_a_grammar_it_was_not_tried_with(other: dict[str, str], expected: set[str]) -> None:
    assert expected == untried({**TRIED, **other})


def test_a_grammar_that_is_known_is_loaded_and_its_version_told() -> None:
    versions = grammar_versions()
    assert [(language, True, versions[language]) for language in LANGUAGES] == check_grammars(versions)


def test_versions_name_every_grammar_and_the_parser() -> None:
    versions = grammar_versions()
    assert {*LANGUAGES, "tree-sitter"} == set(versions)
    assert "missing" not in versions.values()


def test_what_is_missing_and_what_no_token_begins_with_are_errors_in_source_order() -> None:
    source = "int a = ;\nint f() { return 1 }\nint b = 2 £ 3;\nint c;\n"
    root = Parser(open_grammar("c")).parse(source.encode()).root_node

    found = [(node.start_point[0], node.is_missing) for node in errors_in(root)]

    assert [(0, True), (1, True), (2, False), (2, False)] == found


def test_what_is_missing_before_all_else_is_an_error() -> None:
    root = Parser(open_grammar("cpp")).parse(b" << a << b;\n}\n").root_node

    assert (0, 0) in [node.byte_range for node in errors_in(root) if node.is_missing]
