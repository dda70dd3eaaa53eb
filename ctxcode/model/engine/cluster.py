"""What a conversation is about now: a run of questions about the same thing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from ctxcode.model.ids import ItemId

Terms = Sequence[tuple[str, float]]
"""Words with weights."""
NEAR_IN_WORDS = 0.12
"""The least cosine of the words of questions that are about the same thing."""
_DIGITS = 4


class ClusterEvidence(StrEnum):
    """Why a question belongs to the cluster it is in."""

    FIRST = "first"
    """There was none before."""
    NOTHING_NEW = "nothing-new"
    """It only says to go on, or points back: *where is it called?*"""
    NAMED = "named"
    """It names code that was found for the cluster."""
    WORDS = "words"
    MEANING = "meaning"
    OTHER = "other"
    """It is about something else than the questions before, and begins a new one."""


@dataclass(frozen=True, slots=True)
class QueryCluster:
    """A run of questions of one branch that are about the same thing."""

    number: int
    """From 1; counted per branch."""
    since: int
    """The turn it began with."""
    turns: tuple[int, ...]
    """Its newest turns, oldest first."""
    words: tuple[str, ...]
    """What its questions say most, the weightiest first."""
    evidence: ClusterEvidence
    """Why its newest turn belongs to it."""
    similarity: float
    """Of its newest question to those before, 0 to 1, by words or meaning as the evidence says."""
    items: tuple[ItemId, ...] = ()
    """What was found for it, by id; an event leaves it to the signals."""


def nearness(terms: Terms, before: Sequence[Terms]) -> float:
    """Return the cosine, 0 to 1, of weighted words to the middle of others'."""
    middle: dict[str, float] = {}
    for other in before:
        length = _length(other) or 1.0
        for term, weight in other:
            middle[term] = middle.get(term, 0.0) + weight / length
    lengths = _length(terms) * _length(middle.items())
    common = sum(weight * middle.get(term, 0.0) for term, weight in terms)
    return round(common / lengths, _DIGITS) if lengths else 0.0


def _length(terms: Iterable[tuple[str, float]]) -> float:
    return sqrt(sum(weight * weight for _, weight in terms))
