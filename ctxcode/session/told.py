"""Turns and their events as the plain objects the command line prints as JSON."""

import json
from collections.abc import Sequence

from ctxcode.model.canonical import plain
from ctxcode.model.conversation import StoppedBy, ToolCall, ToolStatus, Usage
from ctxcode.model.event import (
    ContextPlanned,
    DurableEvent,
    Event,
    ReplyContinued,
    ReplyFinished,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)


def answer_object(session: str, model: str, branch: str, events: Sequence[DurableEvent]) -> dict[str, object]:
    """Return what one headless turn came to, from its events."""
    made: dict[str, object] = {"text": "", "session": session, "branch": branch, "turn": 0, "model": model}
    plan_ids: list[str] = []
    usage: Usage | None = None
    planned: Usage | None = None
    calls: list[tuple[ToolCall, ToolStatus]] = []
    stopped_by, error, hint = StoppedBy.INTERRUPTED, "", ""
    for event in events:
        match event:
            case TurnStarted():
                made["turn"] = event.turn
            case ContextPlanned():
                plan_ids.append(event.plan_id)
                planned = Usage(estimated=event.total_tokens)
            case ToolsCalled():
                calls += [(call, ToolStatus.INTERRUPTED) for call in event.calls]
                usage, planned = _plus(usage, event.usage or planned), None
            case ToolAnswered():
                calls[calls.index((event.call, ToolStatus.INTERRUPTED))] = (event.call, event.result.status)
            case ReplyContinued() | ReplyFinished():
                made["text"] = event.text
                usage, planned = _plus(usage, event.usage or planned), None
            case TurnCompleted():
                stopped_by, error, hint = event.stopped_by, event.error, event.hint
            case _:
                continue
    usage = _plus(usage, planned)
    made["plan_ids"] = plan_ids
    made["tool_calls"] = [_call_object(call, status) for call, status in calls]
    made["usage"] = {
        "estimated": usage.estimated if usage else 0,
        "prompt": usage.prompt if usage else None,
        "completion": usage.completion if usage else None,
        "cost": usage.cost if usage else None,
    }
    made["stopped_by"] = stopped_by.value
    if error:
        made["error"] = f"{error} {hint}".strip()
    return made


def _plus(usage: Usage | None, other: Usage | None) -> Usage | None:
    return other if usage is None else usage.plus(other)


def _call_object(call: ToolCall, status: ToolStatus) -> dict[str, object]:
    """Return a tool call; its arguments were made an object when the call was checked."""
    return {"name": call.name, "arguments": json.loads(call.arguments), "status": status.value}


def event_object(event: Event) -> dict[str, object]:
    """Return an event as one line of a stream: its kind, then its fields."""
    fields = plain(event)
    assert isinstance(fields, dict)  # noqa: S101 - every event is a dataclass
    return {"type": event.kind, **fields}
