"""What each context mode allows."""

from dataclasses import dataclass

from ctxcode.model.plan import ContextMode, Detail


@dataclass(frozen=True, slots=True)
class ModeLimits:
    """The limits of one mode; shares are fractions of the active context."""

    scaffold_tokens: int
    scaffold_share: float
    scaffold_share_of_explicit: float
    """The same where a budget is given for one request: what was asked for needs it more."""
    central_symbols: int
    retrieval_share: float
    rich_detail: Detail
    """The level the best touchpoints are shown at."""
    rich_share: float
    """Part of the retrieval share that rich levels may take; the rest is for the tail of signatures."""
    max_rich: int
    """How many touchpoints are rich, unless a budget was given explicitly."""
    snippet_lines: int
    """Most body lines of a card."""
    excerpt_lines: int
    """Most lines of an excerpt."""


OFF = ModeLimits(
    scaffold_tokens=0,
    scaffold_share=0.0,
    scaffold_share_of_explicit=0.0,
    central_symbols=0,
    retrieval_share=0.0,
    rich_detail=Detail.NAME,
    rich_share=0.0,
    max_rich=0,
    snippet_lines=0,
    excerpt_lines=0,
)
LIGHT = ModeLimits(
    scaffold_tokens=600,
    scaffold_share=0.075,
    scaffold_share_of_explicit=0.041,
    central_symbols=3,
    retrieval_share=0.30,
    rich_detail=Detail.CARD,
    rich_share=0.6,
    max_rich=12,
    snippet_lines=5,
    excerpt_lines=0,
)
HEAVY = ModeLimits(
    scaffold_tokens=1500,
    scaffold_share=0.15,
    scaffold_share_of_explicit=0.05,
    central_symbols=8,
    retrieval_share=0.65,
    rich_detail=Detail.BODY,
    rich_share=0.78,
    max_rich=24,
    snippet_lines=5,
    excerpt_lines=30,
)

_LIMITS = {ContextMode.OFF: OFF, ContextMode.LIGHT: LIGHT, ContextMode.HEAVY: HEAVY}


_TOKENS_PER_CANDIDATE = 15
"""What a one-line form takes on average; a part of them is shown richer."""
_FEWEST_CANDIDATES = 100


def candidates_for(mode: ContextMode, budget_tokens: int) -> int:
    """Return how many candidates are worth looking for: more than fit.

    On the public benchmark looking for more finds no more.
    """
    room = int(limits_of(mode).retrieval_share * budget_tokens)
    return max(room // _TOKENS_PER_CANDIDATE, _FEWEST_CANDIDATES)


def limits_of(mode: ContextMode) -> ModeLimits:
    """Return what a mode allows."""
    return _LIMITS[mode]
