from itertools import pairwise

import pytest

from ctxcode.tui.widgets.transcript import MOUNTED_TURNS, window_start

SCREEN = 4
"""Turns that are mounted in one go."""


def mounted_anew(turns: int, start: int, before: range) -> int:
    return len(set(range(start, min(turns, start + MOUNTED_TURNS))) - set(before))


def test_a_session_opens_with_a_screen_full_of_its_newest_turns() -> None:
    assert 500 - SCREEN == window_start(500, None)
    assert 0 == window_start(3, None)


@pytest.mark.parametrize("start", [0, 100, 470, 476, 480, 496, 500])
@pytest.mark.parametrize("turns", [1, 3, 24, 470, 499, 501])
def test_the_newest_turn_is_mounted_and_no_more_than_a_screen_full_besides_what_was(turns: int, start: int) -> None:
    before = range(start, min(500, start + MOUNTED_TURNS))
    found = window_start(turns, start)
    assert 0 <= found < turns
    assert turns - found <= MOUNTED_TURNS
    assert mounted_anew(turns, found, before) <= SCREEN + 1


def test_a_message_sent_while_turns_are_being_mounted_leaves_them_where_they_are() -> None:
    assert 496 == window_start(501, 496)


def test_turn_by_turn_the_oldest_one_makes_room() -> None:
    starts = [476]
    for turns in range(501, 520):
        starts.append(window_start(turns, starts[-1]))
    assert {1} == {later - earlier for earlier, later in pairwise(starts)}
