"""What a session's journal adds up to: a pure fold of its events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ctxcode.model.conversation import Turn
from ctxcode.model.edit.event import EditEvent
from ctxcode.model.engine.event import (
    BranchForked,
    BranchSwitched,
    CapsuleEvent,
    ModelAsked,
    StrategyChosen,
    StrategyRemembered,
    TurnRemoved,
    TurnsUndone,
)
from ctxcode.model.engine.strategy import DEFAULT_STRATEGY
from ctxcode.model.event import (
    BudgetChanged,
    DurableEvent,
    ModeChanged,
    ModelChanged,
    ReplyMarked,
    SessionRenamed,
    SessionStarted,
    TurnCompleted,
)
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin
from ctxcode.model.plan import ContextMode, Detail
from ctxcode.session.edits.book import EditBook, detached, recorded, sets_of, shared, with_undone, without_pending
from ctxcode.session.memory.branch import BranchState, advanced, forked


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session as of its last event; turns, pins and plans are those of the branch that is open."""

    mode: ContextMode
    model: str
    budget_tokens: int
    strategy: str = DEFAULT_STRATEGY
    title: str = ""
    api_base: str = ""
    """The address the user gave for the model; empty for the provider's own."""
    branch: BranchState = field(default_factory=BranchState)
    """The branch that is open."""
    others: Mapping[str, BranchState] = field(default_factory=dict)
    """The other branches, by name."""
    edits: EditBook = ()
    """Of all branches: the files are the same on each."""

    @property
    def told_turns(self) -> tuple[Turn, ...]:
        """The completed turns as the model is told of them: edits that were undone since say so."""
        return with_undone(self.turns, sets_of(self.edits, self.branch.name))

    @property
    def branches(self) -> tuple[BranchState, ...]:
        """Every branch, by name."""
        return tuple(sorted((self.branch, *self.others.values()), key=lambda branch: branch.name))

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
    def details(self) -> tuple[tuple[ItemId, Detail], ...]:
        """How much of an item is shown, where the user chose."""
        return self.branch.details

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
    if isinstance(event, EditEvent):
        return replace(state, edits=recorded(state.edits, event, state.branch.name))
    if isinstance(event, CapsuleEvent | ModelAsked):
        return state
    match event:
        case SessionStarted() | SessionRenamed() | ModeChanged() | ModelChanged() | BudgetChanged() | StrategyChosen():
            return _with_setting(state, event)
        case StrategyRemembered() if event.branch != state.branch.name:
            other = state.others.get(event.branch)
            others = {} if other is None else {other.name: advanced(other, event)}
            return replace(state, others={**state.others, **others})
        case ReplyMarked():
            return state
        case BranchForked():
            return _with_fork(state, event)
        case BranchSwitched():
            return _switched(state, event.name)
        case _:
            return replace(state, branch=advanced(state.branch, event), edits=_edits_after(state, event))


def _with_setting(
    state: SessionState,
    event: SessionStarted | SessionRenamed | ModeChanged | ModelChanged | BudgetChanged | StrategyChosen,
) -> SessionState:
    match event:
        case SessionStarted():
            return replace(state, mode=event.mode, model=event.model, api_base=event.api_base)
        case SessionRenamed():
            return replace(state, title=event.title)
        case ModeChanged():
            return replace(state, mode=event.mode)
        case ModelChanged():
            return replace(state, model=event.model, api_base=event.api_base)
        case BudgetChanged():
            return replace(state, budget_tokens=event.budget_tokens)
        case StrategyChosen():
            return replace(state, strategy=event.name)


def _edits_after(state: SessionState, event: DurableEvent) -> EditBook:
    """Return the edits after a turn ended or left the open branch."""
    match event:
        case TurnCompleted():
            return without_pending(state.edits)
        case TurnRemoved():
            return detached(state.edits, state.branch.name, [event.turn])
        case TurnsUndone():
            gone = [turn.number for turn in state.turns if turn.number >= event.first]
            return detached(state.edits, state.branch.name, gone)
    return state.edits


def _with_fork(state: SessionState, event: BranchForked) -> SessionState:
    parent = state.branch if event.parent == state.branch.name else state.others.get(event.parent)
    if parent is None or event.name == state.branch.name:
        return state
    others = {**state.others, event.name: forked(parent, event.name, event.turn)}
    return replace(state, others=others, edits=shared(state.edits, parent.name, event.name, event.turn))


def _switched(state: SessionState, name: str) -> SessionState:
    wanted = state.others.get(name)
    if wanted is None:
        return state
    others = {other: branch for other, branch in state.others.items() if other != name}
    left = replace(state.branch, open_turn=None, reflected=None)
    return replace(state, branch=wanted, others={**others, left.name: left})
