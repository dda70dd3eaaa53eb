"""How close in meaning a question is to what words and graph found, whatever words both are in.

Only what was found is compared, and weighs little: on its own, and for definitions no word led to, meaning misleads.
Share and text were chosen on the public benchmark; README.md says what it gives there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ctxcode.model.engine.vector import Vector, similarities
from ctxcode.model.errors import ModelError, ModelUnknownError
from ctxcode.model.retrieval import Query

SEMANTIC_SHARE = 0.2
_DIGITS = 4
_ASKED_CHARS = 2_000
_TOLD_FROM = 0.25
"""How much closer than the middle a candidate has to be for that to be told as a reason."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def id(self) -> str:
        """What makes the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text, empty for one that says nothing. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Semantic:
    """Whether and how questions are compared with code by meaning."""

    open: Callable[[], Embedder]
    """Returns the embedder; some questions never need it."""
    is_asked: bool = False
    """Somebody else is asked for vectors: not while a question is still being typed."""
    stop: Callable[[], None] = lambda: None
    """Ends what somebody else is being asked: nobody waits for the answer any more. Any thread may call."""

    def is_for(self, query: Query) -> bool:
        """Tell whether a question is compared; nobody else is asked for one that names code: its words tell it."""
        names_code = query.mentions or any("_" in term for term, _ in query.terms)
        return bool(query.terms) and not (self.is_asked and names_code)

    def closeness(self, query: Query, texts: Mapping[int, str]) -> dict[int, float]:
        """Return how close to the question each text is, 0 for the middle one and less, 1 for the closest.

        Raises ModelError.
        """
        asked, *found = self.open().embed([self._asked(query)[:_ASKED_CHARS], *texts.values()])
        near = similarities(asked, found)
        ordered = sorted(near)
        middle, top = (ordered[(len(ordered) - 1) // 2], ordered[-1]) if ordered else (0.0, 0.0)
        if top <= middle:
            return dict.fromkeys(texts, 0.0)
        shares = ((value - middle) / (top - middle) for value in near)
        return {node: round(max(0.0, share), _DIGITS) for node, share in zip(texts, shares, strict=True)}

    def _asked(self, query: Query) -> str:
        """Return the question for vectors: as it was read; a model may know its language, and gets both."""
        return f"{query.said}\n{query.text}" if query.said and self.is_asked else query.said or query.text

    def complaint(self, error: ModelError) -> str:
        """Return what to tell of a failure; nothing where there are no vectors for this machine: the doctor says so."""
        if isinstance(error, ModelUnknownError) and not self.is_asked:
            return ""
        return f"Found by words only: {error} {error.hint}".strip()


def is_told(share: float) -> bool:
    """Tell whether a closeness is worth a reason."""
    return share >= _TOLD_FROM
