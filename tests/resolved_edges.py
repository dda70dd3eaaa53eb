"""Source texts to readable edges, through the real parser and resolver."""

from bisect import bisect_right
from collections.abc import Mapping
from textwrap import dedent

from ctxcode.codegraph.edges import TIERS, Nodes
from ctxcode.codegraph.facts import FileFacts, skeleton
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.resolve.graph import resolve

ReadableEdge = tuple[str, str, str]
"""(source id, target id, "resolution confidence")."""


def facts_of(files: Mapping[str, str]) -> dict[str, FileFacts]:
    """Return the facts of source texts by path."""
    return {
        path: parse_source(dedent(text).encode(), language_of(path) or "python", path) for path, text in files.items()
    }


def edges_between(files: Mapping[str, str], kind: str = "calls") -> set[ReadableEdge]:
    """Return the edges of one kind in a small repository."""
    facts = facts_of(files)
    nodes, found = resolve({path: skeleton(one) for path, one in facts.items()})
    columns = zip(found.sources, found.targets, found.tiers, strict=True)
    return {
        (node_id(nodes, facts, source), node_id(nodes, facts, target), f"{TIERS[tier][1]} {round(TIERS[tier][2], 3):g}")
        for source, target, tier in columns
        if TIERS[tier][0] == kind
    }


def edges_to_lines(files: Mapping[str, str], kind: str = "calls") -> set[tuple[str, str, int, str]]:
    """Return the same with the line of each target: of overloads the ids are the same."""
    facts = facts_of(files)
    nodes, found = resolve({path: skeleton(one) for path, one in facts.items()})
    edges = set[tuple[str, str, int, str]]()
    for source, target, tier in zip(found.sources, found.targets, found.tiers, strict=True):
        number = bisect_right(nodes.first_node, target) - 1
        line = facts[nodes.paths[number]].symbols[target - nodes.first_node[number]].header_line
        if TIERS[tier][0] == kind:
            said = f"{TIERS[tier][1]} {round(TIERS[tier][2], 3):g}"
            edges.add((node_id(nodes, facts, source), node_id(nodes, facts, target), line, said))
    return edges


def node_id(nodes: Nodes, facts: Mapping[str, FileFacts], node: int) -> str:
    """Return ``path::qualname`` of a node."""
    number = bisect_right(nodes.first_node, node) - 1
    path = nodes.paths[number]
    qualname = facts[path].symbols[node - nodes.first_node[number]].qualname
    return f"{path}::{qualname}" if qualname else path
