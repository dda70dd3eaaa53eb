"""What a work tree looked like, kept so that the next process can tell quickly that nothing has changed.

Every folder and every file that can be indexed, or could be if its first line were another, is compared by its stamp;
nothing is listed and no file is opened. A folder's stamp changes with what it holds, so files that appear, vanish or
are renamed are noticed too.
"""

import os
import sys
from array import array
from collections.abc import Iterable

import msgspec

from ctxcode.model.source import SourceFile
from ctxcode.workspace.ignore import FolderTimes

Times = Iterable[tuple[str, FolderTimes]]

_FORMAT = 9
"""Raise it when what is listed or skipped by name changes: older snapshots then say nothing."""


class _Snapshot(msgspec.Struct, array_like=True, frozen=True):
    format: int
    encoding: str
    """By which the process took names for text: another one skips other files."""
    folders: list[str]
    """Prefixes, the root's is empty, and the paths of ``.gitignore`` files; those changed last come first."""
    folder_times: bytes
    """Two int64 each."""
    places: list[str]
    """Absolute paths of what lies elsewhere and decides what is listed, also of what is not there yet."""
    place_times: bytes
    """Two int64 each, of what links lead to; ``ABSENT`` where nothing is."""
    files: list[str]
    """Those changed last come first."""
    file_times: bytes
    """Two int64 each: mtime_ns, ctime_ns. A changed size or inode always comes with another ctime."""
    plain: list[str]
    """Files whose names say nothing of a language and whose first lines neither, and those of attributes."""
    plain_times: bytes


_ENCODING = sys.getfilesystemencoding()
_TIMES_BYTES = 16
ABSENT: FolderTimes = (0, 0)
"""The times of what is not there."""
_FEW = 50
"""Files that are looked at before all folders."""

_decoder = msgspec.msgpack.Decoder(_Snapshot)


def snapshot_of(folders: Times, places: Times, files: Iterable[SourceFile], plain: Times) -> bytes:
    """Return a snapshot as bytes, empty when a name is no text or a time no number of 64 bits.

    ``folders`` and ``places`` are the times of folders and of places elsewhere, ``plain`` those of files that would be
    scripts if their first lines said so.
    """
    latest_first = sorted(files, key=lambda file: (-file.stamp.mtime_ns, file.path))
    changed_first = sorted(folders, key=lambda folder: (-max(folder[1]), folder[0]))
    of_files = ((file.path, (file.stamp.mtime_ns, file.stamp.ctime_ns)) for file in latest_first)
    try:
        columns = (*_columns(changed_first), *_columns(places), *_columns(of_files), *_columns(plain))
        return msgspec.msgpack.encode(_Snapshot(_FORMAT, _ENCODING, *columns))
    except (UnicodeEncodeError, OverflowError):
        return b""


def _columns(times: Times) -> tuple[list[str], bytes]:
    names, stamps = list[str](), array("q")
    for name, stamp in times:
        names.append(name)
        stamps.extend(stamp)
    return names, stamps.tobytes()


def is_as_in(snapshot: bytes, root: str) -> bool:
    """Return whether a folder still is as it was; a snapshot that makes no sense says no."""
    try:
        known = _decoder.decode(snapshot)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    if (known.format, known.encoding) != (_FORMAT, _ENCODING):
        return False
    try:
        # Walking to each file from the root takes a tenth less time than from the top.
        handle = os.open(root, os.O_RDONLY)
    except OSError:
        return False
    few, few_times = known.files[:_FEW], known.file_times[: _FEW * _TIMES_BYTES]
    try:
        return (
            # What was changed lately is changed again: mostly these tell.
            _are_as_in(few, few_times, handle)
            and _are_places_as_in(known.places, known.place_times)
            and _are_as_in(known.folders, known.folder_times, handle)
            and _are_as_in(known.files[_FEW:], known.file_times[_FEW * _TIMES_BYTES :], handle)
            and _are_as_in(known.plain, known.plain_times, handle)
        )
    finally:
        os.close(handle)


def folders_in(snapshot: bytes) -> frozenset[str]:
    """Return the folders of the files that could be indexed; none of a snapshot that makes no sense."""
    try:
        known = _decoder.decode(snapshot)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()
    return frozenset(path.rpartition("/")[0] for path in known.files)


def place_times(path: str) -> FolderTimes:
    """Return the times of what an absolute path leads to, ``ABSENT`` if that is nothing."""
    try:
        status = os.stat(path)  # noqa: PTH116 - for every folder above, and often
    except (OSError, ValueError):
        return ABSENT
    return status.st_mtime_ns, status.st_ctime_ns


def _are_places_as_in(places: list[str], times: bytes) -> bool:
    if len(times) != len(places) * _TIMES_BYTES:
        return False
    stamps = memoryview(times).cast("q")
    known = zip(stamps[::2], stamps[1::2], strict=True)
    return all(place_times(place) == was for place, was in zip(places, known, strict=True))


def _are_as_in(names: list[str], times: bytes, root: int) -> bool:
    """Return whether what has these names below an open folder has these times."""
    if len(times) != len(names) * _TIMES_BYTES:
        return False
    stamps = memoryview(times).cast("q")
    lstat = os.lstat
    try:
        for name, changed, status_changed in zip(names, stamps[::2], stamps[1::2], strict=True):
            status = lstat(name or ".", dir_fd=root)
            if status.st_mtime_ns != changed or status.st_ctime_ns != status_changed:
                return False
    except (OSError, ValueError):
        return False
    return True
