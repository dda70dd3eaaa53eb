"""What manifests declare, and what they may hold instead."""

import pytest

from ctxcode.codegraph.codec import decode_facts, encode_facts
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.outline.manifest import declared, is_manifest
from ctxcode.codegraph.parse import parse_source


def rows(source: str, path: str = "tsconfig.json") -> list[tuple[str, str]]:
    return [(fact.alias, fact.module) for fact in declared(source.encode(), path)[1]]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("package.json", True),
        ("web/tsconfig.app.json", True),
        ("jsconfig.json", True),
        ("tsconfig.jsonc", True),
        ("crates/one/Cargo.toml", True),
        ("my-package.json", False),
        ("tsconfig.ts", False),
        ("web/config.json", False),
    ],
)
def test_manifests_are_known_by_their_names(path: str, expected: bool) -> None:  # noqa: FBT001
    assert expected == is_manifest(path)


def test_comments_and_commas_too_many_are_read_over_and_texts_kept() -> None:
    source = """
    {   // "paths": {"gone": ["x"]}
        "compilerOptions": {
            "paths": {
                "a//b": ["one, }", /* and */ "two/*.ts",],
                "c/*": ["three/*", 4, null,],
            }, // ends here
        },
    }
    """
    assert [("a//b", "one, }"), ("c/*", "three/*")] == rows(source)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "[]",
        "null",
        "{",
        '{"compilerOptions": []}',
        '{"compilerOptions": {"paths": [], "baseUrl": 3}}',
        '{"compilerOptions": {"paths": {"a": "b", "": ["c"], "d": [""], "e*f*": ["g*h*"], "i": ["j*"]}}}',
        '{"compilerOptions": {"paths": {"\\ud800": ["a"], "b": ["\\u0000"], "c": ["\\n"]}}}',
        '{"compilerOptions": {"paths": {"a": ["' + "b" * 400 + '"]}}}',
        '{"a":' * 100_000,
        '{"a": "' + '\\"' * 400_000,
        "[" * 100_000 + "]" * 100_000,
        '{"compilerOptions": {"paths": {"a": ["b"]}}, "more": "' + "x" * 1_000_000 + '"}',
    ],
)
def test_what_makes_no_sense_declares_nothing(source: str) -> None:
    assert [] == rows(source)


def test_there_are_so_many_names_at_most() -> None:
    paths = ",".join(f'"a{number}": ["b{number}"]' for number in range(2_000))
    assert 500 == len(rows('{"compilerOptions": {"paths": {' + paths + "}}}"))


@pytest.mark.parametrize(
    ("name", "package"),
    [("kit", "kit"), ("@acme/kit.js", "@acme/kit.js"), ("a b", ""), ("../up", ""), ("@a/b/c", ""), ("\\ud800", "")],
)
def test_a_package_is_called_by_a_name_that_can_be_one(name: str, package: str) -> None:
    assert package == declared(b'{"name": "%s"}' % name.encode(), "package.json")[0]


@pytest.mark.parametrize(
    ("source", "crate"),
    [
        ('[package]\nname = "my-kit"\n', "my_kit"),
        ('[package]\nname = "my-kit"\n[lib]\nname = "kit"\n', "kit"),
        ('[package]\nname = "my-kit"\n[lib]\npath = "kit.rs"\n', "my_kit"),
        ('[workspace]\nmembers = ["a"]\n', ""),
        ('package = "kit"\n', ""),
        ("[package]\nname = 3\n", ""),
        ('[package]\nname = "a b"\n', ""),
        ("[package", ""),
        ("a = " + "[" * 100_000, ""),
        ('[package]\nname = "kit"\nmore = "' + "x" * 1_000_000 + '"\n', ""),
    ],
)
def test_a_crate_is_called_as_others_use_it(source: str, crate: str) -> None:
    assert (crate, []) == declared(source.encode(), "kit/Cargo.toml")


def test_conditions_within_conditions_end_somewhere() -> None:
    deep = '{"a":' * 50 + '"./x.js"' + "}" * 50
    assert [] == rows('{"name": "kit", "exports": {".": ' + deep + "}}", "package.json")


def test_what_a_manifest_declares_is_a_fact_of_its_file() -> None:
    source = b'{"name": "kit", "main": "./lib/kit.js", "imports": {"#a": "./a.js"}}'
    facts = parse_source(source, "json", "web/package.json")
    assert ("kit", [("#a", "./a.js"), ("kit", "./lib/kit.js")]) == (
        facts.package,
        [(fact.alias, fact.module) for fact in facts.imports],
    )
    assert ["package", "name", "main", "imports"] == [symbol.name for symbol in facts.symbols]
    assert skeleton(facts) == decode_facts(encode_facts(skeleton(facts)))
    assert () == parse_source(source, "json", "web/other.json").imports
