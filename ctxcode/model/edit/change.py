"""Proposed changes of files, hunk by hunk, and their states."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b


class ChangeKind(StrEnum):
    """What happens to a file."""

    MODIFIED = "modified"
    CREATED = "created"
    DELETED = "deleted"
    RENAMED = "renamed"
    """Perhaps modified too."""


class EditState(StrEnum):
    """Where a proposed change stands."""

    PENDING = "pending"
    APPROVED = "approved"
    """Accepted, in whole or in part, and not written yet."""
    APPLIED = "applied"
    REJECTED = "rejected"
    FAILED = "failed"
    """Accepted, and could not be written; nothing of its set was."""
    STALE = "stale"
    """The file changed after the diff was made; a new diff takes its place."""
    UNDONE = "undone"


class DecidedBy(StrEnum):
    """Who said what happens to a set of changes."""

    USER = "user"
    TURN = "turn"
    """The user, for the rest of the turn."""
    SESSION = "session"
    """The user, for the rest of the session."""
    FLAG = "flag"
    """``--allow-edits``."""
    POLICY = "policy"
    """Nobody could be asked, so it is no."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that stand next to one another and change; every line with its line end."""

    before_start: int
    """1-based number of the first line that goes; where none does, of the line the new ones come before."""
    after_start: int
    """The same, in the changed file."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    lead: tuple[str, ...] = ()
    """The lines before it, for showing."""
    tail: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """The ids of the tool calls that change these lines; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What is proposed for one file."""

    path: str
    """Where it is now, or will be; relative to the repository, links resolved."""
    kind: ChangeKind
    hunks: tuple[Hunk, ...] = ()
    before: str = ""
    """Digest of the bytes the hunks were made from; empty when there is no such file."""
    to: str = ""
    """The new path of a renamed file."""
    encoding: str = "utf-8"
    calls: tuple[str, ...] = ()
    """The ids of the tool calls it comes from."""
    is_users: bool = False
    """The user has edited the proposed text."""

    def hunks_of(self, call: str) -> tuple[int, ...]:
        """Return the positions of a call's hunks; one of which nobody knows whose it is belongs to every call."""
        return tuple(place for place, hunk in enumerate(self.hunks) if not hunk.calls or call in hunk.calls)

    @property
    def added(self) -> int:
        """How many lines come."""
        return sum(len(hunk.after) for hunk in self.hunks)

    @property
    def removed(self) -> int:
        """How many lines go."""
        return sum(len(hunk.before) for hunk in self.hunks)


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What was said to one file's change."""

    path: str
    hunks: tuple[int, ...] | None = None
    """The accepted hunks by position; None for all of them, and for a change without hunks."""
    is_accepted: bool = True

    @classmethod
    def no(cls, path: str) -> "FileVerdict":
        """Return the rejection of a whole file."""
        return cls(path, (), is_accepted=False)


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file's change."""

    path: str
    state: EditState
    before: str = ""
    """Digest of what was there; empty for nothing. The bytes are kept under it."""
    after: str = ""
    """Digest of what is there now; empty for nothing."""
    to: str = ""
    """Where the file is now, when it was renamed."""
    detail: str = ""
    """Why it failed, or what the user said."""
    mode: int = 0
    """The permission bits it had before."""


@dataclass(frozen=True, slots=True)
class FileImage:
    """A file as it was read to be edited."""

    path: str
    """Relative to the repository, links resolved."""
    data: bytes | None
    """None when there is no such file."""
    is_link: bool = False
    """The path that was asked for is a link."""
    mode: int = 0
    """Its permission bits."""


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One file of a set that is written together."""

    path: str
    expected: str
    """Digest of what must be there now; empty for nothing."""
    data: bytes | None
    """None takes the file away."""
    like: str = ""
    """The file whose owner and permissions it gets, when it is a new one."""
    mode: int = 0
    """Its permission bits, when it is a new one like no other; 0 for the usual ones."""


def bytes_digest(data: bytes) -> str:
    """Return the digest that a file's content is known by."""
    return blake2b(data, digest_size=16).hexdigest()
