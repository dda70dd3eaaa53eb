"""Who says whether proposed edits are written: the user, asked by a screen, or a rule where nobody can be asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from ctxcode.model.edit.change import DecidedBy, FileChange, FileVerdict
from ctxcode.model.edit.path import wants_a_look
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.errors import UsageError


@dataclass(frozen=True, slots=True)
class Decision:
    """What was said to a set."""

    verdicts: tuple[FileVerdict, ...]
    """One for each change, in their order."""
    by: DecidedBy = DecidedBy.USER
    note: str = ""
    delicate: str = ""
    """The path for which edits that are allowed otherwise were refused."""

    @property
    def is_yes(self) -> bool:
        """Whether anything is to be written."""
        return any(verdict.is_accepted for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Revision:
    """The set as the user edited it; they are asked about it again."""

    changes: tuple[FileChange, ...]


def yes_to_all(changes: Sequence[FileChange], by: DecidedBy) -> Decision:
    """Return the acceptance of everything."""
    return Decision(tuple(FileVerdict(change.path) for change in changes), by)


@dataclass(slots=True)
class Approvals:
    """A session's answers to edits; they hold while it is open."""

    policy: EditPolicy
    """``allow`` and ``deny`` are for runs where nobody can be asked."""
    bases: dict[str, bytes] = field(default_factory=dict)
    """What the files of the newest set held when it was made from them, by digest."""
    _waiting: dict[int, asyncio.Future[Decision | Revision]] = field(default_factory=dict)
    _allowed_turn: int = 0
    _is_allowed: bool = False

    async def decision(
        self, turn: int, number: int, changes: Sequence[FileChange], *, must_ask: bool = False
    ) -> Decision | Revision:
        """Return what is said to a set; waits for ``decide`` or ``revise`` when the user has to be asked.

        ``must_ask`` where an earlier yes for more than one set does not count.
        """
        delicate = [path for change in changes for path in (change.path, change.to) if wants_a_look(path)]
        if self.policy is not EditPolicy.ASK:
            is_allowed = self.policy is EditPolicy.ALLOW
            if is_allowed and not delicate:
                return yes_to_all(changes, DecidedBy.FLAG)
            verdicts = tuple(FileVerdict.no(change.path) for change in changes)
            return Decision(verdicts, DecidedBy.POLICY, delicate=delicate[0] if is_allowed else "")
        if not delicate and not must_ask and (self._is_allowed or self._allowed_turn == turn):
            return yes_to_all(changes, DecidedBy.SESSION if self._is_allowed else DecidedBy.TURN)
        waiting: asyncio.Future[Decision | Revision] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            said = await waiting
        finally:
            del self._waiting[number]
        if isinstance(said, Revision):
            return said
        if said.by is DecidedBy.SESSION:
            self._is_allowed = True
        elif said.by is DecidedBy.TURN:
            self._allowed_turn = turn
        return said

    def decide(self, number: int, said: Decision, changes: Sequence[FileChange]) -> None:
        """Answer a set that waits. Raises UsageError when none of that number does, or the answer does not fit it."""
        waiting = self._open(number)
        if [verdict.path for verdict in said.verdicts] != [change.path for change in changes]:
            raise UsageError("The answer is for another diff.", "Look at the new one.")
        waiting.set_result(said)

    def revise(self, number: int, changes: tuple[FileChange, ...]) -> None:
        """Put the user's own version in the place of a set that waits. Raises UsageError when none does."""
        self._open(number).set_result(Revision(changes))

    def _open(self, number: int) -> "asyncio.Future[Decision | Revision]":
        waiting = self._waiting.get(number)
        if waiting is None or waiting.done():
            raise UsageError(f"No edit {number} waits for an answer.", "/diff shows what was changed.")
        return waiting
