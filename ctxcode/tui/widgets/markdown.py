"""Markdown as lines of styled text: parsed in blocks, laid out for a width, cheap to extend while it streams.

For another width than before it can be laid out in parts; what waits keeps the rows it had.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from textual.content import Content, Span

from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.widgets.code import code_lines
from ctxcode.tui.widgets.text.colours import Colours
from ctxcode.tui.widgets.text.parser import markdown_parser
from ctxcode.tui.widgets.text.piece import Piece, joint
from ctxcode.tui.widgets.text.portions import portions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

MAX_CHARS = 200_000
"""What is laid out of one answer; the rest can be copied."""

_MIN_WIDTH = 8
_SOURCE_INDENT, _ITEM_CELLS = 2, 3
"""By how much an item is usually indented in a text, and how far it is set in here."""
_MAX_DEPTH = 6
_CODE = frozenset({"fence", "code_block"})
_PLACE = re.compile(r"[\w./@+\\-]+:\d+(?:[-–]\d+)?")
_INLINE_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}


@cache
def _parser() -> MarkdownIt:
    # One for all answers: it keeps nothing of what it parses, and making one takes as long as parsing a page.
    return markdown_parser()


def load() -> None:
    """Import what the first answer needs: a tenth of a second that a thread can spend better than the event loop."""
    MarkdownText("`a`\n\n```python\na = 1\n```").lines(_MIN_WIDTH)


@dataclass(frozen=True, slots=True)
class Spot:
    """A row of a text, told so that it can be found again after the text was laid out for another width."""

    portion: int
    row: int
    """Of the portion's rows, from 0."""
    rows: int
    """How many those were."""


class MarkdownText:
    """A Markdown text that can grow. Only its last portion is parsed and laid out again when it does."""

    def __init__(self, text: str = "", glyphs: Glyphs = UNICODE, colours: Colours | None = None) -> None:
        self._glyphs = glyphs
        self._colours = colours or Colours()
        self._pieces: list[Piece] = []
        self._known_tops: list[int] = []
        """What ``_tops`` found; empty when it has to look again."""
        self._text = ""
        self.text = text

    @property
    def text(self) -> str:
        """The source; at most MAX_CHARS of it are shown."""
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        if text == self._text:
            return
        if not text.startswith(self._text):
            self._pieces.clear()
        # The last portion may go on, all before it are settled.
        last = self._pieces.pop().portion if self._pieces else None
        self._text = text
        self._known_tops = []
        shown = text[:MAX_CHARS]
        for portion in portions(shown, last.start if last is not None else 0, last):
            piece, before = Piece(portion, self._parsed(portion.markdown)), self._pieces[-1:]
            for one in before:
                piece.joint = joint(one, piece)
                one.is_open = piece.joint is not None
            self._pieces.append(piece)

    @staticmethod
    def _parsed(source: str) -> list[SyntaxTreeNode]:
        from markdown_it.tree import SyntaxTreeNode as Tree  # noqa: PLC0415 - with the first answer, as above

        return Tree(_parser().parse(source)).children

    def recoloured(self) -> None:
        """Lay out anew what has code in it: its colours are known now."""
        for piece in self._pieces:
            if any(inner.type in _CODE for node in piece.nodes for inner in node.walk()):
                piece.width = 0

    def lines(self, width: int) -> list[Content]:
        """Return the text laid out for a width in cells; no line is wider."""
        self.lay_out(width)
        return self.shown

    @property
    def shown(self) -> list[Content]:
        """All lines as they stand now."""
        return [self.line(row) for row in range(self.rows)]

    @property
    def rows(self) -> int:
        """How many lines there are now."""
        return self._tops[-1] + len(self._rest)

    def line(self, row: int) -> Content:
        """Return a line as it stands now; an empty one behind the last."""
        tops = self._tops
        if row >= tops[-1]:
            return self._rest[row - tops[-1]] if row < self.rows else Content("")
        at = bisect_right(tops, row) - 1
        lines = self._pieces[at].lines
        number = row - tops[at + 1] + len(lines)
        return lines[number] if number >= 0 else Content("")

    def lay_out(self, width: int, first: int = 0, end: int = sys.maxsize, *, most: int = sys.maxsize) -> int:
        """Lay out for a width, in cells, what stands in the rows from ``first`` to before ``end`` and what is new.

        At most so many portions; return how many it were.
        """
        width, tops = max(width, _MIN_WIDTH), self._tops
        due = [
            at
            for at, (piece, top, below) in enumerate(zip(self._pieces, tops, tops[1:], strict=False))
            if piece.width != width and (not piece.width or (top < end and below > first))
        ][:most]
        for at in due:
            start = at
            # A paragraph that goes on begins with the last line there was of it.
            while self._pieces[start].joint is not None and self._pieces[start - 1].width != width:
                start -= 1
            for number in range(start, at + 1):
                self._pieces[number].all_lines = self._lines_of(number, width)
                self._pieces[number].width = width
        if due:
            self._known_tops = []
        return len(due)

    def is_laid_out(self, width: int) -> bool:
        """Return whether no line is of another width."""
        return all(piece.width == max(width, _MIN_WIDTH) for piece in self._pieces)

    def spot(self, row: int) -> Spot:
        """Return what stands in a row."""
        tops = self._tops
        at = max(0, min(bisect_right(tops, row), len(self._pieces)) - 1)
        return Spot(at, row - tops[at], tops[min(at + 1, len(tops) - 1)] - tops[at])

    def row_of(self, spot: Spot) -> int:
        """Return the row where what stood in another one is now."""
        tops = self._tops
        at = min(spot.portion, len(tops) - 1)
        rows = tops[min(at + 1, len(tops) - 1)] - tops[at]
        return tops[at] + spot.row * rows // max(1, spot.rows)

    @property
    def _tops(self) -> list[int]:
        """In which row each portion begins, with the empty one that sets it apart; last, where all of them end."""
        if not self._known_tops:
            self._known_tops = [0]
            for piece in self._pieces:
                end = self._known_tops[-1]
                is_apart = bool(end and piece.lines and not piece.portion.goes_on)
                self._known_tops.append(end + is_apart + len(piece.lines))
        return self._known_tops

    @property
    def _rest(self) -> list[Content]:
        """The lines that tell what isn't shown."""
        if len(self._text) <= MAX_CHARS:
            return []
        rest = f"{self._glyphs.ellipsis} {len(self._text) - MAX_CHARS:,} more characters; /copy has all of them"
        return [Content(""), Content.styled(rest, "$muted")]

    def _lines_of(self, at: int, width: int) -> list[Content]:
        """Return a portion's lines; one that was cut off inside of an item is set in as far as the item was."""
        piece = self._pieces[at]
        if piece.joint is not None:
            begun = Content(piece.joint).join([*self._pieces[at - 1].all_lines[-1:], _inline(piece.nodes[0])])
            return self._below(_wrapped(begun, width), piece.nodes[1:], width)
        cells = min(piece.portion.indent // _SOURCE_INDENT * _ITEM_CELLS, width // 2)
        if not cells:
            return self._below([], piece.nodes, width)
        return [Content(" " * cells) + line for line in self._below([], piece.nodes, width - cells)]

    def _below(self, lines: list[Content], nodes: Sequence[SyntaxTreeNode], width: int) -> list[Content]:
        """Return lines and blocks below one another."""
        made = list(lines)
        for node in nodes:
            laid_out = _laid_out(node, _Layout(width, self._glyphs, self._colours), 0)
            # Deep nesting in a very narrow terminal leaves no room to wrap in.
            laid_out = [line if line.cell_length <= width else line.truncate(width) for line in laid_out]
            if made and laid_out:
                made.append(Content(""))
            made += laid_out
        return made


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a block is laid out with."""

    width: int
    glyphs: Glyphs
    colours: Colours

    def narrower(self, cells: int) -> _Layout:
        """Return the layout of what is indented."""
        return replace(self, width=max(self.width - cells, _MIN_WIDTH))


def _laid_out(node: SyntaxTreeNode, layout: _Layout, depth: int) -> list[Content]:
    width, glyphs = layout.width, layout.glyphs
    match node.type:
        case "heading":
            style = "bold $primary" if node.tag in {"h1", "h2"} else "bold"
            return _wrapped(_inline(node).stylize(style), width)
        case "fence" | "code_block":
            language = node.info.split(maxsplit=1)[0] if node.info.strip() else ""
            return code_lines(node.content, language, width, layout.colours.of)
        case "bullet_list" | "ordered_list":
            return _list(node, layout, depth)
        case "blockquote":
            return [
                Content.styled(f"{glyphs.bar} ", "$faint") + line.stylize("$muted")
                for line in _stack(node, layout.narrower(2), depth)
            ]
        case "hr":
            return [Content.styled(glyphs.rule * min(width, 24), "$faint")]
        case "table":
            return _table(node, width, glyphs)
    return _wrapped(_inline(node), width)


def _stack(node: SyntaxTreeNode, layout: _Layout, depth: int) -> list[Content]:
    """Return a container's children below one another, paragraphs set apart."""
    if depth >= _MAX_DEPTH:
        return [line for text in _flat(node, layout.glyphs) for line in _wrapped(Content(text), layout.width)]
    made: list[Content] = []
    for child in node.children:
        lines = _laid_out(child, layout, depth + 1)
        if made and not child.type.endswith("_list"):
            made.append(Content(""))
        made += lines
    return made


def _flat(node: SyntaxTreeNode, glyphs: Glyphs) -> list[str]:
    """Return the lines of what is nested too deep to be set in any further."""
    if node.type.endswith("_list"):
        return [line for number in range(len(node.children)) for line in _flat_item(node, number, glyphs)]
    if any(child.block for child in node.children):
        return [line for child in node.children for line in _flat(child, glyphs)]
    return _plain(node).rstrip("\n").split("\n")


def _flat_item(node: SyntaxTreeNode, number: int, glyphs: Glyphs) -> list[str]:
    lines = _flat(node.children[number], glyphs) or [""]
    return [f"{_marker(node, number, glyphs)}{lines[0]}", *lines[1:]]


def _marker(node: SyntaxTreeNode, number: int, glyphs: Glyphs) -> str:
    """Return what stands before an item of a list."""
    if node.type == "bullet_list":
        return f"{glyphs.dot:>2} "
    return f"{int(str(node.attrs.get('start', 1))) + number}. "


def _list(node: SyntaxTreeNode, layout: _Layout, depth: int) -> list[Content]:
    made: list[Content] = []
    for number, item in enumerate(node.children):
        marker = _marker(node, number, layout.glyphs)
        lines = _stack(item, layout.narrower(len(marker)), depth)
        if made and len(lines) > 1 and "\n" in _plain(item) and "fence" in {child.type for child in item.children}:
            made.append(Content(""))
        indent = " " * len(marker)
        made += [
            (Content.styled(marker, "$primary") if at == 0 else Content(indent)) + line
            for at, line in enumerate(lines or [Content("")])
        ]
    return made


def _table(node: SyntaxTreeNode, width: int, glyphs: Glyphs) -> list[Content]:
    rows = [[_inline(cell) for cell in row.children] for part in node.children for row in part.children]
    columns = max((len(row) for row in rows), default=0)
    if not columns:
        return []
    wanted = [max((row[at].cell_length for row in rows if at < len(row)), default=1) or 1 for at in range(columns)]
    widths = _column_widths(wanted, width - 2 * (columns - 1))
    made: list[Content] = []
    for number, row in enumerate(rows):
        cells = [_wrapped(row[at], widths[at]) if at < len(row) else [] for at in range(columns)]
        for line in range(max(map(len, cells), default=0)):
            parts = [
                _padded(cell[line] if line < len(cell) else Content(""), widths[at]) for at, cell in enumerate(cells)
            ]
            text = Content("  ").join(parts)
            made.append((text.stylize("bold") if number == 0 else text).truncate(width))
        if number == 0:
            made.append(Content.styled("  ".join(glyphs.rule * column for column in widths)[:width], "$faint"))
    return made


def _column_widths(wanted: list[int], room: int) -> list[int]:
    """Return the widths of columns: as wanted when they fit, else the widest ones are cut first."""
    widths = list(wanted)
    limit = min(max(wanted), max(room, 4))
    while sum(widths) > room and limit > 3:
        limit -= 1
        widths = [min(column, limit) for column in wanted]
    return widths


def _padded(content: Content, width: int) -> Content:
    return content.pad_right(max(0, width - content.cell_length))


def _wrapped(content: Content, width: int) -> list[Content]:
    return content.wrap(max(1, width)) if content.plain else []


def _plain(node: SyntaxTreeNode) -> str:
    if node.type in {"text", "code_inline", "fence", "code_block", "html_inline", "html_block"}:
        return node.content
    if node.type in {"softbreak", "hardbreak"}:
        return "\n"
    return "".join(map(_plain, node.children)) if node.children else node.content


def _inline(node: SyntaxTreeNode) -> Content:
    """Return a block's text with emphasis and code as spans. Nothing in it is markup or a link that can be clicked."""
    pieces: list[str] = []
    spans: list[Span] = []
    _collect(node, pieces, spans, 0)
    return Content("".join(pieces), spans=spans)


def _collect(node: SyntaxTreeNode, pieces: list[str], spans: list[Span], start: int) -> int:
    """Append a node's text and spans; return where the text ends."""
    if node.type == "softbreak":
        pieces.append(" ")
        return start + 1
    if node.type == "hardbreak":
        pieces.append("\n")
        return start + 1
    end = start
    if node.children:
        for child in node.children:
            end = _collect(child, pieces, spans, end)
    elif node.type != "inline":
        pieces.append(node.content)
        end += len(node.content)
    style = _INLINE_STYLES.get(node.type, "")
    if node.type == "code_inline":
        # A place looks like one everywhere: muted, beside the name it belongs to.
        style = "$muted" if _PLACE.fullmatch(node.content) else "$inline-code"
    if style:
        spans.append(Span(start, end, style))
    if node.type in {"link", "image"}:
        end = _collect_address(node, pieces, spans, (start, end))
    return end


def _collect_address(node: SyntaxTreeNode, pieces: list[str], spans: list[Span], text: tuple[int, int]) -> int:
    """Show a link's whole address: what is read is where it would lead."""
    start, end = text
    address = str(node.attrs.get("href") or node.attrs.get("src") or "")
    spans.append(Span(start, end, "underline"))
    if not address or address == "".join(pieces)[start:end]:
        return end
    shown = f" ({address})"
    pieces.append(shown)
    spans.append(Span(end, end + len(shown), "$muted"))
    return end + len(shown)
