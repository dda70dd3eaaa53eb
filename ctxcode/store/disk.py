"""Files of a database on disk: private, on which kind of file system, and moved aside when damaged."""

import errno
import os
import stat
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from ctxcode.model.errors import StoreError, UnwritableError

if sys.platform != "win32":
    import fcntl

_CREATING = threading.Lock()
"""Until a file that one thread creates is closed again, no other one takes locks on it."""
_TOLD = 1 << 56
"""How far behind the byte that is fought for lies the one that tells of it."""
_TURN, _WISH = "turn", "wish"
_SIDE_FILES = ("", "-wal", "-shm", "-journal")
_PAGE_BYTES = 4_096
_MOUNTS = Path("/proc/self/mountinfo")
_NETWORK_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "vboxsf"}
)


def _is_usable(path: Path) -> bool:
    """Return whether a file is there, can be read and written, and is private if it is our own; makes it so."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or not os.access(path, os.R_OK | os.W_OK):
            return False
        if hasattr(os, "getuid") and status.st_uid == os.getuid() and status.st_mode & 0o077:
            path.chmod(0o600)
    except (OSError, ValueError):
        return False
    return True


def make_private(path: Path) -> None:
    """Create a file (0600) and its folders (0700) where they are missing; an own file is made private.

    One that can be used is not opened: closing it would give up the locks that SQLite holds on it in this process, and
    another one would take itself for the last and remove the log that is still written.
    Raises StoreError when that can't be done.
    """
    with _CREATING:
        if not _is_usable(path):
            _create(path)


def _create(path: Path) -> None:
    try:
        for folder in (*reversed(path.parent.parents), path.parent):
            # With parents=True the mode is that of the last one only.
            if not folder.exists():
                folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UnwritableError(
            f"{str(path)!r} can't be opened: {reason}",
            "Check the folder's permissions, or choose another place with XDG_DATA_HOME and XDG_CACHE_HOME.",
        ) from error
    try:
        status = os.fstat(descriptor)
        if hasattr(os, "getuid") and status.st_uid == os.getuid() and status.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def move_aside(path: Path) -> Path:
    """Rename a database and its side files to ``<name>.corrupt-<n>`` and return the new path."""
    number = 1
    while (target := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    try:
        for suffix in _SIDE_FILES:
            side = path.with_name(path.name + suffix)
            if side.exists():
                side.rename(target.with_name(target.name + suffix))
    except OSError as error:
        raise StoreError(
            f"{str(path)!r} is damaged and can't be moved aside: {error.strerror}", "Move it away by hand."
        ) from error
    return target


def claims_beside(path: Path) -> Path:
    """Return where the claims are told of a database that several processes write."""
    return path.with_name(f"{path.name}.open")


def is_emptied(path: Path) -> bool:
    """Return whether nothing is left of a database in which something was claimed: it was there before that."""
    try:
        return path.stat().st_size == 0 and claims_beside(path).exists()
    except OSError:
        # Opening it says what is wrong.
        return False


def keep_log(path: Path) -> bool:
    """Give an emptied database a page, without which its log is thrown away unread; return whether there is a log.

    A log that was never written back holds everything. Raises StoreError when there is no room for the page.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or log.stat().st_size == 0:
        return False
    # Added, and only to an empty file: another process may have begun to fill it.
    try:
        with path.open("ab") as file:
            if not file.tell():
                file.write(bytes(_PAGE_BYTES))
    except OSError as error:
        raise UnwritableError(
            f"{str(path)!r} can't be written: {error.strerror}", "Free some space and try again."
        ) from error
    return True


def is_on_network(path: Path) -> bool:
    """Tell whether a path lies on a network file system, where shared memory between processes can't be trusted."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    place = os.path.realpath(path)
    best, kind = "", ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 10 or "-" not in fields:
            continue
        mount = fields[4].replace("\\040", " ")
        if len(mount) >= len(best) and (place == mount or place.startswith(mount.rstrip("/") + "/")):
            best, kind = mount, fields[fields.index("-") + 1]
    return kind in _NETWORK_TYPES or kind.startswith("fuse.s")


def locked_beside(path: Path) -> int | None:
    """Return the descriptor of a lock file beside a path once it is ours; None while another process has it.

    Closing the descriptor gives the lock up, and so does the process's death.
    """
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@dataclass(slots=True)
class Claims:
    """What this process alone works on, told to other processes by locks on single bytes of one file.

    The process's death gives all of them up. Where the system knows no such locks, everything can be had.
    Each name has two bytes: one is fought for, at the other looks who only asks, so that asking is in nobody's way.
    """

    path: Path
    _descriptor: int | None = None
    _own: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, name: str) -> bool:
        """Return whether a name is ours now; false while another process has it."""
        with self._lock:
            if not self._has(name, is_asking=False):
                return False
            self._own.add(name)
        return True

    def is_elsewhere(self, name: str) -> bool:
        """Return whether another process has a name."""
        with self._lock:
            if name in self._own:
                return False
            is_free = self._has(name, is_asking=True)
            self._let_go(_byte_of(name) + _TOLD)
        return not is_free

    def give_up(self, name: str) -> None:
        """Let another process have a name."""
        with self._lock:
            self._own.discard(name)
            self._let_go(_byte_of(name) + _TOLD)
            self._let_go(_byte_of(name))

    def _has(self, name: str, *, is_asking: bool) -> bool:
        """Return whether a name's locks are ours now, or where nobody can tell."""
        if sys.platform == "win32":
            return True
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if is_asking:
                fcntl.lockf(self._descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _byte_of(name) + _TOLD)
            else:
                fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _byte_of(name))
                # Who asks has this one for some microseconds; nobody else can, by now.
                fcntl.lockf(self._descriptor, fcntl.LOCK_EX, 1, _byte_of(name) + _TOLD)
        except OSError as error:
            return error.errno not in {errno.EACCES, errno.EAGAIN} or self._descriptor is None
        return True

    def _let_go(self, byte: int) -> None:
        if sys.platform != "win32" and self._descriptor is not None:
            # What knows no locks has none to be given back.
            with suppress(OSError):
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, byte)

    def close(self) -> None:
        """Give everything up."""
        descriptor, self._descriptor = self._descriptor, None
        self._own.clear()
        if descriptor is not None:
            os.close(descriptor)


def _byte_of(name: str) -> int:
    return int.from_bytes(sha256(name.encode("utf-8", "surrogatepass")).digest()[:7])


class Turn:
    """The right to do what takes long and is needed once; who has it tells the others how far it is.

    A process's death gives it up. Where no such rights are known, everybody has it.
    """

    def __init__(self, path: Path | None) -> None:
        """Name the database; without one the right is always had."""
        self._claims = Claims(path.with_name(f"{path.name}.turn")) if path is not None else None
        self._told = path.with_name(f"{path.name}.told") if path is not None else None
        self._is_telling = False

    def take(self, *, is_pressing: bool = False) -> bool:
        """Return whether it is this process's turn now; a pressing wish is told to whoever has it."""
        if self._claims is None or self._claims.take(_TURN):
            return True
        if is_pressing:
            self._claims.take(_WISH)
        return False

    def is_wished(self) -> bool:
        """Return whether another process waits for it with a pressing wish."""
        return self._claims is not None and self._claims.is_elsewhere(_WISH)

    def tell(self, words: str) -> None:
        """Tell the others how far this is; it is a sign of life too."""
        if self._told is not None:
            # Nobody has to know.
            with suppress(OSError):
                if not self._is_telling:
                    self._told.touch(0o600)
                    self._is_telling = True
                self._told.write_text(words, encoding="utf-8")

    def heard(self) -> str:
        """Return what whoever has the turn told last; nothing where that can't be read."""
        if self._told is not None:
            with suppress(OSError, ValueError):
                return self._told.read_text(encoding="utf-8")
        return ""

    def give_up(self) -> None:
        """Let another process have it, and wish for nothing."""
        if self._told is not None and self._is_telling:
            self._is_telling = False
            with suppress(OSError):
                self._told.unlink(missing_ok=True)
        if self._claims is not None:
            self._claims.close()
