"""Any question may be in another language."""

from collections.abc import Collection
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.intent.prompt import parse_prompt
from ctxcode.intent.term import MOST_TERMS
from ctxcode.model.retrieval import Query
from ctxcode.retrieval.glossary.translate import translated
from ctxcode.retrieval.glossary.vocabulary import further_words

KNOWN = frozenset({"session", "save", "file", "user", "cache", "error", "window", "size", "red"})
SAID = """
Sitzung gespeichert die und fur Größe fichier l'échec une guardar archivo red сессия пользователь файлы 会话过期 缓存
ファイル 저장 kullanıcı İZİN the where session `a_b` Foo.bar e\u0301 ｆｉｌｅ
"""
WORDS = st.sampled_from([*SAID.split(), "\ud800", "\x00"])
QUESTIONS = st.lists(st.one_of(WORDS, st.text(st.characters(exclude_categories=()), max_size=8)), max_size=30)


@dataclass
class Words:
    """Knows some words, and counts those it was asked for."""

    asked: int = 0

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        self.asked += len(words)
        return frozenset(words) - KNOWN


def read(words: list[str]) -> tuple[Query, Query]:
    asked = parse_prompt(" ".join(words))
    return asked, translated(asked, Words())[0]


@settings(deadline=None)
@given(QUESTIONS)
def test_reading_never_raises_and_is_bounded(words: list[str]) -> None:
    asked, found = read(words)
    assert len(found.terms) <= MOST_TERMS
    assert all(0 < weight <= max(weight for _, weight in asked.terms) for _, weight in found.terms)
    assert all(english in KNOWN for english, _ in found.readings)


@settings(deadline=None)
@given(QUESTIONS)
def test_a_translation_weighs_less_than_the_word_it_comes_from(words: list[str]) -> None:
    asked, found = read(words)
    own = dict(asked.terms)
    assert all(weight < max(own.values()) for term, weight in found.terms if term in dict(found.readings))
    assert all(own[term] == weight for term, weight in found.terms if term not in dict(found.readings))


@settings(deadline=None)
@given(st.lists(WORDS, max_size=12))
def test_the_order_of_words_changes_nothing_but_the_order(words: list[str]) -> None:
    terms = parse_prompt(" ".join(words)).terms
    one = translated(Query(" ".join(words), terms), Words())[0]
    other = translated(Query(" ".join(reversed(words)), tuple(reversed(terms))), Words())[0]
    assert dict(one.terms) == dict(other.terms)


@settings(deadline=None)
@given(QUESTIONS)
def test_a_long_text_asks_for_no_more_words_than_the_glossary_has(words: list[str]) -> None:
    text = (" ".join(words) + " 会话过期后没有清除用户的缓存 ") * 400
    code = Words()
    found, _ = translated(parse_prompt(text[:20_000]), code)
    assert len(found.said) <= 10 * 4_000
    assert code.asked <= MOST_TERMS + sum(1 + len(others) for others in further_words().values())
