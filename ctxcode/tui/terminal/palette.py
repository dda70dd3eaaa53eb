"""Colours for terminals that know 256 of them: the nearest to the eye, where Rich takes any of the same hue."""

from functools import lru_cache

from rich.color import Color as RichColor
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color, rgb_to_lab
from textual.filter import LineFilter

_FIRST = 16
"""The colours before it are the user's own: nobody knows how they look."""
_LEVELS = (0, 95, 135, 175, 215, 255)
_CUBE = tuple((red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS)
_GREYS = tuple((8 + 10 * step,) * 3 for step in range(24))
_LABS = tuple(rgb_to_lab(Color(*rgb)) for rgb in (*_CUBE, *_GREYS))
_KEPT = 4_096
_HUE_WEIGHT = 0.15
"""A colour may lose its tint sooner than its lightness: text has to be read."""


class NearColours(LineFilter):
    """Puts the nearest of xterm's fixed colours in the place of each."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's signature
        """Return the segments in colours the terminal has."""
        return [
            segment if segment.control or segment.style is None else Segment(segment.text, _near(segment.style))
            for segment in segments
        ]


@lru_cache(_KEPT)
def _near(style: Style) -> Style:
    return style + Style(color=_known(style.color), bgcolor=_known(style.bgcolor))


def _known(colour: RichColor | None) -> RichColor | None:
    if colour is None or colour.triplet is None or colour.type is not ColorType.TRUECOLOR:
        return None
    return RichColor.from_ansi(nearest(*colour.triplet))


@lru_cache(_KEPT)
def nearest(red: int, green: int, blue: int) -> int:
    """Return the number of the colour that looks most like one; channels are 0 to 255. By distance in CIELAB."""
    wanted = rgb_to_lab(Color(red, green, blue))

    def distance(number: int) -> tuple[float, int]:
        lab = _LABS[number]
        tint = (lab.a - wanted.a) ** 2 + (lab.b - wanted.b) ** 2
        return (lab.L - wanted.L) ** 2 + _HUE_WEIGHT * tint, number

    return _FIRST + min(range(len(_LABS)), key=distance)
