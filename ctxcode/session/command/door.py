"""The part of the screens' door that is about commands on the user's machine."""

from collections.abc import AsyncGenerator
from typing import Protocol

from ctxcode.model.command.approval import Answer, Permissions, Sandbox, Trust
from ctxcode.model.event import Event
from ctxcode.model.passing.event import ApprovalAnswered


class CommandDoor(Protocol):
    """Commands of a session: those the user types, and the questions about those the model wants."""

    def run(self, text: str) -> AsyncGenerator[Event, None]:
        """Run a command the user typed; yields TurnStarted, perhaps ApprovalAsked, ReplyFinished and TurnCompleted.

        Closing the generator ends the command with all it started.
        """
        ...

    def answer(self, approval_id: int, answer: Answer) -> ApprovalAnswered:
        """Answer the open question. Raises UsageError when it is no longer open."""
        ...

    async def sandbox(self) -> Sandbox:
        """Return what confines commands here."""
        ...

    async def trust(self) -> Trust:
        """Return whether what decides what commands do is what the user trusted."""
        ...

    async def permissions(self) -> Permissions:
        """Return what the user allowed for this repository."""
        ...

    async def revoke(self) -> None:
        """Forget all that was allowed: trust and every command."""
        ...
