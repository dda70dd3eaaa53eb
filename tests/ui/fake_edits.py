"""The edits part of the fake door."""

from typing import TYPE_CHECKING

from ctxcode.model.edit.change import DecidedBy, FileChange, FileVerdict
from ctxcode.model.edit.event import EditsUndone
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

    def decide(
        self, number: int, verdicts: tuple[FileVerdict, ...], by: DecidedBy = DecidedBy.USER, note: str = ""
    ) -> None:
        if self.refuses:
            raise UsageError(self.refuses, "")
        self.decided.append((number, verdicts, by, note))

    def undoable(self, *, of_last_turn: bool) -> tuple[str, ...]:
        return self.files if of_last_turn else self.files[:1]

    async def undo(self, *, of_last_turn: bool) -> tuple[EditsUndone, ...]:
        event = EditsUndone(1, self.undoable(of_last_turn=of_last_turn))
        self._door.record(event)
        return (event,)

    async def changes(self) -> tuple[FileChange, ...]:
        return self.differences
