"""Words that a question writes apart and the code as one, or the other way round: ``file name`` and ``filename``."""

import re
from collections.abc import Iterable
from dataclasses import replace

from ctxcode.model.naming.words import words_in
from ctxcode.model.retrieval import Query
from ctxcode.retrieval.graph_port import SearchableGraph

_PAIR = re.compile(r"(?=\b([^\W\d_]{2,20})[ /-]([^\W_]{1,20})\b)")
_TOGETHER = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z0-9]{1,23}(?![\w.(])")
"""What may be several words by its capitals; members and calls are code as it is written."""
_MOST_READ_CHARACTERS = 4_000
_MOST_PAIRS = 30
_LONGEST_NUMBER = 4
_FACTOR = 0.8
"""What a word made of two weighs against the lighter of them; 0.3 to 0.8 find the same."""
_SHORTEST_PART = 3
_LONGEST_WORD = 24


def with_joined(query: Query, graph: SearchableGraph) -> Query:
    """Return the question with what two words of it that stand side by side are as one, where the code has that.

    ``HTTP/2`` is ``http2``, too, ``sha-256`` ``sha256``, and a name that stands together is all its words in one:
    ``OpenSSL`` is ``openssl``.
    """
    weights = dict(query.terms)
    found: dict[str, float] = {}
    for pair in _PAIR.finditer(query.text[:_MOST_READ_CHARACTERS].lower()):
        first, second = weights.get(pair[1]), weights.get(pair[2])
        if pair[2].isdecimal() and len(pair[2]) <= _LONGEST_NUMBER:
            second = first
        word = pair[1] + pair[2]
        if first is not None and second is not None and word not in weights and len(found) < _MOST_PAIRS:
            found.setdefault(word, round(_FACTOR * min(first, second), 4))
    for name in _TOGETHER.findall(query.text[:_MOST_READ_CHARACTERS]):
        weight = weights.get("_".join(words_in(name)))
        if weight is not None and name.lower() not in weights and len(found) < _MOST_PAIRS:
            found.setdefault(name.lower(), round(_FACTOR * weight, 4))
    nowhere = graph.unknown_words(found) if found else found
    more = tuple((word, weight) for word, weight in found.items() if word not in nowhere)
    return replace(query, terms=(*query.terms, *more)) if more else query


def taken_apart(words: Iterable[str], graph: SearchableGraph) -> dict[str, str]:
    """Return those of some words that stand nowhere whose parts the code has side by side, with these.

    ``filename`` is ``file_name`` then, ``sha256`` ``sha_256``; of several the parts that are most alike in length.
    """
    cuts = {word: _cuts(word) for word in words if len(word) <= _LONGEST_WORD and word.isalnum()}
    nowhere = graph.unknown_words({cut for each in cuts.values() for cut in each})
    held = {word: [cut for cut in each if cut not in nowhere] for word, each in cuts.items()}
    return {word: min(each, key=_unevenness) for word, each in held.items() if each}


def _cuts(word: str) -> list[str]:
    """Return the ways to write a word as two, joined by an underscore: a phrase to the index."""
    letters = word.rstrip("0123456789")
    if letters != word:
        return [f"{letters}_{word[len(letters) :]}"] if len(letters) > 1 else []
    return [f"{word[:at]}_{word[at:]}" for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)]


def _unevenness(cut: str) -> tuple[int, str]:
    first, _, second = cut.partition("_")
    return abs(len(first) - len(second)), cut
