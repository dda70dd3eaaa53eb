"""Spread over the graph: what the best text hits call, use and inherit from, and who uses them.

Personalised PageRank by forward push (Andersen, Chung and Lang 2006), bounded by a number of links looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxcode.model.plan import Relation
from ctxcode.retrieval.graph_port import SearchableGraph

_STAY = 0.4
"""The share of mass that ends where it is."""
_SMALLEST_MASS = 2e-4
_MOST_LINKS_SEEN = 5_000
_WIDEST_NODE = 400
"""A node with more links says nothing about any of them."""
_RELATION_WEIGHT: Mapping[str, float] = {
    Relation.CALLS: 1.0,
    Relation.CALLED_BY: 1.0,
    Relation.INHERITS: 0.8,
    Relation.INHERITED_BY: 0.8,
    Relation.IMPLEMENTS: 0.8,
    Relation.IMPLEMENTED_BY: 0.8,
    Relation.CONTAINS: 0.2,
    Relation.CONTAINED_IN: 0.25,
    Relation.IMPORTS: 0.15,
    Relation.IMPORTED_BY: 0.3,
    Relation.RE_EXPORTS: 0.15,
    Relation.RE_EXPORTED_BY: 0.3,
}


@dataclass(slots=True)
class Neighbour:
    """What a node got from others, and along which link it got the most."""

    mass: float
    best_share: float
    relation: str
    """A Relation value, seen from this node."""
    origin: int
    """The node at the other end of that link."""


def spread(seeds: Mapping[int, float], graph: SearchableGraph) -> dict[int, Neighbour]:
    """Return what each node received when the seeds' mass (normalised to 1) spreads; deterministic and bounded.

    A node's own seed mass is not part of what it received.
    """
    total = sum(seeds.values())
    waiting = _heaviest_first({node: mass / total for node, mass in seeds.items()}) if total > 0 else []
    received: dict[int, Neighbour] = {}
    links_seen = 0
    while waiting and links_seen < _MOST_LINKS_SEEN:
        following: dict[int, float] = {}
        for node, mass in waiting:
            if links_seen >= _MOST_LINKS_SEEN:
                break
            links = graph.links(node, _WIDEST_NODE)
            links_seen += (len(links) or graph.width(node)) + 1
            if links:
                _push(node, (1.0 - _STAY) * mass, links, received, following)
        waiting = _heaviest_first(following)
    return received


def _push(
    origin: int,
    mass: float,
    links: Sequence[tuple[int, str, float]],
    received: dict[int, Neighbour],
    following: dict[int, float],
) -> None:
    weights = [_RELATION_WEIGHT.get(relation, 0.0) * weight for _, relation, weight in links]
    total = sum(weights)
    if total <= 0.0:
        return
    for (node, relation, _), weight in zip(links, weights, strict=True):
        share = mass * weight / total
        known = received.get(node)
        if known is None:
            received[node] = Neighbour(share, share, relation, origin)
        else:
            known.mass += share
            if share > known.best_share:
                known.best_share, known.relation, known.origin = share, relation, origin
        following[node] = following.get(node, 0.0) + share


def _heaviest_first(masses: Mapping[int, float]) -> list[tuple[int, float]]:
    """Return what is worth pushing on."""
    heavy = [pair for pair in masses.items() if pair[1] >= _SMALLEST_MASS]
    return sorted(heavy, key=lambda pair: (-pair[1], pair[0]))
