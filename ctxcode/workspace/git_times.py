"""By what one can tell that git would list the same files: time stamps of all that its listing depends on.

That is the index and the rules, and every folder a file git does not ignore can appear in: folders that hold listed
files, and those below them that hold none, unless they are ignored.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ctxcode.workspace import git
from ctxcode.workspace.aside.folders import Altered, Times
from ctxcode.workspace.snapshot import place_times
from ctxcode.workspace.submodule import Trees

_FEW_FOLDERS = 200
"""So many folders without listed files are stamped without asking git which of them it ignores."""
_MOST_FOLDERS = 5_000

_MOST_ALTERED = 20
"""Folders whose names are looked at again; with more of them, git is asked."""

_MOST_FILES = 50
"""Files come and gone; with more of them, git is asked for all."""
_DECIDING = frozenset({".gitignore", ".git"})
"""What decides what git lists of other files."""

Names = frozenset[tuple[str, bool]]
"""What a folder holds, and of each whether it is a folder."""


class ListingTimes(NamedTuple):
    """What a listing depends on, as it was."""

    inside: Times
    """Folders and rules below the root."""
    outside: Times
    """What lies elsewhere or does not exist, by absolute path; ``snapshot.place_times`` has them."""
    names: Mapping[str, Names]
    """By folder below the root."""

    def come_and_gone(self, root: str, altered: Sequence[Altered]) -> "ComeAndGone | None":
        """Return what came or went in altered folders; None when git might list other files elsewhere too.

        A folder has another time, too, when a file in it was replaced, which is how many editors save.
        """
        prefix = f"{root.rstrip('/')}/"
        if len(altered) > _MOST_ALTERED or any(place_times(path) != times for path, times in self.outside):
            return None
        folders, files = dict[str, Names](), list[str]()
        for folder, _ in altered:
            now = _names(prefix + folder) if folder in self.names else None
            if now is None:
                return None
            differing = now ^ self.names[folder]
            # What is no ASCII some systems tell otherwise than git.
            if any(is_folder or name in _DECIDING or not name.isascii() for name, is_folder in differing):
                return None
            if differing:
                folders[folder] = now
                files += {folder + name for name, _ in differing}
        latest_ns = max((changed_ns for _, changed_ns in altered), default=0)
        return ComeAndGone(folders, files, latest_ns) if len(files) <= _MOST_FILES else None

    def after(self, differing: "ComeAndGone") -> "ListingTimes":
        """Return the same with what some folders hold now."""
        return self._replace(names={**self.names, **differing.folders})


class ComeAndGone(NamedTuple):
    """Where nothing but files came or went."""

    folders: Mapping[str, Names]
    """What they hold now."""
    files: list[str]
    """What came and what went."""
    latest_ns: int
    """When the last of all folders that have other times changed; 0 where none has."""


def _names(folder: str) -> Names | None:
    try:
        with os.scandir(folder) as entries:
            return frozenset([(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries])
    except OSError:
        return None


class Unsettled(Exception):  # noqa: N818 - no error: an answer
    """Something changed so lately that it may change again without a new time stamp, or can't be looked at."""


def times_of(program: str, root: str, trees: Trees, settled_ns: int) -> ListingTimes | None:
    """Return what decides what git lists, given the listing; None when a time is not before ``settled_ns``."""
    try:
        inside = _Stamps(f"{root.rstrip('/')}/", settled_ns)
        _add_folders(inside, program, root, trees)
        places = [path for prefix in trees.prefixes for path in git.rule_places(str(Path(root, prefix)))]
        outside = times_elsewhere(dict.fromkeys(places), settled_ns)
    except (Unsettled, OSError):
        return None
    return ListingTimes(inside.times, outside, inside.names)


def times_walked(root: str, inside: Times, settled_ns: int) -> ListingTimes | None:
    """Return what decides what a walk finds, given the times of all it met; None when one is not settled.

    In a work tree also what decides whether git can tell more: None when there is no saying.
    """
    try:
        is_git = git.find_work_tree(root) is not None
        places = git.rule_places(root) if is_git else git.entries_above(root)
        return ListingTimes(inside, times_elsewhere(places, settled_ns), {})
    except (Unsettled, OSError):
        return None


def times_elsewhere(places: Iterable[str], settled_ns: int) -> Times:
    """Return the times of absolute paths. Raises Unsettled."""
    times = [(path, place_times(path)) for path in places]
    if any(max(of_place) >= settled_ns for _, of_place in times):
        raise Unsettled
    return times


class _Stamps:
    """Times by name below a prefix."""

    def __init__(self, prefix: str, settled_ns: int) -> None:
        self.prefix = prefix
        self.settled_ns = settled_ns
        self.times: Times = []
        self.names: dict[str, Names] = {}

    def add(self, name: str) -> None:
        """Note the times of a folder or file. Raises Unsettled and OSError."""
        status = os.lstat(self.prefix + name)
        if max(status.st_mtime_ns, status.st_ctime_ns) >= self.settled_ns:
            raise Unsettled
        self.times.append((name, (status.st_mtime_ns, status.st_ctime_ns)))

    def enter(self, folder: str) -> Iterator[str]:
        """Note a folder and its rules; yield the folders in it, links and ``.git`` left out. Raises as ``add`` does."""
        self.add(folder)
        names = _names(self.prefix + folder)
        if names is None:
            raise Unsettled
        self.names[folder] = names
        for name, is_folder in sorted(names):
            if name == ".gitignore":
                self.add(folder + name)
            elif is_folder and name != ".git":
                yield f"{folder}{name}/"


def _add_folders(stamps: _Stamps, program: str, root: str, trees: Trees) -> None:
    holders = _folders_of(trees.paths)
    pending, others = [""], list[str]()
    while pending:
        for folder in stamps.enter(pending.pop()):
            if folder in holders:
                pending.append(folder)
            elif folder in trees.paths or folder[:-1] in trees.closed:
                stamps.add(folder)  # a repository of its own
            else:
                others.append(folder)
    if not _add_others(stamps, others, frozenset(), _FEW_FOLDERS):
        ignored = set[str]()
        for prefix in trees.prefixes:
            found = git.list_ignored(program, str(Path(root, prefix)))
            if found is None:
                raise Unsettled
            ignored.update(prefix + name for name in found)
        if not _add_others(stamps, others, ignored, _MOST_FOLDERS):
            raise Unsettled


def _add_others(stamps: _Stamps, folders: Iterable[str], ignored: Collection[str], most: int) -> bool:
    """Note folders that hold no listed files, and all below them; return False, noting none, when they are too many."""
    found = _Stamps(stamps.prefix, stamps.settled_ns)
    pending = list(folders)
    while pending:
        folder = pending.pop()
        if folder in ignored:
            continue
        if len(found.times) >= most:
            return False
        pending.extend(found.enter(folder))
    stamps.times += found.times
    stamps.names.update(found.names)
    return True


def _folders_of(paths: Iterable[str]) -> set[str]:
    """Return every folder above a path, with a slash at its end."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in folders:
            folders.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return folders
