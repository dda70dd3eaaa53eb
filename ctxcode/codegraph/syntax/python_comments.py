"""Comments in Python: those that document, and long runs, which its grammar reads in a time that is their square."""

import re
from itertools import takewhile

from ctxcode.codegraph.extract.docs import comments_doc, is_licence
from ctxcode.codegraph.extract.page import Page

_LEAST = 60
"""Lines from which on it pays: sixty take less than a millisecond, ten thousand half a minute."""
_RUN = re.compile(rb"(?:^[ \t]*#[^\n]*\n(?:[ \t\r]*\n)*){%d,}" % _LEAST, re.MULTILINE)
_LINE = re.compile(rb"\n[ \t]*#")
_QUOTES = re.compile(rb"'''|\"\"\"")
_DOC_BEHIND = re.compile(rb"[ \t]*#:([^\n]*)")
_NEXT = re.compile(rb"\w[\w, ]*+(?:=(?!=)|: *\w)")
"""What is given a value on the line below."""
_LONGEST_DOC, _LONGEST_LINE, _DEEPEST = 60, 500, 200
"""Lines of a comment; bytes of each that are read, and before a definition on its line."""
_NOTHING_BEHIND = frozenset({b"", b"\n", b"\r"})
_FEWEST_WORDS = 3
"""Fewer name a group more often than they tell of one thing."""
_TOLD = re.compile(
    r"#\s*(?:!|-\*-|%%|coding[:=]|type:|noqa\b|nosec\b|pragma\b|(?:end)?region\b|flake8\b"
    r"|(?:pylint|pyright|mypy|ruff|isort|yapf|fmt):)",
    re.IGNORECASE,
)
"""What tools are told."""
_LEFT = re.compile(r"#\s*(?:to-?do|fix-?me|xxx|hack)\b", re.IGNORECASE)
"""What is left to do."""
_HEADING = re.compile(r"#\s*(?:[-=*~#_+]{2}|[-*+] |https?:)|#[^\n]*#$")
"""Headings, the first of several points, and where more is to be read."""
_CODE = re.compile(
    r"#\s*(?:[@\])}]|(?:class|def|elif|else|for|if|try|while|with)\b[^\n]*:$|(?:from|import) [\w.]+(?: import\b|$)"
    r"|(?:del|raise|return|yield) [\w.]+(?:\(|$)|(?:break|continue|pass)$|[(\[{\"'][^\n]*[)\]}\"',]$"
    r"|[\w.\[\]\"']++(?: *[-+|&*/]?=(?!=)|: *[\w.\[\], |]++=|\((?:[^\n]*\)|[^)\n]*)$))"
)
"""What was code once."""
_MORE_OF_TAB = 7
"""A tab counts as eight blanks."""


def without_long_runs(source: bytes) -> bytes:
    """Return a source with blanks in the place of most of its long runs of comments, all else where it was.

    After code the grammar looks from each line of a comment at all those below it, for the block that they may end.
    """
    # A run is looked for at every byte, its lines much quicker.
    is_worth = source.count(b"#") >= _LEAST and len(_LINE.findall(source)) >= _LEAST - 1
    return _RUN.sub(_blanked, source) if is_worth else source


def long_runs(source: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Return where long runs of comments stand between two bytes: the tree has hardly any of their lines."""
    is_worth = source.count(b"#", start, end) >= _LEAST
    return [run.span() for run in _RUN.finditer(source, start, end)] if is_worth else []


def comment_doc(page: Page, start: int, end: int) -> str:
    """Return what comments say of a name that is given a value between two bytes.

    What begins with ``#:`` behind it or right above it counts first, as Sphinx reads it, then a block right above it,
    unless the next line gives a value, too: then it may be said of all of them. Functions and classes have their
    docstrings.
    """
    source, (row, width) = page.source, page.point(start)
    above = page.line_ends[row - 2] if row > 1 else 0
    is_below = row > 0 and source.startswith(b"#", above + width)
    if not is_below and source[end : end + 1] in _NOTHING_BEHIND:
        # So it is with most: there are many of them.
        return ""
    behind = _DOC_BEHIND.match(source, end, end + _LONGEST_LINE)
    if behind is not None:
        return comments_doc(["#" + behind[1].decode("utf-8", "replace")])
    opening = source[start - min(width, _DEEPEST) : start]
    lines = _right_above(page, row, opening) if is_below and len(opening) == width else []
    marked = [line for line in lines if line.startswith("#:")]
    if marked:
        return comments_doc(marked)
    return _prose(lines) if lines and not _is_followed(page, opening, end) else ""


def _prose(lines: list[str]) -> str:
    """Return what the lines of a comment say, without what is said to tools; empty where that is no prose."""
    prose = list(takewhile(lambda line: not _LEFT.match(line), [line for line in lines if not _TOLD.match(line)]))
    if not prose or _HEADING.match(prose[0]) or any(map(_CODE.match, (prose[0], prose[-1]))):
        return ""
    doc = comments_doc(prose)
    # Not all languages put blanks between words.
    is_short = doc.isascii() and doc.count(" ") + 1 < _FEWEST_WORDS
    return "" if is_short or is_licence("\n".join(prose)) else doc


def _is_followed(page: Page, opening: bytes, end: int) -> bool:
    """Whether the line below a definition gives a value, too, and begins with the same blanks."""
    below = page.line_end(end)
    is_as_deep = page.source.startswith(opening, below)
    return is_as_deep and _NEXT.match(page.source, below + len(opening), below + _LONGEST_LINE) is not None


def _right_above(page: Page, row: int, opening: bytes) -> list[str]:
    """Return the comments on the lines right above a row that begin where its code does, behind an opening."""
    found = list[str]()
    while row and not opening.strip() and len(found) < _LONGEST_DOC:
        row -= 1
        first = page.line_ends[row - 1] if row else 0
        if not page.source.startswith(opening + b"#", first):
            break
        found.append(page.text(first, min(page.line_ends[row], first + _LONGEST_LINE)).strip())
    return found[::-1]


def _blanked(run: re.Match[bytes]) -> bytes:
    """Return a run without the lines that tell nothing.

    Blocks go on as far as what stands in them, comments too, until one stands further out. What looks like a comment
    may be a text's, and end that.
    """
    lines, kept = run[0].split(b"\n"), set[int]()
    furthest_out, last = len(run[0]) * (_MORE_OF_TAB + 1), 0
    for row, line in enumerate(lines):
        written = line.lstrip(b" \t")
        if not written.startswith(b"#"):
            continue
        margin = line[: len(line) - len(written)]
        width = len(margin) + _MORE_OF_TAB * margin.count(b"\t")
        if width < furthest_out:
            kept.add(last)
            furthest_out = width
        if _QUOTES.search(written):
            kept.add(row)
        last = row
    kept.add(last)
    return b"\n".join(line if row in kept else b" " * len(line) for row, line in enumerate(lines))
