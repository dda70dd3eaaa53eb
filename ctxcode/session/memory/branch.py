"""One branch of a session: a pure fold of the events that happened while it was open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ctxcode.model.conversation import StoppedBy, ToolResult, ToolRound, ToolStatus, Turn, Usage
from ctxcode.model.engine.activation import Promotion, SignalKind
from ctxcode.model.engine.cluster import QueryCluster
from ctxcode.model.engine.event import (
    AnchorChanged,
    LocalEvent,
    PinBroken,
    PinFollowed,
    StrategyEvent,
    StrategyRemembered,
    StrategyReverted,
    SuggestionDismissed,
    TaskFinished,
    TaskStarted,
    TurnReflected,
    TurnRemoved,
    TurnsUndone,
    WindowChanged,
)
from ctxcode.model.engine.item import tool_place, turn_number
from ctxcode.model.engine.strategy import StrategyMemory
from ctxcode.model.event import (
    ContextPlanned,
    DetailChosen,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    LoopNoticed,
    ReplyArrived,
    ReplyContinued,
    ReplyFinished,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, PlanId
from ctxcode.model.pin import Pin, PinKind, SuggestedPin
from ctxcode.model.plan import Detail
from ctxcode.reflection.activation import Activation, updated
from ctxcode.reflection.leases import LEASE_TURNS, aged, without_task_leases
from ctxcode.reflection.promotion import suggestions
from ctxcode.session.memory.past import (
    KEPT_EVERY,
    Past,
    activation_before,
    pins_before_turn,
    turns_before,
    without_turn,
)

ItemEvent = ItemPinned | ItemUnpinned | ItemDropped | ItemRestored | DetailChosen
TurnEvent = TurnStarted | ContextPlanned | ReplyContinued | ReplyArrived | ReplyFinished | TurnCompleted
ToolEvent = ToolsCalled | ToolAnswered | LoopNoticed
BranchEvent = ItemEvent | TurnEvent | ToolEvent | LocalEvent | TurnRemoved | TurnsUndone | StrategyEvent

_KEPT_MEMORIES = 100
_KEPT_WISHES = 20


@dataclass(frozen=True, slots=True)
class BranchState:
    """A branch as of its last event."""

    name: str = "main"
    parent: str = ""
    """The branch it was forked from; empty for the first one."""
    forked_at: int = 0
    """The last turn it shares with its parent."""
    turns: tuple[Turn, ...] = ()
    """Completed turns, oldest first."""
    open_turn: Turn | None = None
    """A turn that was started and not completed."""
    pins: tuple[Pin, ...] = ()
    expired: tuple[ItemId, ...] = ()
    """Leases that ended with the last turn."""
    dropped: tuple[ItemId, ...] = ()
    details: tuple[tuple[ItemId, Detail], ...] = ()
    """How much of an item is shown, where the user chose."""
    plan_ids: tuple[PlanId, ...] = ()
    activation: Activation = field(default_factory=dict)
    cluster: QueryCluster | None = None
    """What the conversation is about now; None before its first question."""
    dismissed: tuple[ItemId, ...] = ()
    """What the user does not want suggested."""
    wishes: tuple[tuple[int, Promotion], ...] = ()
    """What the model wants pinned, with the turn it said so in; newest last."""
    task: str = ""
    """The title of the task that is going on; empty when no mark was set or the last one was closed."""
    anchor: str = ""
    """The state block; empty when there is none."""
    window: int = 0
    """Most turns of history; 0 for all that fit."""
    past: tuple[Past, ...] = ()
    """One for each completed turn, oldest first."""
    is_rewritten: bool = field(default=False, compare=False)
    """Turns were taken away since the last one completed: activation does not follow from those that are left."""
    reflected: TurnReflected | None = None
    """What the open turn said; takes effect when it completes."""
    memories: tuple[StrategyMemory, ...] = ()
    """What strategies remember, oldest first; of one strategy the newest counts."""
    declined: Mapping[str, int] = field(default_factory=dict)
    """The newest turn of what the user took back, by strategy."""

    @property
    def next_turn(self) -> int:
        """The number the next turn gets."""
        if self.open_turn is not None:
            return self.open_turn.number + 1
        return self.turns[-1].number + 1 if self.turns else 1

    def memory(self, strategy: str) -> StrategyMemory | None:
        """Return what a strategy remembers; None for nothing."""
        return next((memory for memory in reversed(self.memories) if memory.strategy == strategy), None)

    @property
    def suggested(self) -> tuple[SuggestedPin, ...]:
        """What keeps coming up and is not pinned for good."""
        last = self.turns[-1].number if self.turns else 0
        refused = (*self.dismissed, *self.dropped)
        wished = [wish for _, wish in reversed(self.wishes)]
        return suggestions(self.activation, last, self.pins, refused, wished)


def advanced(branch: BranchState, event: BranchEvent) -> BranchState:
    """Return the branch after one more event."""
    if isinstance(event, ToolsCalled | ToolAnswered | LoopNoticed):
        return _after_tool_event(branch, event)
    if isinstance(event, TurnEvent):
        return _after_turn_event(branch, event)
    match event:
        case ItemPinned() | ItemUnpinned() | ItemDropped() | ItemRestored() | DetailChosen():
            return _after_item_event(branch, event)
        case TurnRemoved():
            return _without(branch, event.turn)
        case TurnsUndone():
            return undone(branch, event.first)
        case StrategyRemembered() | StrategyReverted():
            return _after_strategy_event(branch, event)
        case _:
            return _after_local_event(branch, event)


def _after_local_event(branch: BranchState, event: LocalEvent) -> BranchState:
    match event:
        case PinFollowed() | PinBroken():
            return replace(branch, pins=moved(branch.pins, (event,)))
        case TurnReflected():
            return replace(branch, reflected=event) if branch.open_turn is not None else branch
        case SuggestionDismissed():
            return replace(branch, dismissed=(*branch.dismissed, event.item))
        case TaskStarted() | TaskFinished():
            title = event.title if isinstance(event, TaskStarted) else ""
            return replace(branch, task=title, pins=without_task_leases(branch.pins))
        case AnchorChanged():
            return replace(branch, anchor=event.text)
        case WindowChanged():
            return replace(branch, window=event.turns)


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
        case ReplyArrived():
            return replace(branch, open_turn=replace(turn, reply=turn.reply + event.text))
        case ReplyContinued() | ReplyFinished():
            return replace(branch, open_turn=replace(turn, reply=event.text, usage=_sum(turn.usage, event.usage)))
        case TurnCompleted():
            done = replace(turn, stopped_by=event.stopped_by, rounds=answered(turn.rounds))
            after = replace(branch, turns=(*branch.turns, done), open_turn=None)
            # A turn that came to nothing counts for nothing.
            is_failed = event.stopped_by is StoppedBy.ERROR
            after = replace(after, reflected=None) if is_failed else _matured(after, event.turn)
            reflected = branch.reflected
            past = Past(
                turn=event.turn,
                pins_before=branch.pins,
                pins_after=after.pins,
                anchor=branch.anchor,
                said=None if is_failed else reflected.signals if reflected is not None else (),
                activation=branch.activation if branch.is_rewritten or len(branch.past) % KEPT_EVERY == 0 else None,
                cluster=branch.cluster,
            )
            return replace(after, past=(*branch.past, past), is_rewritten=False)


def _after_tool_event(branch: BranchState, event: ToolEvent) -> BranchState:
    turn = branch.open_turn
    match event:
        case ToolsCalled() if turn is not None:
            made = ToolRound(event.said, event.calls)
            turn = replace(turn, rounds=(*turn.rounds, made), reply="", usage=_sum(turn.usage, event.usage))
        case ToolAnswered() if turn is not None and turn.rounds:
            last = replace(turn.rounds[-1], results=(*turn.rounds[-1].results, event.result))
            turn = replace(turn, rounds=(*turn.rounds[:-1], last))
        case _:
            return branch
    return replace(branch, open_turn=turn)


def answered(rounds: tuple[ToolRound, ...]) -> tuple[ToolRound, ...]:
    """Return rounds with a result for every call: what was interrupted says so, for no call may stand alone."""
    missing = ToolResult(ToolStatus.INTERRUPTED, "Interrupted before it was answered.")
    return tuple(
        replace(made, results=(*made.results, *[missing] * (len(made.calls) - len(made.results)))) for made in rounds
    )


def _sum(before: Usage | None, usage: Usage | None) -> Usage | None:
    return before if usage is None else usage.plus(before)


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
    wished = tuple((turn, row) for row in reflected.suggested) if reflected is not None else ()
    fresh = {row.item for _, row in wished}
    wishes = (*(one for one in branch.wishes if one[1].item not in fresh), *wished)[-_KEPT_WISHES:]
    said = reflected.anchor if reflected is not None else None
    anchor = branch.anchor if said is None else said
    branch = replace(branch, pins=pins, expired=expired, activation=table, wishes=wishes)
    return replace(branch, anchor=anchor, cluster=_cluster_after(branch.cluster, reflected), reflected=None)


def _cluster_after(before: QueryCluster | None, reflected: TurnReflected | None) -> QueryCluster | None:
    """Return what the conversation is about after a turn, with what was found for it."""
    if reflected is None or reflected.cluster is None:
        return before
    found = (row.item for row in reflected.signals if SignalKind.RETRIEVED in row.signals)
    return replace(reflected.cluster, items=tuple(found))


def undone(branch: BranchState, first: int) -> BranchState:
    """Return the branch as it was before a turn: activation, anchor, and pins where nobody changed them since."""
    kept = turns_before(branch.past, first)
    pasts = branch.past[kept:]
    branch = replace(branch, open_turn=None, reflected=None)
    if pasts:
        first_gone = pasts[0]
        branch = replace(branch, anchor=first_gone.anchor, cluster=first_gone.cluster, expired=())
        branch = replace(branch, activation=activation_before(branch.past, kept))
    for past in reversed(pasts):
        branch = replace(branch, pins=pins_before_turn(branch.pins, past))
    return replace(
        branch,
        turns=tuple(turn for turn in branch.turns if turn.number < first),
        # The numbers are given out again: what was pinned of these turns would stand for others.
        pins=tuple(pin for pin in branch.pins if (_turn_of(pin) or 0) < first),
        past=branch.past[:kept],
        is_rewritten=True,
        wishes=tuple(wish for wish in branch.wishes if wish[0] < first),
        memories=tuple(memory for memory in branch.memories if memory.turn < first),
        declined={name: turn for name, turn in branch.declined.items() if turn < first},
    )


def _after_strategy_event(branch: BranchState, event: StrategyEvent) -> BranchState:
    if isinstance(event, StrategyRemembered):
        made = StrategyMemory(event.strategy, event.text, event.through, event.turn)
        return replace(branch, memories=(*branch.memories, made)[-_KEPT_MEMORIES:])
    last = branch.memory(event.strategy)
    if last is None:
        return branch
    kept = tuple(memory for memory in branch.memories if memory is not last)
    return replace(branch, memories=kept, declined={**branch.declined, event.strategy: last.through})


def _without(branch: BranchState, number: int) -> BranchState:
    """Return the branch without one turn; what it said about items stays said."""
    turns = tuple(turn for turn in branch.turns if turn.number != number)
    last = turns[-1].number if turns else 0
    return replace(
        branch,
        turns=turns,
        past=without_turn(branch.past, number),
        is_rewritten=True,
        pins=tuple(pin for pin in branch.pins if _turn_of(pin) != number),
        # What was written about the turn goes with it; the turns before it are whole again.
        memories=tuple(
            replace(memory, turn=min(memory.turn, last)) for memory in branch.memories if memory.through < number
        ),
        declined={name: min(turn, last) for name, turn in branch.declined.items()},
    )


def _turn_of(pin: Pin) -> int | None:
    """Return the turn that a pinned turn or tool result is of; None for any other pin."""
    place = tool_place(pin.item)
    return place.turn if place is not None else turn_number(pin.item)


def forked(branch: BranchState, name: str, turn: int) -> BranchState:
    """Return a copy of a branch under another name, as it was when a turn had completed."""
    copy = replace(branch, name=name, parent=branch.name, forked_at=turn, open_turn=None, reflected=None)
    later = [done.number for done in branch.turns if done.number > turn]
    return undone(copy, min(later)) if later else copy


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
        case DetailChosen():
            details = tuple(row for row in branch.details if row[0] != event.item)
            chosen = () if event.detail is None else ((event.item, event.detail),)
            return replace(branch, details=(*details, *chosen))


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
