"""The part of the screens' door that is about capsules: written summaries of modules and processes."""

from dataclasses import dataclass
from typing import Protocol

from ctxcode.model.engine.capsule import Capsule, CapsuleRow, CapsuleSubject
from ctxcode.model.engine.event import CapsuleRemoved, CapsuleWritten
from ctxcode.model.ids import ItemId


@dataclass(frozen=True, slots=True)
class CapsuleBill:
    """What asking for a capsule will take."""

    model: str
    tokens: int
    """Of the prompt, as estimated."""
    cost: float | None
    """Dollars for the prompt alone; None when the price is not known."""
    files: int
    """How many are covered."""


class CapsuleRequest(Protocol):
    """A model's capsule, asked for and not sent yet."""

    @property
    def bill(self) -> CapsuleBill:
        """What it will take."""
        ...

    async def send(self) -> Capsule:
        """Return what the model wrote; what it took is journalled, the capsule is not kept yet.

        Cancelling ends the request. Raises ModelError.
        """
        ...


class CapsuleDoor(Protocol):
    """The capsules of the repository.

    The events it returns are already journalled. All may raise CtxcodeError.
    """

    async def rows(self) -> tuple[CapsuleRow, ...]:
        """Return every capsule with whether it is fresh, by subject."""
        ...

    async def subject(self, words: str) -> tuple[CapsuleSubject, str]:
        """Return what words name, and the words left over: ``src/queries mostly joins``, ``login: a.py Session.open``.

        Raises UsageError when they name nothing here.
        """
        ...

    async def request(self, subject: CapsuleSubject, focus: str) -> CapsuleRequest:
        """Return what asking the model in use comes to; nothing is sent.

        Raises UsageError when nobody can write it or the user's caps forbid it.
        """
        ...

    async def keep(self, draft: Capsule, text: str) -> CapsuleWritten:
        """Keep what a model wrote; with another text it is the user's."""
        ...

    async def write(self, subject: CapsuleSubject, text: str) -> CapsuleWritten:
        """Keep what the user wrote. Raises UsageError for a text that is empty or too long."""
        ...

    async def remove(self, item: ItemId) -> CapsuleRemoved:
        """Remove a capsule. Raises UsageError when there is none."""
        ...
