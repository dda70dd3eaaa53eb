"""Which questions are about the same thing."""

import pytest

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.engine.activation import ActiveItem
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster, nearness
from ctxcode.model.engine.vector import middle, similarity, vector_of
from ctxcode.model.ids import ItemId
from ctxcode.reflection.clusters import MOST_ITEMS, cluster_of, found_for

RETRIES = ("how does the client retry a failed request?", "where is the retry delay of the client computed?")


def asked(*prompts: str, named: str = "", meant: float = 0.0) -> list[QueryCluster]:
    """Return the cluster after each question of a conversation."""
    found: list[QueryCluster] = []
    for turn, prompt in enumerate(prompts, 1):
        current = found[-1] if found else None
        queries = [parse_prompt(prompts[number - 1]) for number in (current.turns if current else ())]
        known = ClusterEvidence.NAMED if named and named in prompt else None
        found.append(cluster_of(current, turn, parse_prompt(prompt), queries, known=known, meant=lambda: meant))
    return found


def test_questions_in_the_same_words_are_one_cluster() -> None:
    first, second = asked(*RETRIES)
    assert (1, 1) == (first.number, second.number)
    assert (ClusterEvidence.FIRST, ClusterEvidence.WORDS) == (first.evidence, second.evidence)
    assert (1, 2) == second.turns
    assert {"client", "retry"} <= set(second.words)


def test_a_question_about_something_else_begins_a_new_one() -> None:
    *_, last = asked(*RETRIES, "which colours does the dark theme of the editor have?")
    assert (2, 3, (3,), ClusterEvidence.OTHER) == (last.number, last.since, last.turns, last.evidence)
    assert "retry" not in last.words


@pytest.mark.parametrize("prompt", ["how does it go?", "?", "about that"])
def test_what_only_goes_on_stays(prompt: str) -> None:
    *_, last = asked(RETRIES[0], prompt)
    assert (1, ClusterEvidence.NOTHING_NEW) == (last.number, last.evidence)
    assert "retry" in last.words


def test_a_question_that_names_what_was_found_stays() -> None:
    *_, last = asked(RETRIES[0], "what does Backoff.step return?", named="Backoff.step")
    assert (1, ClusterEvidence.NAMED) == (last.number, last.evidence)


def test_meaning_is_asked_only_where_words_tell_of_something_else() -> None:
    *_, last = asked(RETRIES[0], "what happens when the connection is lost again and again?", meant=0.5)
    assert (1, ClusterEvidence.MEANING, 0.5) == (last.number, last.evidence, last.similarity)
    *_, last = asked(*RETRIES, meant=0.9)
    assert ClusterEvidence.WORDS is last.evidence


def test_a_middle_whose_questions_were_all_removed_is_near_nothing() -> None:
    assert 0.0 == nearness((("retry", 1.0),), [])
    assert 1.0 == nearness((("retry", 1.0),), [(("retry", 2.0),)])


def test_of_what_was_found_before_the_most_alive_is_kept() -> None:
    first, second = asked(*RETRIES)
    old = [ItemId(f"symbol:a.py::old{number:02}") for number in range(60)]
    alive = {old[40]: ActiveItem(old[40], 2.0), old[41]: ActiveItem(old[41], 1.0)}
    current = QueryCluster(1, 1, first.turns, first.words, first.evidence, 0.0, tuple(old))
    new = [ItemId("symbol:a.py::new"), old[41]]
    kept = found_for(second, current, new, alive)
    assert (*new, old[40], old[0]) == kept[:4]
    assert MOST_ITEMS == len(kept) == len(set(kept))
    other = QueryCluster(2, 3, (3,), (), ClusterEvidence.OTHER, 0.0)
    assert tuple(new) == found_for(other, current, new, alive)


def test_the_middle_of_vectors_counts_each_the_same() -> None:
    across, up = vector_of([1.0, 0.0]), vector_of([0.0, 0.01])
    assert similarity(across, middle([across, up])) == similarity(up, middle([across, up])) > 0.7
    assert b"" == middle([]) == middle([b""])
    assert across == middle([across, vector_of([1.0, 0.0, 0.0])])
