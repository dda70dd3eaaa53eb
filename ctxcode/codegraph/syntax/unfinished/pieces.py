"""A source in pieces at its margins: those that can't be read lose the line that is at fault, or what is behind it."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcode.codegraph.languages import errors_in, load_grammar
from ctxcode.codegraph.syntax.unfinished.margins import Margin, indentation, margins_of
from ctxcode.codegraph.syntax.unfinished.swallowed import Shown, shown_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

_NOT_ENDS = re.compile(rb"[^\n]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
_BRACKET = re.compile(rb"[()\[\]{}]")
_END = re.compile(rb"[ \t]*(?:[}\])]|end\b|fi\b|done\b)")
"""A line that closes what stands above it."""
_ENDS = {
    "ruby": (b"", b" end", b" end end"),
    "lua": (b"", b" end", b" end end"),
    "c": (b"", b";"),
    "cpp": (b"", b";"),
}
"""What closes a definition, behind the brackets in it."""
_LEAST_BYTES = 100_000
_LEAST_RUN = 4_000
"""Bytes of pieces that are read together, at the least."""
_RUN_FOR_AROUND = 4
"""So many times as long as what has to stand around them they can be."""
_FOR_ERRORS = 3
"""So many times as long it takes to read what has errors."""
_WORTH = 20
"""A definition that is shown is worth so many names and calls that no longer are."""
_UNCOUNTED = {"c": re.compile(r"bare_"), "cpp": re.compile(r"bare_|call\Z")}
"""Captures that say nothing more: names, and calls whose callee is captured, too."""
_DEEPEST = 20
_MOST_HINTS = 12
_MOST_LINES = 200
"""Of a piece, so many are tried."""
_OPENINGS = frozenset("([{") | {"${", "#{", "<"}
_ENDINGS = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES = frozenset({"'", '"', "`", "string_start", '"""', "'''"})
_OPENED = {"php": b"<?php\n"}
"""What stands before a piece so that it is read as code."""


@dataclass
class _Piece:
    """A definition's lines, from its margin to the next one that is no further to the right."""

    first: int
    end: int
    indent: int
    at: int
    """Where its definition begins, behind comments and decorators; -1 for none."""
    margins: range
    kids: list["_Piece"] = field(default_factory=list)


def mended(data: bytes, root: "Node", language: str, parse: "Callable[[bytes], Node]") -> "tuple[Node, bytes]":
    """Return a source with the same bytes in the same places but for broken lines, as its tree and the text.

    It is as it was where no definition is lost of those that begin at the margin, or none more can be found.
    """
    margins = margins_of(data, language)
    before = shown_in(root, margins, data, language)
    if not before.lost:
        return root, data
    text = _Mender(data, language, parse).whole(_cut(margins, before, len(data)), before)
    if text == data:
        return root, data
    tree = parse(text)
    after = shown_in(tree, margins, text, language)
    newly, gained = len(after.lost - before.lost - before.quoted), len(before.lost - after.lost)
    # More margins are shown, hardly any of the others are lost, and the rest is still there.
    is_better = gained > 2 * newly and _count(tree, language) + _WORTH * gained >= _count(root, language)
    return (tree, text) if is_better else (root, data)


def _count(root: "Node", language: str) -> int:
    """Return how much of what the language's query asks for is found in a tree."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    captures = QueryCursor(load_grammar(language).query).captures(root)
    left_out = _UNCOUNTED.get(language)
    return sum(len(nodes) for name, nodes in captures.items() if left_out is None or left_out.match(name) is None)


def _cut(margins: list[Margin], shown: Shown, size: int) -> _Piece:
    """Return the whole as a piece of pieces."""
    whole = _Piece(0, size, -1, -1, range(len(margins)))
    around = [whole]
    for place, margin in enumerate(margins):
        if place in shown.quoted:
            continue
        while around[-1].indent >= margin.indent or len(around) > _DEEPEST:
            _end(around.pop(), margin.first, place)
        piece = _Piece(margin.first, size, margin.indent, margin.at, range(place, len(margins)))
        around[-1].kids.append(piece)
        around.append(piece)
    return whole


def _end(piece: _Piece, end: int, place: int) -> None:
    piece.end = end
    piece.margins = range(piece.margins.start, place)


def _clip(piece: _Piece, end: int) -> None:
    """End a piece earlier, and what is in it."""
    inner: _Piece | None = piece
    while inner is not None and inner.end > end:
        inner.end = end
        inner.kids = [kid for kid in inner.kids if kid.at < end]
        inner = inner.kids[-1] if inner.kids else None


class _Mender:
    """Tries what of a source has to be masked; reads a number of bytes that grows with the source's."""

    def __init__(self, data: bytes, language: str, parse: "Callable[[bytes], Node]") -> None:
        self._data = data
        self._language = language
        self._parse = parse
        self._left = 4 * len(data) + _LEAST_BYTES

    def whole(self, whole: _Piece, shown: Shown) -> bytes:
        """Return the text of a source, mended."""
        before, kids = _OPENED.get(self._language, b""), whole.kids
        end = self._tail(whole)
        _clip(kids[-1], end)
        head, tail = self._data[: kids[0].first], self._data[end:]
        is_indented = kids[0].indent > 0
        if kids[0].margins.start in shown.lost and not self._reads(head + tail if is_indented else head):
            head = self._without_lines(
                head, b"" if head.startswith(b"<?") else before, tail if is_indented else b"", -1, is_around=True
            )
        around = (head, tail) if is_indented else (before, b"")
        return head + self._kids(kids, *around, shown) + tail

    def _kids(self, kids: list[_Piece], before: bytes, behind: bytes, shown: Shown) -> bytes:
        """Return the text of pieces that follow one another, those mended that can have lost something."""
        lost = [not shown.lost.isdisjoint(kid.margins) for kid in kids]
        suspects = [is_lost or is_next for is_lost, is_next in zip(lost, [*lost[1:], False], strict=False)]
        if not any(lost):
            suspects = [True] * len(kids)
        most = max(_LEAST_RUN, _RUN_FOR_AROUND * (len(before) + len(behind)))
        parts, run = list[bytes](), list[_Piece]()
        for kid, is_suspect in zip(kids, suspects, strict=True):
            if run and (not is_suspect or kid.end - run[0].first > most):
                parts.append(self._run(run, before, behind, shown))
                run = []
            if is_suspect:
                run.append(kid)
            else:
                parts.append(self._text([kid]))
        return b"".join([*parts, self._run(run, before, behind, shown) if run else b""])

    def _run(self, kids: list[_Piece], before: bytes, behind: bytes, shown: Shown) -> bytes:
        """Return the text of pieces that follow one another; those that can't be read are looked for by halves."""
        text = self._text(kids)
        if self._left < 0 or self._reads(before + text + behind):
            return text
        if len(kids) == 1:
            return self._piece(kids[0], before, behind, shown)
        half = len(kids) // 2
        return self._run(kids[:half], before, behind, shown) + self._run(kids[half:], before, behind, shown)

    def _piece(self, piece: _Piece, before: bytes, behind: bytes, shown: Shown) -> bytes:
        """Return the text of a piece that can't be read: mended are what stands around others in it, and they."""
        if not piece.kids:
            return self._without_lines(self._text([piece]), before, behind, piece.at - piece.first)
        end = self._tail(piece)
        _clip(piece.kids[-1], end)
        head, tail = self._data[piece.first : piece.kids[0].first], self._data[end : piece.end]
        closing = b""
        if not self._reads(before + head + tail + behind):
            closings = self._closings(head + tail)
            closing = next((one for one in closings if self._reads(before + head + tail + one + behind)), b"")
            if not closing:
                shell, closing = (
                    self._without_lines(head + tail, before, behind, piece.at - piece.first, is_around=True),
                    b"",
                )
                head, tail = shell[: len(head)], shell[len(head) :]
        text = head + self._kids(piece.kids, before + head, tail + closing + behind, shown) + tail
        return _ended(text, closing) or text

    def _tail(self, piece: _Piece) -> int:
        """Return where the last of the pieces in a piece ends: before a line that is further to the left than they."""
        indent = min(kid.indent for kid in piece.kids)
        at = self._data.find(b"\n", piece.kids[-1].at) + 1 or piece.end
        while at < piece.end and indent > 0:
            behind = self._data.find(b"\n", at) + 1 or piece.end
            line = self._data[at:behind]
            if line.strip() and _indent(line) < indent:
                return at
            at = behind
        return piece.end

    def _text(self, kids: list[_Piece]) -> bytes:
        return self._data[kids[0].first : kids[-1].end]

    def _reads(self, text: bytes) -> bool:
        is_whole = not self._parse(text).has_error
        self._left -= len(text) if is_whole else _FOR_ERRORS * len(text)
        return is_whole

    def _without_lines(
        self, text: bytes, before: bytes, behind: bytes, header: int, *, is_around: bool = False
    ) -> bytes:
        """Return a text without the one line that is at fault, without the lines from one on, or without any.

        The line in which a definition begins, at ``header``, is the last one that is tried. Of what stands around
        others one line is masked at the most.
        """
        for closing in self._closings(text):
            ended = _ended(text, closing)
            if ended and self._reads(before + ended + behind):
                return ended
        lines = _lines(text)
        begun = text.count(b"\n", 0, header) if header >= 0 else -1
        hints = [at for at in self._hints(text, before, behind) if at > begun]
        others = [at for at in range(len(lines) - 1, begun, -1) if at not in hints][:_MOST_LINES]
        closed = [(at, line) for at in hints if (line := _closed(lines[at]))]
        blank = [(at, self._blank(lines[at])) for at in (*hints, *others, *range(begun, -1, -1))]
        for at, line in (*closed, *blank):
            if self._left < 0:
                break
            tried = b"".join([*lines[:at], line, *lines[at + 1 :]])
            if tried != text and self._reads(before + tried + behind):
                return tried
        for at in (*sorted(hints, reverse=True), *others):
            if self._left < 0 or is_around:
                break
            for cut in self._cuts(lines, at) if at else ():
                if self._reads(before + cut + behind):
                    return cut
        if is_around:
            return text
        cuts = self._cuts(lines, min(hints)) if hints and self._left < 0 else []
        return cuts[0] if cuts else b"".join(map(self._blank, lines))

    def _hints(self, text: bytes, before: bytes, behind: bytes) -> list[int]:
        """Return the lines of a text at which its tree has something that is not closed, or another error."""
        self._left -= _FOR_ERRORS * (len(before) + len(text) + len(behind))
        root, found = self._parse(before + text + behind), list[int]()
        for error in errors_in(root)[:_MOST_HINTS]:
            opened = list[tuple[str, int]]()
            for child in error.children:
                kind = child.type
                if kind in _OPENINGS or (kind in _QUOTES and (not opened or opened[-1][0] != kind)):
                    opened.append((kind, child.start_byte))
                elif opened and (kind in _QUOTES or _ENDINGS.get(kind, "") == opened[-1][0][-1]):
                    opened.pop()
            found += [at for _, at in reversed(opened)]
            found += [error.start_byte, error.end_byte]
        places = [at - len(before) for at in found if 0 <= at - len(before) < len(text)]
        return list(dict.fromkeys(text.count(b"\n", 0, at) for at in places))[:_MOST_HINTS]

    def _cuts(self, lines: list[bytes], at: int) -> list[bytes]:
        """Return lines without those from one on, but for the last that closes them all; else they are closed."""
        kept, last = b"".join(lines[:at]), next((row for row in range(len(lines) - 1, at, -1) if lines[row].strip()), 0)
        end = lines[last:] if last and _END.match(lines[last]) and _indent(lines[last]) <= _indent(lines[0]) else []
        rest, opened = [self._blank(line) for line in lines[at : len(lines) - len(end)]], _opened(kept)
        if end:
            is_closed = lines[last].lstrip()[:1] in b")]}"
            closings = (_closing_of(opened[1:] if is_closed else opened), *self._closings(kept))
        else:
            closings = self._closings(kept) or (b"",)
        found = list[bytes]()
        for closing in dict.fromkeys(closings):
            place = next((row for row, line in enumerate(rest) if len(line.rstrip(b"\r\n")) >= len(closing)), -1)
            if place >= 0:
                line = closing + rest[place][len(closing) :]
                found.append(
                    b"".join([kept, *rest[:place], line if closing else rest[place], *rest[place + 1 :], *end])
                )
        return found

    def _closings(self, text: bytes) -> tuple[bytes, ...]:
        """Return what may close a text."""
        closing = _closing(text)
        ends = _ENDS.get(self._language, (b"",))
        return tuple(closing + end for end in ends if closing or end)

    def _blank(self, line: bytes) -> bytes:
        """Return a line with nothing on it; one of Python with a value, as a body has to have a line."""
        blank = _NOT_ENDS.sub(b" ", line)
        at = len(line) - len(line.lstrip())
        return blank[:at] + b"0" + blank[at + 1 :] if self._language == "python" and line.strip() else blank


def _lines(text: bytes) -> list[bytes]:
    return [line for line in re.split(rb"(?<=\n)", text) if line]


def _indent(line: bytes) -> int:
    return indentation(line[: len(line) - len(line.lstrip())])


def _closed(line: bytes) -> bytes:
    """Return a line with its brackets closed where a comma or blanks leave the room for it; else nothing."""
    body, end = line.rstrip(b", \t\r\n"), line.rstrip(b"\r\n")
    closing = _closing(body)
    return (body + closing).ljust(len(end)) + line[len(end) :] if 0 < len(closing) <= len(end) - len(body) else b""


def _closing(text: bytes) -> bytes:
    """Return the brackets that close those of a text."""
    return _closing_of(_opened(text))


def _closing_of(opened: list[bytes]) -> bytes:
    return b"".join(_CLOSING[one] for one in reversed(opened))


def _ended(text: bytes, closing: bytes) -> bytes:
    """Return a text with brackets in the place of the white space it ends with; nothing if there is no room."""
    body = text.rstrip()
    return body + closing + text[len(body) + len(closing) :] if 0 < len(closing) < len(text) - len(body) else b""


def _opened(text: bytes) -> list[bytes]:
    """Return the brackets of a text that are not closed in it."""
    opened = list[bytes]()
    for found in _BRACKET.findall(text):
        if found in _CLOSING:
            opened.append(found)
        elif opened and _CLOSING[opened[-1]] == found:
            opened.pop()
    return opened
