"""Edits in words."""

from collections.abc import Sequence

from ctxcode.model.edit.event import EditsUndone
from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean_line

_NAMED = 3
_PATH_CHARS = 60


def some_paths(paths: Sequence[str]) -> str:
    """Return the first paths and how many more there are."""
    names = ", ".join(clean_line(path, _PATH_CHARS) for path in paths[:_NAMED])
    more = len(paths) - _NAMED
    return f"{names} and {counted(more, 'more file')}" if more > 0 else names


def undone_words(events: Sequence[EditsUndone]) -> str:
    """Return what an undo restored and what it left alone, and why."""
    restored = tuple(dict.fromkeys(path for event in events for path in event.restored))
    refused = {outcome.path: outcome.detail for event in events for outcome in event.refused}
    parts = [f"restored {some_paths(restored)}"] if restored else []
    parts += [f"left {clean_line(path, _PATH_CHARS)} alone: {clean_line(why, 160)}" for path, why in refused.items()]
    return "; ".join(parts) or "nothing was restored"
