"""A query's RetrievalSet: explicit mentions, then text hits and what stands next to the best ones in the graph."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ctxcode.model.canonical import digest
from ctxcode.model.errors import ModelError
from ctxcode.model.ids import RetrievalId
from ctxcode.model.naming.folder import is_change_log
from ctxcode.model.plan import Reason, ReasonType, Relation
from ctxcode.model.retrieval import LexicalHit, Query, RetrievalSet, Retrieved, ScoreTerm
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.beside import beside
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.inner import inner_functions, with_inner
from ctxcode.retrieval.lexical import (
    MODULE_FACTOR,
    Asked,
    FileHits,
    base_scores,
    file_hits,
    score_parts,
)
from ctxcode.retrieval.mentioned import Mentioned, pointed
from ctxcode.retrieval.message import MESSAGE, MESSAGE_SHARE, message_shares
from ctxcode.retrieval.phrase import PHRASE_SHARE, phrase_shares
from ctxcode.retrieval.place.folder import NamedFolder, named_folders, without_folder_words
from ctxcode.retrieval.repeated.copies import Ranked, said_again
from ctxcode.retrieval.repeated.declared import asks_for_declarations, defined_elsewhere, with_definitions
from ctxcode.retrieval.semantic import SEMANTIC_SHARE, Semantic, is_told
from ctxcode.retrieval.spread import Neighbour, spread
from ctxcode.retrieval.wording.understood import understood

MOST_CANDIDATES = 400
_MOST_TEXT_HITS = 300
_MOST_BESIDE_NAMES = 200
"""Text hits of a question that names code: fewer do as well there."""
_MOST_SEEDS = 30
_MOST_NEIGHBOURS = 100
_GRAPH_BONUS = 0.15
"""What the best-connected candidate gains at most."""
_HELD_SHARE = 0.4
"""What a candidate gains that holds all the question says."""
_MOST_COMPARED = 60
"""Candidates, the best, are looked at closer: which words stand side by side, and what they mean."""
_NO_HITS = FileHits()
_ASKS_FOR_CHANGES = re.compile(r"\b(?:change[ -]?logs?|release[ -]notes?|what['\u2019]?s new)\b", re.IGNORECASE)
_PLACE_STEP = 0.001
"""By what an earlier line of a trace is above a later one at least."""
_COPY_FACTOR = 0.1
"""What is left of a score where a better candidate in another file says the same."""
_INNER_FACTOR = 0.5
"""What is left of a score inside a function: that one's text holds it."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """What every candidate of a query is scored against."""

    graph: SearchableGraph
    asked: Asked
    base: Mapping[int, float]
    """Text scores, 0 to 1, by node."""
    files: Mapping[str, FileHits]
    declared: Mapping[int, int]
    """Nodes that only declare what another one defines; none where the question is about declarations."""


class _Why(NamedTuple):
    """A reason on its way into the set; its weight is not the last word."""

    type: ReasonType
    weight: float
    terms: tuple[str, ...] = ()
    relation: Relation | None = None
    subject: str = ""


@dataclass(slots=True)
class _Candidate:
    """A symbol on its way into the set."""

    symbol: Symbol
    parts: dict[str, float]
    reasons: list[_Why]
    is_first: bool = False
    place: int | None = None
    """Of the question's mentions the one that points here with a line, or as a frame of a trace."""
    lines: tuple[int, ...] = ()
    """Those of it that are pointed at."""

    @property
    def score(self) -> float:
        return sum(self.parts.values())


def _is_unknown(_word: str) -> bool:
    return False


def retrieve(
    query: Query,
    graph: SearchableGraph,
    semantic: Semantic | None = None,
    *,
    limit: int = MOST_CANDIDATES,
    is_common: Callable[[str], bool] = _is_unknown,
) -> RetrievalSet:
    """Return at most ``limit`` scored candidates for a query, best first; scores are above 0 and at most 1.

    Explicit mentions come before all else. Which the best are is told by full text, names, places and links; only these
    are looked at closer, which takes most of the time. With ``semantic`` the best of what was found is compared with
    the question by meaning too; when it can't be, the set says so. A neighbour no word led to is scored as a text hit
    without text: by its file, name and place, and by its neighbours. ``is_common`` tells words, in small letters, that
    are no slips of the keyboard though the code has none of them. Equal queries on equal index revisions give equal
    sets with equal ids.
    """
    folders = named_folders(query, graph)
    query, reading = understood(without_folder_words(query, folders), graph, is_common)
    ground, candidates = _text_candidates(query, graph, folders)
    received = spread(_seeds(candidates), graph) if candidates else {}
    candidates.update(_neighbours(ground, received, candidates))
    _add_bonus(candidates, received, graph)
    candidates = _foremost(candidates, limit)
    texts = graph.texts_at(candidates.keys())
    _add_held(candidates, ground.asked, texts)
    _mark_copies(candidates, texts, ground.declared)
    best = _best(candidates, texts, ground.declared)
    _add_phrases(candidates, ground.asked, best)
    complaint = _add_meaning(candidates, query, best, semantic) if semantic is not None else ""
    _keep_places(candidates)
    revision = graph.stats().revision
    entries = tuple(_scaled(sorted(candidates.values(), key=_order), ground.asked))
    told = "; ".join(filter(None, (reading, complaint)))
    identity = _identity(query, revision, entries)
    return RetrievalSet(identity, query.text, revision, entries, told, is_compared=not complaint)


@lru_cache(maxsize=1)
def _asked(query: Query) -> Asked:
    return Asked(query)


def _order(candidate: _Candidate) -> tuple[bool, float, str]:
    return (not candidate.is_first, -candidate.score, candidate.symbol.id)


def _foremost(candidates: dict[int, _Candidate], most: int) -> dict[int, _Candidate]:
    """Return the best candidates as they are scored so far."""
    if len(candidates) <= most:
        return candidates
    ranked = sorted(candidates, key=lambda node: _order(candidates[node]))
    return {node: candidates[node] for node in ranked[:most]}


def _keep_places(candidates: Mapping[int, _Candidate]) -> None:
    """Lift what a place in the question points at above what later ones do: a trace begins with what failed."""
    placed = [(candidate.place, candidate) for candidate in candidates.values() if candidate.place is not None]
    least, level, last = 0.0, 0.0, None
    for place, candidate in sorted(placed, key=lambda pair: (-pair[0], pair[1].score)):
        if place != last:
            least, last = level, place
        if candidate.score < least:
            candidate.parts["order"] = least - candidate.score
        level = max(level, candidate.score + _PLACE_STEP)


def _text_candidates(
    query: Query, graph: SearchableGraph, folders: Sequence[NamedFolder]
) -> tuple[_Ground, dict[int, _Candidate]]:
    """Return mentioned symbols and full-text hits by node, with what they were scored against."""
    hits = _hits(query, graph)
    symbols = graph.symbols_at({hit.node for hit in hits})
    named = pointed(query, graph, folders, symbols)
    symbols.update((node, mention.symbol) for node, mention in named.items())
    declared = {} if asks_for_declarations(query.text) else defined_elsewhere(symbols, graph)
    named = _without_declarations(named, declared)
    outer = inner_functions(symbols, graph)
    own = base_scores(hits)
    base = with_inner(with_definitions(own, declared), outer)
    symbols.update(graph.symbols_at(base.keys() - symbols.keys()))
    files = file_hits({node: symbols[node].path for node in base}, base)
    ground = _Ground(graph, _asked(query), base, files, declared)
    candidates = {}
    for node, symbol in sorted(symbols.items()):
        lexical = base.get(node, own.get(node, 0.0))
        candidates[node] = _candidate(ground, (node, symbol), lexical, named.get(node), is_inner=node in outer)
    return ground, candidates


def _without_declarations(pointed: Mapping[int, Mentioned], declared: Mapping[int, int]) -> dict[int, Mentioned]:
    """Return what is mentioned without the declarations of what is mentioned as well."""
    return {node: mention for node, mention in pointed.items() if declared.get(node) not in pointed}


def _hits(query: Query, graph: SearchableGraph) -> Sequence[LexicalHit]:
    """Return the full-text hits; where only tests, examples or vendored code answer, those.

    Who asks for tests or docs does not ask for all that was ever changed.
    """
    if not query.terms:
        return ()
    most = _MOST_BESIDE_NAMES if query.mentions else _MOST_TEXT_HITS
    hits = graph.search(query.terms, most, with_aside=query.wants_tests)
    if not query.wants_tests:
        return hits or graph.search(query.terms, most)
    if _ASKS_FOR_CHANGES.search(query.text):
        return hits
    return tuple(hit for hit in hits if not is_change_log(hit.path)) or hits


def _candidate(
    ground: _Ground, place: tuple[int, Symbol], lexical: float, mention: Mentioned | None = None, *, is_inner: bool
) -> _Candidate:
    node, symbol = place
    reading = ground.asked.reading(symbol)
    parts = score_parts(reading, lexical=lexical, file=ground.files.get(symbol.path, _NO_HITS))
    reasons: list[_Why] = []
    weight = sum(parts.values())
    if mention and mention.tells:
        parts["project"] = mention.value
        reasons.append(_Why(ReasonType.CENTRAL, mention.value, subject=mention.tells))
    elif mention:
        parts["mention"] = mention.value
        nearest = symbol.name if mention.is_guess else ""
        reasons.append(_Why(ReasonType.MENTIONED, mention.value, mention.texts, None, nearest))
    if lexical > 0:
        reasons.append(_Why(ReasonType.LEXICAL, weight))
    candidate = _Candidate(symbol, parts, reasons)
    if mention is not None:
        candidate.is_first, candidate.place, candidate.lines = mention.is_first, mention.place, mention.lines
    near = beside(node, ground.base, ground.graph)
    if near > 0:
        parts["beside"] = near
    if is_inner and not candidate.is_first:
        parts["inner"] = (_INNER_FACTOR - 1.0) * candidate.score
    return candidate


def _seeds(candidates: Mapping[int, _Candidate]) -> dict[int, float]:
    """Return the best text hits with their scores; a file's module has too many links to say anything."""
    ranked = sorted(candidates.items(), key=lambda pair: _order(pair[1]))
    return {
        node: max(candidate.score, 0.0) ** 2
        for node, candidate in ranked[:_MOST_SEEDS]
        if candidate.symbol.kind is not SymbolKind.MODULE
    }


def _add_bonus(candidates: Mapping[int, _Candidate], received: Mapping[int, Neighbour], graph: SearchableGraph) -> None:
    """Let text hits that stand close to the best ones gain a little, and say next to what they stand."""
    touched = {node: received[node] for node in candidates if node in received}
    most = max((neighbour.mass for neighbour in touched.values()), default=0.0)
    if most <= 0:
        return
    origins = _origins(touched, candidates, graph)
    for node, neighbour in touched.items():
        bonus = _GRAPH_BONUS * neighbour.mass / most
        candidate = candidates[node]
        candidate.parts["graph"] = bonus
        candidate.reasons.append(_graph_reason(neighbour, bonus, origins))


def _add_held(candidates: Mapping[int, _Candidate], asked: Asked, texts: Mapping[int, str]) -> None:
    """Let candidates gain by how much of the question stands in them, anywhere and word for word."""
    for node, text in texts.items():
        if share := asked.share_in(text):
            candidates[node].parts["held"] = _HELD_SHARE * share
    for node, share in message_shares(asked.query.text, texts).items():
        candidates[node].parts[MESSAGE] = MESSAGE_SHARE * share


def _mark_copies(candidates: Mapping[int, _Candidate], texts: Mapping[int, str], declared: Mapping[int, int]) -> None:
    """Let what stands in several files count in the best one; what is declared in one, where it is defined."""
    ranked = sorted(((node, candidates[node]) for node in texts), key=lambda pair: _order(pair[1]))
    again = said_again([Ranked(node, one.symbol, one.score, one.parts.get("path", 0.0)) for node, one in ranked], texts)
    for candidate in [candidate for node, candidate in ranked if node in again or node in declared]:
        if not candidate.is_first:
            candidate.parts["copy"] = (_COPY_FACTOR - 1.0) * candidate.score


def _best(
    candidates: Mapping[int, _Candidate], texts: Mapping[int, str], declared: Mapping[int, int]
) -> dict[int, str]:
    """Return the texts of the best candidates: for what comes after them a closer look changes no plan."""
    ranked = sorted(candidates.keys() - declared.keys(), key=lambda node: _order(candidates[node]))
    return {node: texts[node] for node in ranked[:_MOST_COMPARED] if node in texts}


def _add_phrases(candidates: Mapping[int, _Candidate], asked: Asked, texts: Mapping[int, str]) -> None:
    """Let candidates gain that say words side by side as the question does."""
    for node, share in phrase_shares(asked, texts).items():
        candidates[node].parts["phrase"] = PHRASE_SHARE * share


def _add_meaning(
    candidates: Mapping[int, _Candidate], query: Query, texts: Mapping[int, str], semantic: Semantic
) -> str:
    """Let candidates gain by what they are about; return what went wrong, if anything did."""
    if not texts or not semantic.is_for(query):
        return ""
    try:
        shares = semantic.closeness(query, texts)
    except ModelError as error:
        return semantic.complaint(error)
    for node, share in shares.items():
        candidate = candidates[node]
        value = SEMANTIC_SHARE * share * (MODULE_FACTOR if candidate.symbol.kind is SymbolKind.MODULE else 1.0)
        if value > 0:
            candidate.parts["semantic"] = value
            if is_told(share):
                candidate.reasons.append(_Why(ReasonType.SEMANTIC, value))
    return ""


def _origins(
    neighbours: Mapping[int, Neighbour], candidates: Mapping[int, _Candidate], graph: SearchableGraph
) -> dict[int, Symbol]:
    nodes = {neighbour.origin for neighbour in neighbours.values()}
    known = {node: candidates[node].symbol for node in nodes if node in candidates}
    return {**known, **graph.symbols_at(nodes - known.keys())}


def _graph_reason(neighbour: Neighbour, weight: float, origins: Mapping[int, Symbol]) -> _Why:
    origin = origins.get(neighbour.origin)
    subject = (origin.qualname or origin.path) if origin else ""
    return _Why(ReasonType.GRAPH, weight, (), Relation(neighbour.relation), subject)


def _neighbours(
    ground: _Ground, received: Mapping[int, Neighbour], candidates: Mapping[int, _Candidate]
) -> dict[int, _Candidate]:
    """Return the definitions no word led to that got most from the best text hits."""
    unseen = [node for node in received if node not in candidates]
    heaviest = sorted(unseen, key=lambda node: (-received[node].mass, node))[:_MOST_NEIGHBOURS]
    symbols = {
        node: symbol
        for node, symbol in ground.graph.symbols_at(heaviest).items()
        if symbol.kind is not SymbolKind.MODULE and not symbol.is_member
    }
    declared = defined_elsewhere(symbols, ground.graph)
    symbols = {node: one for node, one in symbols.items() if node not in declared}
    inner = inner_functions(symbols, ground.graph)
    made = {node: _candidate(ground, (node, one), 0.0, is_inner=node in inner) for node, one in symbols.items()}
    return {node: candidate for node, candidate in made.items() if candidate.score > 0}


def _scaled(ranked: list[_Candidate], asked: Asked) -> list[Retrieved]:
    """Divide all scores, their parts and the reasons' weights by the best score; words are told of who is left only."""
    scores = [candidate.score for candidate in ranked]
    top = max(scores, default=1.0)
    return [
        Retrieved(
            candidate.symbol,
            score / top,
            tuple(map(ScoreTerm, candidate.parts, [value / top for value in candidate.parts.values()])),
            _scaled_reasons([_worded(why, candidate.symbol, asked) for why in candidate.reasons], score, top),
            candidate.lines,
        )
        for candidate, score in zip(ranked, scores, strict=True)
    ]


def _worded(why: _Why, symbol: Symbol, asked: Asked) -> _Why:
    """Return the reason of a text hit with the words that a reader sees; none where only its body holds some."""
    if why.type is not ReasonType.LEXICAL:
        return why
    terms = asked.terms_shown(symbol)
    return why._replace(terms=terms, subject="" if terms else "body")


def _scaled_reasons(reasons: Sequence[_Why], score: float, top: float) -> tuple[Reason, ...]:
    """Return the reasons with weights that sum to the score: what none names counts for the words, else the first."""
    weights = [why.weight for why in reasons]
    place = next((number for number, why in enumerate(reasons) if why.type is ReasonType.LEXICAL), 0)
    if weights:
        weights[place] = max(weights[place] + score - sum(weights), 0.0)
    return tuple([Reason(why.type, weight / top, *why[2:]) for why, weight in zip(reasons, weights, strict=True)])


def _identity(query: Query, revision: str, entries: tuple[Retrieved, ...]) -> RetrievalId:
    scores = "\n".join(f"{entry.score:.9f} {entry.symbol.id}" for entry in entries)
    return RetrievalId(digest((query.text, query.terms, query.mentions, revision, scores)))
