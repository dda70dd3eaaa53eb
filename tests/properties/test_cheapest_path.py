"""The chain that is found is as cheap as networkx's."""

from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.paths import cheapest_path

MOST_NODES = 9
NODE = st.integers(0, MOST_NODES - 1)
EDGES = st.lists(st.tuples(NODE, NODE, st.integers(1, 9)), max_size=40)
"""(source, target, cost)."""


@given(EDGES, NODE, NODE)
def test_a_chain_leads_from_start_to_goal_and_none_costs_less(
    edges: list[tuple[int, int, int]], start: int, goal: int
) -> None:
    edges = sorted(edges)
    sources, targets = [edge[0] for edge in edges], [edge[1] for edge in edges]
    chain = cheapest_path(sources, targets, lambda edge: edges[edge][2], start, goal)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(MOST_NODES))
    for source, target, cost in reversed(edges):
        known = graph.get_edge_data(source, target, {"cost": cost})["cost"]
        graph.add_edge(source, target, cost=min(cost, known))
    if start == goal or not nx.has_path(graph, start, goal):
        assert chain == []
        return
    assert (sources[chain[0]], targets[chain[-1]]) == (start, goal)
    assert all(targets[edge] == sources[after] for edge, after in pairwise(chain))
    least = nx.dijkstra_path_length(graph, start, goal, weight="cost")
    assert least == sum(edges[edge][2] for edge in chain)
