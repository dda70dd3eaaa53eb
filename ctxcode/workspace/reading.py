"""Reading one file of the repository without leaving it and without waiting on anything."""

import codecs
import os
import stat

from ctxcode.model.errors import AbsentPathError, NoFileError, RefusedPathError, RepositoryError
from ctxcode.model.secret.path import is_secret
from ctxcode.model.source import SourceText
from ctxcode.workspace.git import is_gits_own

READ_LIMIT_BYTES = 10_000_000
_SNIFF_BYTES = 8192
_RELATIVE_HINT = "Name a file below the opened folder, relative to it."
_UNPLAIN_PARTS = frozenset({"", ".", "..", ".git"})
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(root: str, path: str) -> str:
    """Return the decoded text of a file below ``root``; line ends as they are. Raises as ``read_source`` does."""
    return decode(_bytes_of(root, path), path)


def read_source(root: str, path: str) -> SourceText:
    """Return the same with the bytes it was decoded from.

    ``root`` is a real path. A link is followed when it stays inside. Raises RepositoryError when the file is outside,
    secret, no regular file, larger than 10 MB, binary, unreadable or gone.
    """
    data = _bytes_of(root, path)
    return SourceText(decode(data, path), data)


def read_listed(root: str, path: str) -> str:
    """Return the decoded text of a file that was listed below ``root``; links are not followed.

    Raises RepositoryError like ``read_text``.
    """
    if not _is_plain(path):
        raise RefusedPathError(f"{path!r} is never read")
    return decode(_read_bytes(root, path, path), path)


def decode(data: bytes, path: str) -> str:
    """Return a file's text by its byte-order mark, else UTF-8, else Latin-1; ``path`` is for the message.

    Raises RepositoryError when the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:_SNIFF_BYTES]:
        raise RepositoryError(f"{path!r} is a binary file", "Name a text file.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _bytes_of(root: str, path: str) -> bytes:
    handle = _opened_plainly(root, path)
    return _read_bytes(root, _real_relative_path(root, path), path) if handle is None else _read(handle, path)


def _opened_plainly(root: str, path: str) -> int | None:
    """Return the open file a path leads to without a link; None for any other, which takes a closer look."""
    try:
        return _opened(root, path) if _is_plain(path) and not is_gits_own(path, root) else None
    except (OSError, ValueError):
        return None


def _is_plain(path: str) -> bool:
    """Return whether a path that meets no link leads where it says, to what may be read."""
    return "\0" not in path and not is_secret(path) and _UNPLAIN_PARTS.isdisjoint(path.lower().split("/"))


def _real_relative_path(root: str, path: str) -> str:
    """Return where a path really leads, relative to the root."""
    if "\0" in path:
        raise RefusedPathError(f"{path!r} is no path", "Name a file of the repository.")
    if path.startswith("/"):
        raise RefusedPathError(f"{path!r} is outside the repository", _RELATIVE_HINT)
    try:
        real = os.path.realpath(f"{root}/{path}")
    except (OSError, ValueError) as error:
        raise RepositoryError(f"{path!r} can't be read: {error}", "Check the path and its permissions.") from error
    prefix = root.rstrip("/") + "/"
    # Where it leads comes before whether it is there: what exists outside is nobody's business.
    if not real.startswith(prefix):
        raise RefusedPathError(f"{path!r} is outside the repository", _RELATIVE_HINT)
    inside = real[len(prefix) :]
    if is_secret(path) or is_secret(inside):
        raise RefusedPathError(f"{path!r} looks like a secret and is never read", "Copy what is needed by hand.")
    if ".git" in inside.lower().split("/") or is_gits_own(inside, root):
        raise RefusedPathError(f"{path!r} belongs to git", "Name a file of the work tree.")
    if not os.path.lexists(real):
        raise AbsentPathError(f"{path!r} does not exist", "Check the path; it is relative to the repository.")
    return inside


def _read_bytes(root: str, inside: str, path: str) -> bytes:
    try:
        handle = _opened(root, inside)
    except OSError as error:
        raise RepositoryError(f"{path!r} can't be read: {error.strerror}", "Check the file's permissions.") from error
    return _read(handle, path)


def _opened(root: str, inside: str) -> int:
    """Open a path folder by folder, refusing links: what was checked is what is read, whoever swaps a folder."""
    folders = inside.split("/")
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    handle = os.open(root, flags | os.O_DIRECTORY)
    for position, name in enumerate(folders):
        is_last = position == len(folders) - 1
        outer = handle
        try:
            handle = os.open(name, flags | (os.O_NONBLOCK if is_last else os.O_DIRECTORY), dir_fd=outer)
        finally:
            os.close(outer)
    return handle


def _read(handle: int, path: str) -> bytes:
    """Return what an open file holds, and close it."""
    try:
        return _read_open_file(handle, path)
    except OSError as error:
        raise RepositoryError(f"{path!r} can't be read: {error.strerror}", "Try again.") from error
    finally:
        os.close(handle)


def _read_open_file(handle: int, path: str) -> bytes:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise NoFileError(f"{path!r} is no regular file", "Name a text file.")
    if status.st_size > READ_LIMIT_BYTES:
        raise RepositoryError(
            f"{path!r} is {status.st_size / 1e6:.0f} MB; files over {READ_LIMIT_BYTES / 1e6:.0f} MB are not read",
            "Name a smaller file.",
        )
    with os.fdopen(handle, "rb", closefd=False) as file:
        # Room is made for as much as is asked for: for the limit that takes longer than to read most files.
        return file.read(status.st_size or READ_LIMIT_BYTES)
