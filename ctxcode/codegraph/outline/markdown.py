"""Headings of Markdown: each begins a section that ends before the next one of its level or above."""

import re

from ctxcode.codegraph.extract.docs import first_paragraph
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, entry

_HEADING = re.compile(rb" {0,3}(#{1,6})[ \t]++(.*)", re.DOTALL)
_UNDERLINE = re.compile(rb" {0,3}(?:(=+)|-{2,})[ \t]*\r?\n?\Z")
_FRONT = re.compile(rb"---[ \t]*\r?\n")
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_NO_TITLE = re.compile(rb" {0,3}(?:[-+*>#|<]|\d+[.)]|\Z)|\s*\Z")
_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^()]*\)|\[[^\]\[]*\])?")
_MARKS = re.compile(r"\{#[^{}]*\}|[*`]|<[^<>]*>|(?<!\w)_|_(?!\w)")
_LONGEST_TITLE = 400
_DOC_BYTES = 4_000
_NO_PROSE = ("#", "```", "~~~", ".. ", "\\", "%")
"""How lines begin that are marks, in one kind of text or another."""

Heading = tuple[int, int, int, str]
"""(where it begins, where its section's text begins, level, title)."""


def headings(page: Page) -> Findings:
    """Return a file's sections; its own documentation is the first paragraph that is no heading."""
    return sections(page, _headings(page), _behind_front_matter(page))


def sections(page: Page, found: list[Heading], begin: int) -> Findings:
    """Return the sections that headings begin, in a text that begins at a byte."""
    findings, size = Findings(), len(page.source)
    ends = _ends(found, size)
    following = [*[start for start, *_ in found[1:]], size][: len(found)]
    for (start, text, _, title), end, stop in zip(found, ends, following, strict=True):
        section = entry(page, title, "section", (start, max(end, start + 1)), start)
        section.doc = _paragraph(page, text, stop)
        findings.definitions.append(section)
    first = found[0] if found else (size, size, 0, "")
    findings.doc = _paragraph(page, begin, first[0]) or (findings.definitions[0].doc if found else "")
    return findings


def _headings(page: Page) -> list[Heading]:
    found: list[Heading] = []
    source, at, fence, title_start = page.source, _behind_front_matter(page), b"", -1
    while at < len(source) and len(found) < MOST_ENTRIES:
        end = page.line_end(at)
        line = source[at:end]
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line[opening.end() :].strip():
                fence = b""
        elif opening:
            fence, title_start = opening[1], -1
        elif heading := _HEADING.match(line):
            title = _title(_without_closing(heading[2]))
            if title:
                found.append((at, end, len(heading[1]), title))
            title_start = -1
        elif title_start >= 0 and (underline := _UNDERLINE.match(line)):
            title = _title(source[title_start:at])
            if title:
                found.append((title_start, end, 1 if underline[1] else 2, title))
            title_start = -1
        else:
            # Of a paragraph of one line what is underlined is a heading.
            title_start = at if title_start == -1 and not _NO_TITLE.match(line) else -2 if line.strip() else -1
        at = end
    return found


def _without_closing(text: bytes) -> bytes:
    """Return what a heading says without the number signs that may close it."""
    text = text.rstrip()
    rest = text.rstrip(b"#")
    return text if rest and rest[-1:] not in b" \t" else rest


def _behind_front_matter(page: Page) -> int:
    """Return where the text begins behind a block of settings between two lines of dashes."""
    source = page.source
    if not _FRONT.match(source):
        return 0
    end = source.find(b"\n---", 3)
    return page.line_end(end + 1) if end >= 0 else 0


def _ends(found: list[Heading], size: int) -> list[int]:
    """Return where each section ends."""
    ends = [size] * len(found)
    open_rows: list[int] = []
    for row, (start, _, level, _) in enumerate(found):
        while open_rows and found[open_rows[-1]][2] >= level:
            ends[open_rows.pop()] = start
        open_rows.append(row)
    return ends


def _title(text: bytes) -> str:
    plain = _LINK.sub(r"\1", text[:_LONGEST_TITLE].decode("utf-8", "replace"))
    return _MARKS.sub("", plain).strip()


def _paragraph(page: Page, start: int, end: int) -> str:
    text = page.text(start, min(end, start + _DOC_BYTES))
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(_NO_PROSE)]
    return first_paragraph("\n".join(lines))
