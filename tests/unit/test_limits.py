"""The user's caps on a session."""

import pytest

from ctxcode.action.limits import Limits, over_limits
from ctxcode.action.loop_guard import LoopProfile, profile_of
from ctxcode.feedback.usage import asked_turns, spent_dollars
from ctxcode.model.conversation import StoppedBy, ToolCall, Usage
from ctxcode.model.event import ContextPlanned, DurableEvent, ReplyFinished, ToolsCalled, TurnCompleted, TurnStarted
from ctxcode.model.ids import PlanId
from ctxcode.model.plan import ContextMode


def planned(cost: float | None) -> ContextPlanned:
    return ContextPlanned(1, PlanId("p"), ContextMode.LIGHT, "m", 1, 1, 1, (), 0, cost)


def replied(cost: float | None) -> ReplyFinished:
    return ReplyFinished(1, "", "m", Usage(1, cost=cost))


@pytest.mark.parametrize(
    ("events", "dollars"),
    [
        ((), 0.0),
        ((planned(0.1), replied(0.3)), 0.3),
        ((planned(0.1), replied(None)), 0.1),
        ((planned(None), replied(None)), 0.0),
        ((planned(0.1), ToolsCalled(1, 0, "", (ToolCall("c", "f", "{}"),), Usage(1, cost=0.2)), planned(0.1)), 0.3),
        ((planned(0.1), TurnCompleted(1, StoppedBy.ERROR)), 0.1),
        ((planned(0.1), TurnCompleted(1, StoppedBy.LIMIT)), 0.0),
        ((planned(0.1), planned(0.1), replied(0.5), replied(0.5)), 1.1),
    ],
)
def test_spending_is_what_was_reported_else_what_was_sent(events: tuple[DurableEvent, ...], dollars: float) -> None:
    assert dollars == pytest.approx(spent_dollars(events))


STARTED, REFUSED = TurnStarted(1, "why"), TurnCompleted(1, StoppedBy.LIMIT)
CALLED = ToolsCalled(1, 0, "", (ToolCall("c", "f", "{}"),))


@pytest.mark.parametrize(
    ("events", "turns"),
    [
        ((), 0),
        ((STARTED,), 1),
        ((STARTED, planned(0.1), REFUSED), 0),
        ((STARTED, planned(0.1), REFUSED, STARTED, planned(0.1)), 1),
        ((STARTED, planned(0.1), replied(0.1), REFUSED), 1),
        ((STARTED, planned(0.1), CALLED, planned(0.1), REFUSED), 1),
        ((STARTED, planned(0.1), TurnCompleted(1, StoppedBy.INTERRUPTED)), 1),
        ((TurnStarted(1, "!ls"), replied(None), TurnCompleted(1, StoppedBy.ANSWER), STARTED), 1),
    ],
)
def test_a_turn_counts_whose_model_was_asked(events: tuple[DurableEvent, ...], turns: int) -> None:
    assert turns == asked_turns(events)


def test_without_caps_nothing_is_refused() -> None:
    assert over_limits(Limits(), spent=1e6, prompt_cost=1e6, turns=10**6) is None


def test_a_request_that_would_go_over_the_cap_is_not_sent_and_says_by_how_much() -> None:
    limits = Limits(max_cost=1.0)
    assert over_limits(limits, spent=0.5, prompt_cost=0.5, turns=1) is None
    assert over_limits(limits, spent=0.5, prompt_cost=None, turns=1) is None
    refused = over_limits(limits, spent=0.75, prompt_cost=0.5, turns=1)
    assert refused is not None
    assert StoppedBy.LIMIT is refused.stopped_by
    assert "Nothing was sent: $0.7500 are spent, the prompt would make it $1.2500 of $1.00." == refused.error
    assert over_limits(limits, spent=1.0, prompt_cost=0.0, turns=1) is not None
    small = over_limits(Limits(max_cost=0.0001), spent=0, prompt_cost=1, turns=1)
    assert small is not None
    assert small.error.endswith("of $0.0001.")


def test_the_turn_after_the_last_one_is_not_sent() -> None:
    assert over_limits(Limits(max_turns=2), spent=0, prompt_cost=None, turns=2) is None
    assert over_limits(Limits(max_turns=2), spent=0, prompt_cost=None, turns=3) is not None


def test_thresholds_are_read_to_the_letter() -> None:
    assert LoopProfile(same_call=2, trim_from=(1, 2, 3)) == profile_of({"same_call": 2, "trim_from": [1, 2, 3]})
    for wrong in ({"same_cal": 2}, {"same_call": 0}, {"same_call": True}, {"trim_from": [3, 2, 1]}):
        with pytest.raises(ValueError, match=r"a table|a whole number"):
            profile_of(wrong)
