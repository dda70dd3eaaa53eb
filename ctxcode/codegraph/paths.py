"""Cheapest chains of edges: for questions a person asks, not for ranking."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush

Ways = Callable[[int], Iterable[tuple[int, int, int]]]
"""From a node to its edges, each with the node it leads to and what it costs."""


def cheapest_path(
    ways: Ways,
    starts: Mapping[int, int],
    goals: Mapping[int, int],
    limit: int,
    detours: Callable[[int, int], Iterable[tuple[int, int]]] | None = None,
    toll: int = 0,
) -> list[int]:
    """Return the edges of a cheapest directed chain from a start to a goal; empty when there is none.

    Starts and goals are given with what it costs to begin and to end there. Only what is nearer than the goal is looked
    at, and no chain that costs ``limit`` or more. Of chains that cost the same the one over nodes with smaller numbers
    wins, so equal graphs give equal answers. ``detours`` gives more edges of a node, by the node it was come from, or
    -1, each with where it leads; they all cost ``toll``, and are asked for only when nothing cheaper is left.
    """
    known = dict(starts)
    came: dict[int, tuple[int, int]] = {}
    waiting = [(so_far, node) for node, so_far in starts.items()]
    heapify(waiting)
    passed = deque[tuple[int, int]]()
    least, goal = limit, -1
    while waiting or passed:
        is_detour = bool(passed) and (not waiting or passed[0][0] + toll < waiting[0][0])
        so_far, node = passed.popleft() if is_detour else heappop(waiting)
        if so_far + (toll if is_detour else 0) >= least:
            break
        if is_detour and detours is not None:
            leaving: Iterable[tuple[int, int, int]] = [
                (edge, target, toll) for edge, target in detours(node, came.get(node, (-1, 0))[0])
            ]
        elif so_far > known[node]:
            continue
        else:
            if node in goals and so_far + goals[node] < least:
                least, goal = so_far + goals[node], node
            if detours is not None:
                passed.append((so_far, node))
            leaving = ways(node)
        for edge, target, cost in leaving:
            whole = so_far + cost
            if whole < least and (target not in known or whole < known[target]):
                known[target], came[target] = whole, (node, edge)
                heappush(waiting, (whole, target))
    chain: list[int] = []
    while goal in came:
        goal, edge = came[goal]
        chain.append(edge)
    return chain[::-1]
