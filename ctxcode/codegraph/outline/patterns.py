"""What files define whose languages have no grammar here, by one pattern for each way of saying it.

The patterns are data, a file of ``outline/patterns`` for each language:

- ``comment``, ``text``, ``doc``: what is no code; a ``doc`` documents what it stands above, or what it stands in first;
  ``inner``: a text that does so only there.
- ``definitions``: kind to patterns, each from the first letter of a line on; the last group is the name.
- ``margin``: the same of what is one only at the left margin; ``members``: only right in a type or namespace.
- ``above``: lines that belong to the definition below them. ``goes_on``: lines that end nothing, though they stand at
  the column of what they belong to; ``closes``: such that are the last of it. All else that stands there ends it.
- ``continued``: how lines end that go on with the next. ``pairs``: what else ends what begins so, whatever the columns.
- ``ends``: lines that end what began last, where a language is not written by columns.
- ``clauses``: whether what follows another of its name is more of it. ``hidden``: names, or words before them, of what
  is nobody else's. ``marks``: what of a name is left out. ``calls``: in which of the usual ways it calls, if any.
  ``dotted``: whether what stands before a function's name is what it belongs to.
"""

import re
import tomllib
from bisect import bisect_left
from enum import Enum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ctxcode.codegraph.extract.assemble import TYPE_KINDS
from ctxcode.codegraph.extract.docs import first_paragraph
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import DECORATOR_CHARACTERS, Page, folded
from ctxcode.codegraph.outline.calls import calls_in
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, Span, comment_above, entry

_HOLDERS = TYPE_KINDS | {"namespace"}
_LONGEST_HEADER = 2_000
_LONGEST_LINE = 1_000
_MOST_ABOVE = 20
_MOST_HEADS = 20_000
_OPENING = re.compile(rb"[ \t]*(?:[{=]|\bdo\b|\bbegin\b|\bwhere\b)?[ \t]*\Z")
_OPENERS = (b"{", b"(", b"[")
_NEVER = re.compile(rb"(?!)")
_LONG = re.compile(rb"^[^\n]{1001,}$", re.MULTILINE)
_BLANKS = re.compile(rb"[ \t]*+")
_BLANK = frozenset(b" \t")
_LINE_ENDS = frozenset(b"\r\n")


class _Way(NamedTuple):
    """One way of defining something."""

    pattern: re.Pattern[bytes]
    kind: str
    is_member: bool
    """Whether it is one in a type or namespace only."""


class _Head(NamedTuple):
    """Where something is defined; bytes."""

    line: int
    """The row of its first line."""
    at: int
    """Of its name."""
    name: str
    kind: str
    start: int
    is_member: bool


class _Patterns(NamedTuple):
    """How a language is read; see above."""

    no_code: re.Pattern[bytes]
    ways: tuple[_Way, ...]
    above: re.Pattern[bytes]
    goes_on: re.Pattern[bytes]
    closes: re.Pattern[bytes]
    ends: re.Pattern[bytes] | None
    has_clauses: bool
    hidden: re.Pattern[bytes]
    marks: re.Pattern[str] | None
    continued: re.Pattern[bytes]
    pairs: tuple[tuple[re.Pattern[bytes], re.Pattern[bytes]], ...]
    inner: re.Pattern[bytes]
    calls: str
    is_dotted: bool


class _Edge(Enum):
    """What a line is for the definition above it."""

    INSIDE = 1
    LAST = 2
    OUTSIDE = 3


class _Lines:
    """The lines of a page: where their code begins, and which hold none."""

    def __init__(self, page: Page, no_code: list[Span], continued: re.Pattern[bytes]) -> None:
        self.starts = [0, *page.line_ends[:-1]]
        self.code = list[int]()
        """The first byte of each that is no blank."""
        self.columns = list[int]()
        """Of that byte, tabs counted as eight; -1 where there is none, a comment, or more than anybody writes."""
        self.is_continued = list[bool]()
        """Whether it goes on with the line before."""
        source, row, goes_on = page.source, 0, False
        match, search = _BLANKS.match, continued.search
        for start, end in zip(self.starts, page.line_ends, strict=False):
            at = start
            if source[start] in _BLANK and (blanks := match(source, start)) is not None:
                at = blanks.end()
            while row < len(no_code) and no_code[row][1] <= at:
                row += 1
            is_code = at < end and source[at] not in _LINE_ENDS and end - start <= _LONGEST_LINE
            is_code = is_code and not (row < len(no_code) and no_code[row][0] <= at)
            self.code.append(at)
            self.columns.append(
                (at - start + 7 * source.count(b"\t", start, at) if at > start else 0) if is_code else -1
            )
            self.is_continued.append(goes_on and is_code)
            if is_code:
                goes_on = search(source, at, end) is not None


def patterned(page: Page, language: str) -> Findings:
    """Return what a file defines. Raises KeyError for a language without patterns."""
    patterns = _patterns(language)
    findings, no_code, docs, comments = Findings(), list[Span](), dict[int, str](), dict[int, Span]()
    for token in patterns.no_code.finditer(page.source):
        span = token.span()
        if span[0] == span[1]:
            continue
        no_code.append(span)
        if token.lastgroup == "doc":
            docs[span[0]] = _words(page, token)
        elif token.lastgroup == "comment":
            comments[page.trimmed(*span)] = span
    # Of a line that nobody wrote a pattern may take very long.
    if any(end - start > _LONGEST_LINE for start, end in pairwise([0, *page.line_ends])):
        page = Page(_LONG.sub(lambda line: b" " * len(line[0]), page.source))
    lines = _Lines(page, no_code, patterns.continued)
    heads = _heads(page, patterns, lines)
    spans = _spans(page, patterns, heads, lines)
    by_end = {end: start for start, end in no_code if start in docs}
    for head, end in zip(heads, spans, strict=True):
        if end < 0:
            continue
        found = entry(page, head.name, head.kind, (head.start, max(end, head.at + 1)), head.at)
        _complete(found, page, patterns, lines)
        if patterns.is_dotted and head.kind == "function":
            found.container, _, found.name = found.name.rpartition(".")
        found.doc = _doc(page, found, (docs, by_end, comments), patterns.inner)
        findings.definitions.append(found)
    if patterns.has_clauses:
        findings.definitions = _joined(findings.definitions, page)
    if patterns.calls:
        apart = [(each.first, each.header) for each in findings.definitions if each.decorators]
        findings.calls = list(calls_in(page, patterns.calls, findings.definitions, (no_code, sorted(apart))))
    return findings


def _words(page: Page, token: re.Match[bytes]) -> str:
    group = next((number for number in range(token.re.groups, 0, -1) if token[number] is not None), 0)
    return first_paragraph(page.text(*token.span(group)))


def _heads(page: Page, patterns: _Patterns, lines: _Lines) -> list[_Head]:
    """Return where something is defined, by place; on each line the first way that fits."""
    found = dict[int, _Head]()
    for pattern, kind, is_member in patterns.ways:
        groups = range(pattern.groups, -1, -1)
        for match in pattern.finditer(page.source):
            group = next(number for number in groups if match.start(number) >= 0)
            at, name = match.start(group), _name(match[group], patterns)
            line = page.line(at) - 1
            if name and line not in found and lines.columns[line] >= 0 and not lines.is_continued[line]:
                found[line] = _Head(line, at, name, kind, lines.code[line], is_member)
    return [found[line] for line in sorted(found)[: _MOST_HEADS if patterns.calls else MOST_ENTRIES]]


def _name(written: bytes, patterns: _Patterns) -> str:
    """Return a name as others write it: without the marks around it, with dots between its parts."""
    text = written.decode("utf-8", "replace").strip("\"'`@ \t").lstrip(":").replace("::", ".")
    text = " ".join(patterns.marks.sub(" ", text).split()) if patterns.marks is not None else text
    # What a name is parted by does not end it.
    return text.strip(".") if patterns.is_dotted else text


def _spans(page: Page, patterns: _Patterns, heads: list[_Head], lines: _Lines) -> list[int]:
    """Return where each definition ends; -1 for what is none: a member of nothing."""
    if patterns.ends is not None:
        return _spans_by_ends(page, patterns.ends, heads)
    line_ends, last, reach = page.line_ends, 0, 0
    ends, opened = [-1] * len(heads), list[tuple[int, int]]()
    pairs = [(begin, [match.start() for match in end.finditer(page.source)]) for begin, end in patterns.pairs]
    by_line = {head.line: row for row, head in enumerate(heads)}
    for line, column in enumerate(lines.columns):
        if column < 0:
            continue
        while opened and opened[-1][0] >= column:
            row = opened[-1][1]
            edge = _edge(page, patterns, lines, line) if opened[-1][0] == column else _Edge.OUTSIDE
            if edge is _Edge.INSIDE and heads[row].kind != "field":
                break
            ends[row] = page.trimmed(heads[row].start, line_ends[line] if edge is _Edge.LAST else last)
            opened.pop()
            if edge is _Edge.LAST:
                break
        last = line_ends[line]
        new = by_line.get(line)
        if new is None:
            continue
        is_inside = heads[new].at < reach or (opened and heads[opened[-1][1]].kind in _HOLDERS)
        if heads[new].is_member and not is_inside:
            continue
        ends[new] = _paired(page, pairs, heads[new])
        if ends[new] < 0:
            opened.append((column, new))
            ends[new] = 0
        elif heads[new].kind in _HOLDERS:
            reach = ends[new]
    for _, row in opened:
        ends[row] = page.trimmed(heads[row].start, last)
    return ends


def _edge(page: Page, patterns: _Patterns, lines: _Lines, line: int) -> _Edge:
    """Return what a line is for a definition at its column that began above it."""
    source, at = page.source, lines.code[line]
    if lines.is_continued[line] or patterns.goes_on.match(source, at):
        return _Edge.INSIDE
    if not patterns.closes.match(source, at):
        return _Edge.OUTSIDE
    # What closes the parameters may open the body.
    return _Edge.INSIDE if source[at : page.line_ends[line]].rstrip().endswith(_OPENERS) else _Edge.LAST


def _paired(page: Page, pairs: list[tuple[re.Pattern[bytes], list[int]]], head: _Head) -> int:
    """Return where a definition ends that is ended by a word of its own; -1 for another."""
    for begin, ends in pairs:
        row = bisect_left(ends, head.at)
        if row < len(ends) and begin.match(page.source, head.start):
            return page.trimmed(head.start, page.line_end(ends[row]))
    return -1


def _spans_by_ends(page: Page, closing: re.Pattern[bytes], heads: list[_Head]) -> list[int]:
    marks = sorted([
        *((head.at, row) for row, head in enumerate(heads)),
        *((match.start(), -match.end()) for match in closing.finditer(page.source)),
    ])  # fmt: skip
    ends, opened = [-1] * len(heads), list[int]()
    for _, mark in marks:
        if mark >= 0:
            opened.append(mark)
        elif opened:
            row = opened.pop()
            ends[row] = page.trimmed(heads[row].start, page.line_end(-mark - 1))
    for row in opened:
        # What nothing ends is all on its line.
        ends[row] = page.trimmed(heads[row].start, page.line_end(heads[row].at))
    return ends


def _complete(found: Definition, page: Page, patterns: _Patterns, lines: _Lines) -> None:
    """Give a definition its whole signature, what stands above it, and how far it can be seen."""
    source = page.source
    limit = min(found.end, found.start + _LONGEST_HEADER)
    end = min(page.line_end(found.header), limit)
    while end < limit and _depth(source[found.header : end]) > 0:
        end = min(page.line_end(end), limit)
    header = source[found.start : end]
    opening = _OPENING.search(header.rstrip())
    shown = found.start + (opening.start() if opening is not None and opening.start() else len(header))
    found.signature, found.header_end = page.signature(found.start, shown), max(found.header + 1, shown)
    if patterns.hidden.match(source, found.start) or patterns.hidden.match(source, found.header):
        found.visibility = "private"
    texts, row = list[str](), page.line(found.start) - 2
    while row >= 0 and len(texts) < _MOST_ABOVE and lines.columns[row] >= 0:
        at = lines.code[row]
        if not patterns.above.match(source, at):
            break
        texts.insert(0, folded(page.text(at, page.line_ends[row]))[:DECORATOR_CHARACTERS])
        found.start = found.first = at
        row -= 1
    found.decorators = tuple(texts)


def _depth(header: bytes) -> int:
    return header.count(b"(") + header.count(b"[") - header.count(b")") - header.count(b"]")


def _doc(
    page: Page,
    found: Definition,
    told: tuple[dict[int, str], dict[int, int], dict[int, Span]],
    inner: re.Pattern[bytes],
) -> str:
    """Return what stands right above a definition, or first in it."""
    docs, by_end, comments = told
    before = page.trimmed(max(0, found.start - _LONGEST_HEADER), found.start)
    start = by_end.get(before, -1)
    if start in docs and page.source.count(b"\n", before, found.start) <= 1:
        found.start = found.first = start
        return docs.pop(start)
    behind = page.line_end(found.header_end)
    within = behind + len(page.source[behind : behind + 400]) - len(page.source[behind : behind + 400].lstrip())
    doc = docs.pop(within, "") if within < found.end else ""
    if not doc and within < found.end and (text := inner.match(page.source, within)):
        doc = first_paragraph(page.text(*text.span(1)))
    return doc or comment_above(page, found.start, comments)


def _joined(definitions: list[Definition], page: Page) -> list[Definition]:
    """Return definitions with those in one that follow another of their name in the same place."""
    kept, last = list[Definition](), dict[int, Definition]()
    for found in definitions:
        column = page.point(found.header)[1]
        for inner in [each for each in last if each > column]:
            del last[inner]
        before = last.get(column)
        if before is not None and (before.name, before.kind) == (found.name, found.kind):
            before.end, before.doc = found.end, before.doc or found.doc
        else:
            kept.append(found)
            last[column] = found
    return kept


@cache
def _patterns(language: str) -> _Patterns:
    try:
        text = (Path(__file__).parent / "patterns" / f"{language}.toml").read_text("utf-8")
    except FileNotFoundError as error:
        raise KeyError(language) from error
    told = tomllib.loads(text)
    groups = [f"(?P<{name}>{told[name]})" for name in ("doc", "comment", "text") if name in told]
    ways = list[_Way]()
    for table, indent in (("definitions", "[ \t]*+"), ("margin", ""), ("members", "[ \t]*+")):
        for kind, patterns in told.get(table, {}).items():
            for pattern in [patterns] if isinstance(patterns, str) else patterns:
                ways.append(_Way(_compiled(f"^{indent}(?:{pattern})"), kind, table == "members"))
    return _Patterns(
        no_code=re.compile("|".join(groups).encode() or b"(?!)", re.DOTALL | re.MULTILINE),
        ways=tuple(ways),
        above=_told(told, "above"),
        goes_on=_told(told, "goes_on"),
        closes=_told(told, "closes"),
        ends=_compiled(told["ends"]) if "ends" in told else None,
        has_clauses=bool(told.get("clauses")),
        hidden=_told(told, "hidden"),
        marks=re.compile(told["marks"]) if "marks" in told else None,
        continued=_told(told, "continued"),
        pairs=tuple((_compiled(begin), _compiled(end)) for begin, end in told.get("pairs", ())),
        inner=_told(told, "inner"),
        calls=told.get("calls", ""),
        is_dotted=bool(told.get("dotted")),
    )


def _told(told: dict[str, Any], name: str) -> re.Pattern[bytes]:
    return _compiled(told[name]) if name in told else _NEVER


def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)
