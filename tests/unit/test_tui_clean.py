import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.tui.clean import clean, clean_line


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("bell\x07", "bell␇"),
        ("\x9b31m", "␦31m"),
        ("a\u202eb", "a␦b"),
        ("zero\u200bwidth", "zero␦width"),
        ("tag\U000e0041", "tag␦"),
        ("lone \ud800", "lone \ufffd"),
        ("del\x7f", "del␡"),
        ("windows\r\nline", "windows\nline"),
        ("old\rline", "old␍line"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_a_hostile_character_becomes_visible(hostile: str, shown: str) -> None:
    assert shown == clean(hostile)


def test_an_emoji_loses_only_its_variation_selector() -> None:
    assert "⚠ careful" == clean("⚠\ufe0f careful")


def test_ordinary_text_is_the_same_object() -> None:
    text = "def naïve(): return '数'"
    assert text is clean(text)


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(text) == clean(clean(text))


@given(st.text(alphabet=st.characters(codec=None)))
def test_clean_text_can_be_sent_to_a_terminal_and_steers_nothing(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert not any(
        (ord(character) < 0x20 and character not in "\n\t") or 0x7F <= ord(character) < 0xA0 for character in cleaned
    )


def test_a_line_is_folded_and_cut() -> None:
    assert "a b c" == clean_line("a\n b\t\tc", 5)
    assert 10 == len(clean_line("x" * 100, 10))
