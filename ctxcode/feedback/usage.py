"""What a request really cost, beside what was planned."""

from collections.abc import Iterable

from ctxcode.model.chat import ReplyEnd
from ctxcode.model.conversation import ModelInfo, StoppedBy, Usage
from ctxcode.model.engine.event import ModelAsked, StrategyRemembered
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    ReplyContinued,
    ReplyFinished,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)


def usage_of(estimated_tokens: int, end: ReplyEnd | None) -> Usage:
    """Return the estimate with what the provider counted; None stands for what it did not report."""
    if end is None:
        return Usage(estimated=estimated_tokens)
    return Usage(estimated=estimated_tokens, prompt=end.prompt_tokens, completion=end.completion_tokens, cost=end.cost)


def spent_dollars(events: Iterable[DurableEvent]) -> float:
    """Return what a session has cost: what providers reported, else the estimate of what was sent.

    A request that broke off without a report counts as its prompt.
    """
    total, pending = 0.0, 0.0
    for event in events:
        match event:
            case ContextPlanned():
                total, pending = total + pending, (event.cost_estimate or 0.0) if not event.over_budget else 0.0
            case ToolsCalled() | ReplyContinued() | ReplyFinished():
                reported = event.usage.cost if event.usage is not None else None
                total, pending = total + (pending if reported is None else reported), 0.0
            case TurnCompleted():
                total, pending = total + (0.0 if event.stopped_by is StoppedBy.LIMIT else pending), 0.0
            case StrategyRemembered() if event.usage is not None:
                total += event.usage.cost or 0.0
            case ModelAsked():
                reported = event.usage.cost if event.usage is not None else None
                total += (event.cost_estimate or 0.0) if reported is None else reported
    return total + pending


def is_refused(event: TurnCompleted, *, is_answered: bool) -> bool:
    """Return whether a turn ended without a request: what it would have sent did not fit, or was above a cap.

    ``is_answered`` tells whether anything of a reply was recorded in it.
    """
    return event.stopped_by is StoppedBy.LIMIT and not is_answered


def asked_turns(events: Iterable[DurableEvent]) -> int:
    """Return in how many turns a model was asked, the one that is going on among them; commands ask none."""
    count, is_answered = 0, False
    for event in events:
        match event:
            case TurnStarted():
                is_answered = event.prompt.startswith("!")
                count += not is_answered
            case ToolsCalled() | ReplyContinued() | ReplyFinished():
                is_answered = True
            case TurnCompleted() if is_refused(event, is_answered=is_answered):
                count -= 1
    return count


def prompt_cost(model: ModelInfo, prompt_tokens: int) -> float | None:
    """Return the price of a prompt in US dollars; None when the model's price is not known."""
    if model.is_offline:
        return 0.0
    if model.input_cost_per_token is None:
        return None
    return model.input_cost_per_token * prompt_tokens
