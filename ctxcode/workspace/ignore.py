"""Listing files where there is no git: a walk with nested ``.gitignore`` rules, without folders nobody reads."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ctxcode.model.source import SkippedFile, SkipReason
from ctxcode.workspace.rules.ignore_file import Rules

DEFAULT_IGNORED_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".bzr",
        ".jj",
        "node_modules",
        "bower_components",
        "__pycache__",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        ".eggs",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        "site-packages",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".gradle",
        ".terraform",
        ".idea",
        ".vscode",
    }
)
"""Folders nobody keeps sources in."""
_BUILT_FOLDERS = frozenset({"build", "dist", "target"})
"""What tools put what they make into; a package may be called so, too."""
_BUILDERS = frozenset(
    {
        "CMakeLists.txt",
        "Cargo.toml",
        "build.gradle",
        "build.gradle.kts",
        "build.sbt",
        "meson.build",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "settings.gradle",
        "settings.gradle.kts",
        "setup.cfg",
        "setup.py",
        "tsconfig.json",
    }
)
"""Beside these such a folder is made, if it is no package of Python."""
_IGNORE_FILE_LIMIT_BYTES = 1 << 20

SETTLED_NS = 2_000_000_000
"""A folder that changed so shortly before it was listed may change again without a new time stamp."""

_Rules = tuple[tuple[str, Rules], ...]
"""(folder prefix the rules stand in, rules), outermost first."""
_Stamp = tuple[int, int, int, int, int]
"""Mode, device, inode, and the nanoseconds of the last changes of content and of status."""


FolderTimes = tuple[int, int]
"""Nanoseconds of the last changes of content and of status."""


class Listing(NamedTuple):
    """What one folder held, and everything that depends on."""

    stamp: _Stamp
    ignore_stamp: _Stamp | None
    """Of its own ``.gitignore``; None when it has none."""
    outer: _Rules
    rules: _Rules
    folders: tuple[str, ...]
    """Prefixes of the folders to enter."""
    files: tuple[str, ...]
    left_out: tuple[SkippedFile, ...]
    """Folders that seem to be made of the rest."""


Listings = dict[str, Listing]
"""Listings by folder prefix, kept from one walk to the next."""


class Walk:
    """One walk over a folder; ``paths()`` yields, ``skipped`` then says what could not be entered."""

    def __init__(self, root: str, known: Listings | None = None, clock_ns: Callable[[], int] = time.time_ns) -> None:
        """Take the folder and what the walk before saw: a folder that has not changed is not listed again."""
        self._root = root
        self._clock_ns = clock_ns
        self._known: Listings = known or {}
        self.listings: Listings = {}
        """What the next walk can build on."""
        self.times: list[tuple[str, FolderTimes]] | None = []
        """Of every folder and ignore file; None when one has changed so lately that it may have changed again."""
        self.skipped: list[SkippedFile] = []
        self.left_out: list[SkippedFile] = []
        """Folders that were not entered though no rule says so."""

    def paths(self) -> Iterator[str]:
        """Yield the relative paths of everything that is no folder and not ignored, in no particular order.

        Links to folders are yielded as they are, never entered: cycles can't happen.
        """
        pending: list[tuple[str, _Rules]] = [("", ())]
        while pending:
            prefix, outer = pending.pop()
            known = self._known.get(prefix)
            if known is not None and known.outer is outer and self._is_unchanged(prefix, known):
                listing = self.listings[prefix] = known
            else:
                listing = self._list(prefix, outer)
            self._note_times(prefix, listing)
            self.left_out += listing.left_out
            yield from listing.files
            rules = listing.rules
            pending.extend([(folder, rules) for folder in listing.folders])

    def _is_unchanged(self, prefix: str, known: Listing) -> bool:
        folder = f"{self._root}/{prefix}"
        if _stamp(folder) != known.stamp:
            return False
        return known.ignore_stamp is None or _stamp(f"{folder}.gitignore") == known.ignore_stamp

    def _list(self, prefix: str, outer: _Rules) -> Listing:
        now_ns = self._clock_ns()
        # Looked at before it is read: what changes in between makes another stamp.
        stamp = _stamp(f"{self._root}/{prefix}")
        entries = self._entries(prefix)
        rules, ignore_stamp = outer, None
        if any(entry.name == ".gitignore" for entry in entries):
            ignore_stamp = _stamp(f"{self._root}/{prefix}.gitignore")
            rules = outer + self._rules_of(prefix)
        folders, files, left_out, ignored = list[str](), list[str](), list[SkippedFile](), 0
        builder = min(_BUILDERS.intersection(entry.name for entry in entries), default=None)
        for entry in entries:
            path = prefix + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            # Where a work tree is another's, or a submodule, ``.git`` is a file.
            if entry.name == ".git" or (is_folder and entry.name in DEFAULT_IGNORED_FOLDERS):
                continue
            if rules and _is_ignored(path, rules, is_folder=is_folder):
                ignored += 1
                continue
            if is_folder and builder is not None and entry.name in _BUILT_FOLDERS and not self._is_package(path):
                left_out.append(
                    SkippedFile(f"{_shown(path)}/", SkipReason.BUILT, f"beside {builder}, and no git says more")
                )
            elif is_folder:
                folders.append(path + "/")
            else:
                files.append(path)
        if not prefix and ignored and not folders and not left_out and {".gitignore"}.issuperset(files):
            left_out.append(SkippedFile(".", SkipReason.IGNORED, "its .gitignore leaves nothing to index"))
        kept = tuple(folders), tuple(files), tuple(left_out)
        listing = Listing(stamp or _NO_STAMP, ignore_stamp, outer, rules, *kept)
        if not _is_settled(stamp, now_ns) or not (ignore_stamp is None or _is_settled(ignore_stamp, now_ns)):
            self.times = None
        elif entries:
            self.listings[prefix] = listing
        return listing

    def _is_package(self, path: str) -> bool:
        return os.path.lexists(f"{self._root}/{path}/__init__.py")

    def _note_times(self, prefix: str, listing: Listing) -> None:
        if self.times is not None:
            self.times.append((prefix, listing.stamp[-2:]))
            if listing.ignore_stamp is not None:
                self.times.append((f"{prefix}.gitignore", listing.ignore_stamp[-2:]))

    def _entries(self, prefix: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(f"{self._root}/{prefix}") as entries:
                return list(entries)
        except OSError as error:
            shown = _shown(prefix.rstrip("/"))
            self.skipped.append(SkippedFile(shown or ".", SkipReason.UNREADABLE, error.strerror or ""))
            return []

    def _rules_of(self, prefix: str) -> _Rules:
        path = Path(self._root) / prefix / ".gitignore"
        try:
            status = path.lstat()
            if not path.is_file() or path.is_symlink() or status.st_size > _IGNORE_FILE_LIMIT_BYTES:
                return ()
            text = path.read_bytes()
        except OSError:
            return ()
        return ((prefix, Rules(text)),)


_NO_STAMP: _Stamp = (0, 0, 0, 0, 0)


def _shown(path: str) -> str:
    """Return a path as text: a name may be none."""
    return path.encode("utf-8", "backslashreplace").decode()


def _stamp(path: str) -> _Stamp | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mode, status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _is_settled(stamp: _Stamp | None, now_ns: int) -> bool:
    return stamp is not None and max(stamp[3], stamp[4]) < now_ns - SETTLED_NS


def _is_ignored(path: str, rules: _Rules, *, is_folder: bool) -> bool:
    """Return whether the innermost folder with an opinion ignores a path."""
    for prefix, own in reversed(rules):
        verdict = own.ignores(os.fsencode(path[len(prefix) :]), is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False
