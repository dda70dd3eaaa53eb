"""How what decides what commands do differs from what the user trusted. Pure."""

import difflib
from collections.abc import Iterable, Mapping

from ctxcode.model.secret.text import DEFAULT_POLICY

_MOST_LINES = 200
_MOST_KEPT_CHARS = 1_000_000


def kept_texts(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what is remembered of files that are trusted: their texts without secrets, a megabyte at most, by path."""
    kept: list[tuple[str, str]] = []
    room = _MOST_KEPT_CHARS
    for path in sorted(texts):
        text = DEFAULT_POLICY.cleared(texts[path]).text
        room -= len(text)
        if room < 0:
            break
        kept.append((path, text))
    return tuple(kept)


def difference_of(before: Mapping[str, str], now: Mapping[str, str], changed: Iterable[str]) -> str:
    """Return a diff of lines, file by file; for a file whose text is not known, that it is not."""
    lines: list[str] = []
    for path in changed:
        old, new = before.get(path), now.get(path)
        if old is None and new is None:
            lines.append(f"{path}: its text was not kept, look at the file")
            continue
        state = "changed"
        if old is None or new is None:
            state = "is new, or its text was not kept" if old is None else "is gone, or too long to show"
        lines.append(f"{path} {state}")
        rows = difflib.unified_diff(_lines(old), _lines(DEFAULT_POLICY.cleared(new or "").text), lineterm="", n=2)
        lines += [row for row in rows if not row.startswith(("---", "+++"))]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"{len(lines) - _MOST_LINES:,} more lines; look at the files"]
    return "\n".join(lines)


def _lines(text: str | None) -> list[str]:
    return (text or "").splitlines()
