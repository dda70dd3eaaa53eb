"""What is read without a grammar: where it stands among the rest, and what of its text counts."""

import json
from pathlib import Path

import pytest

from ctxcode.codegraph import outline
from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.outline.known import BY_NAME, BY_SUFFIX, INFRASTRUCTURE, OUTLINES, PROGRAMS, WITHOUT_CALLS
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.syntax.python_notebook import code_of
from ctxcode.model.naming.folder import is_side_path, is_text_path
from ctxcode.model.source import SkipReason

_SHOWN = {"css", "html", "pug", "sql", "terraform"}
"""What is no program and yet part of what a product does."""


def named(pattern: str) -> str:
    return f"src/a{pattern}" if pattern.startswith(".") else f"src/{pattern}"


@pytest.mark.parametrize(("name", "language"), sorted({**BY_SUFFIX, **BY_NAME}.items()))
def test_documents_and_settings_stand_aside_and_programs_do_not(name: str, language: str) -> None:
    is_shown = language in {*PROGRAMS, *_SHOWN}
    is_test_of_perl = name == ".t"
    assert is_side_path(named(name)) == (not is_shown or is_test_of_perl)
    assert not is_text_path(named(name)) or not is_shown


def test_a_suffix_has_one_language() -> None:
    assert {*BY_SUFFIX.values(), *BY_NAME.values(), INFRASTRUCTURE} == {*OUTLINES}
    assert {language_of(f"a{suffix}") for suffix in BY_SUFFIX} == {*BY_SUFFIX.values()}


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("roles/web/tasks/main.yml", INFRASTRUCTURE),
        ("ansible/roles/web/defaults/main.yml", INFRASTRUCTURE),
        ("group_vars/all/main.yaml", INFRASTRUCTURE),
        ("charts/shop/templates/web.yaml", INFRASTRUCTURE),
        ("infra/k8s/overlays/live/web.yaml", INFRASTRUCTURE),
        ("site.yml", INFRASTRUCTURE),
        ("config.yml", "yaml"),
        (".github/workflows/ci.yml", "yaml"),
        ("src/shop/data.yaml", None),
    ],
)
def test_yaml_is_a_program_where_machines_are_described(path: str, language: str | None) -> None:
    assert language == language_of(path)
    assert is_side_path(path) == (language != INFRASTRUCTURE)


def test_lines_nobody_writes_cost_only_themselves() -> None:
    source = f"sub a {{ 1 }}\nsub {'b' * 2_000} {{ 2 }}\n\nsub c {{\n    3;\n}}\n"
    facts = parse_source(source.encode(), "perl", "a.pl")
    assert [("a", 1, 1), ("c", 4, 6)] == [(one.name, one.start_line, one.end_line) for one in facts.symbols[1:]]


def test_what_looks_like_a_definition_in_a_text_or_comment_is_none() -> None:
    source = 'defmodule A do\n  @doc """\n  def no(), do: 1\n  """\n  def a(), do: 1\n  # def b(), do: 1\nend\n'
    facts = parse_source(source.encode(), "elixir", "a.ex")
    assert ["A", "A.a"] == [symbol.qualname for symbol in facts.symbols[1:]]


def notebook(*cells: tuple[str, str], language: str = "python") -> bytes:
    outputs = [{"text": ["def printed(): pass\n"]}]
    rows = [
        {"cell_type": kind, "metadata": {}, "outputs": outputs, "source": text.splitlines(keepends=True)}
        for kind, text in cells
    ]
    told = {"kernelspec": {"display_name": "x", "language": language, "name": language}}
    return json.dumps({"cells": rows, "metadata": told, "nbformat": 4}, indent=1).encode()


def lines_of(source: bytes) -> list[str]:
    return [line for line in code_of(source)[0].decode().split("\n") if line]


def test_the_code_of_a_notebook_stands_on_its_own_lines() -> None:
    source = notebook(
        ("code", 'def a():\n    return "\\n\u00e4"\n'), ("markdown", "# One\ntext\n## Two"), ("code", "a()")
    )
    code, headings = code_of(source)
    rows, lines = source.split(b"\n"), code.split(b"\n")
    assert len(rows) == len(lines)
    assert ["def a():", '    return "\\n\u00e4"', "a()"] == lines_of(source)
    assert all(line.split()[0] in rows[number] for number, line in enumerate(lines) if line)
    assert [(1, "One"), (2, "Two")] == [(level, title) for _, _, level, title in headings]
    assert b"text" in rows[headings[0][1] - 1]


def test_magic_and_other_languages_are_no_code_of_a_notebook() -> None:
    assert ["x = 1"] == lines_of(
        notebook(("code", "%matplotlib inline\n!ls\nx = 1"), ("code", "\n%%bash\necho 1"), ("raw", "y = 1"))
    )
    assert [] == lines_of(notebook(("code", "x <- 1"), language="R"))


def test_a_notebook_with_pictures_is_read_and_one_of_one_line_is_skipped_with_a_reason(tmp_path: Path) -> None:
    picture = b'    "image/png": "' + b"A" * 20_000 + b'",'
    source = notebook(("code", "def a():\n    pass\n")).replace(b'   "outputs": [', b'   "outputs": [\n' + picture, 1)
    (tmp_path / "a.ipynb").write_bytes(source)
    assert take_in(str(tmp_path.resolve()), "a.ipynb").reason is None
    assert ["a"] == [symbol.name for symbol in parse_source(source, "python", "a.ipynb").symbols[1:]]
    folded = json.dumps(json.loads(notebook(("code", "def a(): pass")))).encode()
    assert [] == list(parse_source(folded, "python", "a.ipynb").symbols[1:])
    (tmp_path / "a.ipynb").write_bytes(folded)
    taken = take_in(str(tmp_path.resolve()), "a.ipynb")
    assert (SkipReason.MINIFIED, "its cells are folded into one line") == (taken.reason, taken.detail)
    (tmp_path / "a.ipynb").write_bytes(b'{"cells": []}')
    assert take_in(str(tmp_path.resolve()), "a.ipynb").reason is None


def test_it_is_known_which_languages_say_nothing_of_calls() -> None:
    folder = Path(outline.__file__).parent / "patterns"
    saying = {path.stem for path in folder.glob("*.toml") if "calls = " in path.read_text("utf-8")}
    assert {*OUTLINES} - saying - {INFRASTRUCTURE} == WITHOUT_CALLS
    assert saying <= PROGRAMS | {"shell"}
