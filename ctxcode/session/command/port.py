"""What running commands needs from the machine and the disk."""

from collections.abc import Callable
from typing import Protocol

from ctxcode.model.command.approval import CommandResult, Permissions, Sandbox
from ctxcode.model.command.shape import ParsedCommand


class CommandShell(Protocol):
    """Runs commands in the repository. Every method blocks."""

    def parse(self, text: str) -> ParsedCommand:
        """Return what a command line says."""
        ...

    @property
    def sandbox(self) -> Sandbox:
        """What confines commands here, found out by trying."""
        ...

    def run(
        self, command: ParsedCommand, *, timeout_seconds: float, has_network: bool, is_cancelled: Callable[[], bool]
    ) -> CommandResult:
        """Run a command to its end; all it started is gone afterwards."""
        ...


class PermissionStore(Protocol):
    """Keeps what the user allowed for this repository, outside of it."""

    def load(self) -> Permissions:
        """Return what is allowed."""
        ...

    def save(self, permissions: Permissions) -> None:
        """Replace what is allowed. Raises StoreError."""
        ...
