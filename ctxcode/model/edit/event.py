"""Events of edits; see ``model.event`` for the whole union."""

from dataclasses import dataclass
from typing import ClassVar

from ctxcode.model.edit.change import DecidedBy, FileChange, FileOutcome, FileVerdict


@dataclass(frozen=True, slots=True)
class EditsProposed:
    """A reply's calls would change files; all of them together, or none."""

    kind: ClassVar[str] = "edits-proposed"
    version: ClassVar[int] = 1
    turn: int
    number: int
    """Of the set, 1-based, in the session."""
    changes: tuple[FileChange, ...]
    """By path."""
    is_renewed: bool = False
    """The files changed after an earlier diff of this set, which this one replaces."""


@dataclass(frozen=True, slots=True)
class EditsDecided:
    """Somebody, or a rule, said what of a set may be written."""

    kind: ClassVar[str] = "edits-decided"
    version: ClassVar[int] = 1
    turn: int
    number: int
    verdicts: tuple[FileVerdict, ...]
    """One for each change, in their order."""
    by: DecidedBy
    note: str = ""
    """What the user wants the model to know."""


@dataclass(frozen=True, slots=True)
class EditsSettled:
    """A set was written, or refused, or could not be written."""

    kind: ClassVar[str] = "edits-settled"
    version: ClassVar[int] = 1
    turn: int
    number: int
    outcomes: tuple[FileOutcome, ...]
    """One for each change, in their order."""
    folders: tuple[str, ...] = ()
    """The folders that were made for new files."""


@dataclass(frozen=True, slots=True)
class EditsUndone:
    """Files are as they were before a set was written, where they had not changed since."""

    kind: ClassVar[str] = "edits-undone"
    version: ClassVar[int] = 1
    number: int
    restored: tuple[str, ...]
    refused: tuple[FileOutcome, ...] = ()
    """Those that were left alone, with why."""


EditEvent = EditsProposed | EditsDecided | EditsSettled | EditsUndone
