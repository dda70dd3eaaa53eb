"""Definitions that stand in several files, as what was built or vendored does beside its source, or in twin trees."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ctxcode.model.symbol import Symbol

_TWIN_PARTS = 3
"""The end of the path, with the file's name, that two trees of one project's editions have alike."""
_TWIN_SHARE = 0.75
"""Of the words both say together that each of the two says, at least."""
_MOST_TWINS = 8
"""Definitions of one name, file and folder that are compared; a file may have many of one name."""
_NEAR_SCORE = 0.8
"""The score of a copy against the better one's that may stand for it nonetheless."""


class Ranked(NamedTuple):
    """A candidate, as far as it matters which of several copies stands for all."""

    node: int
    symbol: Symbol
    score: float
    path_part: float
    """What its path says to the question."""


def said_again(ranked: Iterable[Ranked], texts: Mapping[int, str]) -> set[int]:
    """Return the nodes that say what another one says in another file; ``texts`` are as a graph gives them.

    That is word for word; nearly so where a file of the same name stands in folders of the same names: twin trees hold
    editions of one project. The best one stands for all, of some nearly as good the one nearest to the root, unless the
    question speaks of the other's path.
    """
    exact: dict[tuple[str, str, str], Ranked] = {}
    twins: dict[tuple[str, ...], list[Ranked]] = {}
    words = _Words(texts)
    found = set[int]()
    for one in ranked:
        name, _, said = texts[one.node].split("\n", 2)
        whole = (one.symbol.qualname, name, said)
        parts = one.symbol.path.split("/")
        near = twins.setdefault((one.symbol.qualname, *parts[-_TWIN_PARTS:]), [])
        other = exact.get(whole) or next((twin for twin in near if words.alike(one, twin)), None)
        if other is None or other.symbol.path == one.symbol.path:
            exact.setdefault(whole, one)
            if len(parts) > _TWIN_PARTS and len(near) < _MOST_TWINS:
                near.append(one)
        elif _stands_for_both(one, other):
            found.add(other.node)
            exact[whole] = one
            if other in near:
                near[near.index(other)] = one
        else:
            found.add(one.node)
    return found


class _Words(dict[int, frozenset[str]]):
    """The words of texts by node."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, node: int) -> frozenset[str]:
        made = self[node] = frozenset(self._texts[node].split("\n", 2)[2].split())
        return made

    def alike(self, one: Ranked, other: Ranked) -> bool:
        """Return whether two definitions of different files say nearly the same."""
        if one.symbol.path == other.symbol.path:
            return False
        first, second = self[one.node], self[other.node]
        return len(first & second) >= _TWIN_SHARE * len(first | second)


def _stands_for_both(copy: Ranked, better: Ranked) -> bool:
    """Return whether a copy is the one to show though another one has a better score."""
    is_nearer = copy.symbol.path.count("/") < better.symbol.path.count("/")
    return is_nearer and copy.path_part >= better.path_part and copy.score >= _NEAR_SCORE * better.score
