"""What a tree does not show of the definitions that begin at the margin."""

import re
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.syntax.unfinished.margins import Margin

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINING = re.compile(r".*(?:definition|declaration|_item|specifier|export_statement)$|macro_definition|protocol")
_RUBY = frozenset({"class", "module", "method", "singleton_method", "singleton_class", "call"})
_QUOTED = re.compile(r".*(?:comment|string|heredoc)|raw_text|text(?:_|$)|template_(?:string|literal)")
_BEFORE = re.compile(rb"[@\[#/]|template\b")
"""What a definition begins with above the line with its name."""


class Shown(NamedTuple):
    """What a tree says of margins, by their places in the list."""

    lost: frozenset[int]
    """At which it has no definition, or one that is nested in another way than it is indented."""
    quoted: frozenset[int]
    """Which are lines of a text or comment that ends where it should."""


class _Part(NamedTuple):
    """A node with the margins in it."""

    node: "Node"
    low: int
    high: int
    limit: int
    """The indentation of the definition around it."""
    top: "Node"
    """The widest node that begins on the same line, but for the whole."""


def shown_in(root: "Node", margins: list[Margin], data: bytes, language: str) -> Shown:
    """Return which margins a tree has no definition for; takes as long as the nodes that hold some have parts."""
    kept, quoted = dict[int, int](), set[int]()
    waiting = [_Part(root, 0, len(margins), -1, root)] if margins else []
    while waiting:
        part = waiting.pop()
        node, low, high, limit, top = part
        kind = node.type
        if _QUOTED.match(kind):
            if _is_whole(top):
                quoted.update(range(low, high))
            continue
        if _DEFINING.match(kind) or (language == "ruby" and kind in _RUBY and node.is_named):
            start, margin = node.start_byte, margins[low]
            is_before = start < margin.at and (low == 0 or margins[low - 1].at < start)
            is_first = start == margin.at or (is_before and _BEFORE.match(data, start) is not None)
            if is_first and node.start_point[1] == margin.column:
                if margin.indent > limit:
                    kept[low] = node.end_byte
                limit = max(limit, margin.indent)
        row = node.start_point[0]
        for child, first, behind in _shared(node, margins, low, high):
            is_top = top is root or child.start_point[0] != row
            waiting.append(_Part(child, first, behind, limit, child if is_top else top))
    found = frozenset(kept) - _outside(margins, kept)
    return Shown(frozenset(range(len(margins))) - found - quoted, frozenset(quoted))


def _outside(margins: list[Margin], ends: dict[int, int]) -> set[int]:
    """Return the margins that stand behind the end of the definition that they should be in, as they are indented."""
    found, around = set[int](), list[int]()
    for place, margin in enumerate(margins):
        while around and margins[around[-1]].indent >= margin.indent:
            around.pop()
        if around and ends.get(around[-1], margin.at + 1) <= margin.at:
            found.add(place)
        around.append(place)
    return found


def _shared(node: "Node", margins: list[Margin], low: int, high: int) -> "list[tuple[Node, int, int]]":
    """Return the parts of a node that hold margins, each with the first and the one behind the last."""
    found = list["tuple[Node, int, int]"]()
    for child in node.children:
        start, end = child.byte_range
        while low < high and margins[low].at < start:
            low += 1
        first = low
        while low < high and margins[low].at < end:
            low += 1
        if low > first:
            found.append((child, first, low))
        if low >= high:
            break
    return found


def _is_whole(top: "Node") -> bool:
    """Whether the statement that holds a text has no error, nor what stands behind it."""
    around, behind = top.parent, top.next_sibling
    return not top.has_error and (around is None or not around.is_error) and (behind is None or not behind.is_error)
