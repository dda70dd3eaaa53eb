"""Context strategies as settings name them, and what one keeps of a branch."""

from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT_STRATEGY = "sliding-window"


@dataclass(frozen=True, slots=True)
class StrategySetting:
    """The strategy the user chose in the settings."""

    name: str = DEFAULT_STRATEGY
    values: Mapping[str, object] = field(default_factory=dict)
    """Its own settings, unchecked: what they may be, the strategy says."""


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy that can be chosen, as a list shows it."""

    name: str
    summary: str
    """What it does, in a sentence; for a plug-in that can't be used, why not."""
    is_open: bool = False
    """It is the one in use."""
    is_usable: bool = True
    settings: str = ""
    """Its settings as they are: ``threshold 10, folds 5``."""


@dataclass(frozen=True, slots=True)
class StrategyMemory:
    """What a strategy keeps of a branch; a newer one replaces it."""

    strategy: str
    text: str
    through: int
    """The newest turn it stands for; 0 for none."""
    turn: int
    """The newest turn there was when it was made."""


@dataclass(frozen=True, slots=True)
class Related:
    """An earlier turn that is about what is asked."""

    turn: int
    similarity: float
    """0 to 1: the share of the question's weight, rare words counting more, that stands in the turn."""
    terms: tuple[str, ...] = ()
    """The words both have, the weightiest first."""
    is_meant: bool = False
    """They are closer in meaning than in words: the similarity is of that."""
