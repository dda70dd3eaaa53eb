"""How well a file fits the prefix of a question: the end of its path says what a file is about."""

from collections.abc import Sequence
from functools import lru_cache

from ctxcode.model.naming.words import stems_of

_FOLDER = 0.8
"""A folder of the name against a file of it."""
_PART = 0.5
"""A longer name with all words of the prefix."""
_OUTER = 0.5
"""What stands before the last slash of a prefix against what stands behind it."""

Prefix = tuple[frozenset[str], ...]
"""The stems of the words between a prefix's slashes, the last first."""


def read_prefix(written: str) -> Prefix:
    """Return a prefix as stems; empty where it has no words."""
    return tuple(filter(None, map(stems_of, reversed(written.split("/")))))


def prefix_share(path: str, prefixes: Sequence[Prefix]) -> float:
    """Return 0 to 1: how well a file fits the prefix it fits best; 1 where a name is the file's."""
    return max((_share(path, prefix) for prefix in prefixes), default=0.0)


def _share(path: str, prefix: Prefix) -> float:
    parts = _parts(path)
    fits = [max(_fit(part, words, is_file=place == 0) for place, part in enumerate(parts)) for words in prefix]
    return (fits[0] + _OUTER * sum(fits[1:])) / (1.0 + _OUTER * (len(prefix) - 1))


def _fit(part: frozenset[str], words: frozenset[str], *, is_file: bool) -> float:
    if part == words:
        return 1.0 if is_file else _FOLDER
    return _PART if words <= part else 0.0


@lru_cache(maxsize=8_192)
def _parts(path: str) -> tuple[frozenset[str], ...]:
    """Return the stems of a path's parts, the file's first and without its ending."""
    *folders, name = path.split("/")
    return tuple(map(stems_of, (name.rpartition(".")[0] or name, *reversed(folders))))
