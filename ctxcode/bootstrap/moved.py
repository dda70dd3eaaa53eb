"""A repository whose folder moved, or was renamed, keeps its conversations: what is kept of it moves along."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from ctxcode.bootstrap.index.opening import index_places, same_files
from ctxcode.settings.directory import Directories, repository_key

_PLACE = "place.json"
_LARGEST_BYTES = 100_000
_MOST_FOLDERS = 1_000


class _Place(msgspec.Struct, frozen=True):
    """Which folder is meant by what is kept in another."""

    root: str
    """Absolute and real."""
    inode: int
    """It stays when a folder is renamed, and is another one's some time after that is removed."""


def bring_along(folders: Directories, root: Path, conversations: str) -> str:
    """Move what is kept of a repository that was elsewhere to where it is looked for; return what to tell of it.

    ``conversations`` is the name of the file in which they are. Nothing is moved when there is something here already.
    """
    kept = folders.data / repository_key(root)
    if (kept / conversations).exists():
        return ""
    for other, place in _places_gone(folders.data, _inode(root)):
        if (other / conversations).exists() and same_files(index_places(folders.cache / other.name), root):
            with suppress(OSError):
                # All at once, or nothing: what is in one of the files may count on another.
                with suppress(FileNotFoundError):
                    kept.rmdir()
                other.rename(kept)
                remember(folders, root)
                return f"This folder was {place.root!r} before: the conversations that were held there are here."
    return ""


def remember(folders: Directories, root: Path) -> None:
    """Note which folder is meant by what is kept of it, if there is something; that it can't be noted harms nothing."""
    kept = folders.data / repository_key(root)
    place = _Place(os.path.realpath(root), _inode(root))
    if not kept.is_dir() or _read(kept) == place:
        return
    temporary = kept / f"{_PLACE}.{os.getpid()}"
    with suppress(OSError):
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(place))
        temporary.replace(kept / _PLACE)


def _places_gone(data: Path, inode: int) -> Iterator[tuple[Path, _Place]]:
    """Yield (where it is kept, what was where) of the repositories that were in the same folder under another name."""
    others: list[Path] = []
    with suppress(OSError):
        others = sorted(data.iterdir())[:_MOST_FOLDERS]
    for other in others if inode else ():
        place = _read(other)
        if place is not None and place.inode == inode and not os.path.lexists(place.root):
            yield other, place


def _read(kept: Path) -> _Place | None:
    with suppress(OSError, ValueError, msgspec.MsgspecError), (kept / _PLACE).open("rb") as file:
        return msgspec.json.decode(file.read(_LARGEST_BYTES), type=_Place)
    return None


def _inode(root: Path) -> int:
    with suppress(OSError):
        return root.stat().st_ino
    return 0
