"""Long runs of comments in Python, which its grammar reads in a time that grows with their square."""

import re

_LEAST = 60
"""Lines from which on it pays: sixty take less than a millisecond, ten thousand half a minute."""
_RUN = re.compile(rb"(?:^[ \t]*#[^\n]*\n(?:[ \t\r]*\n)*){%d,}" % _LEAST, re.MULTILINE)
_LINE = re.compile(rb"\n[ \t]*#")
_QUOTES = re.compile(rb"'''|\"\"\"")
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
