"""Estimates against what providers counted, by model."""

from collections.abc import Iterable

from ctxcode.model.conversation import Usage
from ctxcode.model.engine.calibration import Calibration
from ctxcode.model.engine.event import ModelAsked, StrategyRemembered
from ctxcode.model.event import ContextPlanned, DurableEvent, ReplyContinued, ReplyFinished, ToolsCalled


def calibrations(sessions: Iterable[Iterable[DurableEvent]]) -> tuple[Calibration, ...]:
    """Return what is known of each model, the most asked first; each session's events come oldest first."""
    found: dict[str, Calibration] = {}
    for events in sessions:
        model = ""
        for event in events:
            match event:
                case ContextPlanned():
                    model = event.model
                case ReplyFinished() | StrategyRemembered() | ModelAsked():
                    _add(found, event.model, event.usage)
                case ToolsCalled() | ReplyContinued():
                    _add(found, model, event.usage)
    return tuple(sorted(found.values(), key=lambda row: (-row.requests, row.model)))


def _add(found: dict[str, Calibration], model: str, usage: Usage | None) -> None:
    if usage is None or not usage.prompt or not usage.estimated or not model:
        return
    row = found.get(model, Calibration(model, 0, 0, 0))
    found[model] = Calibration(model, row.requests + 1, row.estimated + usage.estimated, row.counted + usage.prompt)
