"""Where a path really is, reached folder by folder so that no link swapped in meanwhile leads elsewhere."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ctxcode.model.edit.change import bytes_digest
from ctxcode.model.errors import EditError, RefusedPathError

LIMIT_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it is on disk."""

    data: bytes
    status: os.stat_result

    @property
    def digest(self) -> str:
        """Return what its content is known by."""
        return bytes_digest(self.data)

    def is_same(self, status: os.stat_result) -> bool:
        """Return whether a later look shows the same file, unchanged."""
        mine = self.status
        return (mine.st_ino, mine.st_size, mine.st_mtime_ns, mine.st_ctime_ns) == (
            status.st_ino,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )


@contextmanager
def folder_of(root: str, path: str) -> Generator[tuple[int, str]]:
    """Open the folder a path is in, link by link refused, and give its handle with the file's name.

    Raises FileNotFoundError when a folder is not there and OSError for whatever else stands in the way.
    """
    *folders, name = path.split("/")
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECTORY
    handle = os.open(root, flags)
    try:
        for folder in folders:
            outer = handle
            handle = os.open(folder, flags, dir_fd=outer)
            os.close(outer)
        yield handle, name
    finally:
        os.close(handle)


def seen(root: str, path: str) -> Seen | None:
    """Return a file as it is; None when it is not there. Raises EditError for what can't be edited, and OSError."""
    try:
        with folder_of(root, path) as (folder, name):
            handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except FileNotFoundError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise EditError(f"{path!r} is no regular file", "Name a text file.")
        if status.st_nlink > 1:
            raise EditError(f"{path!r} has {status.st_nlink} names (hard links)", "Edit it by hand.")
        if status.st_size > LIMIT_BYTES:
            raise EditError(f"{path!r} is over {LIMIT_BYTES // 1_000_000} MB", "Edit it by hand.")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return Seen(file.read(LIMIT_BYTES + 1), status)
    finally:
        os.close(handle)


def real_path(root: str, path: str) -> tuple[str, bool]:
    """Return where a path leads, relative to the real root, and whether it is a link itself.

    What does not exist yet is where its folders lead. Raises RefusedPathError for what is outside, and EditError for a
    name the file system does not take.
    """
    full = Path(root, path)
    try:
        is_link, real, is_there = full.is_symlink(), os.path.realpath(full), full.exists()
    except OSError as error:
        raise EditError(f"{path[:80]!r} can't be used: {error.strerror}", "Choose another path.") from error
    prefix = root.rstrip("/") + "/"
    # Before whether it is there: what exists outside is nobody's business.
    if not real.startswith(prefix):
        raise RefusedPathError(f"{path!r} leads out of the repository", "Name a file below the opened folder.")
    if is_link and not is_there:
        raise RefusedPathError(f"{path!r} is a link to nothing", "Name the file itself.")
    return real[len(prefix) :], is_link
