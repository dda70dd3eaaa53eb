"""What a screen may ask about edits: what waits, deciding, undoing, what the session has changed."""

from typing import Protocol

from ctxcode.model.edit.change import DecidedBy, FileChange, FileVerdict
from ctxcode.model.edit.event import EditsUndone


class EditDoor(Protocol):
    """The edits of a session. All methods may raise CtxcodeError."""

    def decide(
        self, number: int, verdicts: tuple[FileVerdict, ...], by: DecidedBy = DecidedBy.USER, note: str = ""
    ) -> None:
        """Answer the set that waits; ``by`` says whether the answer holds for the turn or the session.

        Raises UsageError when that set does not wait, or the verdicts are for another diff of it.
        """
        ...

    async def proposed_text(self, number: int, path: str) -> str:
        """Return the text that a file of the waiting set is to have. Raises UsageError when it has none."""
        ...

    async def revise(self, number: int, path: str, text: str) -> None:
        """Put the user's own text in the place of the proposed one; the set is then proposed again.

        Raises UsageError when the set does not wait any more, or nothing would change.
        """
        ...

    def undoable(self, *, of_last_turn: bool) -> tuple[str, ...]:
        """Return the files whose edits an undo would take back: those of the last turn, or of the last set."""
        ...

    async def undo(self, *, of_last_turn: bool) -> tuple[EditsUndone, ...]:
        """Give files the content they had before, newest set first; what changed since is left alone and told."""
        ...

    async def changes(self) -> tuple[FileChange, ...]:
        """Return how files differ from what they were before this session's first edit of them."""
        ...
