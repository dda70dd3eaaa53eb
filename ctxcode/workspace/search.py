"""Searching the text of listed files."""

from collections.abc import Callable, Iterable

from ctxcode.model.errors import RepositoryError
from ctxcode.model.source import FoundLine
from ctxcode.workspace.reading import read_listed

MOST_LINES = 2_000
_SHOWN_CHARS = 300
_LEAD_CHARS = 100


def search(root: str, words: str, paths: Iterable[str], is_cancelled: Callable[[], bool]) -> tuple[FoundLine, ...]:
    """Return the lines that hold ``words``, at most 2,000; a long line as the part around its first match.

    Case matters only when ``words`` holds capitals. Links are not followed; what can't be read is passed over.
    """
    folds_case = words == words.lower()
    found: list[FoundLine] = []
    for path in paths:
        if is_cancelled():
            break
        try:
            text = read_listed(root, path)
        except RepositoryError:
            continue
        if words not in (text.lower() if folds_case else text):
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            place = (line.lower() if folds_case else line).find(words)
            if place >= 0:
                found.append(FoundLine(path, number, _around(line.rstrip("\r"), place)))
                if len(found) >= MOST_LINES:
                    return tuple(found)
    return tuple(found)


def _around(line: str, place: int) -> str:
    if len(line) <= _SHOWN_CHARS:
        return line
    start = max(0, place - _LEAD_CHARS)
    end = start + _SHOWN_CHARS
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
