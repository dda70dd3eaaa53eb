import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.llm.wire.surrogates import SurrogateJoiner, joined

SMILE, HIGH, LOW = "\N{GRINNING FACE}", "\ud83d", "\ude00"
TEXTS = st.text(st.sampled_from(["a", "é", "\\", SMILE, HIGH, LOW, "\ufffd"]))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", ""),
        ("plain", "plain"),
        (f"a{HIGH}{LOW}b", f"a{SMILE}b"),
        (f"a{HIGH}b", "a\ufffdb"),
        (f"a{LOW}b", "a\ufffdb"),
        (f"{HIGH}{HIGH}{LOW}", f"\ufffd{SMILE}"),
        (f"{LOW}{HIGH}", "\ufffd\ufffd"),
        (SMILE, SMILE),
    ],
)
def test_two_halves_are_a_character_and_one_alone_is_replaced(text: str, whole: str) -> None:
    assert whole == joined(text)


@given(st.lists(TEXTS))
def test_halves_are_joined_wherever_a_stream_is_cut(pieces: list[str]) -> None:
    joiner = SurrogateJoiner()
    assert joined("".join(pieces)) == "".join([*map(joiner.feed, pieces), joiner.finish()])


@given(TEXTS)
def test_what_is_joined_can_be_sent(text: str) -> None:
    assert joined(text) == joined(text).encode().decode()


def test_a_half_alone_can_be_left_to_be_refused() -> None:
    assert f"{HIGH}a{SMILE}{LOW}" == joined(f"{HIGH}a{HIGH}{LOW}{LOW}", None)


def test_a_half_is_held_back_until_the_next_piece() -> None:
    joiner = SurrogateJoiner()
    assert ["a", "", f"{SMILE}b", ""] == [
        joiner.feed("a" + HIGH),
        joiner.feed(""),
        joiner.feed(LOW + "b"),
        joiner.finish(),
    ]
