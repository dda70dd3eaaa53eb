"""Full-text hits with what stands around them: the file's other hits, the graph's, the path, the kind of definition.

The shares were found by coordinate ascent on the public benchmark, whole packages left out to check, and looked at once
more on changes to packages in Go, Java, JavaScript, Rust and TypeScript.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import log1p
from operator import or_
from typing import NamedTuple, TypeVar

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.words import base_form, stem, stems_of, with_seams, words_in
from ctxcode.model.retrieval import LexicalHit, Query
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.place.prefix import Prefix, prefix_share, read_prefix
from ctxcode.retrieval.place.said import Pair, says_place
from ctxcode.retrieval.place.unasked import languages_said, place_factor

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_LEXICAL_SHARE = 0.6
_FILE_SHARE = 0.5
_FILE_BEST_SHARE = 0.2
_FILE_SPREAD_SHARE = 0.4
"""Taken off where a file's hits go on and on: a large file has many by its size alone."""
_NAME_SHARE = 0.3
_PATH_SHARE = 0.25
_SAID_PATH_SHARE = 0.2
"""More where the file's name is said beside its folder's."""
_PREFIX_SHARE = 0.4
_NAME_COVER_SHARE = 0.2
_KIND_SHARE = 0.25
_LENGTH_SHARE = 0.1
_MOST_LINES = 200
"""A definition that is longer does no more for that."""
MODULE_FACTOR = 0.3
_BEST_OF_FILE = 4
_MANY_OF_FILE = 10
_FULL_COVER = 0.3
"""The part of the query's weight that is full marks when it stands in a name or a path."""

_KIND_PRIOR = {
    SymbolKind.MODULE: 0.0,
    SymbolKind.NAMESPACE: 0.2,
    SymbolKind.CONSTANT: 0.4,
    SymbolKind.VARIABLE: 0.3,
    SymbolKind.FIELD: 0.3,
    SymbolKind.TYPE: 0.7,
}


_WORD = re.compile(r"[^\W_]+")
_SHORTEST_BEGINNING = 2
"""Less than that stands everywhere, and looking for it would take long."""
_SAID_CHARS = 2_000
"""Of a question whose words are looked at in their order."""
FARTHEST = 2
"""Words on: one word may stand between the two of a pair."""
_MOST_REMEMBERED = 2_000
"""Texts, and definitions, of which a query knows what they say to it."""


class Reading(NamedTuple):
    """What the words of one definition say to a query, whatever else was found."""

    name: float
    path: float
    prefix: float
    prior: float
    place_factor: float


class Said(NamedTuple):
    """What some stems say of a query: the terms all of whose stems are among them."""

    terms: frozenset[str]
    share: float
    """Of the query's weight."""
    coverage: float
    """The same against what is full marks for a name or a path, at most 1."""
    strength: float
    """The terms' weights against the strongest's, together."""


@dataclass(frozen=True)
class Asked:
    """A query's terms as stems, taken apart once, and what was found out about texts and definitions by them.

    The same question is asked of an index again and again while it is typed, and once more when a file has changed.
    """

    query: Query

    @cached_property
    def terms(self) -> tuple[tuple[str, float, frozenset[str]], ...]:
        """Each term with its weight and the stems of its words; none that only says two of the others together.

        Nor is a verb there twice, in the form the question has it in and in the one code has.
        """
        together, terms = self._together, dict(self.query.terms)
        return tuple(
            (term, weight, frozenset(map(stem, term.split("_"))))
            for term, weight in self.query.terms
            if stem(term) not in together and base_form(term) not in terms
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all terms."""
        return frozenset(word for _, _, words in self.terms for word in words).union(self._together)

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """The stems that stand next to each other in the question, or with one word between, where both tell."""
        said = [stem(word) for word in words_in((self.query.said or self.query.text)[:_SAID_CHARS])]
        near = [pair for gap in range(1, FARTHEST + 1) for pair in zip(said, said[gap:], strict=False)]
        return frozenset((one, other) for one, other in near if one != other and {one, other} <= self.stems)

    @cached_property
    def _together(self) -> dict[str, frozenset[str]]:
        """The stems of words that are two of the terms in one, with those two: who says ``filename`` says both."""
        terms = dict(self.query.terms)
        return {
            stem(word): frozenset((stem(word[:at]), stem(word[at:])))
            for word in terms
            for at in range(1, len(word))
            if word[:at] in terms and word[at:] in terms
        }

    @cached_property
    def prefixes(self) -> tuple[Prefix, ...]:
        """The query's prefixes as stems."""
        return tuple(filter(None, map(read_prefix, self.query.prefixes)))

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages whose code the question is about; empty where it says none."""
        return languages_said(self.query.text)

    @cached_property
    def total(self) -> float:
        """The weights together."""
        return sum(weight for _, weight, _ in self.terms)

    @cached_property
    def strongest(self) -> float:
        """The largest weight."""
        return max((weight for _, weight, _ in self.terms), default=0.0)

    @cached_property
    def _beginnings(self) -> tuple[tuple[str, str], ...]:
        """Each stem with what a word of it begins with."""
        return tuple(
            (word, word[:-1] if word.endswith("y") and len(word) > _SHORTEST_BEGINNING else word)
            for word in sorted(self.stems)
        )

    @cached_property
    def _shares(self) -> dict[str, float]:
        return {}

    @cached_property
    def _readings(self) -> dict[SymbolId, tuple[Symbol, Reading]]:
        return {}

    @cached_property
    def _shown(self) -> dict[SymbolId, tuple[Symbol, tuple[str, ...]]]:
        return {}

    @cached_property
    def _sayings(self) -> dict[frozenset[str], Said]:
        return {}

    def share_in(self, text: str) -> float:
        """Return how much of the query's weight a text holds, 0 to 1."""
        share = self._shares.get(text)
        if share is None:
            share = self.said_by(self.stems_in(text)).share
            _remember(self._shares, text, share)
        return share

    def reading(self, symbol: Symbol) -> Reading:
        """Return what a definition's name and place say to the query."""
        known = self._readings.get(symbol.id)
        # Comparing two symbols looks at all they say: most of those asked for again are the very same.
        if known is None or (known[0] is not symbol and known[0] != symbol):
            known = symbol, _read(symbol, self)
            _remember(self._readings, symbol.id, known)
        return known[1]

    def terms_shown(self, symbol: Symbol) -> tuple[str, ...]:
        """Return the query's terms that a reader of a definition's card sees, as they are told."""
        known = self._shown.get(symbol.id)
        if known is None or (known[0] is not symbol and known[0] != symbol):
            known = symbol, self.told(_terms_on_card(symbol, self))
            _remember(self._shown, symbol.id, known)
        return known[1]

    def stems_in(self, text: str) -> frozenset[str]:
        """Return the query's stems a text holds; names are not taken apart."""
        text = text.lower()
        return frozenset([word for word, begin in self._beginnings if begin in text and _holds(text, word, begin)])

    def told(self, terms: Sequence[str]) -> tuple[str, ...]:
        """Return terms as they are told: a translation with the word it was read from."""
        readings = dict(self.query.readings)
        return tuple(f"{readings[term]} = {term}" if term in readings else term for term in terms)

    def said_by(self, words: frozenset[str]) -> Said:
        """Return what some words, as stems, say of the query; most of what is found says one of a few things."""
        common = self.stems & words
        for word in self._together.keys() & common:
            common |= self._together[word]
        said = self._sayings.get(common)
        if said is None:
            said = _said(self, common)
            _remember(self._sayings, common, said)
        return said


def _said(asked: Asked, stems: frozenset[str]) -> Said:
    held = [(term, weight) for term, weight, own in asked.terms if own <= stems] if stems else []
    weight = sum(weight for _, weight in held)
    return Said(
        frozenset(term for term, _ in held),
        weight / asked.total if held else 0.0,
        min(1.0, weight / (_FULL_COVER * asked.total)) if asked.total > 0 else 0.0,
        sum(min(weight / asked.strongest, 1.0) for _, weight in held),
    )


def _holds(text: str, wanted: str, begin: str) -> bool:
    """Return whether a word of a stem stands in a lower-case text, given what such words begin with."""
    at = text.find(begin)
    while at >= 0:
        word = _WORD.match(text, at) if not text[at - 1 : at].isalnum() else None
        if word is not None and stem(word[0]) == wanted:
            return True
        at = text.find(begin, at + 1)
    return False


class FileHits(NamedTuple):
    """How strongly a file was hit, each 0 to 1 against the best file."""

    best: float = 0.0
    few: float = 0.0
    """Its four best hits together."""
    many: float = 0.0
    """Its ten best hits together."""


def _read(symbol: Symbol, asked: Asked) -> Reading:
    words = _stems_of_names(symbol)
    name, path = asked.said_by(words), asked.said_by(_path_stems(symbol.path))
    factor = place_factor(symbol, asked.query, asked.languages)
    if symbol.kind is SymbolKind.MODULE:
        factor *= MODULE_FACTOR
    prefix = _PREFIX_SHARE * prefix_share(symbol.path, asked.prefixes)
    place = _PATH_SHARE * path.coverage
    if says_place(symbol.path, asked.stems, asked.pairs):
        place += _SAID_PATH_SHARE
    return Reading(_name_part(name, len(words)), place, prefix, _prior(symbol), factor)


def _terms_on_card(symbol: Symbol, asked: Asked) -> list[str]:
    text = asked.stems_in(with_seams(f"{symbol.signature} {symbol.doc}"))
    said = [asked.said_by(words).terms for words in (_stems_of_names(symbol), _path_stems(symbol.path), text)]
    known = frozenset[str]().union(*said)
    return [term for term, _, _ in asked.terms if term in known] if known else []


def _stems_of_names(symbol: Symbol) -> frozenset[str]:
    return reduce(or_, map(_name_stems, symbol.qualname.split(".")))


def _remember(known: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    if len(known) >= _MOST_REMEMBERED:
        known.clear()
    known[key] = value


@lru_cache(maxsize=4_096)
def _name_stems(name: str) -> frozenset[str]:
    """Return the stems of a simple name: methods of many types are called alike, and a type has many."""
    return stems_of(name)


@lru_cache(maxsize=4_096)
def _path_stems(path: str) -> frozenset[str]:
    return stems_of(path)


def base_scores(hits: Sequence[LexicalHit]) -> dict[int, float]:
    """Return each hit's score as a share of the best one's, by node."""
    top = max((hit.score for hit in hits), default=0.0)
    return {hit.node: hit.score / top for hit in hits} if top > 0 else {hit.node: 1.0 for hit in hits}


def file_hits(paths: Mapping[int, str], base: Mapping[int, float]) -> dict[str, FileHits]:
    """Return how strongly each file was hit; ``paths`` has the file of each node."""
    by_path: dict[str, list[float]] = {}
    for node, score in base.items():
        by_path.setdefault(paths[node], []).append(score)
    sums = {}
    for path, scores in by_path.items():
        scores.sort(reverse=True)
        sums[path] = (scores[0], sum(scores[:_BEST_OF_FILE]), sum(scores[:_MANY_OF_FILE]))
    best, few, many = [max((found[place] for found in sums.values()), default=0.0) or 1.0 for place in range(3)]
    return {path: FileHits(found[0] / best, found[1] / few, found[2] / many) for path, found in sums.items()}


def score_parts(reading: Reading, *, lexical: float, file: FileHits) -> dict[str, float]:
    """Return the named parts of a text hit's score; their sum is the score and is not negative."""
    parts = {
        "lexical": _LEXICAL_SHARE * lexical,
        "file": _FILE_SHARE * file.few + _FILE_BEST_SHARE * file.best - _FILE_SPREAD_SHARE * file.many,
        "name": reading.name,
        "path": reading.path,
        "prefix": reading.prefix,
        "prior": reading.prior,
    }
    if reading.place_factor < 1.0:
        parts["place"] = (reading.place_factor - 1.0) * sum(parts.values())
    return {name: value for name, value in parts.items() if value}


def _prior(symbol: Symbol) -> float:
    """Prefer what can be called or built, and of two the one that does more: full-text scores favour short ones."""
    lines = min(max(symbol.end_line - symbol.start_line + 1, 1), _MOST_LINES)
    return _KIND_SHARE * _KIND_PRIOR.get(symbol.kind, 1.0) + _LENGTH_SHARE * log1p(lines)


def _name_part(said: Said, words: int) -> float:
    """Return what a name of so many words is worth: how much of it is spoken of, and how much of the query it says.

    How much of it is spoken of is damped when that is a single word.
    """
    precision = said.strength / (words + 0.5) if words else 0.0
    return _NAME_SHARE * precision + _NAME_COVER_SHARE * said.coverage
