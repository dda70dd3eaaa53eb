"""One file's source with the questions every extractor asks of it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

SIGNATURE_CHARACTERS = 300
SIGNATURE_BYTES = 8 * SIGNATURE_CHARACTERS
"""So much of a source is looked at for a signature."""
DECORATOR_CHARACTERS = 200
_LONGEST = 1_000
"""Bytes of a test that is looked through for a name."""


class Page:
    """UTF-8 source addressed by byte offsets; lines are 1-based and end at line feeds only."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.ascii = source.decode("ascii") if source.isascii() else None
        """The whole text where characters are bytes; for loops that can't afford a call for each name."""
        self.line_ends = list(accumulate(map(len, BytesIO(source))))
        """The offset just behind each line."""
        self.masked: Sequence[tuple[int, int]] = ()
        """Macros that are not read as code, in order and apart."""
        self._around = list["Node"]()
        """What stands around the node that was asked about last."""
        self._parents: dict[Node, Node | None] = {}
        self._said: dict[bytes, bool] = {}

    def text(self, start: int, end: int) -> str:
        """Return the text between two byte offsets."""
        if self.ascii is not None:
            return self.ascii[start:end]
        return self.source[start:end].decode("utf-8", "replace")

    def of(self, node: "Node") -> str:
        """Return a node's text."""
        start, end = node.byte_range
        return self.text(start, end) if self.ascii is None else self.ascii[start:end]

    def around(self, node: "Node") -> Sequence["Node"]:
        """Return the nodes around one, the outermost first; good until another one is asked about.

        Each of them finds its own parent in a time that grows with its depth: what was around the last one is known.
        """
        known, (start, end) = self._around, node.byte_range
        while known and not _is_inside(known[-1], start, end):
            known.pop()
        if not known:
            above = node.parent
            while above is not None:
                known.append(above)
                above = above.parent
            known.reverse()
        below = known[-1].child_with_descendant(node) if known else None
        while below is not None and below != node:
            known.append(below)
            below = below.child_with_descendant(node)
        return known

    def parent(self, node: "Node") -> "Node | None":
        """Return what a node stands in; it is looked for once, as that takes the longer the more stands around it."""
        if node not in self._parents:
            self._parents[node] = node.parent
        return self._parents[node]

    def says(self, text: bytes) -> bool:
        """Whether a text stands anywhere in the source: what has to do with it need not be looked for else."""
        if text not in self._said:
            self._said[text] = text in self.source
        return self._said[text]

    def mentions(self, node: "Node | None", name: str) -> bool:
        """Whether a node that is not very long says a name, and not as what another one has."""
        written = self.of(node) if node is not None and node.end_byte - node.start_byte <= _LONGEST else ""
        return name in written and re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", written) is not None

    def line(self, at: int) -> int:
        """Return the line a byte stands on."""
        return bisect_right(self.line_ends, at) + 1

    def point(self, at: int) -> tuple[int, int]:
        """Return a byte's row, from 0 on, and its offset in it."""
        row = bisect_right(self.line_ends, at)
        return row, at - (self.line_ends[row - 1] if row else 0)

    def line_end(self, at: int) -> int:
        """Return the offset just behind the line a byte stands on."""
        row = bisect_right(self.line_ends, at)
        return self.line_ends[row] if row < len(self.line_ends) else len(self.source)

    def with_masked(self, at: int) -> int:
        """Return where the macros begin that stand right before a byte; itself where none do.

        One with parentheses stands on its line: on the one above it may as well be a statement.
        """
        row = bisect_right(self.masked, (at, 0)) - 1
        while row >= 0:
            start, end = self.masked[row]
            between = self.source[end:at]
            if between.strip() or between.count(b"\n") > (self.source[end - 1 : end] != b")"):
                break
            at = start
            row -= 1
        return at

    def trimmed(self, start: int, end: int) -> int:
        """Return where the text between two bytes ends without its trailing white space."""
        return start + len(self.source[start:end].rstrip())

    @property
    def last_line(self) -> int:
        """The number of the last line with anything on it; 1 for an empty file."""
        return max(1, len(self.line_ends))

    def signature(self, start: int, end: int, comments: Sequence[tuple[int, int]] = ()) -> str:
        """Return a declaration on one line, without the comments (byte ranges) inside, cut at its length."""
        end = min(end, start + SIGNATURE_BYTES)
        if not comments:
            return folded(self.text(start, end))[:SIGNATURE_CHARACTERS]
        pieces = []
        for first, behind in comments:
            if start <= first < end:
                pieces.append(self.text(start, first))
                start = behind
        pieces.append(self.text(start, end))
        return folded("  ".join(pieces))[:SIGNATURE_CHARACTERS]


def _is_inside(around: "Node", start: int, end: int) -> bool:
    """Whether a node holds what stands between two bytes, and more."""
    first, behind = around.byte_range
    return first <= start and end <= behind and behind - first > end - start


def first_named(node: "Node | None") -> "Node | None":
    """Return the first named child of a node; None where there is none."""
    return node.named_child(0) if node is not None and node.named_child_count else None


def ordered(captures: dict[str, list["Node"]], name: str) -> list["Node"]:
    """Return the nodes of a capture in source order; tree-sitter gives them in an order of its own."""
    return sorted(captures.get(name, ()), key=lambda node: node.byte_range)


def shallow(nodes: Iterable["Node"], most: int = 30) -> list["Node"]:
    """Return those of some nodes that stand in at most so many others of them, in source order.

    What stands around a node is found in a time that grows with its depth: in that of deeply nested ones nobody wrote.
    """
    found, ends = list["Node"](), list[int]()
    for node in sorted(nodes, key=lambda each: (each.start_byte, -each.end_byte)):
        while ends and ends[-1] <= node.start_byte:
            ends.pop()
        if len(ends) < most:
            found.append(node)
        ends.append(node.end_byte)
    return found


def folded(text: str) -> str:
    """Return text on one line, white space folded and the seams of broken brackets closed."""
    if "\n" not in text and "  " not in text and "\t" not in text and "\r" not in text:
        return text.strip()
    line = " ".join(text.split())
    for opening, closing in (("(", ")"), ("[", "]")):
        line = line.replace(f"{opening} ", opening).replace(f", {closing}", closing).replace(f" {closing}", closing)
    return line


def decorator_texts(page: Page, nodes: Iterable["Node"]) -> tuple[str, ...]:
    """Return decorators, attributes or annotations as written, each on one line."""
    return tuple(folded(page.of(node))[:DECORATOR_CHARACTERS] for node in nodes)
