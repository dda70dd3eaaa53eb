"""A question in words of the code: in English, spelt as the code spells, with what the code says for it."""

import re
from collections.abc import Callable

from ctxcode.model.naming.words import words_in
from ctxcode.model.retrieval import MentionKind, Query
from ctxcode.retrieval.glossary.language import is_plainly_english
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.wording.code import as_code_says
from ctxcode.retrieval.wording.plain import in_code_words
from ctxcode.retrieval.wording.spelling import respelt

_MOST_NAMES = 3
_MOST_ASKED_CHARS = 300
"""Of a question: what is longer is pasted, and full of names from elsewhere."""
_MOST_NAME_CHARS = 80
_LIKE_CODE = re.compile(r"\w[_.:#>(]+\w|[a-z][A-Z]")


def understood(query: Query, graph: SearchableGraph, is_common: Callable[[str], bool]) -> tuple[Query, str]:
    """Return the question in words of the code, and what is to be told of how it was read."""
    told = ""
    if query.terms and not is_plainly_english(query.text):
        from ctxcode.retrieval.glossary.translate import translated  # noqa: PLC0415 - English questions need nothing of it

        query, told = translated(query, graph)
    query, spelling = respelt(query, graph, is_common)
    absent = _absent(query, graph)
    query, plain = in_code_words(query, graph)
    return as_code_says(query, graph), "; ".join(filter(None, (told, spelling, plain, absent)))


def _absent(query: Query, graph: SearchableGraph) -> str:
    """Return a sentence on names of a short question that hold a word no code has."""
    if len(query.text) > _MOST_ASKED_CHARS:
        return ""
    named = [
        mention.text
        for mention in query.mentions
        if mention.kind is MentionKind.IDENTIFIER
        and len(mention.text) <= _MOST_NAME_CHARS
        and (mention.is_explicit or _LIKE_CODE.search(mention.text) is not None)
    ][:_MOST_NAMES]
    # A word that was read otherwise is told as that.
    words = {name: set(words_in(name)) & dict(query.terms).keys() for name in named}
    nowhere = graph.unknown_words(set().union(*words.values())) if any(words.values()) else frozenset()
    absent = [f"“{name}”" for name in dict.fromkeys(named) if words[name] & nowhere and not graph.symbols_named(name)]
    if not absent:
        return ""
    return f"{' and '.join(absent)} {'stands' if len(absent) == 1 else 'stand'} nowhere in the indexed code."
