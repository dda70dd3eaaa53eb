"""Two changes of the same lines, brought together. Pure."""

from collections.abc import Sequence

from ctxcode.action.edit.hunk import changed_spans


def merged(before: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """Return the lines with both changes in them; None where both change the same lines, or lines side by side."""
    changes = {(start, end, tuple(mine[first:last])) for start, end, first, last in changed_spans(before, mine)}
    changes |= {(start, end, tuple(theirs[first:last])) for start, end, first, last in changed_spans(before, theirs)}
    lines: list[str] = []
    place = -1
    for start, end, after in sorted(changes):
        if start <= place:
            return None
        lines += [*before[max(place, 0) : start], *after]
        place = end
    return [*lines, *before[max(place, 0) :]]
