"""Cheapest chains of edges: for questions a person asks, not for ranking."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from heapq import heappop, heappush


def cheapest_path(
    sources: Sequence[int], targets: Sequence[int], cost: Callable[[int], int], start: int, goal: int
) -> list[int]:
    """Return the edge numbers of a cheapest directed chain from start to goal; empty when there is none.

    The edges are given as two columns, sorted by their sources. Only what is nearer than the goal is looked at. Of
    chains that cost the same the one over nodes with smaller numbers wins, so equal graphs give equal answers.
    """
    known = {start: 0}
    came: dict[int, int] = {}
    waiting = [(0, start)]
    while waiting:
        so_far, node = heappop(waiting)
        if node == goal:
            break
        if so_far > known[node]:
            continue
        for edge in range(bisect_left(sources, node), bisect_right(sources, node)):
            whole, target = so_far + cost(edge), targets[edge]
            if target not in known or whole < known[target]:
                known[target], came[target] = whole, edge
                heappush(waiting, (whole, target))
    chain: list[int] = []
    while goal != start and goal in came:
        chain.append(came[goal])
        goal = sources[came[goal]]
    return chain[::-1]
