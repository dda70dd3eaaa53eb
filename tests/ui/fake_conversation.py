"""The conversation part of the fake door, over the same fold a real session uses."""

from typing import TYPE_CHECKING, TypeVar

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
from ctxcode.model.event import DurableEvent
from ctxcode.model.plan import ContextMode, ContextPlan, Payload, PayloadMessage
from ctxcode.session.state import SessionState, folded

if TYPE_CHECKING:
    from ui.fake_door import FakeDoor

EventT = TypeVar("EventT", bound=DurableEvent)


class FakeConversation:
    """Branches, window and anchor, as far as the screens ask."""

    def __init__(self, door: "FakeDoor") -> None:
        self._door = door

    @property
    def _state(self) -> SessionState:
        return folded(SessionState(ContextMode.LIGHT, "gpt-x", 8_000), self._door.history())

    @property
    def branch(self) -> str:
        return self._state.branch.name

    @property
    def anchor(self) -> str:
        return self._state.branch.anchor

    @property
    def window(self) -> int:
        return self._state.branch.window

    def turns(self) -> tuple[Turn, ...]:
        return self._state.turns

    def running(self) -> Turn | None:
        return self._state.open_turn

    def branches(self) -> tuple[BranchSummary, ...]:
        state = self._state
        return tuple(
            BranchSummary(b.name, b.parent, b.forked_at, len(b.turns), "", b.name == state.branch.name)
            for b in state.branches
        )

    async def payload(self, prompt: str) -> tuple[ContextPlan, Payload | None]:
        return await self._door.preview(prompt), Payload((PayloadMessage("user", prompt),))

    async def set_window(self, turns: int) -> WindowChanged:
        return self._recorded(WindowChanged(turns))

    async def set_anchor(self, text: str) -> AnchorChanged:
        return self._recorded(AnchorChanged(text))

    async def rebuild_anchor(self) -> AnchorChanged:
        return self._recorded(AnchorChanged("Goal: rebuilt", "model"))

    async def remove_turn(self, number: int) -> TurnRemoved:
        return self._recorded(TurnRemoved(number))

    async def undo(self) -> TurnsUndone:
        return self._recorded(TurnsUndone(self.turns()[-1].number))

    async def rewind(self, number: int) -> TurnsUndone:
        return self._recorded(TurnsUndone(number + 1))

    async def fork(self, name: str, turn: int | None = None) -> tuple[BranchForked, BranchSwitched]:
        last = self.turns()[-1].number if self.turns() else 0
        made = self._recorded(BranchForked(name, self.branch, last if turn is None else turn))
        return made, self._recorded(BranchSwitched(name))

    async def switch(self, name: str) -> BranchSwitched:
        return self._recorded(BranchSwitched(name))

    def _recorded(self, event: EventT) -> EventT:
        self._door.record(event)
        return event
