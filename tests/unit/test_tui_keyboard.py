import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.errors import SettingsError
from ctxcode.tui.keys import GROUPS
from ctxcode.tui.terminal.keyboard import TABLE, keyboard

IDS = [key.id for _, keys in GROUPS for key in keys if key.action]


def test_nothing_rebound_is_the_table() -> None:
    assert TABLE == keyboard({})
    assert [] == [key.id for _, keys in GROUPS for key in keys if key.action and TABLE.shown(key.id) != key.shown]


@pytest.mark.parametrize(
    ("written", "keys", "shown"),
    [
        ("Ctrl+T", "ctrl+t", "Ctrl+T"),
        ("f4, alt+HOME", "f4,alt+home", "F4, Alt+Home"),
        ("shift+ctrl+F5", "ctrl+shift+f5", "Ctrl+Shift+F5"),
    ],
)
def test_keys_are_read_as_people_write_them(written: str, keys: str, shown: str) -> None:
    made = keyboard({"chat.editor": written})
    assert {"chat.editor": keys} == made.rebound
    assert shown == made.shown("chat.editor")


@pytest.mark.parametrize(
    ("written", "key"), [("?", "question_mark"), ("P", "P"), ("+", "plus"), ("ctrl++", "ctrl+plus")]
)
def test_a_sign_is_a_key_of_the_overlay(written: str, key: str) -> None:
    wanted = {"context.why": written} | ({"context.more": "z"} if written == "+" else {})
    assert key == keyboard(wanted).rebound["context.why"]


def test_hints_show_the_first_key() -> None:
    assert "^T" == keyboard({"chat.context": "ctrl+t,f4"}).short("chat.context")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"chat.contxt": "f4"}, "Did you mean 'chat.context'"),
        ({"overlay.pin": "f4"}, "Did you mean 'context.pin'"),
        ({"zzz": "f4"}, "No key is called 'zzz'"),
        ({"chat.context": "f99"}, "is no key"),
        ({"chat.context": "hyper+x"}, "is no key"),
        ({"chat.context": "ctrl+"}, "is no key"),
        ({"chat.context": "x"}, "needed for typing"),
        ({"prompt.newline": "enter"}, "needed for typing"),
        ({"chat.context": "shift+a"}, "needed for typing"),
        ({"chat.context": "ctrl+i"}, "a terminal sends Tab"),
        ({"chat.context": "ctrl+s"}, "is both"),
        ({"context.pin": "d"}, "is both"),
        ({"chat.context": "f4", "chat.mode": "f4"}, "is both"),
    ],
)
def test_what_can_not_work_is_refused_with_what_to_do(wanted: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        keyboard(wanted)
    assert words in f"{caught.value} {caught.value.hint}"
    assert "settings.toml" in caught.value.hint


def test_two_may_swap_their_keys() -> None:
    made = keyboard({"chat.sessions": "ctrl+g", "chat.editor": "ctrl+s"})
    assert ("Ctrl+G", "Ctrl+S") == (made.shown("chat.sessions"), made.shown("chat.editor"))


@given(st.dictionaries(st.sampled_from(IDS) | st.text(max_size=12), st.text(max_size=12), max_size=3))
def test_any_table_is_a_keyboard_or_an_error_with_a_hint(wanted: dict[str, str]) -> None:
    hint = "-"
    made = TABLE
    try:
        made = keyboard(wanted)
    except SettingsError as error:
        hint = error.hint
    assert hint
    assert hint != "-" or set(made.rebound) == set(wanted)
