"""How well a file fits a topic that a question names: the end of its path says what a file is about."""

from collections.abc import Sequence
from functools import lru_cache

from ctxcode.model.naming.words import stem, words_in

_FOLDER = 0.8
"""A folder of the name against a file of it."""
_PART = 0.5
"""A longer name with all words of the topic."""
_OUTER = 0.5
"""What stands before the last slash of a topic against what stands behind it."""

Topic = tuple[frozenset[str], ...]
"""The stems of the words between a topic's slashes, the last first."""


def read_topic(written: str) -> Topic:
    """Return a topic as stems; empty where it has no words."""
    return tuple(filter(None, map(_stems, reversed(written.split("/")))))


def topic_share(path: str, topics: Sequence[Topic]) -> float:
    """Return 0 to 1: how well a file fits the topic it fits best; 1 where it is called so."""
    return max((_share(path, topic) for topic in topics), default=0.0)


def _share(path: str, topic: Topic) -> float:
    parts = _parts(path)
    fits = [max(_fit(part, words, is_file=place == 0) for place, part in enumerate(parts)) for words in topic]
    return (fits[0] + _OUTER * sum(fits[1:])) / (1.0 + _OUTER * (len(topic) - 1))


def _fit(part: frozenset[str], words: frozenset[str], *, is_file: bool) -> float:
    if part == words:
        return 1.0 if is_file else _FOLDER
    return _PART if words <= part else 0.0


@lru_cache(maxsize=8_192)
def _parts(path: str) -> tuple[frozenset[str], ...]:
    """Return the stems of a path's parts, the file's first and without its ending."""
    *folders, name = path.split("/")
    return tuple(map(_stems, (name.rpartition(".")[0] or name, *reversed(folders))))


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_in(text)))
