from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolStatus, Usage
from ctxcode.model.event import (
    BudgetChanged,
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
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, SessionId
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode
from ctxcode.session.state import SessionState, folded

NEW = SessionState(mode=ContextMode.LIGHT, model="navigator", budget_tokens=8000)
ITEM = ItemId("symbol:a.py::f")


def turn(number: int, stopped_by: StoppedBy = StoppedBy.ANSWER) -> list[DurableEvent]:
    return [
        TurnStarted(number, f"question {number}"),
        ReplyFinished(number, f"answer {number}", "navigator"),
        TurnCompleted(number, stopped_by),
    ]


def test_a_turn_is_numbered_and_kept_when_it_completes() -> None:
    state = folded(NEW, [*turn(1), TurnStarted(2, "open")])
    assert ["question 1"] == [done.prompt for done in state.turns]
    assert (2, 3) == (state.open_turn.number if state.open_turn else 0, state.next_turn)


def test_a_call_without_a_result_is_answered_when_its_turn_ends() -> None:
    call, result = ToolCall("c", "f", "{}"), ToolResult(ToolStatus.OK, "text")
    events: list[DurableEvent] = [
        TurnStarted(1, "why"),
        ToolsCalled(1, 0, "", (call, call), Usage(5, 6)),
        ToolAnswered(1, 0, call, result),
    ]
    state = folded(NEW, [*events, ReplyFinished(1, "", "m", Usage(7, 8)), TurnCompleted(1, StoppedBy.INTERRUPTED)])
    (turn_made,) = state.turns
    statuses = [one.status for one in turn_made.rounds[0].results]
    assert ([ToolStatus.OK, ToolStatus.INTERRUPTED], Usage(12, 14)) == (statuses, turn_made.usage)


def test_a_lease_counts_down_once_per_completed_turn_and_ends() -> None:
    state = folded(NEW, [ItemPinned(ITEM, PinKind.LEASED, 2), *turn(1)])
    assert [1] == [pin.turns_left for pin in state.pins]
    assert () == folded(state, turn(2)).pins


def test_a_turn_that_ended_in_an_error_does_not_age_a_lease() -> None:
    state = folded(NEW, [ItemPinned(ITEM, PinKind.LEASED, 2), *turn(1, StoppedBy.ERROR)])
    assert [2] == [pin.turns_left for pin in state.pins]


def test_a_sticky_pin_stays_until_it_is_unpinned() -> None:
    state = folded(NEW, [ItemPinned(ITEM, PinKind.STICKY), *turn(1), *turn(2)])
    assert [ITEM] == [pin.item for pin in state.pins]
    assert () == folded(state, [ItemUnpinned(ITEM)]).pins


def test_dropping_unpins_and_pinning_restores() -> None:
    state = folded(NEW, [ItemPinned(ITEM, PinKind.STICKY), ItemDropped(ITEM)])
    assert ((), (ITEM,)) == (state.pins, state.dropped)
    assert () == folded(state, [ItemRestored(ITEM)]).dropped
    assert () == folded(state, [ItemPinned(ITEM, PinKind.STICKY)]).dropped


def test_choices_are_the_last_ones_made() -> None:
    events: list[DurableEvent] = [
        SessionStarted(SessionId("s"), ContextMode.OFF, "a"),
        ModeChanged(ContextMode.HEAVY),
        ModelChanged("b"),
        BudgetChanged(4000),
        SessionRenamed("title"),
    ]
    state = folded(NEW, events)
    assert (ContextMode.HEAVY, "b", 4000, "title") == (state.mode, state.model, state.budget_tokens, state.title)


def test_folding_in_two_steps_is_folding_at_once() -> None:
    events = [*turn(1), ItemPinned(ITEM, PinKind.LEASED, 3), *turn(2), ItemDropped(ITEM)]
    for cut in range(len(events)):
        assert folded(NEW, events) == folded(folded(NEW, events[:cut]), events[cut:])
