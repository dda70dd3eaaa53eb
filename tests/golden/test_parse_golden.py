"""Small files of every language and the facts they must give, as data beside this test."""

import json
from pathlib import Path

import pytest

from ctxcode.codegraph.facts import FileFacts, arguments_of, calls_of, uses_of
from ctxcode.codegraph.languages import LANGUAGES, language_of
from ctxcode.codegraph.outline.known import OUTLINES
from ctxcode.codegraph.parse import parse_source

CASES = Path(__file__).parent / "cases" / "parse"
NAMES = sorted(str(path.relative_to(CASES).with_suffix("")) for path in CASES.rglob("*.txt"))


def readable(facts: FileFacts) -> dict[str, object]:
    """Return facts the way the cases are written: symbols as objects, the rest as one line each."""
    arguments = arguments_of(facts) or [""] * len(list(calls_of(facts)))
    return {
        "package": facts.package,
        "parse_errors": facts.parse_errors,
        "symbols": [symbol._asdict() for symbol in facts.symbols],
        "calls": [
            f"{call.line}: [{call.caller}] {call.receiver} . {call.name}" + f" {shapes}" * bool(shapes)
            for call, shapes in zip(calls_of(facts), arguments, strict=True)
        ],
        "imports": [
            f"{fact.line}: {'.' * fact.level}{fact.module} | {fact.name} | {fact.alias}"
            + " | re-export" * fact.is_reexport
            for fact in facts.imports
        ],
        "bases": [f"[{base.symbol}] {base.name}" for base in facts.bases],
        "uses": [f"{use.line}: [{use.user}] {use.name}" for use in uses_of(facts)],
        "bindings": [f"[{binding.scope}] {binding.name}: {binding.type}" for binding in facts.bindings],
    }


def parsed(name: str) -> dict[str, object]:
    language = language_of(name)
    assert language is not None
    source = (CASES / f"{name}.txt").read_bytes()
    facts: dict[str, object] = json.loads(json.dumps(readable(parse_source(source, language, name))))
    return facts


def test_every_language_has_a_case() -> None:
    assert {*LANGUAGES, *OUTLINES} == {name.split("/")[0] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_gives_the_facts_written_down_for_it(name: str) -> None:
    assert json.loads((CASES / f"{name}.json").read_text("utf-8")) == parsed(name)


@pytest.mark.parametrize("name", [name for name in NAMES if name.split("/")[0] in OUTLINES])
def test_an_outline_is_the_same_where_lines_end_otherwise(name: str) -> None:
    language = language_of(name)
    assert language is not None
    source = (CASES / f"{name}.txt").read_bytes()
    plain, other = (parse_source(each, language, name) for each in (source, source.replace(b"\n", b"\r\n")))
    assert [one._replace(text="") for one in plain.symbols] == [one._replace(text="") for one in other.symbols]
