"""The last line of defence: no control character leaves the app but Textual's own."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from ctxcode.tui.clean import clean


class CleanFilter(LineFilter):
    """Makes hostile characters visible in whatever a widget renders."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's signature
        """Return the segments with clean text; those that need nothing stay the same objects."""
        return [segment if segment.control else _cleaned(segment) for segment in segments]


def _cleaned(segment: Segment) -> Segment:
    text = segment.text
    if text.isascii() and text.isprintable():
        return segment
    cleaned = clean(text).replace("\n", "␊").replace("\t", "␉")
    return segment if cleaned == text else Segment(cleaned, segment.style)
