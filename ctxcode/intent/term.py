"""Weighted search terms of a prompt."""

import re
from math import log

from ctxcode.intent.passage import Passages
from ctxcode.intent.word import WORD, is_identifier
from ctxcode.model.naming.telling import ASKING_WORDS, is_telling
from ctxcode.model.naming.words import compounds, words_in

MOST_TERMS = 40

_FOCUS_WEIGHT = 2.0
_PROSE_WEIGHT = 1.0
_PASTED_WEIGHT = 0.4
_BOILERPLATE = re.compile(
    r"Traceback \(most recent call last\)|\bFile (?=\")|,? \bline \d+(?:, in\b)?"
    r"|(?<=[\w)])(?:\.(?:py|pyi|js|jsx|mjs|ts|tsx|vue|svelte|rs|go|java|kt|c|h|cpp|rb|php|cs))?:\d+(?::\d+)?\b"
    r"|(?<=\w)\.(?:py|pyi|js|jsx|mjs|ts|tsx|vue|svelte|rs|go|java|kt|c|h|cpp|rb|php|cs)\b"
    r"|^diff --git|^index [0-9a-f]+\.\.[0-9a-f]+|https?://(?:www\.)?",
    re.MULTILINE,
)
"""What every traceback, location and diff says."""

_MARKED = re.compile(r"`[^`\n]{1,200}`|\b\w{1,80}\(|(?<=\w)(?:\.|::|->|#)\w{1,80}")

_TICKED = re.compile(r"`([^`\n]{2,80})`")

_WHOLE_NAME_BOOST = 1.5
_NAME_PART_SHARE = 0.7
_ASKING_SHARE = 0.2
"""What is left of the weight of a word that says what is to be done: found on the public benchmark, and looked at on
changes to packages in Go, Java and JavaScript."""
_MOST_REPEATED = 2.0
"""How much more a word that is said again and again can weigh."""


def terms(passages: Passages) -> tuple[tuple[str, float], ...]:
    """Return the telling words with weights, in order of first appearance; at most the 40 weightiest.

    Identifiers, and whatever stands together like one, come whole and in parts; the first sentence counts double,
    pasted text less than half, words that say what is to be done little, where they are not marked as code.
    """
    weights: dict[str, float] = {}
    counts: dict[str, int] = {}
    for text, weight in (
        (passages.focus, _FOCUS_WEIGHT),
        (passages.prose, _PROSE_WEIGHT),
        (passages.pasted, _PASTED_WEIGHT),
    ):
        cleaned = _BOILERPLATE.sub(" ", text)
        found = [(term, _WHOLE_NAME_BOOST) for term in _whole_names(cleaned)]
        asking = frozenset[str]() if text is passages.pasted else ASKING_WORDS.difference(_as_code(text))
        found += [pair for word in WORD.findall(cleaned) for pair in _terms_of(word, asking)]
        for term, share in found:
            weights[term] = max(weights.get(term, 0.0), weight * share)
            counts[term] = counts.get(term, 0) + (text is not passages.focus)
    places = {term: place for place, term in enumerate(weights)}
    total = {
        term: round(weight * min(_MOST_REPEATED, 1.0 + 0.25 * log(max(counts[term], 1))), 4)
        for term, weight in weights.items()
    }
    kept = sorted(total, key=lambda term: (-total[term], places[term]))[:MOST_TERMS]
    return tuple((term, total[term]) for term in sorted(kept, key=places.__getitem__))


def _whole_names(text: str) -> list[str]:
    """Return what stands together like a name; of words that tell nothing alone (`why-not`) what is marked as code."""
    marked = [term for term in compounds(" ".join(_TICKED.findall(text))) if not _tells(term)]
    return [*filter(_tells, compounds(text)), *marked]


def _tells(term: str) -> bool:
    return any(map(is_telling, term.split("_")))


def _terms_of(word: str, asking: frozenset[str]) -> list[tuple[str, float]]:
    """Return what a word says, with shares of what it weighs; one of ``asking`` says little."""
    if len(word) > 80:
        return []
    parts = words_in(word)
    if len(parts) > 1 and is_identifier(word):
        return [
            ("_".join(parts), _WHOLE_NAME_BOOST),
            *((part, _NAME_PART_SHARE) for part in parts if is_telling(part)),
        ]
    whole = word.strip("$_").lower()
    return [(whole, _ASKING_SHARE if whole in asking else 1.0)] if whole and is_telling(whole) else []


def _as_code(text: str) -> list[str]:
    """Return the words that a text marks as code, or names as members or as they are called."""
    return [word for marked in _MARKED.findall(text) for word in WORD.findall(marked.lower())]
