"""Who speaks of a type, and who calls a name of something unknown: what many call who know no such type is another's.

For languages without written types. ``node.body`` in a hundred files is no call of the only class with a ``body`` when
nobody names that class: what is called so comes from another package.
"""

import re
from collections.abc import Collection

from ctxcode.codegraph.facts import FileFacts, call_rows
from ctxcode.codegraph.resolve.tables import Tables

UNTYPED = frozenset({"ruby"})
_FEW = 6
"""Files that call a name prove nothing."""
_SHARE = 3
"""One in so many of those who call a name speaks of the type, at least."""
_WORD = re.compile(r"[A-Z]?[a-z]+")
_TYPE = re.compile(r"[A-Z]\w*")
_OWN = frozenset({"", "self", "super"})


class Mentions:
    """Counts over all files of one family."""

    def __init__(self, tables: Tables, family: str) -> None:
        self._tables = tables
        self._speaking: dict[str, int] = {}
        """Files that name a type."""
        self._calling: dict[str, int] = {}
        """Files that call a name behind a dot."""
        for file, each in enumerate(tables.families):
            if each == family:
                _count(_spoken_of(tables.facts[file]), self._speaking)
                _count({row[1] for row in call_rows(tables.facts[file]) if row[2] not in _OWN}, self._calling)

    def is_likely(self, node: int, receiver: str, name: str) -> bool:
        """Whether a call of a name behind a receiver can well mean a method of that name."""
        calling, owner = self._calling.get(name, 0), self._tables.class_of(node)
        if calling <= _FEW or owner is None:
            return calling <= _FEW
        known = self._tables.name_of(owner)
        return self._speaking.get(known, 0) * _SHARE >= calling or _is_called_after(receiver, known)


def _is_called_after(receiver: str, name: str) -> bool:
    """Whether a receiver ends in a word of a type's name: ``self.corrector`` and ``LineCorrector``."""
    words = _WORD.findall(receiver.rpartition(".")[2])
    known = {word.lower() for word in _WORD.findall(name)}
    return bool(words) and not known.isdisjoint({words[-1].lower(), words[-1].lower().removesuffix("s")})


def _count(words: Collection[str], counts: dict[str, int]) -> None:
    for word in words:
        counts[word] = counts.get(word, 0) + 1


def _spoken_of(facts: FileFacts) -> set[str]:
    written = [facts.calls.names, facts.calls.receivers, facts.uses.names]
    written += [base.name for base in facts.bases]
    written += [binding.type for binding in facts.bindings]
    return set(_TYPE.findall(" ".join(written)))
