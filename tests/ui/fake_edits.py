"""The edits part of the fake door."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TYPE_CHECKING

from ctxcode.model.edit.change import DecidedBy, EditState, FileChange, FileOutcome, FileVerdict, Hunk
from ctxcode.model.edit.event import EditEvent, EditsDecided, EditsProposed, EditsSettled, EditsUndone
from ctxcode.model.errors import UsageError

if TYPE_CHECKING:
    from ui.fake_door import FakeDoor


class FakeEdits:
    """What a screen asks of edits, remembered."""

    def __init__(self, door: "FakeDoor") -> None:
        self._door = door
        self.decided: list[tuple[int, tuple[FileVerdict, ...], DecidedBy, str]] = []
        self.files: tuple[str, ...] = ()
        self.differences: tuple[FileChange, ...] = ()
        self.refuses: str = ""
        self.proposed: tuple[FileChange, ...] = ()
        """What every turn proposes before it answers."""
        self.renewals = 0
        """How often the files change after an answer."""
        self.revised: list[tuple[int, str, str]] = []
        self._is_decided = False
        self._answered = asyncio.Event()

    def decide(
        self, number: int, verdicts: tuple[FileVerdict, ...], by: DecidedBy = DecidedBy.USER, note: str = ""
    ) -> None:
        if self.refuses:
            raise UsageError(self.refuses, "")
        self.decided.append((number, verdicts, by, note))
        self._is_decided = True
        self._answered.set()

    async def proposed_text(self, number: int, path: str) -> str:
        del number
        (change,) = [one for one in self.proposed if one.path == path]
        return "".join(line for hunk in change.hunks for line in hunk.after)

    async def revise(self, number: int, path: str, text: str) -> None:
        self.revised.append((number, path, text))
        hunk = Hunk(1, 1, ("a\n",), tuple(text.splitlines(keepends=True)))
        self.proposed = tuple(
            replace(one, hunks=(hunk,), is_users=True) if one.path == path else one for one in self.proposed
        )
        self._answered.set()

    async def steps(self, turn: int) -> AsyncGenerator[EditEvent, None]:
        """Propose, wait for an answer, and write what was accepted; as often as the files change."""
        for attempt in range(self.renewals + 1):
            self._is_decided = False
            while not self._is_decided:
                self._answered.clear()
                yield EditsProposed(turn, 1, self.proposed, is_renewed=attempt > 0)
                await self._answered.wait()
            _, verdicts, by, note = self.decided[-1]
            yield EditsDecided(turn, 1, verdicts, by, note)
        yield EditsSettled(turn, 1, tuple(FileOutcome(change.path, EditState.APPLIED) for change in self.proposed))

    def undoable(self, *, of_last_turn: bool) -> tuple[str, ...]:
        return self.files if of_last_turn else self.files[:1]

    async def undo(self, *, of_last_turn: bool) -> tuple[EditsUndone, ...]:
        event = EditsUndone(1, self.undoable(of_last_turn=of_last_turn))
        self._door.record(event)
        return (event,)

    async def changes(self) -> tuple[FileChange, ...]:
        return self.differences
