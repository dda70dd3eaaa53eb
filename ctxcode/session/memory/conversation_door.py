"""The part of the screens' door that is about the conversation itself: branches, undoing, window, state anchor."""

from typing import Protocol

from ctxcode.model.conversation import Turn
from ctxcode.model.engine.branch import BranchSummary
from ctxcode.model.engine.event import (
    AnchorChanged,
    BranchForked,
    BranchSwitched,
    TurnRemoved,
    TurnsUndone,
    WindowChanged,
)
from ctxcode.model.plan import ContextPlan, Payload


class ConversationDoor(Protocol):
    """The conversation of a session.

    The events it returns are already journalled. What rewrites a branch is refused while a turn is running.
    All may raise CtxcodeError.
    """

    @property
    def branch(self) -> str:
        """The name of the branch that is open."""
        ...

    @property
    def anchor(self) -> str:
        """The state block the model keeps; empty when there is none."""
        ...

    @property
    def window(self) -> int:
        """Most turns of history; 0 for all that fit."""
        ...

    def turns(self) -> tuple[Turn, ...]:
        """Return the completed turns of the open branch, oldest first."""
        ...

    def running(self) -> Turn | None:
        """Return the turn that is not completed, here or in another process, with what is journalled of its reply."""
        ...

    def branches(self) -> tuple[BranchSummary, ...]:
        """Return every branch, by name."""
        ...

    async def payload(self, prompt: str) -> tuple[ContextPlan, Payload | None]:
        """Return the plan and the messages that sending a prompt would send; changes and stores nothing."""
        ...

    async def set_window(self, turns: int) -> WindowChanged:
        """Send at most so many turns of history; 0 for all that fit."""
        ...

    async def set_anchor(self, text: str) -> AnchorChanged:
        """Replace the state block; an empty text clears it."""
        ...

    async def rebuild_anchor(self) -> AnchorChanged:
        """Let the model write the state block anew from the window."""
        ...

    async def remove_turn(self, number: int) -> TurnRemoved:
        """Take one turn out of this branch's history; other branches keep it."""
        ...

    async def undo(self) -> TurnsUndone:
        """Take back the last turn: this branch is as it was before it."""
        ...

    async def rewind(self, number: int) -> TurnsUndone:
        """Make a turn the last one of this branch, 0 for none."""
        ...

    async def fork(self, name: str, turn: int | None = None) -> tuple[BranchForked, BranchSwitched]:
        """Make a branch from the open one, as it was when a turn had completed, and open it."""
        ...

    async def switch(self, name: str) -> BranchSwitched:
        """Open another branch."""
        ...
