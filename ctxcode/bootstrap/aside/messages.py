"""What passes between ctxcode and the process that indexes for it: one JSON object a line."""

import msgspec

from ctxcode.model.source import IndexReport


class Setup(msgspec.Struct, frozen=True):
    """The first line to the process."""

    root: str
    place: str
    """Where this repository's index is, which tells what versions made it."""
    workers: int | None


class Refresh(msgspec.Struct, frozen=True, tag="refresh"):
    """Bring the index in step."""

    number: int


class Prepare(msgspec.Struct, frozen=True, tag="prepare"):
    """Load what a refresh is going to need, until one is wanted; nothing is answered."""


class Rest(msgspec.Struct, frozen=True, tag="rest"):
    """Leave what nobody waits for until the next wish; nothing is answered."""


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Nobody waits for that refresh any more."""

    number: int


class Progressed(msgspec.Struct, frozen=True, tag="progressed"):
    """How far the refresh has come."""

    done: int
    total: int
    phase: str


class Ahead(msgspec.Struct, frozen=True, tag="ahead"):
    """What had changed as a quick look found it is published; everything is still to be looked at."""


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Why there is no report."""

    is_store: bool
    """The index can't be written; else it can't be built."""
    words: str
    hint: str


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """The end of a refresh."""

    report: IndexReport
    folders: list[str]
    """Where changes of indexed files are to be noticed."""


Wish = Refresh | Prepare | Rest | Cancel
Message = Progressed | Ahead | Failed | Finished
