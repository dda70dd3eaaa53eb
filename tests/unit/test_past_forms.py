"""Verbs that a question says in a past form and code as they are called."""

import pytest
from memory_graph import MemoryGraph, symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.naming.words import stem
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.wording.past import with_base_forms

GRAPH = MemoryGraph([symbol("shop/lock.py", "write_lock"), symbol("shop/mail.py", "send_mail")])


def terms(question: str) -> dict[str, float]:
    return dict(with_base_forms(parse_prompt(question), GRAPH).terms)


@pytest.mark.parametrize(
    "family", [("write", "writes", "writing", "wrote", "written"), ("send", "sending", "sent"), ("undo", "undone")]
)
def test_irregular_forms_share_the_stem_of_their_verb(family: tuple[str, ...]) -> None:
    assert 1 == len({stem(word) for word in family})


def test_a_question_has_the_verb_that_code_is_called_after() -> None:
    found = terms("where is the lock written?")
    assert found["written"] == found["write"]


def test_a_verb_that_code_does_not_have_is_left_out() -> None:
    assert "draw" not in terms("where is the menu drawn?")


def test_a_verb_that_is_there_keeps_its_weight() -> None:
    question = "write the lock. It was written before."
    assert dict(parse_prompt(question).terms)["write"] == terms(question)["write"]


def test_a_verb_in_two_forms_counts_once() -> None:
    query = with_base_forms(parse_prompt("where is the lock written?"), GRAPH)
    assert {"lock", "write"} == {term for term, _, _ in Asked(query).terms}
