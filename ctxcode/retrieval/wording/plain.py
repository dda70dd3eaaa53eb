"""Everyday words of a question with what code says for them: who wants what is *not asked again* looks for ``cache``.

The phrases are in ``plain.txt``. Of 90 questions about 65 packages, written as people ask by somebody who had not seen
them, the mean reciprocal rank of the file meant is .59, by the question's own words .52; of 90 others that avoid
the code's words .20, and .10.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from pathlib import Path

from ctxcode.model.naming.words import stem
from ctxcode.model.retrieval import Query
from ctxcode.retrieval.graph_port import SearchableGraph

_MOST_CHARS = 200
"""Of a question: what is longer says more of what it means."""
_MOST_BETWEEN = 2
"""Words that may stand between two of a phrase."""
_FACTOR = 0.8
"""What a code's word weighs, of the question's heaviest."""
_LONE_FACTOR = 0.6
"""The same for one that a single word is read as: code may well have that word itself."""
_OWN_FACTOR = 0.5
"""What is left of the weight of a phrase's words."""
_MOST_ADDED = 6
"""More words than these find hardly more and take twice the time."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_NEGATED = (
    (re.compile(r"[\u2019']"), "'"),
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'\w+"), ""),
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase behind its first word, with what code says for it."""

    following: tuple[str, ...]
    """Stems."""
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """A phrase in a question."""

    words: tuple[str, ...]
    code: tuple[str, ...]


def in_code_words(query: Query, graph: SearchableGraph) -> tuple[Query, str]:
    """Return a brief question in English with what code says for its everyday words, and a sentence on them.

    Words that stand nowhere in the code are left out; a question that names code is returned as it is.
    """
    is_plain = len(query.text) <= _MOST_CHARS and not query.said
    if not query.terms or not is_plain or any(mention.is_explicit for mention in query.mentions):
        return query, ""
    said = sorted(_said(query.text), key=lambda each: -len(each.words))
    weights = dict(query.terms)
    nowhere = graph.unknown_words({word for each in said for word in each.code}) if said else frozenset()
    added = _added(said, weights, nowhere)
    if not added:
        return query, ""
    phrases = {phrase for _, phrase in added.values() if " " in phrase}
    read = {stem(word) for phrase in phrases for word in phrase.split()}
    own = {word: weight * (_OWN_FACTOR if stem(word) in read else 1.0) for word, weight in weights.items()}
    terms = {**own, **{word: weight for word, (weight, _) in added.items()}}
    readings = tuple((word, phrase) for word, (_, phrase) in added.items())
    made = replace(
        query,
        terms=tuple((word, round(weight, 4)) for word, weight in terms.items()),
        readings=(*query.readings, *readings),
    )
    return made, _told(readings)


def _added(
    said: Sequence[_Said], weights: Mapping[str, float], nowhere: Collection[str]
) -> dict[str, tuple[float, str]]:
    """Return words of the code, each with its weight and its phrase; the first ones of all phrases come first."""
    most = max(weights.values())
    ranked = sorted(((place, each, word) for each in said for place, word in enumerate(each.code)), key=itemgetter(0))
    added: dict[str, tuple[float, str]] = {}
    for _, each, word in ranked:
        weight = most * (_FACTOR if len(each.words) > 1 else _LONE_FACTOR)
        is_known = word in weights or word in nowhere
        if not is_known and weight > added.get(word, (0.0, ""))[0] and (word in added or len(added) < _MOST_ADDED):
            added[word] = weight, " ".join(each.words)
    return added


def _said(text: str) -> Iterator[_Said]:
    words = _words(text)
    stems = [stem(word) for word in words]
    for first, found in enumerate(stems):
        for phrase in _phrases().get(found, ()):
            places = _places(stems, first, phrase.following)
            if places:
                yield _Said(tuple(words[place] for place in places), phrase.code)


def _places(stems: Sequence[str], first: int, following: Sequence[str]) -> list[int]:
    """Return where the words of a phrase stand that begins at a place; nothing where they don't."""
    places = [first]
    for wanted in following:
        near = range(places[-1] + 1, min(places[-1] + 2 + _MOST_BETWEEN, len(stems)))
        place = next((place for place in near if stems[place] == wanted), None)
        if place is None:
            return []
        places.append(place)
    return places


def _words(text: str) -> list[str]:
    text = text.lower()
    for pattern, plain in _NEGATED:
        text = pattern.sub(plain, text)
    return _WORD.findall(text)


@cache
def _phrases() -> Mapping[str, Sequence[_Phrase]]:
    """Return the phrases by their first stem; the file is read once."""
    found: dict[str, list[_Phrase]] = {}
    for line in Path(__file__).with_name("plain.txt").read_text("utf-8").splitlines():
        code, _, phrases = line.partition(":")
        if phrases and not line.startswith("#"):
            for phrase in phrases.split("|"):
                first, *following = map(stem, _words(phrase))
                found.setdefault(first, []).append(_Phrase(tuple(following), tuple(code.split())))
    return found


def _told(readings: Sequence[tuple[str, str]]) -> str:
    by_phrase: dict[str, list[str]] = {}
    for word, phrase in readings:
        by_phrase.setdefault(phrase, []).append(word)
    pairs = [f"“{phrase}” as “{' '.join(words)}”" for phrase, words in by_phrase.items()]
    return f"Read in words of code too: {', '.join(pairs)}."
