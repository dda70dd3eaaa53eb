"""Cheapest chains of edges: for questions a person asks, not for ranking."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush


def cheapest_path(
    sources: Sequence[int],
    targets: Sequence[int],
    cost: Callable[[int], int],
    starts: Mapping[int, int],
    goals: Mapping[int, int],
    limit: int,
) -> list[int]:
    """Return the edge numbers of a cheapest directed chain from a start to a goal; empty when there is none.

    The edges are given as two columns, sorted by their sources; starts and goals with what it costs to begin and to
    end there. Only what is nearer than the goal is looked at, and no chain that costs ``limit`` or more. Of chains
    that cost the same the one over nodes with smaller numbers wins, so equal graphs give equal answers.
    """
    known = dict(starts)
    came: dict[int, int] = {}
    waiting = [(so_far, node) for node, so_far in starts.items()]
    heapify(waiting)
    least, goal = limit, -1
    while waiting:
        so_far, node = heappop(waiting)
        if so_far >= least:
            break
        if so_far > known[node]:
            continue
        if node in goals and so_far + goals[node] < least:
            least, goal = so_far + goals[node], node
        for edge in range(bisect_left(sources, node), bisect_right(sources, node)):
            whole, target = so_far + cost(edge), targets[edge]
            if whole < least and (target not in known or whole < known[target]):
                known[target], came[target] = whole, edge
                heappush(waiting, (whole, target))
    chain: list[int] = []
    while goal in came:
        chain.append(came[goal])
        goal = sources[came[goal]]
    return chain[::-1]
