"""Which definitions say words side by side that stand so in the question: what full-text search does not look at."""

from collections.abc import Mapping
from functools import lru_cache

from ctxcode.model.naming.words import lower_words, stem
from ctxcode.retrieval.lexical import FARTHEST, Asked
from ctxcode.retrieval.place.said import Pair

PHRASE_SHARE = 0.25
_READ_CHARS = 2_000
_ENOUGH_PAIRS = 2
"""Full marks where no definition says more of them."""
_MOST_REMEMBERED = 500
"""Texts."""


def phrase_shares(asked: Asked, texts: Mapping[int, str]) -> dict[int, float]:
    """Return how many of the question's pairs of words the texts say, 0 to 1, of those that say any."""
    told = _told(asked)
    counts = {node: count for node, text in texts.items() if (count := told[text])} if told.pairs else {}
    most = max([_ENOUGH_PAIRS, *counts.values()])
    return {node: count / most for node, count in counts.items()}


class _Told(dict[str, int]):
    """How many pairs of one question texts say; those of the last answer are most of the next one's."""

    def __init__(self, pairs: frozenset[Pair]) -> None:
        super().__init__()
        self.pairs = pairs
        self._families = _Families(pairs)

    def __missing__(self, text: str) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
            self._families.clear()
        count = self[text] = _count(text, self.pairs, self._families)
        return count


@lru_cache(maxsize=1)
def _told(asked: Asked) -> _Told:
    return _Told(asked.pairs)


class _Families(dict[str, str]):
    """The families of words, as far as they are part of a pair; empty for all other words."""

    def __init__(self, pairs: frozenset[Pair]) -> None:
        super().__init__()
        self._members = {word for pair in pairs for word in pair}
        # What begins otherwise need not be taken apart: a family is the beginning of its words.
        self._beginnings = {word[:2] for word in self._members}

    def __missing__(self, word: str) -> str:
        family = stem(word) if word[:2] in self._beginnings else ""
        made = self[word] = family if family in self._members else ""
        return made


def _count(text: str, pairs: frozenset[Pair], families: _Families) -> int:
    """Return how many different pairs a text says."""
    words = lower_words(text[:_READ_CHARS].lower())
    told = [(place, family) for place, word in enumerate(words) if (family := families[word])]
    found = set()
    for index, (place, family) in enumerate(told):
        for then, other in told[index + 1 : index + 1 + FARTHEST]:
            if then - place <= FARTHEST and (family, other) in pairs:
                found.add((family, other))
    return len(found)
