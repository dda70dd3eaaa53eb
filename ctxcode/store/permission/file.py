"""What the user allowed for one repository: trust, bound to content, and commands that run without a question.

One small file in the user's own data folder; nothing in a repository can write or replace it.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ctxcode.model.command.approval import Permissions
from ctxcode.model.errors import StoreError

_VERSION = 1
_LARGEST_BYTES = 4_000_000


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's content."""

    permissions: Permissions
    version: int = _VERSION


@dataclass(frozen=True, slots=True)
class PermissionFile:
    """The permissions of one repository on disk."""

    path: Path
    root: str

    def load(self) -> Permissions:
        """Return what is allowed; nothing when the file is missing, broken, of another repository or another user."""
        nothing = Permissions(self.root)
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return nothing
        with os.fdopen(handle, "rb") as file:
            is_ours = not hasattr(os, "getuid") or os.fstat(file.fileno()).st_uid == os.getuid()
            data = file.read(_LARGEST_BYTES)
        try:
            found = msgspec.json.decode(data, type=_Stored)
        except (msgspec.DecodeError, ValueError):
            return nothing
        is_right = is_ours and found.version == _VERSION and found.permissions.root == self.root
        return found.permissions if is_right else nothing

    def save(self, permissions: Permissions) -> None:
        """Replace what is allowed, whole or not at all. Raises StoreError."""
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(_Stored(permissions)))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            hint = "Check that the folder can be written."
            raise StoreError(f"{str(self.path)!r} can't be written: {error.strerror}", hint) from error
