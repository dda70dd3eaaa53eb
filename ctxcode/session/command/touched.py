"""The files a command changed, found by looking at every file before and after it. Pure."""

from collections.abc import Iterable, Mapping

from ctxcode.model.conversation import FileFate, TouchedFile

MOST_KEPT = 100
_MOST_TOLD = 12

Stamps = Mapping[str, tuple[int, int, int]]
"""Times of the last change of content and of status in nanoseconds, and the size, by path."""


def touched_files(before: Stamps, after: Stamps) -> tuple[TouchedFile, ...]:
    """Return what differs, by path."""
    found = [
        TouchedFile(path, FileFate.GONE if path not in after else FileFate.CHANGED if path in before else FileFate.NEW)
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]
    return tuple(found)


def touched_line(touched: Iterable[TouchedFile]) -> str:
    """Return a line that names the files, as the model and the user read it; empty for none."""
    files = list(touched)
    if not files:
        return ""
    names = ", ".join(f"{one.path} ({one.fate.value})" for one in files[:_MOST_TOLD])
    rest = f" and {len(files) - _MOST_TOLD:,} more" if len(files) > _MOST_TOLD else ""
    return f"files it changed: {names}{rest}\n"
