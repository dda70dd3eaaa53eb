"""A query's RetrievalSet: explicit mentions, then text hits, then what stands next to them in the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ctxcode.model.canonical import digest
from ctxcode.model.ids import RetrievalId
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.plan import Reason, ReasonType, Relation
from ctxcode.model.retrieval import LexicalHit, Query, RetrievalSet, Retrieved, ScoreTerm
from ctxcode.model.symbol import MEMBER_KINDS, Symbol, SymbolKind
from ctxcode.retrieval.beside import beside
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.inner import inner_functions, with_inner
from ctxcode.retrieval.lexical import Asked, FileHits, base_scores, file_hits, matched_terms, score_parts, words_of
from ctxcode.retrieval.mentioned import Mentioned, mentioned
from ctxcode.retrieval.spread import Neighbour, spread

_MOST_TEXT_HITS = 300
_MOST_SEEDS = 30
_MOST_NEIGHBOURS = 250
_GRAPH_BONUS = 0.15
"""What the best-connected text hit gains at most."""
_INNER_FACTOR = 0.5
"""What is left of a score inside a function: that one's text holds it."""
_TAIL_TOP = 0.98
"""The best neighbour's score, as a share of the lowest text hit's."""


@dataclass(slots=True)
class _Candidate:
    """A symbol on its way into the set."""

    symbol: Symbol
    parts: dict[str, float]
    reasons: list[Reason] = field(default_factory=list)
    is_first: bool = False

    @property
    def score(self) -> float:
        return sum(self.parts.values())


def retrieve(query: Query, graph: SearchableGraph, *, limit: int = 400) -> RetrievalSet:
    """Return at most ``limit`` scored candidates for a query, best first; scores are above 0 and at most 1.

    Explicit mentions come before all else, and no neighbour before a text hit. Equal queries on equal index
    revisions give equal sets with equal ids.
    """
    candidates = _text_candidates(query, graph)
    received = spread(_seeds(candidates), graph) if candidates else {}
    _add_bonus(candidates, received, graph)
    ranked = sorted(candidates.values(), key=_order)[:limit]
    if ranked and len(ranked) < limit:
        ranked += _tail(query, ranked, candidates, received, graph)[: limit - len(ranked)]
    revision = graph.stats().revision
    entries = tuple(_scaled(ranked))
    return RetrievalSet(_identity(query, revision, entries), query.text, revision, entries)


def _order(candidate: _Candidate) -> tuple[bool, float, str]:
    return (not candidate.is_first, -candidate.score, candidate.symbol.id)


def _text_candidates(query: Query, graph: SearchableGraph) -> dict[int, _Candidate]:
    """Return mentioned symbols and full-text hits by node."""
    hits = _hits(query, graph)
    named = mentioned(query, graph)
    nodes = graph.nodes_of(named.keys())
    pointed = {nodes[symbol_id]: mention for symbol_id, mention in named.items() if symbol_id in nodes}
    symbols = graph.symbols_at({hit.node for hit in hits})
    symbols.update((node, mention.symbol) for node, mention in pointed.items())
    outer = inner_functions(symbols, graph)
    own = base_scores(hits)
    base = with_inner(own, outer)
    symbols.update(graph.symbols_at(base.keys() - symbols.keys()))
    files = file_hits({node: symbols[node].path for node in base}, base)
    asked, none = Asked(query), FileHits()
    candidates = {}
    for node, symbol in sorted(symbols.items()):
        strengths = (base.get(node, own.get(node, 0.0)), files.get(symbol.path, none))
        candidate = candidates[node] = _text_candidate(symbol, asked, strengths, pointed.get(node))
        near = beside(node, base, graph)
        if near > 0:
            candidate.parts["beside"] = near
        if node in outer and not candidate.is_first:
            candidate.parts["inner"] = (_INNER_FACTOR - 1.0) * candidate.score
    return candidates


def _hits(query: Query, graph: SearchableGraph) -> Sequence[LexicalHit]:
    """Return the full-text hits; where only tests, examples or vendored code answer, those."""
    if not query.terms:
        return ()
    hits = graph.search(query.terms, _MOST_TEXT_HITS, with_aside=query.wants_tests)
    return hits if hits or query.wants_tests else graph.search(query.terms, _MOST_TEXT_HITS)


def _text_candidate(
    symbol: Symbol, asked: Asked, strengths: tuple[float, FileHits], mention: Mentioned | None
) -> _Candidate:
    lexical, file = strengths
    words = words_of(symbol)
    parts = score_parts(symbol, words, asked, lexical=lexical, file=file)
    reasons = []
    if mention:
        parts["mention"] = mention.value
        reasons.append(Reason(ReasonType.MENTIONED, mention.value, terms=mention.texts))
    if lexical > 0:
        terms = matched_terms(asked, words)
        weight = sum(value for name, value in parts.items() if name != "mention")
        reasons.append(Reason(ReasonType.LEXICAL, weight, terms=terms, subject="" if terms else "body"))
    return _Candidate(symbol, parts, reasons, is_first=mention is not None and mention.is_first)


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


def _origins(
    neighbours: Mapping[int, Neighbour], candidates: Mapping[int, _Candidate], graph: SearchableGraph
) -> dict[int, Symbol]:
    nodes = {neighbour.origin for neighbour in neighbours.values()}
    known = {node: candidates[node].symbol for node in nodes if node in candidates}
    return {**known, **graph.symbols_at(nodes - known.keys())}


def _graph_reason(neighbour: Neighbour, weight: float, origins: Mapping[int, Symbol]) -> Reason:
    origin = origins.get(neighbour.origin)
    subject = (origin.qualname or origin.path) if origin else ""
    return Reason(ReasonType.GRAPH, weight, relation=Relation(neighbour.relation), subject=subject)


def _tail(
    query: Query,
    ranked: list[_Candidate],
    candidates: Mapping[int, _Candidate],
    received: Mapping[int, Neighbour],
    graph: SearchableGraph,
) -> list[_Candidate]:
    """Return neighbours that no word led to, all below the lowest text hit."""
    unseen = [node for node in received if node not in candidates]
    heaviest = sorted(unseen, key=lambda node: (-received[node].mass, node))[:_MOST_NEIGHBOURS]
    strangers = {node: received[node] for node in heaviest}
    symbols = graph.symbols_at(strangers.keys())
    masses = {
        node: strangers[node].mass * _tail_factor(symbol, query)
        for node, symbol in symbols.items()
        if symbol.kind is not SymbolKind.MODULE and symbol.kind not in MEMBER_KINDS
    }
    most = max(masses.values(), default=0.0)
    if most <= 0:
        return []
    lowest = min(candidate.score for candidate in ranked)
    origins = _origins(strangers, candidates, graph)
    tail = []
    for node, mass in masses.items():
        score = _TAIL_TOP * lowest * mass / most
        if score > 0:
            reason = _graph_reason(strangers[node], score, origins)
            tail.append(_Candidate(symbols[node], {"graph": score}, [reason]))
    return sorted(tail, key=_order)


def _tail_factor(symbol: Symbol, query: Query) -> float:
    is_aside = is_foreign_path(symbol.path) or (is_side_path(symbol.path) and not query.wants_tests)
    return 0.1 if is_aside else 1.0


def _scaled(ranked: list[_Candidate]) -> list[Retrieved]:
    """Divide all scores, their parts and the reasons' weights by the best score."""
    top = max((candidate.score for candidate in ranked), default=1.0)
    return [
        Retrieved(
            candidate.symbol,
            candidate.score / top,
            tuple(ScoreTerm(name, value / top) for name, value in candidate.parts.items()),
            tuple(
                Reason(reason.type, reason.weight / top, reason.terms, reason.relation, reason.subject)
                for reason in candidate.reasons
            ),
        )
        for candidate in ranked
    ]


def _identity(query: Query, revision: str, entries: tuple[Retrieved, ...]) -> RetrievalId:
    scores = "\n".join(f"{entry.score:.9f} {entry.symbol.id}" for entry in entries)
    return RetrievalId(digest((query.text, query.terms, query.mentions, revision, scores)))
