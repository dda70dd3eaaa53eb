"""What a question goes on from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.intent.follow import asked, refers_back
from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.retrieval import Query

JOIN = "how does Query.join decide between an inner and an outer join?"


def words(query: Query | None) -> set[str]:
    assert query is not None
    return {term for term, _ in query.terms}


@pytest.mark.parametrize(
    "prompt",
    [
        "where is it called?",
        "and who calls this?",
        "why does it do that?",
        "is that tested?",
        "show me its tests",
        "what about the error case?",
        "can you explain that more simply?",
        "what does this function return?",
        "where is this defined",
        "fix that",
        "why?",
        "explain",
        "How so?",
    ],
)
def test_a_question_that_points_back_is_searched_with_the_one_before(prompt: str) -> None:
    assert refers_back(parse_prompt(prompt))
    found = asked(prompt, [JOIN])
    assert {"inner", "outer", "join"} <= words(found)
    assert found is not None
    assert found.text.startswith(prompt)
    assert "Query.join" == found.mentions[0].text


@pytest.mark.parametrize(
    "prompt",
    [
        "how does the retry work in this repository?",
        "what is this project about?",
        "the function that parses command line options of all kinds",
        "how do `cache` and `its` connect",
        "where are migrations written to disk when the schema changes and it has no name of its own?",
        "caching?",
        "",
    ],
)
def test_a_question_that_stands_by_itself_does_not(prompt: str) -> None:
    assert not refers_back(parse_prompt(prompt))
    assert (parse_prompt(prompt) if prompt else parse_prompt(JOIN)) == asked(prompt, [JOIN])


@pytest.mark.parametrize(
    "prompt", ["in which order?", "nested ones?", "how many times?", "which headers are set by default?"]
)
def test_a_brief_question_is_searched_with_a_little_of_the_one_before(prompt: str) -> None:
    assert not refers_back(parse_prompt(prompt))
    found = asked(prompt, [JOIN])
    assert found is not None
    assert found.text == f"{prompt}\n{JOIN}"
    weights, own = dict(found.terms), dict(parse_prompt(prompt).terms)
    assert own.items() <= weights.items()
    assert 0 < weights["inner"] < min(own.values(), default=1.0) / 2
    assert () == found.mentions


def test_brief_questions_in_a_row_are_not_about_the_first() -> None:
    found = asked("in which order?", [JOIN, "how is a cookie signed?", "nested ones?"])
    assert {"order", "nested"} <= words(found)
    assert not {"inner", "cookie"} & words(found)


def test_what_goes_on_from_a_brief_question_goes_on_from_what_that_did() -> None:
    found = asked("where is it set?", [JOIN, "in which order?"])
    assert {"set", "order", "inner"} <= words(found)


def test_a_question_for_something_else_has_its_own_words_first() -> None:
    other = asked("and mysql?", ["how is an insert compiled for postgres?"])
    same = asked("and where is it called?", ["how is an insert compiled for postgres?"])
    assert other is not None
    assert same is not None
    assert dict(other.terms)["mysql"] == 2 * dict(other.terms)["postgres"]
    assert dict(same.terms)["called"] == dict(same.terms)["postgres"]


def test_alike_questions_share_words_but_not_what_they_point_at() -> None:
    found = asked("when is an outer join promoted for a nullable relation?", [JOIN])
    assert found is not None
    weights = dict(found.terms)
    assert weights["inner"] < weights["promoted"]
    assert () == found.mentions
    other = "which colours does the dark theme have when a terminal shows only sixteen?"
    assert parse_prompt(other) == asked(other, [JOIN])


def test_what_points_back_again_and_again_is_about_the_first() -> None:
    before = ["which colours does the dark theme have?", JOIN, "continue", "where is it called?", "ok"]
    found = asked("and is that tested?", before)
    assert {"inner", "called", "tested"} <= words(found)
    assert "colours" not in words(found)


def test_nothing_asked_is_nothing() -> None:
    assert asked("go on", []) is None
    assert asked("ok", ["yes", "go on"]) is None
    assert parse_prompt("why?") == asked("why?", ["ok"])


@pytest.mark.parametrize("prompt", ["retry", "Retry", "retry?", "retry.", "resume", "next", "Forward", "try"])
def test_a_lone_word_to_go_on_with_nothing_is_about_the_code(prompt: str) -> None:
    for before in ([], ["ok", "thanks"]):
        found = asked(prompt, before)
        assert found is not None
        assert [prompt.rstrip("?.")] == [mention.text for mention in found.mentions]
        assert not found.is_contentless
        # What is only called alike is not meant by it.
        assert not any(mention.is_explicit for mention in found.mentions)
    assert parse_prompt(JOIN) == asked(prompt, [JOIN])
    assert asked("retry", []) == asked("continue", ["retry", "ok"])


@pytest.mark.parametrize("prompt", ["ok", "Thanks!", "yes", "try again", "please continue", "weiter", "now", ""])
def test_an_answer_to_nothing_asks_for_nothing(prompt: str) -> None:
    assert asked(prompt, []) is None


def test_behind_more_answers_than_are_looked_at_to_go_on_is_no_question() -> None:
    assert asked("continue", ["ok"] * 8) is not None
    assert asked("continue", [JOIN, *["ok"] * 8]) is None


@pytest.mark.parametrize("prompt", ["rename it to merge_rows_of_both", "Rename this to `merge_rows`, please"])
def test_a_new_name_for_it_goes_on_from_what_has_the_old_one(prompt: str) -> None:
    for before in ([JOIN, prompt], [JOIN, "ok", prompt, "continue"]):
        found = asked("who calls it?", before)
        assert found is not None
        assert "Query.join" in {mention.text for mention in found.mentions}
    assert not refers_back(parse_prompt("rename Query.join to merge_rows_of_both and tell which callers change"))


@given(
    st.lists(st.sampled_from([JOIN, "why?", "where is it called?", "continue", "is the cache reset?", ""]), max_size=40)
)
def test_a_long_conversation_costs_no_more(prompts: list[str]) -> None:
    seen: list[str] = []

    def parse(text: str) -> Query:
        seen.append(text)
        return parse_prompt(text)

    found = asked("where is it called?", prompts, parse)
    assert len(seen) <= 9
    assert found is not None
    assert len(found.terms) <= 40
    assert found == asked("where is it called?", prompts)
