"""A branch's past as requests are planned from it: what was made of a turn or a prompt once is kept."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ctxcode.context.candidate import Candidate, Exchange
from ctxcode.context.candidates import exchange
from ctxcode.intent.prompt import parse_prompt
from ctxcode.llm.counting.common_words import is_common_word
from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.model.engine.vector import Vector, middle, similarity
from ctxcode.model.errors import ModelError
from ctxcode.model.plan import ContextMode
from ctxcode.model.retrieval import Query, RetrievalSet
from ctxcode.retrieval.recall import BranchSearch, TurnIndex, WeightedTerms, nearness, text_of
from ctxcode.retrieval.retrieve import MOST_CANDIDATES, retrieve
from ctxcode.retrieval.semantic import Semantic
from ctxcode.session.look.landmarks import Landmarks, landmarks
from ctxcode.session.plans.lines import KeptLines, ReadTexts
from ctxcode.session.plans.once import Once, OnceRead
from ctxcode.session.ports import CodeGraph, FileTexts

_MOST_KEPT = 1_000
_MOST_RETRIEVED = 4
_MOST_COMPARED = 500
"""The newest turns, compared by meaning; older ones are found by words."""
_MOST_ASKED = 128
"""As many where somebody else is asked for their vectors: two requests."""


@lru_cache(maxsize=64)
def parsed(prompt: str) -> Query:
    """Return a prompt as a query; of the last few it is known."""
    return parse_prompt(prompt)


@dataclass(slots=True)
class Past:
    """Kept by a session for as long as it is open. Any thread may call."""

    _index: TurnIndex = field(default_factory=TurnIndex)
    _exchanges: dict[tuple[str, Turn], Exchange] = field(default_factory=dict)
    _all: Sequence[Turn] = ()
    _told: Sequence[Turn] = ()
    _retrieved: dict[tuple[Query, bool, int], RetrievalSet] = field(default_factory=dict)
    _vectors: dict[tuple[str, Turn], Vector] = field(default_factory=dict)
    """Of the newest turns, by who made them."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    tree: Once[str] = field(default_factory=lambda: Once(len(ContextMode)))
    """The module tree as it was last drawn for each mode, between which people go back and forth."""
    scaffold: OnceRead[tuple[Candidate, ...]] = field(default_factory=lambda: OnceRead(len(ContextMode)))
    """The scaffold as it was last drawn for each mode: only what is central, and how much room there is, changes it."""
    _landmarks: OnceRead[Landmarks] = field(default_factory=lambda: OnceRead(len(ContextMode)))
    """Those of each mode: only a change of the code, or of a manifest, makes them others."""
    lines: KeptLines = field(default_factory=KeptLines)
    """Of the files that plans were lately made of."""
    touchpoints: Once[tuple[Candidate, ...]] = field(default_factory=Once)
    """What was retrieved last, as candidates."""

    def worth_telling(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns that history may hold: one that ended in an error without a reply is none."""
        with self._lock:
            if turns is not self._all:
                told = [turn for turn in turns if turn.reply or turn.stopped_by is not StoppedBy.ERROR]
                self._all, self._told = turns, turns if len(told) == len(turns) else tuple(told)
            return self._told

    def exchange(self, turn: Turn, tokenizer: str, count: Callable[[str], int]) -> Exchange:
        """Return a turn as an atom of history, its tokens counted by a tokenizer."""
        key = (tokenizer, turn)
        known = self._exchanges.get(key)
        if known is None:
            known = exchange(turn, count)
            with self._lock:
                while len(self._exchanges) >= _MOST_KEPT:
                    self._exchanges.pop(next(iter(self._exchanges)))
                self._exchanges[key] = known
        return known

    def retrieved(
        self, query: Query, graph: CodeGraph, semantic: Semantic | None = None, most: int = MOST_CANDIDATES
    ) -> RetrievalSet:
        """Return what a query finds, so many candidates at most.

        Of the last few it is known as long as the index is the same. Not of one that could not be compared by meaning:
        the next time it may be.

        Most requests are planned several times: while they are typed, and whenever something is pinned or dropped.
        """
        key = (query, semantic is not None, most)
        known = self._retrieved.get(key)
        if known is None or known.index_revision != graph.stats().revision:
            known = retrieve(query, graph, semantic, limit=most, is_common=is_common_word)
            if not known.is_compared:
                return known
            with self._lock:
                self._retrieved.pop(key, None)
                while len(self._retrieved) >= _MOST_RETRIEVED:
                    self._retrieved.pop(next(iter(self._retrieved)))
                self._retrieved[key] = known
        return known

    def landmarks(self, graph: CodeGraph, workspace: FileTexts, limit: int) -> Landmarks:
        """Return the landmarks of a repository: looking for them asks much of the graph, and of a few files."""
        texts, stats = ReadTexts(workspace), graph.stats()

        def made() -> tuple[Landmarks, tuple[str, ...] | None]:
            found = landmarks(graph, texts, limit)
            return found, tuple(texts) if graph.stats() == stats else None

        return self._landmarks.of((stats, limit), texts, made)

    def search(self, turns: Sequence[Turn], prompt: str, semantic: Semantic | None = None) -> BranchSearch:
        """Return a search of the turns for what a prompt is about, by words and, unless that is off, by meaning."""
        found: list[WeightedTerms] = []
        near: list[Mapping[int, float]] = []

        def terms() -> WeightedTerms:
            if not found:
                query = parsed(prompt)
                found.append(() if query.is_contentless else query.terms)
            return found[0]

        def closeness() -> Mapping[int, float]:
            if not near:
                near.append(self._nearness(turns, prompt, semantic) if semantic is not None and terms() else {})
            return near[0]

        return BranchSearch(self._index, turns, terms, closeness)

    def closeness(self, prompt: str, before: Sequence[str], semantic: Semantic | None) -> float:
        """Return how near a prompt is in meaning to the middle of others, -1 to 1; 0 where that can't be told."""
        if semantic is None or not before:
            return 0.0
        try:
            asked, *others = semantic.open().embed([prompt, *before])
        except ModelError:
            return 0.0
        return similarity(asked, middle(others))

    def _nearness(self, turns: Sequence[Turn], prompt: str, semantic: Semantic) -> Mapping[int, float]:
        """Return how near the newest turns are to a prompt; nothing when their vectors can't be had."""
        newest = turns[-(_MOST_ASKED if semantic.is_asked else _MOST_COMPARED) :]
        embedder = semantic.open()
        maker = embedder.id
        kept = {turn: vector for turn in newest if (vector := self._vectors.get((maker, turn))) is not None}
        missing = [turn for turn in newest if turn not in kept]
        try:
            asked, *made = embedder.embed([prompt, *map(text_of, missing)])
        except ModelError:
            # Finding code meets the same failure, and tells it.
            return {}
        known = kept | dict(zip(missing, made, strict=True))
        if missing:
            with self._lock:
                self._vectors = {(maker, turn): vector for turn, vector in known.items()}
        return nearness(asked, {turn.number: vector for turn, vector in known.items()})
