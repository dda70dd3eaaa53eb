"""The chain that is found is as cheap as networkx's."""

from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.paths import cheapest_path

MOST_NODES = 9
TOLL = 4
NODE = st.integers(0, MOST_NODES - 1)
EDGES = st.lists(st.tuples(NODE, NODE, st.integers(1, 9)), max_size=40)
"""(source, target, cost)."""
ENDS = st.dictionaries(NODE, st.integers(0, 5), min_size=1, max_size=4)
"""What it costs to begin or to end at a node."""
DETOURS = st.lists(st.tuples(NODE, NODE), max_size=6)
"""(source, target) of the edges that all cost the toll."""


@given(EDGES, ENDS, ENDS, st.integers(1, 40), DETOURS)
def test_a_chain_leads_from_a_start_to_a_goal_and_none_costs_less(
    edges: list[tuple[int, int, int]],
    starts: dict[int, int],
    goals: dict[int, int],
    limit: int,
    detours: list[tuple[int, int]],
) -> None:
    tolled = [(source, target, TOLL) for source, target in detours]
    every = dict(enumerate(sorted(edges))) | {-number: one for number, one in enumerate(tolled, 1)}

    def ways(node: int) -> list[tuple[int, int, int]]:
        return [
            (number, target, cost) for number, (source, target, cost) in every.items() if number >= 0 and source == node
        ]

    def further(node: int, _came: int) -> list[tuple[int, int]]:
        return [(number, target) for number, (source, target, _) in every.items() if number < 0 and source == node]

    chain = cheapest_path(ways, starts, goals, limit, further if detours else None, TOLL)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(-2, MOST_NODES))
    around = [(-1, start, cost) for start, cost in starts.items()] + [(goal, -2, cost) for goal, cost in goals.items()]
    for source, target, cost in (*every.values(), *around):
        known = graph.get_edge_data(source, target, {"cost": cost})["cost"]
        graph.add_edge(source, target, cost=min(cost, known))
    least = nx.dijkstra_path_length(graph, -1, -2, weight="cost") if nx.has_path(graph, -1, -2) else limit
    if not chain:
        at_once = min((starts[node] + goals[node] for node in starts.keys() & goals.keys()), default=limit)
        assert least >= min(limit, at_once)
        return
    assert all(every[edge][1] == every[after][0] for edge, after in pairwise(chain))
    ends = starts[every[chain[0]][0]] + goals[every[chain[-1]][1]]
    assert limit > least == ends + sum(every[edge][2] for edge in chain)
