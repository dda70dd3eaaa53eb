"""Full-text hits with what stands around them: the file's other hits, the path, the kind of definition."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from ctxcode.model.retrieval import LexicalHit, Query
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.folder import is_foreign_path, is_side_path

_FILE_SHARE = 0.5
_NAME_SHARE = 0.3
_PATH_SHARE = 0.25
_KIND_SHARE = 0.25
_LENGTH_SHARE = 0.2
_SIDE_FACTOR = 0.3
"""What is left of a score in tests, docs and examples nobody asked for."""
_BEST_OF_FILE = 4
_MODULE_FACTOR = 0.4

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_A-Za-z]+")
_KIND_PRIOR = {
    SymbolKind.MODULE: 0.0,
    SymbolKind.NAMESPACE: 0.2,
    SymbolKind.CONSTANT: 0.4,
    SymbolKind.VARIABLE: 0.3,
    SymbolKind.FIELD: 0.3,
    SymbolKind.TYPE: 0.7,
}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one symbol that a reader of its card sees."""

    name: frozenset[str]
    path: frozenset[str]
    text: frozenset[str]
    """Signature and doc."""


def split(text: str) -> list[str]:
    """Return the lower-case sub-words of a text."""
    return [part.lower() for part in _PART.findall(text)]


def words_of(symbol: Symbol) -> Words:
    """Return a symbol's words: sub-words, and its whole name in lower case."""
    return Words(
        frozenset((*split(symbol.qualname), symbol.name.lower().strip("_"))),
        frozenset(split(symbol.path)),
        frozenset(split(f"{symbol.signature} {symbol.doc}")),
    )


def matched_terms(query: Query, words: Words) -> tuple[str, ...]:
    """Return the query's terms that stand in a symbol's name, path, signature or doc, in the query's order."""
    return tuple(
        term for term, _ in query.terms if any(_holds(group, term) for group in (words.name, words.path, words.text))
    )


def _holds(words: frozenset[str], term: str) -> bool:
    if term in words:
        return True
    return "_" in term and all(part in words for part in term.split("_") if part)


def base_scores(hits: Sequence[LexicalHit]) -> dict[int, float]:
    """Return each hit's score as a share of the best one's, by node."""
    top = max((hit.score for hit in hits), default=0.0)
    return {hit.node: hit.score / top for hit in hits} if top > 0 else {hit.node: 1.0 for hit in hits}


def file_scores(hits: Sequence[LexicalHit], base: Mapping[int, float]) -> dict[str, float]:
    """Return 0 to 1 for each file: its four best hits together, against the best file's."""
    by_path: dict[str, list[float]] = {}
    for hit in hits:
        by_path.setdefault(hit.path, []).append(base[hit.node])
    sums = {path: sum(sorted(scores, reverse=True)[:_BEST_OF_FILE]) for path, scores in by_path.items()}
    top = max(sums.values(), default=0.0)
    return {path: value / top for path, value in sums.items()} if top > 0 else sums


def score_parts(symbol: Symbol, words: Words, query: Query, *, lexical: float, file: float) -> dict[str, float]:
    """Return the named parts of a text hit's score; their sum is the score and is positive."""
    path_share = _coverage(query, words.path)
    parts = {
        "lexical": lexical,
        "file": _FILE_SHARE * file,
        "name": _NAME_SHARE * _precision(query, words.name),
        "path": _PATH_SHARE * path_share,
    }
    if symbol.kind is SymbolKind.MODULE and not _is_strong_path(query, symbol):
        parts["lexical"] *= _MODULE_FACTOR
        parts["file"] *= _MODULE_FACTOR
    parts["prior"] = _prior(symbol)
    factor = _folder_factor(symbol.path, query)
    if factor < 1.0:
        parts["folder"] = (factor - 1.0) * sum(parts.values())
    return {name: value for name, value in parts.items() if value}


def _prior(symbol: Symbol) -> float:
    """Prefer what can be called or built, and of two the one that does more: full-text scores favour short ones."""
    lines = max(symbol.end_line - symbol.start_line + 1, 1)
    substance = 1.0 - 1.0 / (1.0 + log1p(lines / 20))
    return _KIND_SHARE * _KIND_PRIOR.get(symbol.kind, 1.0) + _LENGTH_SHARE * substance


def _folder_factor(path: str, query: Query) -> float:
    if is_foreign_path(path):
        return _SIDE_FACTOR
    return 1.0 if query.wants_tests or not is_side_path(path) else _SIDE_FACTOR


def _coverage(query: Query, words: frozenset[str]) -> float:
    """Return how much of the query's weight stands in some words; 0.3 of it is full marks."""
    total = sum(weight for _, weight in query.terms)
    held = sum(weight for term, weight in query.terms if term in words)
    return min(1.0, held / (0.3 * total)) if total > 0 else 0.0


def _precision(query: Query, words: frozenset[str]) -> float:
    """Return how much of a name the query speaks of, damped when that is a single word."""
    if not words:
        return 0.0
    strongest = max((weight for _, weight in query.terms), default=0.0)
    held = sum(min(weight / strongest, 1.0) for term, weight in query.terms if term in words)
    return held / (len(words) + 0.5)


def _is_strong_path(query: Query, symbol: Symbol) -> bool:
    """Tell whether the question names a file: all words of its stem are in the question."""
    stem = split(symbol.path.rpartition("/")[2].partition(".")[0])
    terms = {term for term, _ in query.terms}
    return bool(stem) and all(part in terms for part in stem)
