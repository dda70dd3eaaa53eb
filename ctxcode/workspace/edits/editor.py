"""Reading and writing sets of files: all of a set is written, or nothing, whatever happens in between."""

import errno
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ctxcode.model.edit.change import FileImage, FileWrite, bytes_digest
from ctxcode.model.edit.path import writable_path
from ctxcode.model.errors import EditError, RefusedPathError, StaleFileError
from ctxcode.model.secret.path import is_secret
from ctxcode.workspace.edits.place import Seen, folder_of, real_path, seen
from ctxcode.workspace.edits.vault import Entry, Pending, Vault
from ctxcode.workspace.git import is_gits_own

_NEW_FILE = 0o666
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_SPARE_NAME_CHARS = 60
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS})
"""How a file system says that it knows no hard links."""
_REPLACED = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


@dataclass(frozen=True, slots=True)
class FolderEditor:
    """Edits files below a real path."""

    root: str
    vault: Vault

    def image(self, path: str) -> FileImage:
        """Return a file as it is. Raises RefusedPathError or EditError for one that is never or can't be edited."""
        inside, is_link = real_path(self.root, writable_path(path))
        inside = writable_path(inside)
        if is_gits_own(inside, self.root):
            raise RefusedPathError(f"{path!r} belongs to git and is never written", "Name a file of the work tree.")
        if is_secret(path) or is_secret(inside):
            raise RefusedPathError(f"{path!r} looks like a secret and is never written", "Edit it by hand.")
        found = self._seen(inside)
        if found is not None and not os.access(f"{self.root}/{inside}", os.W_OK):
            raise EditError(f"{path!r} is read-only", "Change its permissions first.")
        if found is None:
            return FileImage(inside, None, is_link)
        return FileImage(inside, found.data, is_link, found.status.st_mode & 0o7777)

    def kept(self, digest: str) -> bytes | None:
        """Return bytes that a file had before an edit; None when they are no longer kept."""
        return self.vault.kept(digest)

    def write(self, writes: Sequence[FileWrite]) -> tuple[str, ...]:
        """Write all files of a set or none, and return the folders that were made.

        Raises StaleFileError when a file is not what was expected, else EditError.
        """
        try:
            with self.vault.locked(waits=True):
                return self._write(writes)
        except OSError as error:
            raise EditError(f"nothing was written: {_cause(error)}", "Mend that and try again.") from error

    def remove_empty(self, folders: Iterable[str]) -> None:
        """Take folders away that are empty, inner ones first."""
        for folder in sorted(folders, key=len, reverse=True):
            with suppress(OSError), folder_of(self.root, folder) as (handle, name):
                os.rmdir(name, dir_fd=handle)

    def recover(self) -> tuple[str, ...]:
        """Take back a set that a process which is gone had begun; return the files that were restored.

        Raises EditError when that can't be done.
        """
        if not self.vault.is_interrupted:
            return ()
        with self.vault.locked(waits=False) as is_mine:
            return self._take_back() if is_mine else ()

    def _write(self, writes: Sequence[FileWrite]) -> tuple[str, ...]:
        self._take_back()
        found = {one.path: self._expected(one) for one in writes}
        try:
            folders = self._make(writes, found)
            self.vault.end()
        except (OSError, EditError):
            self._take_back()
            raise
        self.vault.prune()
        return folders

    def _seen(self, path: str) -> Seen | None:
        try:
            return seen(self.root, path)
        except OSError as error:
            raise EditError(f"{path!r} can't be read: {error.strerror}", "Check the path and permissions.") from error

    def _expected(self, one: FileWrite) -> Seen | None:
        found = self._seen(one.path)
        if (found.digest if found is not None else "") != one.expected:
            raise StaleFileError(f"{one.path!r} changed after the edit was proposed", "Look at the new diff.")
        return found

    def _make(self, writes: Sequence[FileWrite], found: dict[str, Seen | None]) -> tuple[str, ...]:
        for before in found.values():
            if before is not None:
                self.vault.keep(before.data)
        folders = self._missing_folders(one.path for one in writes if one.data is not None)
        entries = [_entry(one, found) for one in writes]
        self.vault.begin(Pending(tuple(entries), folders))
        for folder in folders:
            with folder_of(self.root, folder) as (handle, name):
                os.mkdir(name, dir_fd=handle)
        for one, entry in zip(writes, entries, strict=True):
            if one.data is not None:
                self._write_spare(entry, one, one.data, found.get(one.path) or found.get(one.like))
        for entry in entries:
            self._put(entry, found[entry.path])
        return folders

    def _missing_folders(self, paths: Iterable[str]) -> tuple[str, ...]:
        missing: dict[str, None] = {}
        for path in paths:
            parts = path.split("/")[:-1]
            for count in range(1, len(parts) + 1):
                folder = "/".join(parts[:count])
                if not Path(self.root, folder).is_dir():
                    missing[folder] = None
        return tuple(missing)

    def _write_spare(self, entry: Entry, one: FileWrite, data: bytes, like: Seen | None) -> None:
        """Write a file's new content beside it, with the permissions it is to have."""
        with folder_of(self.root, entry.path) as (folder, _):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
            handle = os.open(entry.spare, flags, _NEW_FILE if like is None else 0o600, dir_fd=folder)
            with os.fdopen(handle, "wb") as file:
                if like is not None:
                    self._dress(handle, like, one.like or one.path)
                elif one.mode:
                    os.fchmod(handle, one.mode)
                file.write(data)
                file.flush()
                os.fsync(handle)

    def _dress(self, handle: int, like: Seen, path: str) -> None:
        """Give a new file the owner, permissions and attributes of the one it replaces."""
        mine = os.fstat(handle)
        if (mine.st_uid, mine.st_gid) != (like.status.st_uid, like.status.st_gid):
            try:
                os.fchown(handle, like.status.st_uid, like.status.st_gid)
            except PermissionError as error:
                raise EditError(f"{path!r} belongs to another user", "Edit it by hand.") from error
        os.fchmod(handle, like.status.st_mode & 0o7777)
        if hasattr(os, "listxattr"):
            with suppress(OSError), folder_of(self.root, path) as (folder, name):
                _copy_attributes(os.open(name, _READ, dir_fd=folder), handle)

    def _put(self, entry: Entry, before: Seen | None) -> None:
        """Put a file's new content in its place, or take the file away, if it is still what was looked at."""
        with folder_of(self.root, entry.path) as (folder, name):
            if before is None:
                _put_new(entry.spare, name, folder)
            else:
                status = _status(name, folder)
                if status is None or not before.is_same(status):
                    raise StaleFileError(f"{entry.path!r} changed while it was written", "Look at the new diff.")
                if entry.after:
                    os.rename(entry.spare, name, src_dir_fd=folder, dst_dir_fd=folder)
                else:
                    os.unlink(name, dir_fd=folder)
            os.fsync(folder)

    def _take_back(self) -> tuple[str, ...]:
        """Make all files of a begun set what they were; those somebody changed since are left alone."""
        if not self.vault.is_interrupted:
            return ()
        pending = self.vault.begun()
        try:
            restored = [entry.path for entry in reversed(pending.entries) if self._restore(entry)]
        except OSError as error:
            raise EditError(
                f"an interrupted edit can't be taken back: {_cause(error)}", "Mend that and start ctxcode again."
            ) from error
        self.remove_empty(pending.folders)
        self.vault.end()
        return tuple(restored)

    def _restore(self, entry: Entry) -> bool:
        try:
            return self._restored(entry)
        except OSError as error:
            # What stands there now, a link perhaps, is not what was written.
            if error.errno in _REPLACED:
                return False
            raise

    def _restored(self, entry: Entry) -> bool:
        with folder_of(self.root, entry.path) as (folder, name):
            with suppress(FileNotFoundError):
                os.unlink(entry.spare, dir_fd=folder)
            try:
                now = seen(self.root, entry.path)
            except EditError:
                return False
            if (now.digest if now is not None else "") != entry.after or entry.after == entry.before:
                return False
            if not entry.before:
                os.unlink(name, dir_fd=folder)
                return True
            data = self.vault.kept(entry.before)
            if data is None:
                raise EditError(f"the former content of {entry.path!r} is lost", "Look at the file yourself.")
            handle = os.open(entry.spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, entry.mode)
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.rename(entry.spare, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
            return True


def _entry(one: FileWrite, found: dict[str, Seen | None]) -> Entry:
    name = one.path.rpartition("/")[2]
    before = found[one.path]
    mode = before.status.st_mode & 0o7777 if before is not None else 0
    after = bytes_digest(one.data) if one.data is not None else ""
    return Entry(one.path, one.expected, after, mode, f".{name[:_SPARE_NAME_CHARS]}.{secrets.token_hex(6)}.ctxcode")


def _copy_attributes(source: int, handle: int) -> None:
    """Give an open file the extended attributes of another, which is closed."""
    try:
        for name in os.listxattr(source):
            os.setxattr(handle, name, os.getxattr(source, name))
    finally:
        os.close(source)


def _put_new(spare: str, name: str, folder: int) -> None:
    """Name a new file without ever replacing one that came there meanwhile."""
    try:
        os.link(spare, name, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError as error:
        raise StaleFileError(f"{name!r} exists now", "Look at the new diff.") from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if _status(name, folder) is not None:
            raise StaleFileError(f"{name!r} exists now", "Look at the new diff.") from error
        os.rename(spare, name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    os.unlink(spare, dir_fd=folder)


def _status(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _cause(error: OSError) -> str:
    return f"{error.strerror or error}" + (f": {os.fsdecode(error.filename)!r}" if error.filename else "")
