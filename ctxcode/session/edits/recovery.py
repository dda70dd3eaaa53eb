"""Accepted edits whose end was never recorded: ctxcode was killed, or its database failed, right after writing."""

from collections.abc import Iterable
from dataclasses import dataclass

from ctxcode.action.edit.change import edited_bytes
from ctxcode.model.edit.change import EditState, FileChange, FileOutcome, FileVerdict, bytes_digest
from ctxcode.model.edit.event import EditsSettled
from ctxcode.model.errors import CtxcodeError
from ctxcode.session.edits.book import EditBook, EditSet
from ctxcode.session.ports import FileEditor

_NOT_WRITTEN = "ctxcode ended, and it is not in the file"


@dataclass(frozen=True, slots=True)
class _Found:
    """One accepted change and how its file is now."""

    change: FileChange
    after: str | None
    """Digest of what was to be written, empty for nothing; None when that can't be told any more."""
    now: str
    """Digest of what is there; empty for nothing."""
    mode: int

    @property
    def is_written(self) -> bool:
        is_change = bool(self.change.to) or self.after != self.change.before
        return self.after is not None and self.now == self.after and is_change


def unsettled(book: EditBook) -> EditBook:
    """Return the sets that were accepted and of which nothing was recorded since."""
    return tuple(one for one in book if not one.outcomes and any(said.is_accepted for said in one.verdicts))


def settled(one: EditSet, editor: FileEditor) -> EditsSettled:
    """Return what became of a set, by the files as they are; blocks.

    A set is written whole or not at all: where one file is as it was to be, all of them were written.
    """
    found = [
        (change, said, _found(change, said, editor) if said.is_accepted else None)
        for change, said in zip(one.changes, one.verdicts, strict=True)
    ]
    is_written = any(row is not None and row.is_written for _, _, row in found)
    return EditsSettled(
        one.turn, one.number, tuple(_outcome(change, row, is_written=is_written) for change, _, row in found)
    )


def told(events: Iterable[EditsSettled]) -> tuple[str, ...]:
    """Return what the user should know of sets that were settled late."""
    lines = []
    for event in events:
        written = [outcome.to or outcome.path for outcome in event.outcomes if outcome.state is EditState.APPLIED]
        which = f"The edit {event.number} of turn {event.turn}" if event.turn else f"The edit {event.number}"
        if written:
            what = "was written when ctxcode ended, and is recorded now"
            lines.append(f"{which} {what}: {', '.join(written)}. /diff shows it, /undo files takes it back.")
        else:
            lines.append(f"{which} was accepted when ctxcode ended, and is not in the files.")
    return tuple(lines)


def _found(change: FileChange, said: FileVerdict, editor: FileEditor) -> _Found:
    before = editor.kept(change.before) if change.before else None
    after: str | None = None
    if before is not None or not change.before:
        try:
            data = edited_bytes(change, before, said.hunks)
            after = bytes_digest(data) if data is not None else ""
        except CtxcodeError:
            after = None
    try:
        image = editor.image(change.to or change.path)
    except CtxcodeError:
        return _Found(change, after, "", 0)
    return _Found(change, after, bytes_digest(image.data) if image.data is not None else "", image.mode)


def _outcome(change: FileChange, found: _Found | None, *, is_written: bool) -> FileOutcome:
    if found is None:
        return FileOutcome(change.path, EditState.REJECTED, change.before, change.before)
    if not is_written or found.after is None:
        return FileOutcome(change.path, EditState.FAILED, change.before, change.before, detail=_NOT_WRITTEN)
    return FileOutcome(change.path, EditState.APPLIED, change.before, found.after, change.to, mode=found.mode)
