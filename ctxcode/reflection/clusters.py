"""Which questions are about the same thing.

A question stays with the ones before when its words, or else its meaning, are near the middle of theirs. The limits
were chosen on 175 commit messages of the public benchmark, each cut into its subject and its first sentence: 85 of 100
sentences stay with their own subject, 7 with a stranger's of the same repository; by words alone 81 and 5.
"""

from collections.abc import Callable, Sequence

from ctxcode.model.engine.cluster import NEAR_IN_WORDS, ClusterEvidence, QueryCluster, nearness
from ctxcode.model.ids import ItemId
from ctxcode.model.retrieval import Query
from ctxcode.reflection.activation import Activation, activation_of

NEAR_IN_MEANING = 0.42
MOST_ITEMS = 48
"""How much of what was found for a cluster is kept in mind."""
_KEPT_TURNS = 8
"""The newest questions make the middle: a long conversation drifts."""
_SHOWN_WORDS = 5


def cluster_of(
    current: QueryCluster | None,
    turn: int,
    query: Query,
    asked: Sequence[Query],
    *,
    known: ClusterEvidence | None,
    meant: Callable[[], float],
) -> QueryCluster:
    """Return the cluster a turn's question belongs to; ``asked`` are the questions of the current one.

    ``known``: why it belongs to that one, where no comparing is needed. ``meant`` returns how near it is in meaning, 0
    where that can't be told, and is called only where the words tell of something else.
    """
    if current is None:
        return _begun(1, turn, query, ClusterEvidence.FIRST, 0.0)
    if known is ClusterEvidence.NOTHING_NEW or not query.terms:
        return _continued(current, turn, asked, ClusterEvidence.NOTHING_NEW, 0.0)
    near = nearness(query.terms, [one.terms for one in asked])
    if known is not None or near >= NEAR_IN_WORDS:
        return _continued(current, turn, (*asked, query), known or ClusterEvidence.WORDS, near)
    in_meaning = meant()
    if in_meaning >= NEAR_IN_MEANING:
        return _continued(current, turn, (*asked, query), ClusterEvidence.MEANING, in_meaning)
    return _begun(current.number + 1, turn, query, ClusterEvidence.OTHER, max(near, in_meaning))


def found_for(
    cluster: QueryCluster, current: QueryCluster | None, retrieved: Sequence[ItemId], activation: Activation
) -> tuple[ItemId, ...]:
    """Return what was found for a cluster: of its newest question all, of the ones before what is most alive."""
    if current is None or current.number != cluster.number:
        return tuple(retrieved[:MOST_ITEMS])
    new = frozenset(retrieved)
    before = sorted(
        (item for item in current.items if item not in new), key=lambda item: (-activation_of(activation, item), item)
    )
    return (*retrieved, *before)[:MOST_ITEMS]


def _begun(number: int, turn: int, query: Query, evidence: ClusterEvidence, near: float) -> QueryCluster:
    return QueryCluster(number, turn, (turn,), _words([query]), evidence, near)


def _continued(
    current: QueryCluster, turn: int, asked: Sequence[Query], evidence: ClusterEvidence, near: float
) -> QueryCluster:
    turns = (*current.turns, turn)[-_KEPT_TURNS:]
    return QueryCluster(current.number, current.since, turns, _words(asked), evidence, near)


def _words(asked: Sequence[Query]) -> tuple[str, ...]:
    """Return the words that questions say most, whole names before their parts."""
    weights: dict[str, float] = {}
    for query in asked:
        for term, weight in query.terms:
            weights[term] = weights.get(term, 0.0) + weight
    parts = {part for term in weights if "_" in term for part in term.split("_")}
    telling = [term for term in weights if term not in parts]
    return tuple(sorted(telling, key=lambda term: (-weights[term], term))[:_SHOWN_WORDS])
