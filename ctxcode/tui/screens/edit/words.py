"""Edits in words and as plain text."""

from collections.abc import Sequence

from ctxcode.model.edit.change import ChangeKind, FileChange, Hunk
from ctxcode.model.edit.event import EditsUndone
from ctxcode.tui.clean import clean_line
from ctxcode.tui.number import counted

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


def change_title(change: FileChange) -> str:
    """Return a file with what happens to it: ``shop/price.py · modified · +3 −1``."""
    path = clean_line(change.path, 200)
    where = f"{path} -> {clean_line(change.to, 200)}" if change.to else path
    kind = "" if change.kind is ChangeKind.MODIFIED else f" {change.kind.value}"
    return f"{where}{kind} +{change.added} -{change.removed}"


def diff_text(changes: Sequence[FileChange]) -> str:
    """Return changes as a unified diff, its lines to be cleaned where they are shown."""
    rows: list[str] = []
    for change in changes:
        rows.append(change_title(change))
        for hunk in change.hunks:
            rows += _hunk_rows(hunk)
        rows.append("")
    return "\n".join(rows)


def _hunk_rows(hunk: Hunk) -> list[str]:
    start = hunk.before_start - len(hunk.lead)
    new_start = hunk.after_start - len(hunk.lead)
    around = len(hunk.lead) + len(hunk.tail)
    rows = [f"@@ -{start},{around + len(hunk.before)} +{new_start},{around + len(hunk.after)} @@"]
    for sign, lines in ((" ", hunk.lead), ("-", hunk.before), ("+", hunk.after), (" ", hunk.tail)):
        for line in lines:
            body = line.rstrip("\r\n")
            rows.append(sign + body)
            if body == line:
                rows.append("\\ no line end")
    return rows
