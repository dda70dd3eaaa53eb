"""The turns a screen shows, brought up to what happened in them."""

from dataclasses import replace
from typing import assert_never

from ctxcode.model.conversation import ToolRound, Usage
from ctxcode.model.event import (
    ContextPlanned,
    LoopNoticed,
    Mark,
    ReplyArrived,
    ReplyContinued,
    ReplyFinished,
    ReplyMarked,
    ToolAnswered,
    ToolsCalled,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.passing.event import ReplyChunked
from ctxcode.tui.state.view import ScreenState, TurnView

TurnEvent = (
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


def with_turn_event(state: ScreenState, event: TurnStarted | TurnEvent) -> ScreenState:
    """Return the state with the turn brought up to an event of it; unchanged where this branch has no such turn."""
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


def _advanced(turn: TurnView, event: TurnEvent) -> TurnView:
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
