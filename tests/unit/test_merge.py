from hypothesis import given
from hypothesis import strategies as st

from ctxcode.action.edit.merge import merged

lines = st.lists(st.sampled_from("abcd"), max_size=8)


def test_changes_of_different_lines_are_brought_together() -> None:
    assert list("xbcdy") == merged("abcde", "xbcde", "abcdy")
    assert list("abcdxe") == merged("abcde", "abcde", "abcdxe")
    assert list("bd") == merged("abcde", "bcde", "abd")


def test_changes_that_meet_are_not() -> None:
    assert None is merged("abc", "axc", "ayc")
    assert None is merged("abc", "xbc", "axc")
    assert None is merged("ab", "axb", "ayb")


@given(lines, lines)
def test_a_change_alone_is_what_it_is_and_the_same_change_twice_is_one(before: list[str], after: list[str]) -> None:
    assert after == merged(before, after, before) == merged(before, before, after) == merged(before, after, after)
