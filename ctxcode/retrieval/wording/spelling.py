"""Words of a question that stand nowhere, read as the words that were meant."""

from collections.abc import Callable
from dataclasses import replace

from ctxcode.model.retrieval import Query
from ctxcode.retrieval.glossary.language import is_plainly_english
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.wording.joined import taken_apart

_MOST_LOOKED_UP = 12
_MOST_READ = 3
"""Of more, a question that is not plainly in English is in another language."""
_FACTOR = 0.8
"""What is left of the weight of a word that was only guessed."""


def respelt(query: Query, graph: SearchableGraph, is_common: Callable[[str], bool]) -> tuple[Query, str]:
    """Return the question with what may be slips of the keyboard read as words of the code, and a sentence on them.

    What the code writes as two words is read so. What the question names stays as it is: a name that is not there is
    told as such. So do words that are common elsewhere: who asks what happens in a "crash" means no "class".
    """
    weights = dict(query.terms)
    read: dict[str, str] = {}
    words = sorted(weights, key=lambda term: (-weights[term], term))[:_MOST_LOOKED_UP]
    nowhere = graph.unknown_words(words)
    apart = taken_apart([word for word in words if word in nowhere], graph)
    most = _MOST_LOOKED_UP if is_plainly_english(query.text) else _MOST_READ
    for word in words:
        meant = apart.get(word)
        if meant is None and word in nowhere and not is_common(word):
            meant = graph.nearest_word(word)
        if meant is not None:
            read[word] = meant
        if len(read) > most:
            return query, ""
    if not read:
        return query, ""
    terms: dict[str, float] = {}
    for word, weight in query.terms:
        meant = read.get(word, word)
        terms[meant] = max(terms.get(meant, 0.0), weight if meant == word else _FACTOR * weight)
    told = ", ".join(f"“{word}” as “{meant.replace('_', ' ')}”" for word, meant in sorted(read.items()))
    return replace(query, terms=tuple(terms.items())), f"Not a word of this code, so it was read otherwise: {told}."
