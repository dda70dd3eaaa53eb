from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui.fake_door import PlanInput, made_plan

from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolStatus, Usage
from ctxcode.model.edit.change import EditState, FileOutcome
from ctxcode.model.edit.event import EditsSettled, EditsUndone
from ctxcode.model.event import (
    BudgetChanged,
    ContextPlanned,
    Event,
    ItemPinned,
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
from ctxcode.model.ids import ItemId, PlanId, SessionId
from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed, PlanPreviewed, ReplyChunked
from ctxcode.model.pin import PinKind
from ctxcode.model.plan import ContextMode
from ctxcode.tui.state.fold import apply, durable, folded, refolded
from ctxcode.tui.state.view import ScreenState, TurnView

PASSING = (ReplyChunked, IndexProgressed, IndexRefreshed, PlanPreviewed)
PLAN = made_plan(PlanInput("why", ContextMode.LIGHT, "gpt-x", 8_000))


def turn_events(number: int, pieces: list[str], stopped_by: StoppedBy) -> list[Event]:
    planned = ContextPlanned(number, PlanId("p"), ContextMode.LIGHT, "gpt-x", 10, 8_000, 20, (), 0)
    events: list[Event] = [TurnStarted(number, f"question {number}"), planned]
    call = ToolCall("c", "read_file", "{}")
    for piece in pieces[1:]:
        events += [ReplyChunked(number, piece), ToolsCalled(number, 0, piece, (call, call), Usage(9, 8))]
        events += [ToolAnswered(number, 0, call, ToolResult(ToolStatus.OK, "text"))] * 2
    events += [ReplyChunked(number, piece) for piece in pieces]
    if pieces or stopped_by is StoppedBy.ANSWER:
        events.append(ReplyFinished(number, "".join(pieces), "gpt-x", Usage(20, 21)))
    return [*events, TurnCompleted(number, stopped_by, "no network" if stopped_by is StoppedBy.ERROR else "")]


noise = st.sampled_from(
    [
        ModeChanged(ContextMode.HEAVY),
        ModelChanged("other"),
        BudgetChanged(4_000),
        SessionRenamed("a title"),
        ItemPinned(ItemId("symbol:a::b"), PinKind.STICKY),
        IndexProgressed(1, 2, "parsing"),
        IndexRefreshed("r", 1, 2, 3, 1, 0.1, 0),
        PlanPreviewed(PLAN),
    ]
)
live_sessions = st.lists(
    st.tuples(st.lists(st.text(max_size=9), max_size=4), st.sampled_from(StoppedBy), st.lists(noise, max_size=3)),
    max_size=4,
).map(
    lambda turns: [
        SessionStarted(SessionId("s"), ContextMode.LIGHT, "gpt-x"),
        *(
            event
            for number, (pieces, stopped_by, between) in enumerate(turns, 1)
            for event in (*turn_events(number, pieces, stopped_by), *between)
        ),
    ]
)


@given(live_sessions)
def test_folding_the_journal_gives_what_was_seen_live(events: list[Event]) -> None:
    journal = [event for event in events if not isinstance(event, PASSING)]
    assert folded(journal) == durable(folded(events))


@given(live_sessions)
def test_refolding_keeps_what_is_passing(events: list[Event]) -> None:
    live = folded(events)
    journal = [event for event in events if not isinstance(event, PASSING)]
    assert live == refolded(journal, live)


@given(live_sessions, st.integers(0, 60))
def test_only_what_is_new_has_to_be_folded(events: list[Event], known: int) -> None:
    live = folded(events)
    journal = [event for event in events if not isinstance(event, PASSING)]
    before = folded(journal[:known])
    assert live == refolded(journal[known:], live, before)


@given(live_sessions)
def test_folding_at_once_is_folding_step_by_step(events: list[Event]) -> None:
    assert reduce(apply, events, ScreenState()) == folded(events)


def test_chunks_show_before_the_reply_is_finished() -> None:
    state = folded([TurnStarted(1, "why"), ReplyChunked(1, "be"), ReplyChunked(1, "cause")])
    assert "because" == state.turns[0].reply
    assert not state.turns[0].is_answered


def test_a_late_chunk_changes_no_finished_reply() -> None:
    state = folded([TurnStarted(1, "why"), ReplyFinished(1, "because", "m"), ReplyChunked(1, "!")])
    assert "because" == state.turns[0].reply


def test_an_event_of_an_unknown_turn_is_ignored() -> None:
    assert ScreenState() == apply(ScreenState(), ReplyChunked(7, "lost"))


def test_a_failed_turn_keeps_its_sentence_and_hint() -> None:
    state = folded([TurnStarted(1, "why"), TurnCompleted(1, StoppedBy.ERROR, "No network.", "Try again.")])
    assert TurnView(1, "why", stopped_by=StoppedBy.ERROR, error="No network.", hint="Try again.") == state.turns[0]


def test_the_index_progress_ends_when_it_is_refreshed() -> None:
    running = folded([IndexProgressed(1, 9, "parsing")])
    assert IndexProgressed(1, 9, "parsing") == running.indexing
    assert apply(running, IndexRefreshed("r", 9, 9, 9, 9, 1.0, 0)).indexing is None


def test_a_file_counts_as_edited_until_every_edit_of_it_is_undone() -> None:
    def settled(number: int, *states: EditState) -> EditsSettled:
        paths = ("shop/price.py", "shop/cart.py")
        return EditsSettled(1, number, tuple(map(FileOutcome, paths, states)))

    applied, rejected = EditState.APPLIED, EditState.REJECTED
    state = folded([settled(1, applied, rejected), settled(2, applied, applied)])
    assert 2 == state.changed_files
    state = apply(state, EditsUndone(2, ("shop/price.py", "shop/cart.py")))
    assert 1 == state.changed_files, "the first set still holds"
    assert 0 == apply(state, EditsUndone(1, ("shop/price.py",))).changed_files


@pytest.mark.parametrize(("unkept", "error"), [("The disk is full.", "The disk is full."), ("", "It could not be")])
def test_what_was_shown_of_an_answer_whose_end_could_not_be_journalled_stays(unkept: str, error: str) -> None:
    journal = [TurnStarted(1, "how?")]
    live = folded([*journal, ReplyChunked(1, "It is "), ReplyChunked(1, "so")])
    (turn,) = refolded(journal, live, unkept=unkept).turns
    assert ("It is so", StoppedBy.ERROR) == (turn.reply, turn.stopped_by)
    assert turn.error.startswith(error)
    assert "kept with the next message" in turn.hint
