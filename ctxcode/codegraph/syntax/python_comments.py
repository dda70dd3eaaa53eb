"""Comments in Python: those that document, and long runs, which its grammar reads in a time that is their square."""

import re

from ctxcode.codegraph.extract.docs import comments_doc, is_licence
from ctxcode.codegraph.extract.page import Page

_LEAST = 60
"""Lines from which on it pays: sixty take less than a millisecond, ten thousand half a minute."""
_RUN = re.compile(rb"(?:^[ \t]*#[^\n]*\n(?:[ \t\r]*\n)*){%d,}" % _LEAST, re.MULTILINE)
_LINE = re.compile(rb"\n[ \t]*#")
_QUOTES = re.compile(rb"'''|\"\"\"")
_DOC_BEHIND = re.compile(rb"[ \t]*#:([^\n]*)")
_LONGEST_DOC = 60
"""Lines."""
_DEEPEST = 200
"""Bytes before a definition on its line."""
_NO_PROSE = re.compile(
    r"#\s*(?:!|-\*-|%%|coding[:=]|type:|noqa\b|nosec\b|pragma\b|(?:end)?region\b|(?:pylint|mypy|ruff|isort|yapf|fmt):"
    r"|flake8\b|(?:to-?do|fix-?me|xxx|hack)\b|[-=*~]{3})|#++[^#\n]*+##+$",
    re.IGNORECASE,
)
"""What tools are told, what is left to do, and headings."""
_CODE = re.compile(
    r"#\s*(?:[@\])}]|(?:class|def|elif|else|for|if|try|while|with)\b[^\n]*:$|(?:from|import) [\w.]+(?: import\b|$)"
    r"|[\w.\[\]\"']++(?: *[-+|&*/]?=(?!=)|\([^()\n]*\)$))"
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

    What begins with ``#:`` behind it or right above it counts first, as Sphinx reads it, then a block right above it.
    Functions and classes have their docstrings.
    """
    behind = _DOC_BEHIND.match(page.source, end)
    if behind is not None:
        return comments_doc(["#" + behind[1].decode("utf-8", "replace")])
    lines = _right_above(page, start)
    marked = [line for line in lines if line.startswith("#:")]
    if marked:
        return comments_doc(marked)
    prose = [line for line in lines if not _NO_PROSE.match(line)]
    is_prose = prose and not any(map(_CODE.match, (prose[0], prose[-1]))) and not is_licence("\n".join(prose))
    return comments_doc(prose) if is_prose else ""


def _right_above(page: Page, start: int) -> list[str]:
    """Return the comments on the lines right above a byte that begin where that does."""
    row, width = page.point(start)
    if width > _DEEPEST:
        return []
    opening = page.source[start - width : start] + b"#"
    found = list[str]()
    while row and not opening.strip(b" \t#") and len(found) < _LONGEST_DOC:
        row -= 1
        first = page.line_ends[row - 1] if row else 0
        if not page.source.startswith(opening, first):
            break
        found.append(page.text(first, page.line_ends[row]).strip())
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
