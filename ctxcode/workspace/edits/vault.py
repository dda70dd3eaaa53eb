"""What edits keep outside the repository: the bytes files had before, and the set that is being written."""

import os
import sys
import time
import zlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ctxcode.model.edit.change import bytes_digest
from ctxcode.model.errors import EditError
from ctxcode.workspace.edits.pending import is_interrupted, pending_file

if sys.platform != "win32":
    import fcntl

KEPT_DAYS = 30
KEPT_BYTES = 500_000_000
_DAY_SECONDS = 86_400


class Entry(msgspec.Struct, frozen=True):
    """One file of the set that is being written."""

    path: str
    before: str
    """Digest; empty for nothing."""
    after: str
    mode: int
    spare: str
    """The name its new content has, beside it, until it takes its place."""


class Pending(msgspec.Struct, frozen=True):
    """The set that is being written; while its file exists, the set counts as not written."""

    entries: tuple[Entry, ...]
    folders: tuple[str, ...]
    """Those that are made for it, outer ones first."""


@dataclass(frozen=True, slots=True)
class Vault:
    """A folder of the user's data directory; made when first needed."""

    folder: Path

    @property
    def is_interrupted(self) -> bool:
        """Whether a set was begun and not ended."""
        return is_interrupted(self.folder)

    @contextmanager
    def locked(self, *, waits: bool) -> Generator[bool]:
        """Keep other processes from writing meanwhile; give False when one does and it is not waited for."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            yield _is_taken(handle, waits=waits)
        finally:
            os.close(handle)

    def keep(self, data: bytes) -> str:
        """Store bytes durably and return their digest."""
        digest = bytes_digest(data)
        place = self._blob(digest)
        if place.exists():
            with suppress(OSError):
                os.utime(place)
            return digest
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(place, zlib.compress(data, 1))
        return digest

    def kept(self, digest: str) -> bytes | None:
        """Return stored bytes; None when they are gone or broken."""
        try:
            data = zlib.decompress(self._blob(digest).read_bytes())
        except (OSError, zlib.error):
            return None
        return data if bytes_digest(data) == digest else None

    def begin(self, pending: Pending) -> None:
        """Note what is about to be written, durably."""
        _write(self._pending, msgspec.json.encode(pending))

    def end(self) -> None:
        """Note that the set is written, or taken back."""
        self._pending.unlink(missing_ok=True)
        with suppress(OSError):
            _flush_folder(self.folder)

    def begun(self) -> Pending:
        """Return the set that was begun. Raises EditError when its note can't be read."""
        try:
            return msgspec.json.decode(self._pending.read_bytes(), type=Pending)
        except (OSError, ValueError) as error:
            raise EditError(
                f"{str(self._pending)!r} can't be read: {error}",
                "An edit was interrupted; look at the files yourself, then delete that file.",
            ) from error

    def prune(self) -> None:
        """Forget what is older than 30 days, and the oldest beyond 500 MB."""
        now, room = time.time(), KEPT_BYTES
        with suppress(OSError):
            blobs = [(place, place.stat()) for place in self._blobs.rglob("*") if place.is_file()]
            for place, status in sorted(blobs, key=lambda row: -row[1].st_mtime):
                room -= status.st_size
                if room < 0 or now - status.st_mtime > KEPT_DAYS * _DAY_SECONDS:
                    place.unlink(missing_ok=True)

    @property
    def _pending(self) -> Path:
        return pending_file(self.folder)

    @property
    def _blobs(self) -> Path:
        return self.folder / "before"

    def _blob(self, digest: str) -> Path:
        return self._blobs / digest[:2] / digest


def _is_taken(handle: int, *, waits: bool) -> bool:
    """Lock an open file until it is closed; return whether that succeeded."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(place: Path, data: bytes) -> None:
    """Write a file of our own so that it is there whole, or not at all."""
    spare = place.with_name(f"{place.name}.{os.getpid()}.new")
    handle = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)
    spare.replace(place)
    _flush_folder(place.parent)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
