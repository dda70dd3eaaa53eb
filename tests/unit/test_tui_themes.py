import pytest
from textual.color import Color
from textual.theme import Theme

from ctxcode.model.errors import SettingsError
from ctxcode.tui.themes import DEFAULT_THEME, ROLES, parsed_theme, shipped_theme, theme_folder, theme_names

THEMES = tuple(shipped_theme(name) for name in theme_names())
NOT_TEXT = {"faint", "meter-free", "meter-reserve", "user-block", "selected-row"}
GROUNDS = ("background", "surface")


def ratio(one: Color, other: Color) -> float:
    """Return the contrast ratio of WCAG 2."""

    def light(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_there_are_dark_and_light_themes_and_the_default_is_first() -> None:
    assert DEFAULT_THEME == THEMES[0].name
    assert {True, False} == {theme.dark for theme in THEMES}
    assert 4 <= len(THEMES)


def test_a_theme_is_named_like_its_file() -> None:
    assert theme_names() == tuple(theme.name for theme in THEMES)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_can_be_read_on_every_ground(theme: Theme) -> None:
    texts = {role: theme.variables[role] for role in ROLES if role not in NOT_TEXT}
    texts |= {role: str(getattr(theme, role)) for role in ("foreground", "primary", "error", "warning", "success")}
    grounds = [str(getattr(theme, ground)) for ground in GROUNDS]
    low = {role: ratio(Color.parse(text), Color.parse(ground)) for role, text in texts.items() for ground in grounds}
    assert {} == {role: contrast for role, contrast in low.items() if contrast < 4.5}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_muted_and_plain_text_can_be_read_on_tinted_blocks(theme: Theme) -> None:
    for ground in ("user-block", "selected-row"):
        for text in (theme.variables["muted"], str(theme.foreground)):
            assert 4.5 <= ratio(Color.parse(text), Color.parse(theme.variables[ground])), (ground, text)


def text_of(name: str) -> str:
    return (theme_folder() / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        ("name = ", "TOML"),
        (text_of("ember").replace('primary = "#e8a87c"', 'primary = "no colour"'), "primary"),
        (text_of("ember").replace("ctx-anchor", "ctx-ankor"), "ctx-anchor"),
        ("colour = 1\n" + text_of("ember"), "colour"),
    ],
)
def test_a_broken_theme_says_what_is_wrong(broken: str, word: str) -> None:
    with pytest.raises(SettingsError, match=word) as caught:
        parsed_theme(broken, "mine.toml")
    assert caught.value.hint
