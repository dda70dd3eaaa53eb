"""A portion of a Markdown text as it is parsed and laid out, and whether a paragraph goes on in the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode
    from textual.content import Content

    from ctxcode.tui.widgets.text.portions import Portion


@dataclass(slots=True)
class Piece:
    """A portion of the text, parsed, with its lines for one width."""

    portion: Portion
    nodes: list[SyntaxTreeNode]
    width: int = 0
    all_lines: list[Content] = field(default_factory=list)
    joint: str | None = None
    """What stands between the paragraph of the piece before and this one, which goes on with it; None when it does
    not."""
    is_open: bool = False
    """The piece behind this one goes on with its last line."""

    @property
    def lines(self) -> list[Content]:
        """Those that are shown here: the last one may stand in the piece that goes on with it."""
        return self.all_lines[:-1] if self.is_open else self.all_lines


def joint(before: Piece, piece: Piece) -> str | None:
    """Return what stands between two pieces that are one paragraph; None when they are not."""
    source = before.portion.source
    if not piece.portion.goes_on or piece.portion.head or piece.portion.indent or before.portion.indent:
        return None
    if source.endswith(("  \n", "\\\n")):
        return None
    if not (before.nodes and piece.nodes and before.nodes[-1].type == piece.nodes[0].type == "paragraph"):
        return None
    return " " if source[-1:].isspace() else ""
