"""Whether an index is up to date, checked in a copy of this process while this one loads all else; imports little."""

import os
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from ctxcode.bootstrap.index.early import index_folder, useful_workers
from ctxcode.store.index.seen import INDEX_FILE, INDEX_FOLDERS, read_snapshot
from ctxcode.workspace.snapshot import is_as_in


class EarlyCheck:
    """A copy of this process that compares a work tree with what the index was made of."""

    def __init__(self, process: int, answer: int) -> None:
        """Take the copy's number, and the end of a pipe at which it tells the hash of a snapshot that still holds."""
        self._process = process
        self._answer = answer

    def holds(self, snapshot: bytes) -> bool:
        """Return whether the copy has just found the work tree to be as in a snapshot; waits for it, once."""
        process, self._process = self._process, 0
        if not process:
            return False
        with open(self._answer, "rb") as answer:  # noqa: PTH123 - an open pipe
            told = answer.read()
        with suppress(ChildProcessError):
            os.waitpid(process, 0)
        return told == _told(snapshot)


def start_check(repository: Path, environment: Mapping[str, str]) -> EarlyCheck | None:
    """Begin to check a repository that has an index; None where that can't be done or would take longer.

    To be called before anything else runs in this process: only its main thread goes on in the copy.
    """
    if sys.platform != "linux" or useful_workers() < 2:
        return None
    place = index_folder(repository, environment)
    index = _last_written(place.cache) if place is not None else None
    if place is None or index is None:
        return None
    answer, telling = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(answer)
        os.close(telling)
        return None
    if not process:
        try:
            os.write(telling, _checked(index, place.root))
        finally:
            # Whatever was wrong, the other process meets and says it.
            os._exit(0)
    os.close(telling)
    return EarlyCheck(process, answer)


def _last_written(cache: Path) -> Path | None:
    """Return the index in a repository's folder that was written last: which one this ctxcode has loads later.

    Another's tells of another snapshot, which is nothing.
    """
    with suppress(OSError):
        return max(cache.glob(f"{INDEX_FOLDERS}*/{INDEX_FILE}"), key=lambda file: file.stat().st_mtime, default=None)
    return None


def _checked(index: Path, root: Path) -> bytes:
    """Return what tells the snapshot of an index, empty when its work tree has changed."""
    with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)) as connection:
        snapshot = read_snapshot(connection)
    return _told(snapshot) if is_as_in(snapshot, str(root)) else b""


def _told(snapshot: bytes) -> bytes:
    # Both processes hash alike: one is a copy of the other.
    return str(hash(snapshot)).encode()
