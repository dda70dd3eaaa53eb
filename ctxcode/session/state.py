"""What a session's journal adds up to: a pure fold of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.model.event import (
    BudgetChanged,
    ContextPlanned,
    DurableEvent,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ModeChanged,
    ModelChanged,
    ReplyFinished,
    SessionRenamed,
    SessionStarted,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin
from ctxcode.model.plan import ContextMode
from ctxcode.reflection.leases import aged


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session as of its last event."""

    mode: ContextMode
    model: str
    budget_tokens: int
    title: str = ""
    turns: tuple[Turn, ...] = ()
    """Completed turns, oldest first."""
    open_turn: Turn | None = None
    """A turn that was started and not completed."""
    pins: tuple[Pin, ...] = ()
    dropped: tuple[ItemId, ...] = ()
    plan_ids: tuple[PlanId, ...] = ()

    @property
    def next_turn(self) -> int:
        """The number the next turn gets."""
        if self.open_turn is not None:
            return self.open_turn.number + 1
        return self.turns[-1].number + 1 if self.turns else 1


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
        case TurnStarted() | ContextPlanned() | ReplyFinished() | TurnCompleted():
            return _after_turn_event(state, event)
        case ItemPinned() | ItemUnpinned() | ItemDropped() | ItemRestored():
            return _after_item_event(state, event)


def _after_turn_event(
    state: SessionState, event: TurnStarted | ContextPlanned | ReplyFinished | TurnCompleted
) -> SessionState:
    if isinstance(event, TurnStarted):
        opened = Turn(event.turn, event.prompt, "", None, StoppedBy.INTERRUPTED, state.model)
        return replace(state, open_turn=opened)
    if isinstance(event, ContextPlanned):
        state = replace(state, plan_ids=(*state.plan_ids, event.plan_id))
    turn = state.open_turn
    if turn is None:
        return state
    match event:
        case ContextPlanned():
            return replace(state, open_turn=replace(turn, plan_id=event.plan_id, model=event.model))
        case ReplyFinished():
            return replace(state, open_turn=replace(turn, reply=event.text, usage=event.usage))
        case TurnCompleted():
            done = replace(turn, stopped_by=event.stopped_by)
            pins = aged(state.pins) if event.stopped_by is not StoppedBy.ERROR else state.pins
            return replace(state, turns=(*state.turns, done), open_turn=None, pins=pins)


def _after_item_event(
    state: SessionState, event: ItemPinned | ItemUnpinned | ItemDropped | ItemRestored
) -> SessionState:
    others = tuple(pin for pin in state.pins if pin.item != event.item)
    undropped = tuple(item for item in state.dropped if item != event.item)
    match event:
        case ItemPinned():
            pin = Pin(event.item, event.pin, event.turns_left, event.by)
            return replace(state, pins=(*others, pin), dropped=undropped)
        case ItemUnpinned():
            return replace(state, pins=others)
        case ItemDropped():
            return replace(state, pins=others, dropped=(*undropped, event.item))
        case ItemRestored():
            return replace(state, dropped=undropped)
