"""Names of the index that are most like one that is not in it."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from heapq import nsmallest
from itertools import chain, pairwise, repeat

import msgspec

from ctxcode.store.index.spelling.shared_pairs import NamesInOneText

_NAMES = "SELECT json_group_array(name) FROM (SELECT DISTINCT name FROM symbol)"
_MOST_COMPARED = 60
"""Names that are compared letter by letter."""
_LEAST_LIKENESS = 0.5
_MOST_MISSED = 200
"""Names that were not there whose nearest ones are kept."""

_texts = msgspec.json.Decoder(list[str])


class NearestNames:
    """Finds the names of one publication that are most like another.

    A question that is being typed asks for the same names with every key: what was found is kept.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], list[str]] = {}
        self._names: NamesInOneText | None = None

    def of(self, connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
        """Return the names most like one, best first, ties by name."""
        found = self._found.get((name, limit))
        if found is None:
            if self._names is None:
                self._names = NamesInOneText(_texts.decode(connection.execute(_NAMES).fetchone()[0]))
            if len(self._found) >= _MOST_MISSED:
                self._found.clear()
            wanted = name.lower()
            found = self._found[name, limit] = _most_alike(wanted, _roughly_like(wanted, self._names), limit)
        return found


def _roughly_like(wanted: str, names: NamesInOneText) -> list[str]:
    """Return the names that share most of their letter pairs with a word, best first, ties by name.

    The more of the word's pairs a name holds, the more alike they can be: those with few are not looked at.
    """
    pairs = _pairs(wanted)
    best: list[tuple[float, str]] = []
    for most, alike in reversed(list(enumerate(names.by_shared_pairs(wanted, len(pairs))))):
        least = -best[-1][0] if len(best) == _MOST_COMPARED else 0.0
        if 2 * most / (len(pairs) + most) < least:
            break
        compared = _likenesses(wanted, pairs, alike, most, least) if most else zip(repeat(0.0), alike)
        best = nsmallest(_MOST_COMPARED, chain(best, compared))
    return [name for _, name in best]


def _likenesses(
    wanted: str, pairs: set[str], names: Iterable[str], most: int, least: float
) -> Iterator[tuple[float, str]]:
    """Yield (minus the likeness, the name) of names that share so many pairs at most, and may come up to ``least``."""
    for name in names:
        other = name.lower()
        count = len(set(pairwise(other))) or 1
        if 2 * most / (len(pairs) + count) >= least:
            yield -_likeness(wanted, pairs, other), name


def _most_alike(wanted: str, names: Collection[str], limit: int) -> list[str]:
    """Return those of some names that are most like a word, letter by letter, best first, ties by name."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - for a name that is not there only

    matcher = SequenceMatcher(b=wanted, autojunk=False)
    scored: list[tuple[float, str]] = []
    for name in names:
        lowered = name.lower()
        matcher.set_seq1(lowered)
        ratio = matcher.ratio()
        if ratio >= _LEAST_LIKENESS or wanted in lowered:
            scored.append((-ratio, name))
    return [name for _, name in sorted(scored)[:limit]]


def _pairs(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(max(1, len(word) - 1))}


def _likeness(wanted: str, pairs: set[str], other: str) -> float:
    """Return the share of letter pairs two words have in common (Dice's coefficient)."""
    if other == wanted:
        return 2.0
    theirs = _pairs(other)
    return 2 * len(pairs & theirs) / (len(pairs) + len(theirs))
