"""Earlier turns of a conversation, found by what a question is about; the cost does not grow with the conversation."""

import re
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import nsmallest
from math import log

from ctxcode.model.conversation import Turn
from ctxcode.model.engine.strategy import Related
from ctxcode.model.engine.vector import Vector, similarity
from ctxcode.model.naming.words import compounds, words_in

WeightedTerms = Sequence[tuple[str, float]]

_WORD = re.compile(r"[\w$]+")
_LONGEST_WORD = 80
_READ_CHARS = 4_000
"""Of each message of a turn; what a turn is about stands at its beginning."""
_MOST_POSTINGS = 6_000
"""Entries looked at to find candidates, the rarest words first."""
_MOST_CANDIDATES = 128
"""How many of them are scored in full."""
_SHOWN_TERMS = 6
_MEANT_SHARE = 0.2
"""What nearness in meaning adds to the share of words: more brings more turns that words miss, and more wrong ones."""


@dataclass(slots=True)
class TurnIndex:
    """An inverted index over one branch's turns; follows the branch. Any thread may call."""

    _turns: list[Turn] = field(default_factory=list)
    _documents: list["array[int]"] = field(default_factory=list)
    """The words of each turn, by number, sorted."""
    _words: dict[str, int] = field(default_factory=dict)
    _postings: list["array[int]"] = field(default_factory=list)
    _places: dict[int, int] = field(default_factory=dict)
    """Turn number to document."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def related(self, turns: Sequence[Turn], terms: WeightedTerms, limit: int) -> tuple[Related, ...]:
        """Return the turns that are most about some weighted words, best first, newer ones first among equals."""
        with self._lock:
            self._follow(turns)
            weights = self._weights(terms)
            scored = [self._scored(place, weights) for place in self._candidates(weights)]
        found = [row for row in scored if row.similarity > 0]
        return tuple(nsmallest(limit, found, key=lambda row: (-row.similarity, -row.turn)))

    def about(self, turns: Sequence[Turn], turn: Turn, terms: WeightedTerms) -> Related:
        """Return how much one of the turns is about some weighted words."""
        with self._lock:
            self._follow(turns)
            place = self._places.get(turn.number)
            return Related(turn.number, 0.0) if place is None else self._scored(place, self._weights(terms))

    def _follow(self, turns: Sequence[Turn]) -> None:
        """Bring the index in step with a branch: only what is new is read, only what is gone is taken out."""
        same = min(len(self._turns), len(turns))
        while same and self._turns[same - 1] is not turns[same - 1]:
            same -= 1
        while len(self._turns) > same:
            gone = self._turns.pop()
            self._places.pop(gone.number, None)
            for word in self._documents.pop():
                self._postings[word].pop()
        for place in range(same, len(turns)):
            self._add(turns[place], place)

    def _add(self, turn: Turn, place: int) -> None:
        numbers = set()
        for word in words_of(turn):
            number = self._words.setdefault(word, len(self._words))
            if number == len(self._postings):
                self._postings.append(array("I"))
            numbers.add(number)
        document = array("I", sorted(numbers))
        for number in document:
            self._postings[number].append(place)
        self._turns.append(turn)
        self._documents.append(document)
        self._places[turn.number] = place

    def _weights(self, terms: WeightedTerms) -> dict[int | str, tuple[float, str]]:
        """Return the weight of each word, rare ones counting more, by its number; unknown ones by themselves."""
        made: dict[int | str, tuple[float, str]] = {}
        for term, weight in terms:
            number = self._words.get(term)
            frequency = len(self._postings[number]) if number is not None else 0
            rarity = log(1.0 + (len(self._turns) + 1) / (frequency + 1))
            made[term if number is None else number] = (weight * rarity, term)
        return made

    def _candidates(self, weights: dict[int | str, tuple[float, str]]) -> list[int]:
        """Return the documents that hold the rarest of the words, the most promising first."""
        known = sorted((number for number in weights if isinstance(number, int)), key=self._frequency)
        partial: dict[int, float] = {}
        looked_at = 0
        for number in known:
            if looked_at >= _MOST_POSTINGS:
                break
            # Of a frequent word the newest entries are as good as any.
            places = self._postings[number][looked_at - _MOST_POSTINGS :]
            looked_at += len(places)
            weight = weights[number][0]
            for place in places:
                partial[place] = partial.get(place, 0.0) + weight
        return nsmallest(_MOST_CANDIDATES, partial, key=lambda place: (-partial[place], -place))

    def _frequency(self, number: int) -> tuple[int, int]:
        return len(self._postings[number]), number

    def _scored(self, place: int, weights: dict[int | str, tuple[float, str]]) -> Related:
        held = set(self._documents[place])
        total = sum(weight for weight, _ in weights.values())
        common = [weights[number] for number in weights if number in held]
        if not common or total <= 0:
            return Related(self._turns[place].number, 0.0)
        terms = sorted(common, key=lambda row: (-row[0], row[1]))[:_SHOWN_TERMS]
        similarity = sum(weight for weight, _ in common) / total
        return Related(self._turns[place].number, round(similarity, 6), tuple(term for _, term in terms))


@dataclass(frozen=True, slots=True)
class BranchSearch:
    """Searches one branch for what one question is about; nothing is read before it is asked."""

    index: TurnIndex
    turns: Sequence[Turn]
    terms: Callable[[], WeightedTerms]
    closeness: Callable[[], Mapping[int, float]] = dict
    """How close in meaning turns are to the question, 0 to 1, by number; none where only words are compared."""

    def related(self, limit: int) -> tuple[Related, ...]:
        """Return the turns most about the question, best first; none for one without telling words."""
        terms = self.terms()
        if not terms:
            return ()
        found = {row.turn: row for row in self.index.related(self.turns, terms, limit)}
        for number in self.closeness():
            found[number] = self._meant(found.get(number, Related(number, 0.0)))
        rows = (row for row in found.values() if row.similarity > 0)
        return tuple(nsmallest(limit, rows, key=lambda row: (-row.similarity, -row.turn)))

    def about(self, turn: Turn) -> Related:
        """Return how much one turn is about the question."""
        return self._meant(self.index.about(self.turns, turn, self.terms()))

    def _meant(self, row: Related) -> Related:
        close = round(_MEANT_SHARE * self.closeness().get(row.turn, 0.0), 6)
        whole = round(min(1.0, row.similarity + close), 6)
        return replace(row, similarity=whole, is_meant=close > row.similarity) if close > 0 else row


def nearness(asked: Vector, vectors: Mapping[int, Vector]) -> dict[int, float]:
    """Return how near each turn's vector is to the question's: 0 for the middle one and less, 1 for the same.

    What all turns of a conversation have in common says nothing.
    """
    found = {number: similarity(asked, vector) for number, vector in vectors.items()}
    ordered = sorted(found.values())
    middle = ordered[(len(ordered) - 1) // 2] if ordered else 1.0
    if middle >= 1.0:
        return {}
    return {number: round(max(0.0, value - middle) / (1.0 - middle), 4) for number, value in found.items()}


def text_of(turn: Turn) -> str:
    """Return what a turn is about as a text: the question and the answer, each from its beginning."""
    return f"{turn.prompt[:_READ_CHARS]}\n{turn.reply[:_READ_CHARS]}"


def words_of(turn: Turn) -> set[str]:
    """Return the words of a turn in lower case, what its tools were asked too: whole, and the parts of identifiers."""
    called = " ".join(call.arguments for made in turn.rounds for call in made.calls)
    text = f"{turn.prompt[:_READ_CHARS]}\n{turn.reply[:_READ_CHARS]}\n{called[:_READ_CHARS]}"
    return set(compounds(text)).union(*map(_forms, set(_WORD.findall(text))))


@lru_cache(maxsize=65_536)
def _forms(word: str) -> frozenset[str]:
    """Return a word as it is searched for: whole and in parts."""
    if len(word) > _LONGEST_WORD:
        return frozenset()
    parts = words_in(word)
    return frozenset({word.strip("$").lower(), "_".join(parts), *parts} - {""})
