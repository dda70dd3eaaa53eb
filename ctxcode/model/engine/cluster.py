"""What a conversation is about now: a run of questions about the same thing."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import ItemId


class ClusterEvidence(StrEnum):
    """Why a question belongs to the cluster it is in."""

    FIRST = "first"
    """There was none before."""
    NOTHING_NEW = "nothing-new"
    """It only says to go on."""
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
