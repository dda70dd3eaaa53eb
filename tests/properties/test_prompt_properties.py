"""Any text is a prompt."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.intent.prompt import parse_prompt
from ctxcode.intent.term import MOST_TERMS

PIECES = st.sampled_from(
    [
        "`a_b`",
        "@x/y.py:3",
        'File "a.py", line 1, in b',
        "diff --git a/x b/x",
        "@@ -1 +1 @@",
        "```",
        "\n",
        " ",
        "::",
        "()",
        "../",
        "\\",
        ".rs:9:9",
        "Foo.bar",
        "\x00",
        "\ud800",
        "\u202e",
        "é",
        "漢字",
        "https://",
        "-->",
        "at x.Y.z(Y.java:1)",
    ]
)
PROMPTS = st.one_of(
    st.text(st.characters(exclude_categories=())), st.lists(st.one_of(PIECES, st.text(max_size=5))).map("".join)
)


@settings(deadline=None)
@given(PROMPTS)
def test_parsing_never_raises_and_is_bounded(prompt: str) -> None:
    query = parse_prompt(prompt)
    assert prompt == query.text
    assert len(query.terms) <= MOST_TERMS
    assert len(query.mentions) <= 32
    assert all(word == word.lower() and weight > 0 for word, weight in query.terms)
    assert all(mention.text and mention.line >= 0 for mention in query.mentions)


@settings(deadline=None)
@given(PROMPTS)
def test_parsing_twice_gives_the_same_query(prompt: str) -> None:
    assert parse_prompt(prompt) == parse_prompt(prompt)


@settings(deadline=None)
@given(PROMPTS, st.integers(min_value=200, max_value=20_000))
def test_repetition_does_not_grow_the_query(prompt: str, times: int) -> None:
    query = parse_prompt((prompt * times)[:100_000])
    assert len(query.terms) <= MOST_TERMS
    assert len(query.mentions) <= 32
