"""Counting slips agrees with the definition."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.store.index.spelling.words import slips_between

WORDS = st.text("abcdef", max_size=8)


def defined(word: str, other: str) -> int:
    """Return the optimal string alignment distance as its recursion says it."""

    @cache
    def between(at: int, place: int) -> int:
        if not at or not place:
            return at or place
        costs = [
            between(at - 1, place) + 1,
            between(at, place - 1) + 1,
            between(at - 1, place - 1) + (word[at - 1] != other[place - 1]),
        ]
        if at > 1 and place > 1 and word[at - 1] == other[place - 2] and word[at - 2] == other[place - 1]:
            costs.append(between(at - 2, place - 2) + 1)
        return min(costs)

    return between(len(word), len(other))


@given(WORDS, WORDS, st.integers(0, 3))
def test_slips_are_counted_up_to_a_bound(word: str, other: str, most: int) -> None:
    assert min(defined(word, other), most + 1) == min(slips_between(word, other, most), most + 1)


@given(WORDS, WORDS)
def test_two_words_are_as_far_from_one_another_either_way(word: str, other: str) -> None:
    assert slips_between(word, other, 8) == slips_between(other, word, 8)
