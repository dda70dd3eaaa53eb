"""The hunks between two versions of a file, and the version that some of them make."""

from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from ctxcode.model.edit.change import Hunk

CONTEXT_LINES = 3
_MOST_COMPARED = 4_000
"""Longer stretches are one hunk: finding the smallest difference would take too long."""

Span = tuple[int, int, int, int]
"""Lines from and to in the old version, from and to in the new one; 0-based, the end left out."""


def hunks_between(before: Sequence[str], after: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the changed stretches in order, each with up to three unchanged lines around it."""
    spans = changed_spans(before, after)
    made = []
    for place, (start, end, new_start, new_end) in enumerate(spans):
        earliest = spans[place - 1][1] if place else 0
        latest = spans[place + 1][0] if place + 1 < len(spans) else len(before)
        made.append(
            Hunk(
                start + 1,
                new_start + 1,
                tuple(before[start:end]),
                tuple(after[new_start:new_end]),
                tuple(before[max(earliest, start - CONTEXT_LINES) : start]),
                tuple(before[end : min(latest, end + CONTEXT_LINES)]),
            )
        )
    return tuple(made)


def changed_spans(before: Sequence[str], after: Sequence[str]) -> list[Span]:
    """Return where two lists of lines differ."""
    if before == after:
        return []
    head = _common(before, after)
    most = min(len(before), len(after)) - head
    tail = min(most, _common(before[::-1], after[::-1]))
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > _MOST_COMPARED:
        return [(head, head + len(old), head, head + len(new))]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (head + start, head + end, head + new_start, head + new_end)
        for tag, start, end, new_start, new_end in codes
        if tag != "equal"
    ]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def with_hunks(before: Sequence[str], hunks: Iterable[Hunk], accepted: Collection[int] | None = None) -> list[str]:
    """Return the lines after the accepted hunks, by position; all of them for None."""
    lines: list[str] = []
    place = 0
    for number, hunk in enumerate(hunks):
        start = hunk.before_start - 1
        lines += before[place:start]
        lines += hunk.after if accepted is None or number in accepted else hunk.before
        place = start + len(hunk.before)
    return [*lines, *before[place:]]
