"""One branch of a session: a pure fold of the events that happened while it was open."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.model.engine.event import (
    EngineEvent,
    PinBroken,
    PinFollowed,
    SuggestionDismissed,
    TaskFinished,
    TaskStarted,
    TurnReflected,
)
from ctxcode.model.event import (
    ContextPlanned,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ReplyFinished,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin, PinKind, SuggestedPin
from ctxcode.reflection.activation import Activation, updated
from ctxcode.reflection.leases import LEASE_TURNS, aged, without_task_leases
from ctxcode.reflection.promotion import suggestions

ItemEvent = ItemPinned | ItemUnpinned | ItemDropped | ItemRestored
TurnEvent = TurnStarted | ContextPlanned | ReplyFinished | TurnCompleted
BranchEvent = ItemEvent | TurnEvent | EngineEvent


@dataclass(frozen=True, slots=True)
class BranchState:
    """A branch as of its last event."""

    name: str = "main"
    turns: tuple[Turn, ...] = ()
    """Completed turns, oldest first."""
    open_turn: Turn | None = None
    """A turn that was started and not completed."""
    pins: tuple[Pin, ...] = ()
    expired: tuple[ItemId, ...] = ()
    """Leases that ended with the last turn."""
    dropped: tuple[ItemId, ...] = ()
    plan_ids: tuple[PlanId, ...] = ()
    activation: Activation = field(default_factory=dict)
    dismissed: tuple[ItemId, ...] = ()
    """What the user does not want suggested."""
    task: str = ""
    """The title of the task that is going on; empty when no mark was set or the last one was closed."""
    reflected: TurnReflected | None = None
    """What the open turn said; takes effect when it completes."""

    @property
    def next_turn(self) -> int:
        """The number the next turn gets."""
        if self.open_turn is not None:
            return self.open_turn.number + 1
        return self.turns[-1].number + 1 if self.turns else 1

    @property
    def suggested(self) -> tuple[SuggestedPin, ...]:
        """What keeps coming up and is not pinned for good."""
        last = self.turns[-1].number if self.turns else 0
        return suggestions(self.activation, last, self.pins, (*self.dismissed, *self.dropped))


def after(branch: BranchState, event: BranchEvent) -> BranchState:
    """Return the branch after one more event."""
    match event:
        case TurnStarted() | ContextPlanned() | ReplyFinished() | TurnCompleted():
            return _after_turn_event(branch, event)
        case ItemPinned() | ItemUnpinned() | ItemDropped() | ItemRestored():
            return _after_item_event(branch, event)
        case PinFollowed() | PinBroken():
            return replace(branch, pins=moved(branch.pins, (event,)))
        case TurnReflected():
            return replace(branch, reflected=event) if branch.open_turn is not None else branch
        case SuggestionDismissed():
            return replace(branch, dismissed=(*branch.dismissed, event.item))
        case TaskStarted():
            return replace(branch, task=event.title, pins=without_task_leases(branch.pins))
        case TaskFinished():
            return replace(branch, task="", pins=without_task_leases(branch.pins))


def _after_turn_event(branch: BranchState, event: TurnEvent) -> BranchState:
    if isinstance(event, TurnStarted):
        opened = Turn(event.turn, event.prompt, "", None, StoppedBy.INTERRUPTED, "")
        return replace(branch, open_turn=opened, reflected=None)
    if isinstance(event, ContextPlanned):
        branch = replace(branch, plan_ids=(*branch.plan_ids, event.plan_id))
    turn = branch.open_turn
    if turn is None:
        return branch
    match event:
        case ContextPlanned():
            return replace(branch, open_turn=replace(turn, plan_id=event.plan_id, model=event.model))
        case ReplyFinished():
            return replace(branch, open_turn=replace(turn, reply=event.text, usage=event.usage))
        case TurnCompleted():
            done = replace(turn, stopped_by=event.stopped_by)
            branch = replace(branch, turns=(*branch.turns, done), open_turn=None)
            # A turn that came to nothing counts for nothing.
            return branch if event.stopped_by is StoppedBy.ERROR else _matured(branch, event.turn)


def _matured(branch: BranchState, turn: int) -> BranchState:
    """Return the branch after a completed turn took effect: activation, leases, promotions, in this order."""
    reflected = branch.reflected
    signals = reflected.signals if reflected is not None else ()
    pins = aged(branch.pins, turn, {row.item for row in signals if row.is_reference})
    expired = tuple(pin.item for pin in branch.pins if pin.item not in {kept.item for kept in pins})
    promoted = reflected.promoted if reflected is not None else ()
    known = {pin.item for pin in pins}
    pins += tuple(
        Pin(row.item, PinKind.LEASED, LEASE_TURNS, "engine", LEASE_TURNS, evidence=row.evidence, referenced_at=turn)
        for row in promoted
        if row.item not in known
    )
    table = updated(branch.activation, turn, signals)
    return replace(branch, pins=pins, expired=expired, activation=table, reflected=None)


def _after_item_event(branch: BranchState, event: ItemEvent) -> BranchState:
    others = tuple(pin for pin in branch.pins if pin.item != event.item)
    undropped = tuple(item for item in branch.dropped if item != event.item)
    match event:
        case ItemPinned():
            pin = Pin(
                event.item,
                event.pin,
                event.turns_left,
                event.by,
                length=event.turns_left,
                evidence=event.evidence,
                text=event.text,
                fingerprint=event.fingerprint,
                is_read_only=event.is_read_only,
            )
            return replace(branch, pins=(*others, pin), dropped=undropped)
        case ItemUnpinned():
            return replace(branch, pins=others)
        case ItemDropped():
            return replace(branch, pins=others, dropped=(*undropped, event.item))
        case ItemRestored():
            return replace(branch, dropped=undropped)


def moved(pins: tuple[Pin, ...], moves: Iterable[PinFollowed | PinBroken]) -> tuple[Pin, ...]:
    """Return the pins after their code was looked for; two pins that came to the same code become one."""
    found = {pin.item: pin for pin in pins}
    for move in moves:
        pin = found.get(move.item)
        if pin is None:
            continue
        if isinstance(move, PinBroken):
            found[move.item] = replace(pin, is_broken=True)
        else:
            now = replace(pin, item=move.to, fingerprint=move.fingerprint, is_broken=False)
            found = {item: now if item == move.item else other for item, other in found.items()}
    return tuple({pin.item: pin for pin in found.values()}.values())
