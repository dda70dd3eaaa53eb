"""Small repositories and the calls found in them, as data beside this test; after an edit they are those found anew."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from resolved_edges import facts_of, node_id
from updated_graph import update

from ctxcode.codegraph.edges import TIERS
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.resolve.graph import build_graph, resolve
from ctxcode.model.symbol import EdgeKind

CASES = tomllib.loads(Path(__file__).with_name("calls.toml").read_text("utf-8"))["case"]
Case = dict[str, Any]
cases = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


@cases
def test_calls_lead_where_the_language_says(case: Case) -> None:
    facts = facts_of(case["files"])
    nodes, found = resolve(facts)
    rows = zip(found.sources, found.targets, found.tiers, found.lines, strict=True)
    assert sorted(set(case["edges"])) == sorted(
        {
            f"{node_id(nodes, facts, source)} -> {node_id(nodes, facts, target)} {line}"
            for source, target, tier, line in rows
            if TIERS[tier][0] == EdgeKind.CALLS
        }
    )


@cases
def test_a_line_more_or_less_gives_the_graph_of_all_files_joined_anew(case: Case) -> None:
    files: dict[str, str] = case["files"]
    before = {path: skeleton(each) for path, each in facts_of(files).items()}
    for path, text in files.items():
        lines = text.splitlines(keepends=True)
        for row in range(len(lines)):
            less = files | {path: "".join([*lines[:row], *lines[row + 1 :]])}
            after = {each: skeleton(said) for each, said in facts_of(less).items()}
            old, new = (before, after) if row % 2 else (after, before)
            updated = update(old, new)
            assert updated is None or build_graph(new) == updated
