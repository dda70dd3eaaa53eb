"""A turn that nothing ended: what had arrived of its answer is what an interruption would have left."""

import pytest

from ctxcode.model.conversation import StoppedBy, ToolCall, ToolStatus, Usage
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    ReplyArrived,
    ReplyContinued,
    ReplyFinished,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import PlanId
from ctxcode.model.plan import ContextMode
from ctxcode.session.state import SessionState, folded
from ctxcode.session.turn.unfinished import ending
from ctxcode.tui.state.fold import folded as screen

NEW = SessionState(mode=ContextMode.LIGHT, model="m", budget_tokens=8000)
ASKED = TurnStarted(1, "why")
PLANNED = ContextPlanned(1, PlanId("p"), ContextMode.LIGHT, "m", 60, 8000, 70, (), 0)
CALL = ToolCall("c", "read_file", "{}")
INTERRUPTED = TurnCompleted(1, StoppedBy.INTERRUPTED)
PIECES = (ReplyArrived(1, "Because "), ReplyArrived(1, "it "))


def finished(text: str, usage: Usage | None = None) -> ReplyFinished:
    return ReplyFinished(1, text, "m", usage)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], ()),
        ([ASKED, finished("so"), INTERRUPTED], ()),
        ([ASKED], (INTERRUPTED,)),
        ([ASKED, PLANNED], (INTERRUPTED,)),
        ([ASKED, PLANNED, finished("so", Usage(70))], (INTERRUPTED,)),
        ([ASKED, PLANNED, *PIECES], (finished("Because it ", Usage(70)), INTERRUPTED)),
        ([ASKED, PLANNED, ReplyArrived(1, "I look."), ToolsCalled(1, 0, "I look.", (CALL,))], (INTERRUPTED,)),
        ([ASKED, PLANNED, ReplyContinued(1, 0, 1, 3, "Long", Usage(70))], (finished("Long"), INTERRUPTED)),
        (
            [ASKED, PLANNED, ReplyContinued(1, 0, 1, 3, "Long, ", Usage(70)), PLANNED, *PIECES],
            (finished("Long, Because it ", Usage(70)), INTERRUPTED),
        ),
        (
            [ASKED, PLANNED, ToolsCalled(1, 0, "I look.", (CALL,)), PLANNED, *PIECES],
            (finished("Because it ", Usage(70)), INTERRUPTED),
        ),
        (
            [ASKED, PLANNED, ReplyArrived(1, "Hm.\n</think>\n"), ReplyArrived(1, "So")],
            (finished("So", Usage(70)), INTERRUPTED),
        ),
    ],
)
def test_an_open_turn_ends_as_interrupted(events: list[DurableEvent], expected: tuple[DurableEvent, ...]) -> None:
    assert expected == ending(folded(NEW, events).open_turn, events)


def test_the_pieces_fold_into_the_turn_the_end_holds() -> None:
    events: list[DurableEvent] = [ASKED, PLANNED, ToolsCalled(1, 0, "", (CALL,)), PLANNED, *PIECES]
    end = ending(folded(NEW, events).open_turn, events)
    (turn,) = folded(NEW, [*events, *end]).turns
    assert ("Because it ", [ToolStatus.INTERRUPTED]) == (turn.reply, [one.status for one in turn.rounds[0].results])
    (shown,) = screen([*events, *end]).turns
    assert ("Because it ", StoppedBy.INTERRUPTED) == (shown.reply, shown.stopped_by)


def test_a_reply_that_went_on_and_then_called_a_tool_is_not_told_twice() -> None:
    events: list[DurableEvent] = [ASKED, ReplyContinued(1, 0, 1, 3, "Long"), ToolsCalled(1, 0, "Longer", (CALL,))]
    (turn,) = folded(NEW, [*events, INTERRUPTED]).turns
    assert ("Longer", "") == (turn.rounds[0].said, turn.reply)
