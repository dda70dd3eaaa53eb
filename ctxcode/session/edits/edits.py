"""The edits of a session as its front ends use them."""

import asyncio
from dataclasses import dataclass

from ctxcode.action.edit.change import difference
from ctxcode.model.edit.change import DecidedBy, EditState, FileChange, FileVerdict
from ctxcode.model.edit.event import EditsSettled, EditsUndone
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.session.edits.approval import Approvals, Decision
from ctxcode.session.edits.book import EditBook, sets_of
from ctxcode.session.edits.desk import EditDesk
from ctxcode.session.edits.recovery import settled, unsettled
from ctxcode.session.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Edits:
    """See ``door.EditDoor`` for what it promises."""

    _ledger: Ledger
    _desk: EditDesk
    _approvals: Approvals

    def decide(
        self, number: int, verdicts: tuple[FileVerdict, ...], by: DecidedBy = DecidedBy.USER, note: str = ""
    ) -> None:
        """Answer the set that waits."""
        known = next((one.changes for one in self._ledger.state.edits if one.number == number), ())
        self._approvals.decide(number, Decision(verdicts, by, note), known)

    async def proposed_text(self, number: int, path: str) -> str:
        """Return the text that a file of the waiting set is to have."""
        return await asyncio.to_thread(self._desk.proposed_text, self._proposed(number, path))

    async def revise(self, number: int, path: str, text: str) -> None:
        """Put the user's own text in the place of the proposed one."""
        change = self._proposed(number, path)
        made = await asyncio.to_thread(self._desk.revised, change, text)
        changes = next(one.changes for one in self._ledger.state.edits if one.number == number)
        self._approvals.revise(number, tuple(made if one is change else one for one in changes))

    def _proposed(self, number: int, path: str) -> FileChange:
        for one in self._ledger.state.edits:
            for change in one.changes if one.number == number else ():
                if change.path == path:
                    return change
        raise UsageError(f"No edit of {path!r} waits.", "/diff shows what was changed.")

    def settle_interrupted(self) -> tuple[EditsSettled, ...]:
        """Record what became of sets that were accepted when ctxcode was killed; blocks, does nothing in a turn."""
        if self._ledger.is_busy:
            return ()
        found = unsettled(self._ledger.state.edits)
        return tuple(self._ledger.record(settled(one, self._desk.editor)) for one in found)

    def undoable(self, *, of_last_turn: bool) -> tuple[str, ...]:
        """Return the files whose edits an undo would take back."""
        sets = self._undoable(of_last_turn=of_last_turn)
        return tuple(dict.fromkeys(outcome.to or outcome.path for one in sets for outcome in one.applied))

    async def undo(self, *, of_last_turn: bool) -> tuple[EditsUndone, ...]:
        """Give files the content they had before, newest set first. Raises UsageError when there is nothing to undo."""
        if self._ledger.is_busy:
            raise UsageError("An answer is on its way.", "Wait for it, or press Esc to stop it.")
        found = self._undoable(of_last_turn=of_last_turn)
        if not found:
            raise UsageError("There is no edit to undo.", "/diff shows what this session has changed.")
        return await asyncio.to_thread(self._undo, found)

    async def changes(self) -> tuple[FileChange, ...]:
        """Return how files differ from what they were before this session's first edit of them."""
        return await asyncio.to_thread(self._changes)

    def _undoable(self, *, of_last_turn: bool) -> EditBook:
        """Return sets that are applied, newest first."""
        state = self._ledger.state
        applied = [one for one in state.edits if one.applied]
        if not of_last_turn:
            return tuple(applied[-1:])
        last = state.turns[-1].number if state.turns else 0
        mine = {one.number for one in sets_of(state.edits, state.branch.name) if one.turn == last}
        return tuple(one for one in reversed(applied) if one.number in mine)

    def _undo(self, found: EditBook) -> tuple[EditsUndone, ...]:
        events: list[EditsUndone] = []
        for one in found:
            refused = self._desk.undo(one.applied, one.folders)
            left = {outcome.path for outcome in refused}
            restored = tuple(outcome.path for outcome in one.applied if outcome.path not in left)
            events.append(self._ledger.record(EditsUndone(one.number, restored, refused)))
        return tuple(events)

    def _changes(self) -> tuple[FileChange, ...]:
        first: dict[str, str] = {}
        for one in self._ledger.state.edits:
            for outcome in one.outcomes:
                if outcome.state in (EditState.APPLIED, EditState.UNDONE):
                    first.setdefault(outcome.path, outcome.before)
                    if outcome.to:
                        first.setdefault(outcome.to, "")
        found = (self._change(path, before) for path, before in sorted(first.items()))
        return tuple(change for change in found if change is not None)

    def _change(self, path: str, digest: str) -> FileChange | None:
        before = self._desk.editor.kept(digest) if digest else None
        try:
            return None if digest and before is None else difference(path, before, self._desk.editor.image(path).data)
        except CtxcodeError:
            return None
