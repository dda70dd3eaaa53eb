"""Recognising code that moved, was renamed or was edited: by digests of its lines, white space left out."""

from collections import Counter
from collections.abc import Sequence

from ctxcode.model.canonical import text_digest

Fingerprint = tuple[str, ...]

_MOST_LINES = 200
SAME_NAME_FROM = 0.4
"""Likeness from which code under the same name is taken as the same."""
OTHER_NAME_FROM = 0.6


def fingerprint(lines: Sequence[str]) -> Fingerprint:
    """Return a digest for each line that is not blank, at most 200."""
    folded = ("".join(line.split()) for line in lines)
    return tuple(text_digest(line, size_bytes=4) for line in folded if line)[:_MOST_LINES]


def likeness(first: Fingerprint, second: Fingerprint) -> float:
    """Return how many lines two pieces of code share: 1 for the same lines, 0 for none."""
    if not first or not second:
        return 0.0
    shared = sum((Counter(first) & Counter(second)).values())
    return 2 * shared / (len(first) + len(second))


def best_place(wanted: Fingerprint, lines: Sequence[str]) -> tuple[int, int, float]:
    """Return the run of lines most like a fingerprint as (first line, last line, likeness), 1-based.

    Likeness 0 when nothing is like it; of equally good places the first.
    """
    rows = [(number, found[0]) for number, line in enumerate(lines, 1) if (found := fingerprint([line]))]
    size = len(wanted)
    best = (0, 0, 0.0)
    if not size or not rows:
        return best
    needed, window, shared = Counter(wanted), Counter[str](), 0
    for at, (_, arrived) in enumerate(rows):
        shared += window[arrived] < needed[arrived]
        window[arrived] += 1
        if at >= size:
            gone = rows[at - size][1]
            window[gone] -= 1
            shared -= window[gone] < needed[gone]
        first = max(0, at - size + 1)
        score = 2 * shared / (size + at - first + 1)
        if score > best[2]:
            best = (rows[first][0], rows[at][0], score)
    return best
