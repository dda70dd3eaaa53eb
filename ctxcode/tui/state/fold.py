"""The fold of a session's events into what a screen shows: pure.

Folding the journal gives the same state as having watched it live, up to what is passing (``durable``).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from ctxcode.model.conversation import StoppedBy
from ctxcode.model.edit.event import EditEvent
from ctxcode.model.engine.event import (
    BranchForked,
    BranchSwitched,
    CapsuleEvent,
    LocalEvent,
    ModelAsked,
    RewritingEvent,
    StrategyChosen,
    StrategyEvent,
    StrategyRemembered,
    TreeEvent,
    TurnRemoved,
    TurnsUndone,
)
from ctxcode.model.event import (
    BudgetChanged,
    DetailChosen,
    Event,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    ModeChanged,
    ModelChanged,
    SessionRenamed,
    SessionStarted,
    TurnStarted,
)
from ctxcode.model.passing.event import (
    ApprovalAnswered,
    ApprovalAsked,
    IndexAwaited,
    IndexProgressed,
    IndexRefreshed,
    PlanPreviewed,
    ReplyBegun,
    ReplyDelayed,
    StrategyFailed,
)
from ctxcode.tui.state.edit import with_edit
from ctxcode.tui.state.turn import TurnEvent, with_turn_event
from ctxcode.tui.state.view import ScreenState, TurnView

_ASKED_OF_THE_DOOR = (
    ItemPinned
    | ItemUnpinned
    | ItemDropped
    | ItemRestored
    | DetailChosen
    | LocalEvent
    | StrategyChosen
    | StrategyFailed
    | CapsuleEvent
    | ModelAsked
)
"""Pins, activation, tasks, the strategy: the door knows; nothing keeps a second tally here."""

_Shown = (
    IndexProgressed
    | IndexRefreshed
    | PlanPreviewed
    | ApprovalAsked
    | ApprovalAnswered
    | ReplyDelayed
    | ReplyBegun
    | IndexAwaited
)


def apply(state: ScreenState, event: Event) -> ScreenState:
    """Return the state after an event."""
    if isinstance(event, _ASKED_OF_THE_DOOR):
        return state
    if isinstance(event, EditEvent):
        return with_edit(state, event)
    if isinstance(event, RewritingEvent | TreeEvent):
        return _rewritten(state, event)
    if isinstance(event, StrategyEvent):
        return _with_memory(state, event)
    if isinstance(event, SessionStarted | SessionRenamed | ModeChanged | ModelChanged | BudgetChanged):
        return _with_setting(state, event)
    if isinstance(event, TurnStarted | TurnEvent):
        return with_turn_event(replace(state, waiting=None) if state.waiting is not None else state, event)
    return _with_passing(state, event)


def _with_passing(state: ScreenState, event: _Shown) -> ScreenState:
    """Return the state with what goes on beside the turns, and with what keeps one from going on."""
    match event:
        case IndexProgressed():
            return replace(state, indexing=event)
        case IndexRefreshed():
            return replace(state, indexing=None, index=event)
        case PlanPreviewed():
            return replace(state, preview=event.plan)
        case ApprovalAsked() | ApprovalAnswered():
            return replace(state, approval=event.approval if isinstance(event, ApprovalAsked) else None)
        case ReplyDelayed() | IndexAwaited():
            return replace(state, waiting=event)
        case ReplyBegun():
            return replace(state, waiting=None)
        case _ as unreachable:
            assert_never(unreachable)


def _with_setting(
    state: ScreenState, event: SessionStarted | SessionRenamed | ModeChanged | ModelChanged | BudgetChanged
) -> ScreenState:
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


def _rewritten(state: ScreenState, event: RewritingEvent | TreeEvent) -> ScreenState:
    """Return the state with the turns that the open branch has now; all else about it is asked of the door."""
    match event:
        case TurnRemoved():
            return replace(state, turns=tuple(turn for turn in state.turns if turn.number != event.turn))
        case TurnsUndone():
            return replace(state, turns=tuple(turn for turn in state.turns if turn.number < event.first))
        case BranchForked():
            turns = state.turns if event.parent == state.branch else state.others.get(event.parent, ())
            shared = tuple(turn for turn in turns if turn.number <= event.turn)
            return replace(state, others={**state.others, event.name: shared})
        case BranchSwitched() if event.name in state.others:
            others = {name: turns for name, turns in state.others.items() if name != event.name}
            others[state.branch] = state.turns
            return replace(state, branch=event.name, turns=state.others[event.name], others=others)
    return state


def _with_memory(state: ScreenState, event: StrategyEvent) -> ScreenState:
    """Return the state with what a strategy remembers marked at its turn, or with the last mark taken away."""
    if isinstance(event, StrategyRemembered):
        of_open = event.branch == state.branch
        turns = state.turns if of_open else state.others.get(event.branch, ())
        made = event if event.note else None
        turns = tuple(
            replace(turn, remembered=made or turn.remembered) if turn.number == event.turn else turn for turn in turns
        )
        if of_open:
            return replace(state, turns=turns)
        return replace(
            state, others={**state.others, event.branch: turns} if event.branch in state.others else state.others
        )
    marked = [turn.number for turn in state.turns if turn.remembered and turn.remembered.strategy == event.strategy]
    last = marked[-1] if marked else 0
    turns = tuple(replace(turn, remembered=None) if turn.number == last else turn for turn in state.turns)
    return replace(state, turns=turns)


def folded(events: Iterable[Event], state: ScreenState | None = None) -> ScreenState:
    """Return the state after all events, beginning with an empty one; linear in their number."""
    current, settled = state or ScreenState(), list[TurnView]()
    for event in events:
        last = current.last_turn
        if isinstance(event, TurnStarted):
            # What is over is put aside: with it each event would copy all turns before.
            settled += current.turns
            current = replace(current, turns=())
        elif settled and not (isinstance(event, TurnEvent) and last is not None and last.number == event.turn):
            current, settled = replace(current, turns=(*settled, *current.turns)), []
        current = apply(current, event)
    return replace(current, turns=(*settled, *current.turns)) if settled else current


def durable(state: ScreenState) -> ScreenState:
    """Return the state without what is passing: equal to the journal's fold whenever no turn is running."""
    return replace(state, preview=None, indexing=None, index=None, approval=None, waiting=None)


def refolded(
    events: Iterable[Event], state: ScreenState, before: ScreenState | None = None, *, unkept: str = ""
) -> ScreenState:
    """Return the journal's fold with what is passing in ``state`` kept: for after a turn was cancelled.

    ``before`` is the fold of what the journal held before these events; without it they are all of it. Where the end of
    the last turn could not be journalled, ``unkept`` saying why, what was shown of its answer stays: it was paid for.
    """
    made = replace(folded(events, before), preview=state.preview, indexing=state.indexing, index=state.index)
    kept, shown = made.last_turn, state.last_turn
    if shown is None or kept is None or kept.stopped_by or kept.number != shown.number:
        return made
    why, hint = unkept or "It could not be stored.", "This answer is kept with the next message; /copy copies it."
    ended = replace(shown, stopped_by=StoppedBy.ERROR, error=why, hint=hint if shown.reply else "")
    return replace(made, turns=(*made.turns[:-1], ended))
