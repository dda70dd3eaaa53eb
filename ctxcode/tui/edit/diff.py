"""A set of changes as lines of styled text: one column, or two when there is room."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from ctxcode.model.edit.change import ChangeKind, FileChange, Hunk
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.edit.review import Place, Review
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.widgets.code import coloured, language_of

SIDE_BY_SIDE = 118
"""From this width on, old and new stand beside one another."""
_NUMBER = 5
_MOST_LINES = 400
"""Of one side of a hunk; the rest is counted."""
_ADDED, _REMOVED = "on $diff-add 15%", "on $diff-remove 15%"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of the diff, and the hunk it is part of."""

    place: Place | None
    content: Content


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a file's version."""

    number: int
    text: Content
    sign: str = " "


def diff_lines(review: Review, width: int, glyphs: Glyphs) -> list[DiffLine]:
    """Return the whole diff, file by file; a review without a number is one that asks nothing."""
    made: list[DiffLine] = []
    for at, change in enumerate(review.changes):
        if at:
            made.append(DiffLine(None, Content("")))
        made.append(DiffLine(None, _heading(change, glyphs)))
        for number, hunk in enumerate(change.hunks):
            place = Place(at, number)
            answer = _answer(review, place, glyphs)
            made.append(DiffLine(place, answer + Content.styled(f"line {hunk.before_start:,}", "$muted")))
            made += [DiffLine(place, line) for line in _hunk_lines(hunk, change, width, glyphs)]
        if not change.hunks:
            place = Place(at, 0)
            made.append(DiffLine(place, _answer(review, place, glyphs) + Content(_without_hunks(change))))
    return made


def _heading(change: FileChange, glyphs: Glyphs) -> Content:
    path = clean_line(change.path, 160)
    where = f"{path} {glyphs.arrow} {clean_line(change.to, 160)}" if change.to else path
    kind = "" if change.kind is ChangeKind.MODIFIED else f"  {change.kind.value}"
    counts = Content.styled(f"  +{change.added}", "$diff-add") + Content.styled(f" -{change.removed}", "$diff-remove")
    note = "" if change.encoding == "utf-8" else f"  {clean_line(change.encoding, 20)}"
    return Content.styled(where, "bold") + Content.styled(kind, "$warning") + counts + Content.styled(note, "$muted")


def _answer(review: Review, place: Place, glyphs: Glyphs) -> Content:
    if not review.number:
        return Content("")
    answer = review.answers.get(place)
    if answer is None:
        return Content.styled(f"{glyphs.ephemeral} undecided  ", "$muted")
    if answer:
        return Content.styled(f"{glyphs.ok} accepted  ", "$success")
    return Content.styled(f"{glyphs.failed} rejected  ", "$error")


def _without_hunks(change: FileChange) -> str:
    match change.kind:
        case ChangeKind.RENAMED:
            return "the content stays"
        case ChangeKind.DELETED:
            return "too long, or no text: not shown"
        case _:
            return "empty"


def _hunk_lines(hunk: Hunk, change: FileChange, width: int, glyphs: Glyphs) -> list[Content]:
    language = language_of(change.to or change.path)
    lead, tail = len(hunk.lead), len(hunk.tail)
    before = _rows((*hunk.lead, *hunk.before, *hunk.tail), hunk.before_start - lead, language, glyphs)
    after = _rows((*hunk.lead, *hunk.after, *hunk.tail), hunk.after_start - lead, language, glyphs)
    old = [_Row(row.number, row.text, "-") for row in before[lead : len(before) - tail]]
    new = [_Row(row.number, row.text, "+") for row in after[lead : len(after) - tail]]
    if width < SIDE_BY_SIDE:
        rows = [*after[:lead], *_cut(old), *_cut(new), *after[len(after) - tail :]]
        return [line for row in rows for line in _lines(row, width)]
    half = (width - 1) // 2
    pairs = [*zip(before[:lead], after[:lead], strict=True), *zip_longest(_cut(old), _cut(new))]
    pairs += zip(before[len(before) - tail :], after[len(after) - tail :], strict=True)
    return [line for left, right in pairs for line in _beside(left, right, half)]


def _cut(rows: Sequence[_Row]) -> list[_Row]:
    """Return rows, of very many the first ones and how many more there are."""
    if len(rows) <= _MOST_LINES:
        return list(rows)
    more = Content.styled(f"{len(rows) - _MOST_LINES:,} more lines", "$muted italic")
    return [*rows[:_MOST_LINES], _Row(0, more, rows[0].sign)]


def _rows(lines: Sequence[str], start: int, language: str, glyphs: Glyphs) -> list[_Row]:
    """Return lines with their numbers, coloured as code; where the last one has no end, it says so."""
    bodies = [clean(line.rstrip("\r\n")).replace("\n", " ") for line in lines]
    contents = list(coloured("\n".join(bodies), language).split("\n", allow_blank=True)) if bodies else []
    if len(contents) != len(bodies):
        contents = [Content(body) for body in bodies]
    made = []
    for number, (line, content) in enumerate(zip(lines, contents, strict=True), start=start):
        is_open = not line.endswith(("\n", "\r"))
        note = Content.styled(f" {glyphs.dot} no line end", "$muted italic") if is_open else Content("")
        made.append(_Row(number, content + note))
    return made


def _lines(row: _Row | None, width: int) -> list[Content]:
    """Return a row as lines of exactly one width, a long one folded."""
    if row is None:
        return [Content(" " * width)]
    inner = max(8, width - _NUMBER - 3)
    parts = row.text.fold(inner) if row.text.cell_length > inner else [row.text]
    style = {"+": "$diff-add", "-": "$diff-remove"}.get(row.sign, "$muted")
    ground = {"+": _ADDED, "-": _REMOVED}.get(row.sign, "")
    made: list[Content] = []
    for place, part in enumerate(parts):
        number = f"{row.number or '':>{_NUMBER}}" if place == 0 else " " * _NUMBER
        line = Content.styled(f"{number} ", "$muted") + Content.styled(f"{row.sign} ", style) + part
        line = line.pad_right(max(0, width - line.cell_length))
        made.append(line.stylize_before(ground) if ground else line)
    return made


def _beside(left: _Row | None, right: _Row | None, half: int) -> list[Content]:
    blank = Content(" " * half)
    pairs = zip_longest(_lines(left, half), _lines(right, half), fillvalue=blank)
    return [one + Content(" ") + other for one, other in pairs]
