"""Any question may have everyday words in it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from memory_graph import MemoryGraph, symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.wording.plain import in_code_words

GRAPH = MemoryGraph(
    [symbol("all.py", name) for name in ("cache_expired", "login_acl", "retry_backoff", "undo", "queue")]
)
SAID = """
does not answer can't may be allowed log in try again remember answers too old undo twice `undo` don't doesn’t
ſıgn K\u212anock \ud800 \x00 -- '' it's n't who-may
"""
WORDS = st.sampled_from(SAID.split())
QUESTIONS = st.lists(st.one_of(WORDS, st.text(st.characters(exclude_categories=()), max_size=8)), max_size=30)


@settings(deadline=None)
@given(QUESTIONS)
def test_reading_never_raises_and_changes_no_word_but_those_of_its_phrases(words: list[str]) -> None:
    asked = parse_prompt(" ".join(words))
    found, told = in_code_words(asked, GRAPH)
    before, after = dict(asked.terms), dict(found.terms)
    added = {word: phrase for word, phrase in found.readings if word not in before}
    assert bool(added) == bool(told)
    assert len(added) <= 6
    assert after.keys() == before.keys() | added.keys()
    assert all(0 < weight <= max(before.values()) for weight in after.values())
    assert all(after[word] in {weight, round(weight / 2, 4)} for word, weight in before.items())
