"""What a screen shows of proposed edits, brought up to what became of them."""

from dataclasses import replace

from ctxcode.model.edit.change import EditState
from ctxcode.model.edit.event import EditEvent, EditsDecided, EditsSettled, EditsUndone
from ctxcode.tui.edit.view import EditView
from ctxcode.tui.state.view import ScreenState, TurnView


def with_edit(state: ScreenState, event: EditEvent) -> ScreenState:
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
