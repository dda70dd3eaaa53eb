"""Capsules: written summaries of modules and processes, never more than that."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.canonical import digest
from ctxcode.model.conversation import Usage
from ctxcode.model.ids import ItemId, PlanId

BY_USER = "user"
"""The source of what the user wrote by hand."""
_PREFIX = "capsule:"


class SubjectKind(StrEnum):
    """What a capsule is about."""

    FOLDER = "folder"
    FILE = "file"
    PROCESS = "process"
    """Something named that several files or symbols do together."""


class Freshness(StrEnum):
    """Whether a capsule still speaks of the code there is."""

    FRESH = "fresh"
    STALE = "stale"
    """What it covers has changed since."""
    GONE = "gone"
    """None of the files it covers is there any more."""


@dataclass(frozen=True, slots=True)
class CapsuleSubject:
    """What a capsule is about; the same subject has one capsule."""

    kind: SubjectKind
    name: str
    """A path without a slash at its end, empty for the whole repository; of a process its title."""
    parts: tuple[str, ...] = ()
    """Of a process: the paths and symbol ids it is made of."""

    @property
    def item(self) -> ItemId:
        """The id of its capsule as an item of a plan."""
        return ItemId(f"{_PREFIX}{self.kind.value}:{self.name}")

    @property
    def title(self) -> str:
        """What people call it: ``src/queries/``, ``src/main.py``, ``how a login goes``."""
        return f"{self.name or '.'}/" if self.kind is SubjectKind.FOLDER else self.name


@dataclass(frozen=True, slots=True)
class Capsule:
    """A summary of a subject as it was written."""

    subject: CapsuleSubject
    text: str
    source: str
    """``user``, or the model that wrote it."""
    confidence: float
    """0 to 1, as the writer says; below 1 for a model."""
    generated_at: float
    """Seconds since the epoch."""
    code_hash: str
    """Digest of the covered files' paths and contents; any other one now means stale."""
    covered: tuple[str, ...]
    """The paths of the files it speaks of, sorted."""
    plan_ids: tuple[PlanId, ...] = ()
    """The requests it was written with; empty when no model did."""
    usage: Usage | None = None
    focus: str = ""
    """What the user wanted it to be about most; asked for again when it is renewed."""

    @property
    def item(self) -> ItemId:
        """Its id as an item of a plan."""
        return self.subject.item

    @property
    def is_by_user(self) -> bool:
        """The user wrote it by hand, or changed what a model had written."""
        return self.source == BY_USER


@dataclass(frozen=True, slots=True)
class CapsuleRow:
    """A capsule as a list shows it."""

    capsule: Capsule
    freshness: Freshness


def code_hash(hashes: Mapping[str, str]) -> str:
    """Return the digest of files: their paths and content hashes, in any order."""
    return digest(sorted(hashes.items()))


def is_capsule(item: str) -> bool:
    """Tell whether an item's id is that of a capsule."""
    return item.startswith(_PREFIX)
