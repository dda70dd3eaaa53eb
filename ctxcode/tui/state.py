"""What a screen shows of a session: a pure fold over its events.

Folding the journal gives the same state as having watched it live, up to what is passing (``durable``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from ctxcode.model.command.approval import Approval
from ctxcode.model.conversation import StoppedBy, ToolRound, Usage
from ctxcode.model.edit.change import EditState
from ctxcode.model.edit.event import EditEvent, EditsDecided, EditsProposed, EditsSettled, EditsUndone
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
    ApprovalAnswered,
    ApprovalAsked,
    BudgetChanged,
    ContextPlanned,
    DetailChosen,
    Event,
    IndexProgressed,
    IndexRefreshed,
    ItemDropped,
    ItemPinned,
    ItemRestored,
    ItemUnpinned,
    LoopNoticed,
    Mark,
    ModeChanged,
    ModelChanged,
    PlanPreviewed,
    ReplyArrived,
    ReplyChunked,
    ReplyContinued,
    ReplyFinished,
    ReplyMarked,
    SessionRenamed,
    SessionStarted,
    StrategyFailed,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.plan import ContextMode, ContextPlan
from ctxcode.tui.edit.view import EditView


@dataclass(frozen=True, slots=True)
class TurnView:
    """One exchange as the transcript shows it."""

    number: int
    prompt: str
    plan: ContextPlanned | None = None
    withheld: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the prompt."""
    rounds: tuple[ToolRound, ...] = ()
    """Its tool calls; while they run, a round has fewer results than calls."""
    circles: tuple[LoopNoticed, ...] = ()
    """What the loop guard noticed."""
    continued: tuple[ReplyContinued, ...] = ()
    """Where a reply was cut at the output limit and went on."""
    edits: tuple[EditView, ...] = ()
    """What it proposed to change, set by set."""
    reply: str = ""
    """What the model has said since its last tool calls."""
    model: str = ""
    usage: Usage | None = None
    """Of the last request."""
    spent: Usage | None = None
    """Of all requests together."""
    is_answered: bool = False
    """The reply has ended, whole or cut short."""
    stopped_by: StoppedBy | None = None
    """None until control returns."""
    error: str = ""
    hint: str = ""
    mark: ReplyMarked | None = None
    """What the user thinks of the reply; None while they have not said."""
    remembered: StrategyRemembered | None = None
    """What the strategy made of the conversation after it, where there is something to say about it."""

    @property
    def taken(self) -> Usage | None:
        """What all its requests took, that without an answer by its estimate; None before the first one."""
        waits = self.plan is not None and self.usage is None
        return Usage(self.plan.total_tokens).plus(self.spent) if waits and self.plan is not None else self.spent

    @property
    def notices(self) -> tuple[LoopNoticed | ReplyContinued, ...]:
        """What is told on the way to its answer beside its tool calls."""
        return (*self.circles, *self.continued)


@dataclass(frozen=True, slots=True)
class ScreenState:
    """A session as the screen knows it."""

    title: str = ""
    mode: ContextMode = ContextMode.LIGHT
    model: str = ""
    budget_tokens: int = 0
    """The limit last planned with or set; 0 before either."""
    turns: tuple[TurnView, ...] = ()
    """Those of the branch that is open."""
    branch: str = "main"
    others: Mapping[str, tuple[TurnView, ...]] = field(default_factory=dict)
    """The turns of the other branches, by name."""
    review: EditsProposed | None = None
    """The edits that wait for an answer, while their turn runs."""
    changed: frozenset[tuple[int, str]] = frozenset()
    """The files that hold edits of this session, whatever branch they were made on, each with its set's number."""
    preview: ContextPlan | None = None
    """Passing: the plan for the prompt being typed."""
    indexing: IndexProgressed | None = None
    """Passing: None when no refresh is running."""
    approval: Approval | None = None
    """Passing: the command that waits for an answer."""
    index: IndexRefreshed | None = None
    """Passing: the last refresh of this run."""

    @property
    def last_turn(self) -> TurnView | None:
        """The newest turn."""
        return self.turns[-1] if self.turns else None

    @property
    def changed_files(self) -> int:
        """How many files hold edits of this session."""
        return len({path for _, path in self.changed})

    @property
    def prompts(self) -> tuple[str, ...]:
        """What the user sent, oldest first."""
        return tuple(turn.prompt for turn in self.turns)


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
_TurnEvent = (
    ContextPlanned
    | ReplyChunked
    | ReplyArrived
    | ToolsCalled
    | ToolAnswered
    | LoopNoticed
    | ReplyContinued
    | ReplyFinished
    | TurnCompleted
    | ReplyMarked
)


def apply(state: ScreenState, event: Event) -> ScreenState:
    """Return the state after an event."""
    if isinstance(event, _ASKED_OF_THE_DOOR):
        return state
    if isinstance(event, EditEvent):
        return _with_edit(state, event)
    if isinstance(event, RewritingEvent | TreeEvent):
        return _rewritten(state, event)
    if isinstance(event, StrategyEvent):
        return _with_memory(state, event)
    if isinstance(event, SessionStarted | SessionRenamed | ModeChanged | ModelChanged | BudgetChanged):
        return _with_setting(state, event)
    match event:
        case IndexProgressed():
            return replace(state, indexing=event)
        case IndexRefreshed():
            return replace(state, indexing=None, index=event)
        case PlanPreviewed():
            return replace(state, preview=event.plan)
        case ApprovalAsked() | ApprovalAnswered():
            return replace(state, approval=event.approval if isinstance(event, ApprovalAsked) else None)
        case _:
            return _apply_to_turns(state, event)


def _with_edit(state: ScreenState, event: EditEvent) -> ScreenState:
    """Return the state with the set that waits, kept with its turn as it was proposed last."""
    if isinstance(event, EditsUndone):
        # The files are the same on every branch.
        others = {name: _without_edit(turns, event) for name, turns in state.others.items()}
        changed = state.changed - {(event.number, path) for path in event.restored}
        return replace(state, review=None, turns=_without_edit(state.turns, event), others=others, changed=changed)
    if isinstance(event, EditsSettled):
        written = {(event.number, one.path) for one in event.outcomes if one.state is EditState.APPLIED}
        return replace(state, review=None, changed=state.changed | written)
    if isinstance(event, EditsDecided):
        return replace(state, review=None, turns=_with_verdicts(state.turns, event))
    turns = tuple(
        replace(turn, edits=(*(one for one in turn.edits if one.proposed.number != event.number), EditView(event)))
        if turn.number == event.turn
        else turn
        for turn in state.turns
    )
    return replace(state, review=event, turns=turns)


def _with_verdicts(turns: tuple[TurnView, ...], event: EditsDecided) -> tuple[TurnView, ...]:
    """Return turns with what was said to the changes of a set."""
    return tuple(
        replace(
            turn,
            edits=tuple(
                replace(one, verdicts=event.verdicts) if one.proposed.number == event.number else one
                for one in turn.edits
            ),
        )
        if turn.number == event.turn
        else turn
        for turn in turns
    )


def _without_edit(turns: tuple[TurnView, ...], event: EditsUndone) -> tuple[TurnView, ...]:
    """Return turns with the files of a set that were restored marked as undone."""
    return tuple(
        replace(
            turn,
            edits=tuple(
                replace(one, undone=one.undone.union(event.restored)) if one.proposed.number == event.number else one
                for one in turn.edits
            ),
        )
        if any(one.proposed.number == event.number for one in turn.edits)
        else turn
        for turn in turns
    )


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


def _apply_to_turns(state: ScreenState, event: TurnStarted | _TurnEvent) -> ScreenState:
    if isinstance(event, TurnStarted):
        return replace(state, turns=(*state.turns, TurnView(event.turn, event.prompt, withheld=event.withheld)))
    last = state.last_turn
    if last is not None and last.number == event.turn:
        # Nearly always; a long session is not walked through for every word of an answer.
        turns = (*state.turns[:-1], _advanced(last, event))
    elif any(turn.number == event.turn for turn in state.turns):
        turns = tuple(_advanced(turn, event) if turn.number == event.turn else turn for turn in state.turns)
    else:
        return state
    if isinstance(event, ContextPlanned):
        return replace(state, turns=turns, budget_tokens=event.budget_tokens)
    if isinstance(event, TurnCompleted):
        return replace(state, turns=turns, review=None)
    return replace(state, turns=turns)


def _advanced(turn: TurnView, event: _TurnEvent) -> TurnView:
    match event:
        case ContextPlanned():
            return replace(turn, plan=event, model=event.model, usage=None)
        case ReplyChunked() | ReplyArrived():
            return turn if turn.is_answered else replace(turn, reply=turn.reply + event.text)
        case ReplyFinished():
            spent = _sum(turn.spent, event.usage)
            return replace(turn, reply=event.text, model=event.model, usage=event.usage, spent=spent, is_answered=True)
        case ToolsCalled():
            rounds = (*turn.rounds, ToolRound(event.said, event.calls))
            return replace(turn, rounds=rounds, reply="", usage=event.usage, spent=_sum(turn.spent, event.usage))
        case ToolAnswered():
            last = turn.rounds[-1] if turn.rounds else ToolRound("", (event.call,))
            last = replace(last, results=(*last.results, event.result))
            return replace(turn, rounds=(*turn.rounds[:-1], last))
        case LoopNoticed():
            return replace(turn, circles=(*turn.circles, event))
        case ReplyContinued():
            spent = _sum(turn.spent, event.usage)
            return replace(turn, reply=event.text, spent=spent, continued=(*turn.continued, event))
        case TurnCompleted():
            return replace(turn, stopped_by=event.stopped_by, error=event.error, hint=event.hint)
        case ReplyMarked():
            return replace(turn, mark=event if event.mark is not Mark.NONE else None)
        case _ as unreachable:
            assert_never(unreachable)


def _sum(before: Usage | None, usage: Usage | None) -> Usage | None:
    return before if usage is None else usage.plus(before)


def folded(events: Iterable[Event], state: ScreenState | None = None) -> ScreenState:
    """Return the state after all events, beginning with an empty one; linear in their number."""
    current, settled = state or ScreenState(), list[TurnView]()
    for event in events:
        last = current.last_turn
        if isinstance(event, TurnStarted):
            # What is over is put aside: with it each event would copy all turns before.
            settled += current.turns
            current = replace(current, turns=())
        elif settled and not (isinstance(event, _TurnEvent) and last is not None and last.number == event.turn):
            current, settled = replace(current, turns=(*settled, *current.turns)), []
        current = apply(current, event)
    return replace(current, turns=(*settled, *current.turns)) if settled else current


def durable(state: ScreenState) -> ScreenState:
    """Return the state without what is passing: equal to the journal's fold whenever no turn is running."""
    return replace(state, preview=None, indexing=None, index=None, approval=None)


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
