import pytest
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import Theme
from unit.test_tui_themes import GROUNDS, NOT_TEXT, THEMES, ratio

from ctxcode.tui.terminal.palette import NearColours, nearest
from ctxcode.tui.themes import ROLES


def shown(colour: str | None) -> Color:
    """Return what a terminal with 256 colours shows for one."""
    wanted = Color.parse(str(colour))
    return Color.from_rich_color(RichColor.from_rgb(*RichColor.from_ansi(nearest(*wanted.rgb)).get_truecolor()))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_can_be_read_in_256_colours(theme: Theme) -> None:
    texts = {role: theme.variables[role] for role in ROLES if role not in NOT_TEXT}
    texts |= {role: str(getattr(theme, role)) for role in ("foreground", "primary", "error", "warning", "success")}
    grounds = [shown(getattr(theme, ground)) for ground in GROUNDS]
    low = {role: ratio(shown(text), ground) for role, text in texts.items() for ground in grounds}
    assert {} == {role: contrast for role, contrast in low.items() if contrast < 4.0}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_ground_keeps_its_lightness_in_256_colours(theme: Theme) -> None:
    for ground in (theme.background, theme.surface, theme.panel, theme.variables["user-block"]):
        one, other = Color.parse(str(ground)), shown(ground)
        assert abs(one.brightness - other.brightness) < 0.05
        assert max(other.rgb) - min(other.rgb) <= max(one.rgb) - min(one.rgb)


def test_colours_of_the_palette_and_of_the_user_stay() -> None:
    assert [0, 123, 240] == [nearest(*RichColor.from_ansi(n).get_truecolor()) if n else 0 for n in (0, 123, 240)]
    segment = Segment("a", Style(color=RichColor.from_ansi(3), bgcolor=RichColor.from_rgb(41, 34, 52), bold=True))
    [made] = NearColours().apply([segment], Color(0, 0, 0))
    assert Style(color=RichColor.from_ansi(3), bgcolor=RichColor.from_ansi(235), bold=True) == made.style
