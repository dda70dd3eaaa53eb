"""Headings of texts in other forms than Markdown: reStructuredText, AsciiDoc, Org, LaTeX, and plain text like them."""

import re
from collections.abc import Iterator

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.markdown import Heading, sections
from ctxcode.codegraph.outline.reading import MOST_ENTRIES

_ASCIIDOC = re.compile(rb"^(={1,6})[ \t]+(\S[^\n]*)", re.MULTILINE)
_ORG = re.compile(rb"^(\*{1,8})[ \t]+(\S[^\n]*)", re.MULTILINE)
_TEX = re.compile(
    rb"^[ \t]*\\(part|chapter|section|subsection|subsubsection)\*?[ \t]*\{([^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}",
    re.MULTILINE,
)
_TEX_LEVELS = {b"part": 1, b"chapter": 2, b"section": 3, b"subsection": 4, b"subsubsection": 5}
_LISTING = re.compile(rb"^(?:-{4,}|\.{4,}|`{3,})[ \t]*$", re.MULTILINE)
_ORG_BLOCK = re.compile(rb"^[ \t]*#\+(begin|end)_", re.MULTILINE | re.IGNORECASE)
_RULE = re.compile(rb"([=\-~^\"'`:.*+#<>_])\1{2,}[ \t]*\r?\n?\Z")
_ROLE = re.compile(r":[\w:-]+:(?=`)|\\\w+\*?|[`*{}|\\]|(?<!\w)_|_(?!\w)")
_STATE = re.compile(r"^(?:[T]ODO|DONE)\s+|\s+:[\w:@]+:$")
_LONGEST_TITLE = 200


def underlined(page: Page) -> Findings:
    """Return the sections of a text whose headings are underlined: reStructuredText, and plain text often."""
    return sections(page, list(_underlined(page)), 0)


def asciidoc(page: Page) -> Findings:
    """Return the sections of AsciiDoc, but for what looks like headings in listings."""
    return _marked(page, _ASCIIDOC, _between(page, [match.span() for match in _LISTING.finditer(page.source)]))


def org(page: Page) -> Findings:
    """Return the sections of Org, but for what looks like headings in blocks."""
    return _marked(page, _ORG, _between(page, [match.span() for match in _ORG_BLOCK.finditer(page.source)]))


def tex(page: Page) -> Findings:
    """Return the sections of LaTeX."""
    found = list[Heading]()
    for match in _TEX.finditer(page.source):
        title = _title(match[2])
        if title and len(found) < MOST_ENTRIES:
            found.append((match.start(), page.line_end(match.end()), _TEX_LEVELS[match[1]], title))
    return sections(page, found, 0)


def _underlined(page: Page) -> Iterator[Heading]:
    """Yield the headings; marks are of the level of their first use, those also over a heading are others."""
    source, levels, count = page.source, dict[tuple[bytes, bool], int](), 0
    before, title, is_alone = b"", (0, b""), True
    at = 0
    for end in page.line_ends:
        line = source[at:end]
        rule = _RULE.fullmatch(line)
        text = title[1].strip()
        width = len(line.strip())
        if rule is not None and text and is_alone and width >= min(len(text), _LONGEST_TITLE) and count < MOST_ENTRIES:
            shown = _title(text)
            over = before == rule[1] and not shown.startswith(("-", "*"))
            level = levels.setdefault((rule[1], over), len(levels) + 1)
            if shown:
                count += 1
                yield title[0], end, level, shown
            before, title, is_alone = b"", (end, b""), True
        elif rule is not None:
            before, title, is_alone = rule[1], (end, b""), True
        else:
            # What is underlined is one line behind an empty one, at the margin or under a rule.
            is_alone = not title[1].strip() and bool(line.strip()) and (bool(before) or line[:1] not in b" \t")
            before = before if is_alone else b""
            title = (at, line)
        at = end


def _marked(page: Page, pattern: re.Pattern[bytes], apart: list[tuple[int, int]]) -> Findings:
    found, row = list[Heading](), 0
    for match in pattern.finditer(page.source):
        while row < len(apart) and apart[row][1] <= match.start():
            row += 1
        title = _STATE.sub("", _title(match[2]))
        is_apart = row < len(apart) and apart[row][0] <= match.start()
        if title and not is_apart and len(found) < MOST_ENTRIES:
            found.append((match.start(), page.line_end(match.end()), len(match[1]), title))
    return sections(page, found, 0)


def _between(page: Page, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return what stands between the first and second mark, the third and fourth, and so on."""
    ends = [end for _, end in marks[1::2]] + [len(page.source)]
    return [(start, end) for (start, _), end in zip(marks[::2], ends, strict=False)]


def _title(text: bytes) -> str:
    return " ".join(_ROLE.sub("", text[: 2 * _LONGEST_TITLE].decode("utf-8", "replace")).split())
