"""How strongly the words of a question hit what a definition calls, is called by, inherits from or is inherited by."""

from collections.abc import Mapping

from ctxcode.model.plan import Relation
from ctxcode.retrieval.graph_port import SearchableGraph

_CALL_SUM_SHARE = 0.2
_CALL_BEST_SHARE = 0.1
_TYPE_SHARE = 0.1
_FULL_SUM = 3.0
"""Hits on neighbours that together are full marks."""
_WIDEST_NODE = 400
"""A node with more links says nothing about any of them."""
_CALLS = frozenset({Relation.CALLS.value, Relation.CALLED_BY.value})
_TYPES = frozenset(
    {
        Relation.INHERITS.value,
        Relation.INHERITED_BY.value,
        Relation.IMPLEMENTS.value,
        Relation.IMPLEMENTED_BY.value,
    }
)


def beside(node: int, base: Mapping[int, float], graph: SearchableGraph) -> float:
    """Return 0 to 0.4: what a node's neighbours score as text hits (``base``: 0 to 1 by node), by kind of link."""
    links = graph.links(node, _WIDEST_NODE, base.keys())
    calls = [base[other] * weight for other, kind, weight in links if other in base and kind in _CALLS]
    types = [(base.get(other, 0.0), weight) for other, kind, weight in links if kind in _TYPES]
    value = 0.0
    if calls:
        value += _CALL_SUM_SHARE * min(1.0, sum(calls) / _FULL_SUM) + _CALL_BEST_SHARE * max(calls)
    if types and (weights := sum([weight for _, weight in types])) > 0:
        value += _TYPE_SHARE * sum([score * weight for score, weight in types]) / weights
    return value
