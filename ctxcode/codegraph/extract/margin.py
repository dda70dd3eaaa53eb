"""What stands above definitions: doc comments, decorators, attributes."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.docs import comments_doc, is_licence
from ctxcode.codegraph.extract.findings import Definition
from ctxcode.codegraph.extract.page import DECORATOR_CHARACTERS, Page, folded

if TYPE_CHECKING:
    from tree_sitter import Node

IsDoc = Callable[[str], bool]
_LONGEST_BLOCK = 200


class Above(NamedTuple):
    """The margin of one definition, in source order; byte ranges."""

    first: int
    """Where the definition begins with what belongs to it, comments apart."""
    comments: list[tuple[int, int]]
    decorators: tuple[str, ...]


class Margin:
    """Finds what belongs to a definition by position: neighbours in the tree are slow to ask for."""

    def __init__(self, page: Page, comments: Iterable["Node"], decorators: Iterable["Node"] = ()) -> None:
        self._page = page
        self._comments = sorted(node.byte_range for node in comments)
        self._decorators = sorted(node.byte_range for node in decorators)
        marked = [(*row, False) for row in self._comments] + [(*row, True) for row in self._decorators]
        self._rows = sorted(marked, key=lambda row: (row[1], row[0]))
        self._ends = [row[1] for row in self._rows]
        self._used: set[int] = set()

    def above(self, at: int) -> Above:
        """Return the decorators above a byte or the macros before it, and the comments no blank line parts from them.

        A comment behind code belongs to that code.
        """
        at = self._page.with_masked(at) if self._page.masked else at
        comments: list[tuple[int, int]] = []
        decorators: list[str] = []
        first = edge = at
        row = bisect_right(self._ends, at) - 1
        while row >= 0 and len(comments) < _LONGEST_BLOCK:
            start, end, is_decorator = self._rows[row]
            if self._page.source[end:edge].strip():
                break
            if is_decorator:
                decorators.append(self._decorator(start, end))
                first = start
            elif self._is_near(end, edge) and self._opens_line(start):
                comments.append((start, end))
            else:
                break
            edge = start
            row -= 1
        return Above(first, comments[::-1], tuple(decorators[::-1]))

    def decorators_within(self, start: int, end: int) -> tuple[str, ...]:
        """Return the decorators that stand inside a definition, before its name."""
        rows = self._decorators[bisect_left(self._decorators, (start, 0)) : bisect_left(self._decorators, (end, 0))]
        return tuple(self._decorator(*row) for row in rows)

    def behind_decorators(self, start: int, end: int) -> int:
        """Return where a definition goes on behind the decorators, and comments among them, that it begins with."""
        source = self._page.source
        while start < end and (found := _beginning(self._decorators, start) or _beginning(self._comments, start)):
            behind = min(found[1], end)
            start = behind + len(source[behind:end]) - len(source[behind:end].lstrip())
        return start

    def signature(self, start: int, end: int) -> str:
        """Return a declaration on one line, without the comments inside, cut at the signature's length."""
        comments = self._comments
        inside = comments[bisect_left(comments, (start, 0)) : bisect_left(comments, (end, 0))]
        return self._page.signature(start, end, inside)

    def document(self, found: Definition, above: Above, is_doc: IsDoc) -> None:
        """Give a definition the run of doc comments that ends right above it."""
        texts: list[str] = []
        for start, end in reversed(above.comments):
            text = self._page.text(start, end)
            is_block = text.startswith("/*")
            if not is_doc(text) and not is_block:
                continue
            if not is_doc(text) or (texts and is_block):
                break
            texts.append(text)
            found.start = min(found.start, start)
            self._used.add(start)
            if is_block:
                break
        found.doc = comments_doc(texts[::-1])

    def leading_doc(self, start: int, is_doc: IsDoc) -> str:
        """Return the first of the file's leading comments that documents the file: no licence, no definition's doc."""
        page, block, edge = self._page, list[str](), start
        for begin, end, is_decorator in sorted(self._rows):
            if is_decorator or page.source[edge:begin].strip():
                break
            text = page.text(begin, end)
            if block and (not self._is_near(edge, begin) or text.startswith("/*") or block[-1].startswith("/*")):
                doc = comments_doc(block)
                if doc and not is_licence("\n".join(block)):
                    return doc
                block = []
            if begin not in self._used and is_doc(text):
                block.append(text)
            edge = end
        doc = comments_doc(block)
        return "" if is_licence("\n".join(block)) else doc

    def _decorator(self, start: int, end: int) -> str:
        return folded(self._page.text(start, end))[:DECORATOR_CHARACTERS]

    def _is_near(self, end: int, edge: int) -> bool:
        source = self._page.source
        return source.count(b"\n", end, edge) + (source[end - 1 : end] == b"\n") <= 1

    def _opens_line(self, start: int) -> bool:
        line_start = self._page.source.rfind(b"\n", 0, start) + 1
        return not self._page.source[line_start:start].strip()


def _beginning(rows: list[tuple[int, int]], at: int) -> tuple[int, int] | None:
    """Return the one of some sorted byte ranges that begins at a byte."""
    row = bisect_left(rows, (at, 0))
    return rows[row] if row < len(rows) and rows[row][0] == at else None
