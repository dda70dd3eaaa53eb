"""Estimates against counts: only what a provider counted says something."""

from ctxcode.feedback.calibration import calibrations
from ctxcode.model.conversation import Usage
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.event import ContextPlanned, DurableEvent, ReplyFinished, ToolsCalled
from ctxcode.model.ids import PlanId
from ctxcode.model.plan import ContextMode


def planned(model: str) -> ContextPlanned:
    return ContextPlanned(1, PlanId("p"), ContextMode.LIGHT, model, 0, 0, 0, (), 0)


def test_requests_with_tools_count_for_the_model_they_were_planned_for() -> None:
    first: list[DurableEvent] = [
        planned("a"),
        ToolsCalled(1, 0, "", (), Usage(100, 110)),
        planned("a"),
        ReplyFinished(1, "", "a", Usage(200, 190)),
    ]
    second: list[DurableEvent] = [planned("b"), ReplyFinished(1, "", "b", Usage(50, None)), ReplyFinished(1, "", "b")]
    assert (Calibration("a", 2, 300, 300),) == calibrations([first, second])
    assert 1.0 == Calibration("a", 2, 300, 300).factor


def test_what_was_never_estimated_makes_no_factor() -> None:
    assert 1.0 == Calibration("a", 0, 0, 0).factor
    assert () == calibrations([[ReplyFinished(1, "", "b", Usage(0, 10))]])
