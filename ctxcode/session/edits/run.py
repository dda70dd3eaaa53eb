"""One reply's edits, from the calls to their results: proposed, decided, written together or not at all."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ctxcode.action.arguments import ProposeEdit
from ctxcode.model.conversation import ToolStatus
from ctxcode.model.edit.change import EditState, FileChange, FileOutcome
from ctxcode.model.edit.event import EditEvent, EditsDecided, EditsProposed, EditsSettled
from ctxcode.model.engine.item import path_of
from ctxcode.model.errors import CtxcodeError, RefusedPathError, StaleFileError
from ctxcode.session.edits.approval import Approvals, Decision, Revision
from ctxcode.session.edits.desk import Asked, EditDesk, Prepared
from ctxcode.session.edits.words import answers, problem_answers
from ctxcode.session.ledger import Ledger
from ctxcode.session.threads import whole
from ctxcode.session.tools.desk import Answer

MOST_RENEWALS = 5
"""How often a set may turn out stale before it is given up."""


@dataclass(slots=True)
class EditRun:
    """Carries out the edit calls of one turn's replies."""

    turn: int
    ledger: Ledger
    desk: EditDesk
    approvals: Approvals
    bring_up_to_date: Callable[[], Awaitable[None]]
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """By call id: what the calls of the last reply are answered with."""
    numbers: set[int] = field(default_factory=set)
    """Of the turn's sets."""
    has_written: bool = False
    """The last reply's calls changed files."""

    async def settle(self, asked: Sequence[Asked]) -> AsyncGenerator[EditEvent, None]:
        """Yield what happens to a reply's edits until they are settled; ``answers`` holds the results then."""
        self.has_written = False
        number = len(self.ledger.state.edits) + 1
        edited: tuple[FileChange, ...] = ()
        self.desk.bases.clear()
        for attempt in range(MOST_RENEWALS):
            if any(isinstance(arguments, ProposeEdit) and arguments.symbol for _, arguments in asked):
                await self.bring_up_to_date()
            read_only = {path_of(pin.item) for pin in self.ledger.state.pins if pin.is_read_only}
            prepared = await asyncio.to_thread(self.desk.prepared, asked, read_only, edited)
            if prepared.problems is not None or not prepared.changes:
                self.answers = _refused(asked, prepared)
                if attempt:
                    yield await self._give_up(number, "the files changed, and the edit no longer fits them")
                return
            changes = prepared.changes
            self.numbers.add(number)
            yield await self.ledger.written(EditsProposed(self.turn, number, changes, is_renewed=attempt > 0))
            asking = partial(self.approvals.decision, self.turn, number, must_ask=bool(edited))
            while isinstance(said := await asking(changes), Revision):
                changes = said.changes
                yield await self.ledger.written(EditsProposed(self.turn, number, changes))
            yield await self.ledger.written(EditsDecided(self.turn, number, said.verdicts, said.by, said.note))
            settled = await self._written(number, changes, said)
            if settled is not None:
                self.answers = answers(asked, changes, said, settled)
                yield settled
                return
            edited = tuple(change for change in changes if change.is_users)
        self.answers = {
            call_id: Answer(ToolStatus.FAILED, "Not written: the files keep changing. Read them again.\n")
            for call_id, _ in asked
        }
        yield await self._give_up(number, "the files keep changing")

    async def _written(self, number: int, changes: Sequence[FileChange], said: Decision) -> EditsSettled | None:
        """Write a set and record what came of it, both or neither even when cancelled; None when it is stale."""
        return await whole(partial(self._write, number, changes, said))

    def _write(self, number: int, changes: Sequence[FileChange], said: Decision) -> EditsSettled | None:
        try:
            outcomes, folders = self.desk.write(changes, said.verdicts, said.note)
        except StaleFileError:
            return None
        except CtxcodeError as error:
            detail = f"{error}. {error.hint}".strip()
            outcomes, folders = tuple(_failed(change, detail) for change in changes), ()
        self.has_written = any(outcome.state is EditState.APPLIED for outcome in outcomes)
        return self.ledger.record(EditsSettled(self.turn, number, outcomes, folders))

    async def _give_up(self, number: int, why: str) -> EditsSettled:
        changes = self.ledger.state.edits[number - 1].changes
        outcomes = tuple(
            FileOutcome(change.path, EditState.STALE, change.before, change.before, detail=why) for change in changes
        )
        return await self.ledger.written(EditsSettled(self.turn, number, outcomes))


def _failed(change: FileChange, detail: str) -> FileOutcome:
    return FileOutcome(change.path, EditState.FAILED, change.before, change.before, detail=detail)


def _refused(asked: Sequence[Asked], prepared: Prepared) -> Mapping[str, Answer]:
    problems = prepared.problems or {}
    return problem_answers(
        [call_id for call_id, _ in asked],
        {call_id: f"{error}. {error.hint}".strip() for call_id, error in problems.items()},
        {call_id for call_id, error in problems.items() if isinstance(error, RefusedPathError)},
    )
