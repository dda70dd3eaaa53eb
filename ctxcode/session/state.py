"""What a session's journal adds up to: a pure fold of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ctxcode.model.conversation import Turn
from ctxcode.model.event import (
    BudgetChanged,
    DurableEvent,
    ModeChanged,
    ModelChanged,
    SessionRenamed,
    SessionStarted,
)
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin
from ctxcode.model.plan import ContextMode
from ctxcode.session.memory.branch import BranchState, after


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session as of its last event; turns, pins and plans are those of the branch that is open."""

    mode: ContextMode
    model: str
    budget_tokens: int
    title: str = ""
    branch: BranchState = field(default_factory=BranchState)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Completed turns, oldest first."""
        return self.branch.turns

    @property
    def open_turn(self) -> Turn | None:
        """A turn that was started and not completed."""
        return self.branch.open_turn

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins in force."""
        return self.branch.pins

    @property
    def dropped(self) -> tuple[ItemId, ...]:
        """What the user keeps out."""
        return self.branch.dropped

    @property
    def plan_ids(self) -> tuple[PlanId, ...]:
        """The plans that were made, oldest first."""
        return self.branch.plan_ids

    @property
    def next_turn(self) -> int:
        """The number the next turn gets."""
        return self.branch.next_turn


def folded(state: SessionState, events: Iterable[DurableEvent]) -> SessionState:
    """Return the state after some more events."""
    for event in events:
        state = _after(state, event)
    return state


def _after(state: SessionState, event: DurableEvent) -> SessionState:
    match event:
        case SessionStarted():
            return replace(state, mode=event.mode, model=event.model)
        case SessionRenamed():
            return replace(state, title=event.title)
        case ModeChanged():
            return replace(state, mode=event.mode)
        case ModelChanged():
            return replace(state, model=event.model)
        case BudgetChanged():
            return replace(state, budget_tokens=event.budget_tokens)
        case _:
            return replace(state, branch=after(state.branch, event))
