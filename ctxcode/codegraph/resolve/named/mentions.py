"""Who speaks of a type, and who calls a name of something unknown: what many call who know no such type is another's.

For languages without written types. ``node.body`` in a hundred files is no call of the only class with a ``body`` when
nobody names that class: what is called so comes from another package.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from ctxcode.codegraph.extract.expressions import EACH, ITSELF
from ctxcode.codegraph.facts import MEMBER, FileFacts, call_rows
from ctxcode.codegraph.resolve.modules.naming import family_of
from ctxcode.codegraph.resolve.tables import Tables

UNTYPED = frozenset({"ruby"})
_FEW = 6
"""Files that call a name prove nothing."""
_SHARE = 3
"""One in so many of those who call a name speaks of the type, at least."""
_WORD = re.compile(r"[A-Z]?[a-z]+")
_TYPE = re.compile(r"[A-Z]\w*")
_OWN = frozenset({"", "self", "super"})
_NAMED = (EACH, ITSELF)


class Spoken(NamedTuple):
    """How many files do what with a word."""

    naming: int = 0
    """Name a type so."""
    calling: int = 0
    """Call it behind a dot."""


Counts = Mapping[str, Spoken]
"""Of all files in languages without written types, by word."""
NEVER = Spoken()
_counts = msgspec.msgpack.Decoder(dict[str, Spoken])


def counted(files: Iterable[FileFacts]) -> Counts:
    """Return the counts of some files."""
    return recounted({}, (), files)


def recounted(counts: Counts, before: Iterable[FileFacts], now: Iterable[FileFacts]) -> Counts:
    """Return counts in which what some files say now takes the place of what they said; words in order."""
    naming, calling = Counter[str](), Counter[str]()
    for files, sign in ((before, -1), (now, 1)):
        for facts in files:
            if family_of(facts.language) in UNTYPED:
                naming.update(dict.fromkeys(_named_types(facts), sign))
                calling.update(dict.fromkeys(_called_behind_dots(facts), sign))
    others = {word for each in (naming, calling) for word, count in each.items() if count}
    known = dict(counts)
    for word in others:
        said = known.get(word, NEVER)
        known[word] = Spoken(said.naming + naming[word], said.calling + calling[word])
        if known[word] == NEVER:
            del known[word]
    return dict(sorted(known.items()))


def encode_counts(counts: Counts) -> bytes:
    """Return counts as they are stored; nothing for none."""
    return msgspec.msgpack.encode(counts) if counts else b""


def decode_counts(data: bytes) -> Counts:
    """Return counts as they were stored. Raises ValueError when they make no sense."""
    return _counts.decode(data) if data else {}


def is_heard(calling: int, naming: int) -> bool:
    """Whether a call of a name that so many files call can well mean a method of a type that so many files name."""
    return calling <= _FEW or naming * _SHARE >= calling


def may_be_heard_otherwise(before: int, now: int) -> bool:
    """Whether that is another answer for some type when so many files call a name now."""
    least, most = min(before, now), max(before, now)
    return least < most and most > _FEW and (least <= _FEW or -(-least // _SHARE) * _SHARE < most)


class Mentions:
    """Tells by counts over all files what a call can well mean."""

    def __init__(self, tables: Tables, counts: Counts) -> None:
        self._tables = tables
        self._counts = counts

    def is_likely(self, node: int, receiver: str, name: str, *, is_alone: bool) -> bool:
        """Whether a call of a name behind a receiver can well mean a method, the only one of that name or one of some.

        Members of Structs are called like what everything has, ``node``: one is meant where the receiver says so.
        """
        calling, owner = self._counts.get(name, NEVER).calling, self._tables.class_of(node)
        if owner is None:
            return is_heard(calling, 0)
        known = self._tables.name_of(owner)
        if self._is_held(node):
            return is_alone and _is_called_after(receiver, known)
        # Who speaks of a type inside of another speaks of that one, too: of ``Base`` alone, of any.
        around = self._tables.class_of(self._tables.parents[owner])
        names = [known] if around is None else [known, self._tables.name_of(around)]
        naming = min(self._counts.get(name, NEVER).naming for name in names)
        return is_heard(calling, naming) or _is_called_after(receiver, known)

    def is_of_each(self, node: int, receiver: str) -> bool:
        """Whether the name of a collection is that of a method's type in the plural: ``cart.order_lines``."""
        owner = self._tables.class_of(node)
        known = [word.lower() for word in _WORD.findall(self._tables.name_of(owner))] if owner is not None else []
        words = [word.lower() for word in _WORD.findall(_last_of(receiver))][-len(known) :]
        said, meant = ("".join(each).removesuffix("s") for each in (words, known))
        return bool(known) and said == meant

    def _is_held(self, node: int) -> bool:
        file = self._tables.file_of[node]
        return MEMBER in self._tables.bindings[file].get(node - self._tables.first_node[file], ())


def _is_called_after(receiver: str, name: str) -> bool:
    """Whether a receiver ends in a word of a type's name: ``self.corrector`` and ``LineCorrector``."""
    words = _WORD.findall(_last_of(receiver))
    known = {word.lower() for word in _WORD.findall(name)}
    return bool(words) and not known.isdisjoint({words[-1].lower(), words[-1].lower().removesuffix("s")})


def _last_of(receiver: str) -> str:
    return receiver.removesuffix(f".{EACH}").rpartition(".")[2]


def _called_behind_dots(facts: FileFacts) -> set[str]:
    """Return what a file calls behind a dot, without what symbols name."""
    return {row[1] for row in call_rows(facts) if row[2] not in _OWN and not row[2].endswith(_NAMED)}


def _named_types(facts: FileFacts) -> set[str]:
    written = [facts.calls.names, facts.calls.receivers, facts.uses.names]
    written += [base.name for base in facts.bases]
    written += [binding.type for binding in facts.bindings]
    return set(_TYPE.findall(" ".join(written)))
