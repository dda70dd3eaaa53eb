import pytest
from textual.color import Color
from textual.css.errors import UnresolvedVariableError
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.theme import Theme

from ctxcode.model.errors import SettingsError
from ctxcode.tui.terminal.themed_app import KnownStylesheet
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
    assert 8 <= len(THEMES)


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


@pytest.mark.parametrize("name", ["beacon", "noon"])
def test_the_high_contrast_themes_have_it(name: str) -> None:
    theme = shipped_theme(name)
    texts = [theme.variables[role] for role in ROLES if role not in NOT_TEXT]
    assert 7 <= min(ratio(Color.parse(text), Color.parse(str(theme.background))) for text in texts)


def seen(colour: Color, deficiency: tuple[tuple[float, float, float], ...]) -> tuple[float, ...]:
    """Return linear RGB as an eye with a deficiency sees it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return tuple(sum(weight * part for weight, part in zip(row, linear, strict=True)) for row in deficiency)


# Machado, Oliveira and Fernandes 2009, severity 1.0.
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TOLD_APART = (
    ("diff-add", "diff-remove"),
    ("ctx-pin-sticky", "ctx-scaffold"),
    ("ctx-pin-sticky", "ctx-retrieved"),
    ("ctx-pin-sticky", "ctx-history"),
    ("ctx-scaffold", "ctx-retrieved"),
    ("ctx-retrieved", "ctx-history"),
)


@pytest.mark.parametrize("deficiency", [PROTANOPIA, DEUTERANOPIA], ids=["protanopia", "deuteranopia"])
@pytest.mark.parametrize("name", ["prism", "prism-day"])
def test_kinds_and_diffs_can_be_told_apart_without_red_and_green(
    name: str, deficiency: tuple[tuple[float, float, float], ...]
) -> None:
    roles = shipped_theme(name).variables
    near = {}
    for one, other in TOLD_APART:
        pair = (seen(Color.parse(roles[role]), deficiency) for role in (one, other))
        distance = sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) ** 0.5
        if distance < 0.12:
            near[one, other] = round(distance, 3)
    assert {} == near


def text_of(name: str) -> str:
    return (theme_folder() / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        ("name = ", "TOML"),
        (text_of("ember").replace('primary = "#e8a87c"', 'primary = "no colour"'), "primary"),
        (text_of("ember").replace("ctx-anchor", "ctx-ankor"), "ctx-anchor"),
        ("colour = 1\n" + text_of("ember"), "colour"),
        ("variables = 1\n" + text_of("ember").partition("[variables]")[0], "variables"),
        (text_of("ember").replace("dark = true", "dark = 2"), "dark"),
        ('luminosity_spread = "much"\n' + text_of("ember"), "luminosity_spread"),
        ("text_alpha = nan\n" + text_of("ember"), "text_alpha"),
        ("ansi = true\n" + text_of("ember"), "ansi"),
        (text_of("ember") + 'link-style = "bold; color: red"\n', "link-style"),
        (text_of("ember").replace('text-style = "none"', 'text-style = "none bold"'), "block-cursor-text-style"),
    ],
)
def test_a_broken_theme_says_what_is_wrong(broken: str, word: str) -> None:
    with pytest.raises(SettingsError, match=word) as caught:
        parsed_theme(broken, "mine.toml")
    assert caught.value.hint


def variables(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


def sheet(made: Stylesheet, css: str = "Label { color: $faint; &:hover { background: $surface 40%; } }") -> Stylesheet:
    made.add_source(css, read_from=("label.tcss", ""))
    return made


def test_a_style_sheet_is_parsed_once_with_each_themes_variables() -> None:
    ember, other = map(variables, THEMES[:2])
    first = sheet(KnownStylesheet(variables=ember))
    in_ember = list(first.rules)
    second = sheet(KnownStylesheet(variables=dict(ember)))
    assert list(map(id, in_ember)) == list(map(id, second.rules))
    second.set_variables(other)
    second.reparse()
    assert sheet(Stylesheet(variables=other)).css == second.css != first.css
    second.set_variables(ember)
    second.reparse()
    assert list(map(id, in_ember)) == list(map(id, second.rules)) == list(map(id, first.rules))


def test_another_text_in_the_place_of_a_style_sheet_is_another_one() -> None:
    made = sheet(KnownStylesheet(variables=variables(THEMES[0])))
    before = made.css
    sheet(made, "Label { color: $error; }")
    assert sheet(Stylesheet(variables=variables(THEMES[0])), "Label { color: $error; }").css == made.css != before


@pytest.mark.parametrize("broken", ["Label { color: $nowhere; }", "Label { colour: red; }"])
def test_a_broken_style_sheet_is_told_as_often_as_it_is_parsed_and_the_rules_stay(broken: str) -> None:
    made = sheet(KnownStylesheet(variables=variables(THEMES[0])))
    before = made.css
    made.add_source(broken, read_from=("broken.tcss", ""))
    for _ in range(2):
        with pytest.raises((UnresolvedVariableError, StylesheetParseError)):
            made.reparse()
        assert before == "\n\n".join(rule.css for rule in made._rules)
