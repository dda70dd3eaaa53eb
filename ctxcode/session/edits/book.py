"""What is known of a session's edits: a pure fold of their events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ctxcode.model.conversation import ToolResult, ToolRound, ToolStatus, Turn
from ctxcode.model.edit.change import DecidedBy, EditState, FileChange, FileOutcome, FileVerdict
from ctxcode.model.edit.event import EditEvent, EditsDecided, EditsProposed, EditsSettled, EditsUndone

_UNDONE = ToolResult(ToolStatus.OK, "Was applied; the user has undone it since: the files are as they were before.\n")


@dataclass(frozen=True, slots=True)
class EditSet:
    """The changes of one reply: written together, or not."""

    number: int
    turn: int
    homes: frozenset[str]
    """The branches that have this turn: the one it was made on, and those forked from it later."""
    changes: tuple[FileChange, ...]
    verdicts: tuple[FileVerdict, ...] = ()
    by: DecidedBy | None = None
    note: str = ""
    outcomes: tuple[FileOutcome, ...] = ()
    """Empty while it is pending."""
    folders: tuple[str, ...] = ()

    @property
    def applied(self) -> tuple[FileOutcome, ...]:
        """The files that were written and are not undone."""
        return tuple(outcome for outcome in self.outcomes if outcome.state is EditState.APPLIED)

    @property
    def written(self) -> tuple[tuple[FileChange, FileVerdict], ...]:
        """The changes that were written, perhaps in part, with what was accepted of them."""
        rows = zip(self.changes, self.verdicts, self.outcomes, strict=False)
        return tuple((change, said) for change, said, outcome in rows if outcome.state is EditState.APPLIED)

    @property
    def rejected(self) -> tuple[tuple[FileChange, FileVerdict], ...]:
        """The changes of which something was rejected."""
        pairs = zip(self.changes, self.verdicts, strict=False)
        return tuple((change, said) for change, said in pairs if not said.is_accepted or said.hunks is not None)


EditBook = tuple[EditSet, ...]
"""A session's sets, oldest first. Files are the same on every branch, so all branches are in it."""


def recorded(book: EditBook, event: EditEvent, branch: str) -> EditBook:
    """Return the book after one more event, on the branch that is open."""
    if isinstance(event, EditsProposed):
        made = EditSet(event.number, event.turn, frozenset({branch}), event.changes)
        return (*(one for one in book if one.number != event.number), made)
    return tuple(_after(one, event) if one.number == event.number else one for one in book)


def _after(one: EditSet, event: EditsDecided | EditsSettled | EditsUndone) -> EditSet:
    match event:
        case EditsDecided():
            return replace(one, verdicts=event.verdicts, by=event.by, note=event.note)
        case EditsSettled():
            return replace(one, outcomes=event.outcomes, folders=event.folders)
        case EditsUndone():
            return replace(
                one,
                outcomes=tuple(
                    replace(outcome, state=EditState.UNDONE) if outcome.path in event.restored else outcome
                    for outcome in one.outcomes
                ),
            )


def without_pending(book: EditBook) -> EditBook:
    """Return the book after a turn ended: what nobody decided by then is rejected.

    What was accepted and not recorded as written stays open: only the files can tell, see ``recovery``.
    """
    return tuple(
        one if one.outcomes or any(said.is_accepted for said in one.verdicts) else _undecided(one) for one in book
    )


def _undecided(one: EditSet) -> EditSet:
    why = "nobody decided"
    outcomes = (
        FileOutcome(change.path, EditState.REJECTED, change.before, change.before, detail=why) for change in one.changes
    )
    return replace(one, outcomes=tuple(outcomes))


def shared(book: EditBook, parent: str, name: str, turn: int) -> EditBook:
    """Return the book after a branch was forked, which has its parent's turns up to one."""
    return tuple(
        replace(one, homes=one.homes | {name}) if parent in one.homes and one.turn <= turn else one for one in book
    )


def detached(book: EditBook, branch: str, turns: Iterable[int]) -> EditBook:
    """Return the book after turns left a branch; what they wrote stays written and can still be undone."""
    gone = set(turns)
    return tuple(replace(one, homes=one.homes - {branch}) if one.turn in gone else one for one in book)


def sets_of(book: EditBook, branch: str) -> EditBook:
    """Return the sets of a branch's turns."""
    return tuple(one for one in book if branch in one.homes)


def with_undone(turns: Iterable[Turn], sets: EditBook) -> tuple[Turn, ...]:
    """Return the turns with the results of calls whose edits were undone saying so."""
    gone = {
        (one.turn, call)
        for one in sets
        for change, outcome in zip(one.changes, one.outcomes, strict=False)
        if outcome.state is EditState.UNDONE
        for call in change.calls
    }
    if not gone:
        return tuple(turns)
    return tuple(replace(turn, rounds=tuple(_round(made, turn.number, gone) for made in turn.rounds)) for turn in turns)


def _round(made: ToolRound, turn: int, gone: set[tuple[int, str]]) -> ToolRound:
    pairs = zip(made.calls, made.results, strict=True)
    return replace(made, results=tuple(_now(result) if (turn, call.id) in gone else result for call, result in pairs))


def _now(result: ToolResult) -> ToolResult:
    """Return what is told of a call since its file was restored; what was rejected is told as before."""
    return _UNDONE if result.status is ToolStatus.OK else result
