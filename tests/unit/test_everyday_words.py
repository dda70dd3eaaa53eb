"""Everyday words of a question, read as what code says for them."""

from pathlib import Path

import pytest
from memory_graph import MemoryGraph, symbol

import ctxcode.retrieval.wording
from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.naming.words import stem
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.wording.plain import in_code_words

LINES = [
    line
    for line in (Path(*ctxcode.retrieval.wording.__path__) / "plain.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
GRAPH = MemoryGraph(
    [
        symbol("broker/acl.py", "check_acl"),
        symbol("broker/answer.py", "publish_answer"),
        symbol("broker/cache.py", "Cache"),
        symbol("broker/timeout.py", "Timeout"),
        symbol("broker/undo.py", "undo"),
        symbol("broker/rollback.py", "rollback"),
    ]
)


def read(question: str) -> dict[str, str]:
    """Return the words of the code that are looked for too, each with what it is for."""
    return dict(in_code_words(parse_prompt(question), GRAPH)[0].readings)


@pytest.mark.parametrize(
    ("question", "word", "phrase"),
    [
        ("who decides whether a client may publish?", "acl", "client may"),
        ("where does it remember the last answers?", "cache", "remember answers"),
        ("what if it takes far too long?", "timeout", "takes too long"),
        ("the server doesn't answer", "timeout", "not answer"),
        ("the server doesn\u2019t answer", "timeout", "not answer"),
        ("THE SERVER DOES NOT ANSWER", "timeout", "not answer"),
        ("how is it undone?", "undo", "undone"),
    ],
)
def test_a_phrase_is_known_in_its_forms_and_with_words_between(question: str, word: str, phrase: str) -> None:
    assert read(question)[word] == phrase


@pytest.mark.parametrize(
    "question",
    [
        "publish the answer",
        "answers come back while it still has to remember a few other things",
        "is `check_acl` what a client may be stopped by?",
        "why does a client get no leave to publish? " * 10,
        "",
    ],
)
def test_what_no_phrase_says_what_names_code_and_what_is_long_stays_as_it_is(question: str) -> None:
    query = parse_prompt(question)
    assert (query, "") == in_code_words(query, GRAPH)


def test_words_the_code_has_not_are_left_out_and_the_rest_is_told() -> None:
    query, told = in_code_words(parse_prompt("may a client be asked? a client may publish"), GRAPH)
    assert {"acl"} == {word for word, _ in query.readings}
    assert told == "Read in words of code too: “client may” as “acl”."


def test_the_words_of_a_phrase_give_way_to_what_code_says_for_them() -> None:
    before = dict(parse_prompt("how does it remember answers it published?").terms)
    after = dict(in_code_words(parse_prompt("how does it remember answers it published?"), GRAPH)[0].terms)
    assert after["answers"] < after["cache"] < before["answers"]
    assert after["published"] == before["published"]


def test_a_lone_word_keeps_its_weight_as_code_may_have_it_too() -> None:
    before = dict(parse_prompt("undo it").terms)
    after = dict(in_code_words(parse_prompt("undo it"), GRAPH)[0].terms)
    assert after["undo"] == before["undo"] > after["rollback"]


def test_many_phrases_bring_a_word_each_as_long_as_there_is_room() -> None:
    lone = [
        phrase.strip() for line in LINES for phrase in line.partition(":")[2].split("|") if " " not in phrase.strip()
    ]
    question = " ".join(sorted(lone))[:200].rpartition(" ")[0]
    words = {word for line in LINES for word in line.partition(":")[0].split()}
    everything = MemoryGraph([symbol("all.py", "_".join(sorted(words)))])
    readings = in_code_words(parse_prompt(question), everything)[0].readings
    assert len(readings) == len({phrase for _, phrase in readings}) == 6


def test_the_reason_of_a_hit_names_what_was_said() -> None:
    asked = Asked(in_code_words(parse_prompt("a client may publish"), GRAPH)[0])
    assert "client may = acl" in asked.terms_shown(GRAPH.symbols_named("check_acl")[0])


def test_the_file_names_nothing_twice_in_a_line() -> None:
    for line in LINES:
        code, _, phrases = line.partition(":")
        said = [tuple(map(stem, phrase.split())) for phrase in phrases.split("|")]
        assert all(said), line
        assert len(said) == len(set(said)), line
        assert len(code.split()) == len(set(code.split())), line
