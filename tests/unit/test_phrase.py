"""Words that stand side by side in a question and in a text."""

import pytest

from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.phrase import phrase_shares


def shares(question: str, *texts: str) -> list[float]:
    found = phrase_shares(Asked(parse_prompt(question)), dict(enumerate(texts)))
    return [found.get(place, 0.0) for place in range(len(texts))]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("restarts a worker", 0.0),  # the other way round
        ("worker restart", 0.5),
        ("its workers are restarted at once", 0.5),
        ("the worker that was restarted", 0.0),  # too far apart
        ("coworker restart", 0.0),
        ("a worker, a worker; restart it", 0.5),
        ("", 0.0),
    ],
)
def test_a_pair_counts_in_any_form_of_its_words_and_with_one_word_between(text: str, share: float) -> None:
    assert [share] == shares("fix worker restarting", text)


def test_who_says_most_pairs_gains_most_and_a_pair_counts_once() -> None:
    three = "retry the lost connection after timeout"
    most, one, again = shares(three, f"{three}.", "lost connection", "lost connection, lost connection")
    assert 1.0 == most > one == again > 0.0


def test_words_that_say_nothing_make_no_pairs() -> None:
    assert [0.0] == shares("how is it with the", "how is it with the")
    assert [0.0] == shares("cancel", "cancel cancel")
