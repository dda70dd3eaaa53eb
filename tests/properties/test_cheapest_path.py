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
ENDS = st.dictionaries(NODE, st.integers(0, 5), min_size=1, max_size=4)
"""What it costs to begin or to end at a node."""


@given(EDGES, ENDS, ENDS, st.integers(1, 40))
def test_a_chain_leads_from_a_start_to_a_goal_and_none_costs_less(
    edges: list[tuple[int, int, int]], starts: dict[int, int], goals: dict[int, int], limit: int
) -> None:
    edges = sorted(edges)
    sources, targets = [edge[0] for edge in edges], [edge[1] for edge in edges]
    chain = cheapest_path(sources, targets, lambda edge: edges[edge][2], starts, goals, limit)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(-2, MOST_NODES))
    around = [(-1, start, cost) for start, cost in starts.items()] + [(goal, -2, cost) for goal, cost in goals.items()]
    for source, target, cost in (*reversed(edges), *around):
        known = graph.get_edge_data(source, target, {"cost": cost})["cost"]
        graph.add_edge(source, target, cost=min(cost, known))
    least = nx.dijkstra_path_length(graph, -1, -2, weight="cost") if nx.has_path(graph, -1, -2) else limit
    if not chain:
        at_once = min((starts[node] + goals[node] for node in starts.keys() & goals.keys()), default=limit)
        assert least >= min(limit, at_once)
        return
    assert all(targets[edge] == sources[after] for edge, after in pairwise(chain))
    ends = starts[sources[chain[0]]] + goals[targets[chain[-1]]]
    assert limit > least == ends + sum(edges[edge][2] for edge in chain)
