"""What the terminal answers about its background, mixed with what the user types meanwhile."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser

from ctxcode.tui.terminal.ground import Ground, GroundAnswer, GroundSeen, answered_ground, ground_of

if TYPE_CHECKING:
    from textual.message import Message

LIGHT = "\x1b]11;rgb:ffff/fefe/f0f0\x1b\\"
DARK = "\x1b]11;rgb:1a1a/1b1b/2626\x07"
END = "\x1b[1;1R"


def passed(*pieces: str) -> tuple[str, list[Ground]]:
    """Return what reaches the prompt and what was learnt, when the terminal sends these pieces."""
    parser, answer = XTermParser(), GroundAnswer()
    out: list[Message] = []
    # An empty piece would mean the end of the terminal.
    for piece in filter(None, pieces):
        for message in parser.feed(piece):
            out += answer.passed(message)
    typed = "".join(message.character or "" for message in out if isinstance(message, events.Key))
    return typed, [message.ground for message in out if isinstance(message, GroundSeen)]


@pytest.mark.parametrize(("answer", "ground"), [(LIGHT, Ground.LIGHT), (DARK, Ground.DARK)])
def test_the_answer_is_understood_and_not_typed(answer: str, ground: Ground) -> None:
    assert ("abc", [ground]) == passed("ab", answer, END, "c")


def test_a_terminal_that_knows_no_answer_loses_no_key() -> None:
    assert ("]1x^q", []) == passed("]1x", END, "^q")


def test_what_only_begins_like_an_answer_is_typed() -> None:
    assert ("]11;rgx", []) == passed("]11;rgx")


def test_after_the_end_nothing_is_held_back() -> None:
    assert ("]11;", []) == passed(END, "]11;")


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=20).filter(lambda text: "]" not in text))
def test_what_is_typed_before_the_answer_is_kept_in_order(text: str) -> None:
    # A caret is how Textual hands on an escape; one just before the answer is taken for its beginning.
    text = text.replace("^", "")
    assert (text, [Ground.DARK]) == passed(text, DARK, END)


@pytest.mark.parametrize(
    ("answer", "ground"),
    [
        ("]11;rgb:ff/ff/ff", Ground.LIGHT),
        ("]11;rgba:0000/0000/0000/ffff", Ground.DARK),
        ("]11;rgb:f/f/0", Ground.LIGHT),
        ("]11;?", None),
        ("", None),
    ],
)
def test_colours_are_read_in_every_length(answer: str, ground: Ground | None) -> None:
    assert ground == answered_ground(answer)


@pytest.mark.parametrize(
    ("value", "ground"),
    [("15;0", Ground.DARK), ("0;15", Ground.LIGHT), ("0;default;7", Ground.LIGHT), ("nonsense", None), ("", None)],
)
def test_the_environment_may_tell_the_background(value: str, ground: Ground | None) -> None:
    assert ground == ground_of({"COLORFGBG": value})
