"""A question in another language with the English words for what it says."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Protocol

from ctxcode.model.naming.words import composed, stem
from ctxcode.model.retrieval import Mention, MentionKind, Query
from ctxcode.retrieval.glossary.language import function_words, little_words, speech, words_said
from ctxcode.retrieval.glossary.spelling import folded
from ctxcode.retrieval.glossary.vocabulary import ARABIC, Concepts, further_words, vocabulary

_READ_CHARS = 4_000
_MOST_TERMS = 40
_FACTOR = 0.8
"""What is left of a word's weight for what it was translated to."""
_OTHER_FACTOR = 0.6
"""The same for the further meanings of a word of several."""
_FURTHER_FACTOR = 0.4
"""The same for another word that code says for it."""
_CLEAR_LEAD = 3
"""So many little words, none of them telling, are enough for a language."""
_ENGLISH_ENDINGS = ("ed", "ful", "ing", "less", "ly", "ness", "ship", "ships")
_MOST_TOLD = 6
_ASIDE = frozenset({"tests", "documentation"})
"""Concepts that stand in tests, docs and examples, which are weighted down where nobody asks for them."""
_SHORT_CHARS = 300
_CYRILLIC = ("\u0400", "\u052f")
_ARABIC = ("\u0600", "\u06ff")
_KANA = ("\u3040", "\u30ff")
_HANGUL = ("\uac00", "\ud7af")
_UNSPACED = ("\u2e80", "\ud7af")
"""Han, kana and Hangul: in words of these scripts the longest entries are looked for."""
_WORD = re.compile(r"[\w$]+")
_HUMP = re.compile(r"[a-z][A-Z]")

Parts = Sequence[tuple[str, Concepts]]
Meanings = Mapping[str, Parts]
"""What stands together in the question, in small letters: its words, and the concepts of each."""


class KnownWords(Protocol):
    """The words of the code."""

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that stand nowhere, in no form of theirs."""
        ...


@dataclass(frozen=True, slots=True)
class _Read:
    """What of a question was understood."""

    meanings: Meanings
    nowhere: frozenset[str] = frozenset()
    """Words of the question's language that no code has."""
    little: frozenset[str] = frozenset()
    """Words, folded, that say nothing in the question's language."""

    def is_idle(self, word: str) -> bool:
        """Tell whether nothing is to be looked for under a word of the question."""
        return word in self.nowhere or folded(word) in self.little


def translated(query: Query, code: KnownWords) -> tuple[Query, str]:
    """Return the question with the English words for those of another language, and a sentence on them.

    The user's own words stay, if the code has them; a question nothing of which is known is returned as it is.
    At most 40 terms; of the text 4,000 characters are looked at.
    """
    text = composed(query.text[:_READ_CHARS])
    plain = [term for term, _ in query.terms if "_" not in term and not any(map(str.isdigit, term))]
    alone = _words_alone(text)
    words = [term for term in plain if _has(term, _UNSPACED) or folded(term) in alone]
    unknown = code.unknown_words(words)
    read = _read(words, unknown, words_said(text))
    return _with(replace(query, said=text), read, unknown, code) if read.meanings else (query, "")


def _words_alone(text: str) -> frozenset[str]:
    """Return the words of a text, folded, that are no part of a name in code."""
    return frozenset(folded(word) for word in _WORD.findall(text) if word.isalpha() and not _HUMP.search(word))


def _read(words: Sequence[str], unknown: frozenset[str], said: frozenset[str]) -> _Read:
    other = [word for word in words if any(_has(word, script) for script in (_CYRILLIC, _ARABIC, _UNSPACED))]
    if other:
        return _Read(_in_other_scripts(other), unknown.intersection(other))
    return _latin(words, unknown, said)


def _latin(words: Sequence[str], unknown: frozenset[str], said: frozenset[str]) -> _Read:
    """Return what words in Latin letters say in the one language that explains most of them.

    Where its little words tell the language, words the code has are translated, too. Where none do, only words the code
    has not, if that explains at least half of them and they are half of all but little ones.
    """
    spoken = speech(said)
    strange = [word for word in words if word in unknown]
    if spoken.has_english and not spoken.is_told:
        words = strange = [word for word in strange if not word.isascii()]
    least = 1 if spoken.is_told else _CLEAR_LEAD
    told = [(lead, code, _meanings(words, code)) for code, lead in spoken.leads.items() if lead >= least]
    if told:
        _, code, found = max(told, key=lambda row: row[0] + 2 * len(row[2]))
        return _Read(found, frozenset(strange), function_words(code))
    telling = [word for word in words if word in strange or folded(word) not in little_words()]
    if not strange or (2 * len(strange) < len(telling) and not spoken.is_told):
        return _Read({})
    found = max((_guessed(strange, code) for code in spoken.leads), key=len)
    return _Read(found)


def _guessed(words: Sequence[str], code: str) -> dict[str, Parts]:
    """Return what words say that may be of a language; nothing for so few of them that it is chance."""
    little = function_words(code)
    telling = [word for word in words if folded(word) not in little]
    odd = [word for word in telling if not word.endswith(_ENGLISH_ENDINGS) and stem(word) not in _english_stems()]
    find = vocabulary(code).find_surely
    found: dict[str, Parts] = {word: [(word, concepts)] for word in odd if (concepts := find(folded(word)))}
    is_chance = 2 * len(found) < len(telling) and all(map(str.isascii, found))
    return {} if is_chance else found


@cache
def _english_stems() -> frozenset[str]:
    return frozenset(stem(word) for concept, others in further_words().items() for word in (concept, *others))


def _in_other_scripts(words: Sequence[str]) -> Meanings:
    whole = "".join(words)
    unspaced = "ja" if _has(whole, _KANA) else "zh"
    slavic = "uk" if set("іїєґ") & set(whole) and not set("ыэъё") & set(whole) else "ru"
    found: dict[str, Parts] = {}
    for word in words:
        if _has(word, _UNSPACED):
            found[word] = vocabulary("ko" if _has(word, _HANGUL) else unspaced).segments(folded(word))
        else:
            found[word] = _parts(word, ARABIC if _has(word, _ARABIC) else slavic)
    return {word: parts for word, parts in found.items() if parts}


def _has(text: str, script: tuple[str, str]) -> bool:
    """Tell whether a text has a letter between two, both included."""
    first, last = script
    return not text.isascii() and any(first <= letter <= last for letter in text)


def _meanings(words: Iterable[str], code: str) -> dict[str, Parts]:
    little = function_words(code)
    return {word: parts for word in words if folded(word) not in little and (parts := _parts(word, code))}


def _parts(word: str, code: str) -> Parts:
    """Return what a word says in a language; nothing where English has the same word for it."""
    plain = folded(word)
    concepts = vocabulary(code).find(plain)
    return [(word, concepts)] if concepts and not any(_is_same(plain, concept) for concept in concepts) else []


def _is_same(word: str, english: str) -> bool:
    family = stem(english)
    return word.startswith(family) and stem(word) == family


def _with(query: Query, read: _Read, unknown: frozenset[str], code: KnownWords) -> tuple[Query, str]:
    """Return the question with what was understood, and a sentence on it."""
    replaced = unknown.intersection(read.meanings)
    own = {term: weight for term, weight in query.terms if term not in replaced and not read.is_idle(term)}
    added: dict[str, tuple[float, str]] = {}
    for term, weight in query.terms:
        for word, english, share in _english(read.meanings.get(term, ())):
            if english not in own and weight * share > added.get(english, (0.0, ""))[0]:
                added[english] = weight * share, word
    nowhere = code.unknown_words(list(added))
    added = {english: row for english, row in added.items() if english not in nowhere}
    if not added:
        return replace(query, said=""), ""
    terms = {**own, **{english: round(weight, 4) for english, (weight, _) in added.items()}}
    kept = sorted(terms, key=lambda term: -terms[term])[:_MOST_TERMS]
    made = replace(
        query,
        terms=tuple((term, terms[term]) for term in terms if term in set(kept)),
        mentions=tuple(mention for mention in query.mentions if _is_name(mention, read.meanings, unknown)),
        said=_said(query.said, read),
        wants_tests=query.wants_tests or _wants_tests(query.said, read.meanings),
        readings=tuple((english, word) for english, (_, word) in added.items()),
    )
    return made, _told(made)


def _english(parts: Parts) -> Iterator[tuple[str, str, float]]:
    """Yield (word, English word, share of the weight)."""
    for word, concepts in parts:
        for place, concept in enumerate(concepts):
            share = _OTHER_FACTOR if place else _FACTOR
            yield word, concept, share
            for further in further_words()[concept]:
                yield word, further, share * _FURTHER_FACTOR


def _is_name(mention: Mention, meanings: Meanings, unknown: frozenset[str]) -> bool:
    """Tell whether a mention is no word that was understood: nouns with a capital and lone words look like names."""
    word = mention.text.lower()
    is_read = mention.kind is MentionKind.IDENTIFIER and word in meanings
    return not is_read or (mention.is_explicit and word not in unknown)


def _wants_tests(text: str, meanings: Meanings) -> bool:
    """Tell whether a short question speaks of tests or documentation, as English ones are understood."""
    spoken = (concept for parts in meanings.values() for _, concepts in parts for concept in concepts)
    return len(text) <= _SHORT_CHARS and not _ASIDE.isdisjoint(spoken)


def _said(text: str, read: _Read) -> str:
    """Return the question's words in their order, what was understood in English and what says nothing left out."""
    words: list[str] = []
    runs = (run for word in _WORD.findall(text) for _, run in groupby(word, lambda letter: _has(letter, _UNSPACED)))
    for token in map("".join, runs):
        parts = read.meanings.get(token.lower())
        if parts:
            words += [concepts[0] for _, concepts in parts]
        elif not read.is_idle(token.lower()):
            words.append(token)
    return " ".join(words)


def _told(query: Query) -> str:
    by_word: dict[str, list[str]] = {}
    for english, word in query.readings:
        by_word.setdefault(word, []).append(english)
    pairs = [f"“{word}” as “{' '.join(englishes)}”" for word, englishes in by_word.items()]
    more = ", …" if len(pairs) > _MOST_TOLD else ""
    return f"Read in English too: {', '.join(pairs[:_MOST_TOLD])}{more}."
