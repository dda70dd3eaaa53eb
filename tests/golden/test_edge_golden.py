"""Small repositories and the call edges they must give, all of them, as data beside this test."""

import tomllib
from bisect import bisect_right
from pathlib import Path

import pytest
from resolved_edges import facts_of
from updated_graph import facts_from, update

from ctxcode.codegraph.edges import TIERS
from ctxcode.codegraph.resolve.graph import build_graph, resolve

CASES = {
    f"{path.stem}: {case['name']}": case
    for path in sorted((Path(__file__).parent / "cases" / "edges").glob("*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
}


def calls_between(files: dict[str, str]) -> list[str]:
    """Return the call edges of a repository as ``caller > path:line called, resolution confidence``."""
    facts = facts_of(files)
    nodes, found = resolve(facts)

    def name(node: int, *, at_line: bool) -> str:
        number = bisect_right(nodes.first_node, node) - 1
        path = nodes.paths[number]
        symbol = facts[path].symbols[node - nodes.first_node[number]]
        return f"{path}:{symbol.header_line} {symbol.qualname}" if at_line else f"{path} {symbol.qualname}"

    rows = set[str]()
    for source, target, tier in zip(found.sources, found.targets, found.tiers, strict=True):
        kind, resolution, confidence = TIERS[tier]
        if kind == "calls":
            called = name(target, at_line=True)
            rows.add(f"{name(source, at_line=False)} > {called}, {resolution} {round(confidence, 3):g}")
    return sorted(rows)


@pytest.mark.parametrize("name", CASES)
def test_a_repository_gives_the_calls_written_down_for_it(name: str) -> None:
    assert CASES[name]["edges"] == calls_between(CASES[name]["files"])


@pytest.mark.parametrize("name", CASES)
def test_a_file_joined_alone_gives_what_it_gives_among_all(name: str) -> None:
    sources = CASES[name]["files"]
    before = facts_of(sources)
    for path, source in sources.items():
        after = {**before, path: facts_from(path, f"\n{source}")}
        assert build_graph(after) == update(before, after)
