"""The seam between the pieces of a continued reply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.action.continuation import Seam, repeated_chars


def joined(before: str, pieces: list[str]) -> str:
    """Return a reply with its continuation as it is shown."""
    seam = Seam(before)
    return before + "".join(seam.feed(piece) for piece in pieces) + seam.finish()


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("The cart adds up the pri", "ces of its lines.", "The cart adds up the prices of its lines."),
        (
            "It ends in a word. The cart adds up",
            "The cart adds up the prices.",
            "It ends in a word. The cart adds up the prices.",
        ),
        ("one two", "two three", "one twotwo three"),
        ("a " * 30, "a " * 5, "a " * 35),
        ("x\n" + " " * 12, " " * 12 + "y", "x\n" + " " * 24 + "y"),
        ("```python\nx = 1\n", "```python\ny = 2\n```\n", "```python\nx = 1\ny = 2\n```\n"),
        ("```python\nx = 1\n", "```\nDone.", "```python\nx = 1\n```\nDone."),
        ("```\na\n```\n", "```python\ny\n```\n", "```\na\n```\n```python\ny\n```\n"),
        ("", "anything", "anything"),
    ],
)
def test_what_a_continuation_repeats_is_taken_out_once(before: str, after: str, whole: str) -> None:
    assert whole == joined(before, [after])


@given(st.text("ab \n`~xyz", max_size=60), st.text("ab \n`~xyz", max_size=60), st.integers(1, 7))
def test_the_size_of_the_pieces_does_not_matter(before: str, after: str, size: int) -> None:
    pieces = [after[start : start + size] for start in range(0, len(after), size)]
    assert joined(before, [after]) == joined(before, pieces)


@given(st.text(max_size=80), st.text(max_size=80))
def test_only_a_beginning_is_ever_taken_and_nothing_of_the_text_before(before: str, after: str) -> None:
    whole = joined(before, [after])
    assert whole.startswith(before)
    assert after.endswith(whole[len(before) :])


def test_a_long_repetition_counts_as_far_as_it_goes() -> None:
    sentence = "and the discount is taken off before the tax is added"
    assert len(sentence) == repeated_chars("First the prices, " + sentence, sentence + ", as the law says.")
