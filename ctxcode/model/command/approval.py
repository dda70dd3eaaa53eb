"""What the user is asked before a command runs, and what they may answer."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.command.shape import Doubt


class Danger(StrEnum):
    """What a command could take away that nobody can bring back."""

    EVERYTHING = "the whole file system"
    HOME = "your home folder"
    REPOSITORY = "the repository itself"
    GIT = "git's own files"
    OUTSIDE = "files outside the repository"
    WORK = "changes that are not committed"


@dataclass(frozen=True, slots=True)
class Grant:
    """A command that runs without a question."""

    words: tuple[str, ...]
    takes_more: bool = False
    """Any further plain words may follow."""

    @property
    def shown(self) -> str:
        """The command, with an ellipsis where more may follow."""
        return " ".join(self.words) + (" …" if self.takes_more else "")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What stands between a command and the machine."""

    name: str = ""
    """``bubblewrap``; empty for none."""
    problem: str = ""
    """Why there is none."""

    @property
    def is_there(self) -> bool:
        """Whether commands are confined."""
        return bool(self.name)


@dataclass(frozen=True, slots=True)
class Trust:
    """Whether the user trusts what this repository would run."""

    is_trusted: bool
    changed: tuple[str, ...] = ()
    """What decides what commands do and is new, changed or gone since it was trusted."""
    files: tuple[tuple[str, str], ...] = ()
    """What decides it now: path and digest, by path."""
    difference: str = ""
    """How the changed files differ from what was trusted, as a diff of lines; empty where nothing was trusted."""

    @property
    def was_trusted(self) -> bool:
        """It was trusted once and has changed since."""
        return not self.is_trusted and bool(self.changed)


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the user allowed for one repository."""

    root: str
    """The real path it was allowed for; a copied or moved file allows nothing."""
    files: tuple[tuple[str, str], ...] | None = None
    """What was trusted: path and digest; None when nothing is."""
    grants: tuple[Grant, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    """What the trusted files said, without secrets; long ones are left out."""


def trust_of(permissions: Permissions, files: tuple[tuple[str, str], ...]) -> Trust:
    """Return whether what decides now is exactly what was trusted, and what is not."""
    if permissions.files is None:
        return Trust(is_trusted=False, files=files)
    before, now = dict(permissions.files), dict(files)
    changed = tuple(sorted(path for path in {*before, *now} if before.get(path) != now.get(path)))
    return Trust(is_trusted=not changed, changed=changed, files=files)


@dataclass(frozen=True, slots=True)
class Approval:
    """One question to the user: whether a command may run."""

    id: int
    command: str
    """All of it, as it would run."""
    directory: str
    sandbox: Sandbox
    timeout_seconds: int
    by_user: bool
    """The user typed it; else the model wants it."""
    doubts: tuple[Doubt, ...] = ()
    dangers: tuple[Danger, ...] = ()
    exact: Grant | None = None
    """What «always» would allow; None where it is asked every time."""
    pattern: Grant | None = None
    trust: Trust = Trust(is_trusted=True)


class AnswerKind(StrEnum):
    """What the user says to an approval."""

    ONCE = "once"
    EXACT = "exact"
    PATTERN = "pattern"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Answer:
    """The user's answer to an approval."""

    kind: AnswerKind
    why: str = ""
    """With ``no``: told to the model."""
    has_network: bool = False
    confirmation: str = ""
    """What the user typed, where the danger wants it typed."""


CONFIRMATION = "run it"
"""What has to be typed before a dangerous command runs."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command left."""

    exit_code: int | None
    """None when it was ended."""
    output: str
    """Both streams as they came, visible characters only, the middle left out when it is long."""
    seconds: float
    ended_by: str = ""
    """``timeout``, ``interrupted`` or ``output`` when it did not end by itself."""
    total_bytes: int = 0
