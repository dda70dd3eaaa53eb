"""Shortest chains of edges, by networkx: for questions a person asks, not for ranking."""

from collections.abc import Sequence
from itertools import pairwise


def shortest_path(sources: Sequence[int], targets: Sequence[int], start: int, goal: int) -> list[int]:
    """Return the edge numbers of a shortest directed chain from start to goal; empty when there is none.

    The edges are given as two columns; among equally short chains the one over the smallest edge numbers found first
    by breadth wins, so equal graphs give equal answers.
    """
    import networkx as nx  # noqa: PLC0415 - 0.2 s that only this question pays

    graph: nx.DiGraph[int] = nx.DiGraph()
    for edge, (source, target) in enumerate(zip(sources, targets, strict=True)):
        if not graph.has_edge(source, target):
            graph.add_edge(source, target, number=edge)
    if start not in graph or goal not in graph:
        return []
    try:
        nodes = nx.bidirectional_shortest_path(graph, start, goal)
    except nx.NetworkXNoPath:
        return []
    return [graph.edges[pair]["number"] for pair in pairwise(nodes)]
