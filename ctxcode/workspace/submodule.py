"""All that git lists below a folder, in the submodules that are checked out there as well, and in theirs.

What is a submodule says git's index, and where it stands is its path: ``.gitmodules`` is never read. A submodule is
entered through real folders only. Where git keeps its repository in the place for submodules', a git of its own lists
it, under the same guards; any other one is walked, so that nothing outside the root is read.
"""

import os
import stat
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ctxcode.model.source import SkippedFile, SkipReason
from ctxcode.workspace import git
from ctxcode.workspace.ignore import Walk

_MOST_SUBMODULES = 1_000
_MOST_SECONDS = 60.0
"""For all submodules together; the folder itself has its own time."""
_MOST_SECONDS_EACH = 10.0
_ABSENT = "a submodule that is not checked out: run 'git submodule update --init'"
_UNPLAIN_PARTS = frozenset({"", ".", "..", ".git"})


@dataclass(slots=True)
class Trees:
    """What git lists below a folder, in its own work tree and in those of submodules; paths relative to the folder."""

    paths: set[str]
    """As ``Listed`` has them, without the submodules themselves."""
    prefixes: list[str] = field(default_factory=lambda: [""])
    """Of each work tree that git lists: empty for the folder's own, the path of a submodule and a slash."""
    closed: dict[str, str] = field(default_factory=dict)
    """The submodules that are not entered, with the reason."""
    walked: list[str] = field(default_factory=list)
    """The submodules git is not asked about."""

    @property
    def skipped(self) -> list[SkippedFile]:
        """Return the submodules that are not entered, as a scan tells them."""
        rows = [(os.fsencode(path).decode("utf-8", "backslashreplace"), why) for path, why in self.closed.items()]
        return [SkippedFile(path, SkipReason.OTHER_REPOSITORY, why) for path, why in rows]


def list_trees(program: str, root: str, clock: Callable[[], float] = time.monotonic) -> Trees | None:
    """Return tracked and not ignored paths below ``root``, those of submodules too; None when git can't tell.

    At most 1,000 submodules are listed, and none begun a minute after the first.
    """
    listed = git.list_files(program, root)
    if listed is None:
        return None
    found, pending = Trees(listed.paths), _below("", listed.submodules)
    found.paths -= listed.submodules
    deadline = clock() + _MOST_SECONDS
    while pending:
        path = pending.pop()
        seconds = deadline - clock()
        if len(found.prefixes) > _MOST_SUBMODULES:
            found.closed[path] = f"more than {_MOST_SUBMODULES:,} submodules: open it by itself"
        elif seconds <= 0:
            found.closed[path] = "listing the submodules before it took too long: open it by itself"
        elif reason := _closed(root, path):
            found.closed[path] = reason
        elif (inner := _listed(program, root, path, min(seconds, _MOST_SECONDS_EACH))) is not None:
            found.prefixes.append(f"{path}/")
            found.paths.update(f"{path}/{name}" for name in inner.paths - inner.submodules)
            pending += _below(f"{path}/", inner.submodules)
        else:
            found.walked.append(path)
            found.paths.update(f"{path}/{name}" for name in Walk(f"{root}/{path}").paths())
    return found


class ListedAgain(NamedTuple):
    """A listing after some files have come or gone."""

    trees: Trees
    come: frozenset[str]
    gone: frozenset[str]


def list_again(program: str, root: str, trees: Trees, files: Collection[str]) -> ListedAgain | None:
    """Return a listing after some files have come or gone; None when git can't tell, or only for all of them.

    All else that decides what is listed must be as it was.
    """
    if len(trees.prefixes) > 1 or trees.closed or trees.walked:
        return None
    listed = git.list_files(program, root, only=files)
    if listed is None:
        return None
    there, were = listed.paths.intersection(files), trees.paths.intersection(files)
    now = trees.paths.copy()
    now -= were
    now |= there
    return ListedAgain(Trees(now), frozenset(there - were), frozenset(were - there))


def _below(prefix: str, submodules: set[str]) -> list[str]:
    """Return the paths of submodules of one work tree, the one to look at first last."""
    return sorted((prefix + path for path in submodules), reverse=True)


def _closed(root: str, path: str) -> str:
    """Return why a submodule is not entered; empty when it is."""
    parts = path.split("/")
    if not _UNPLAIN_PARTS.isdisjoint(parts):
        return "its path does not lead below the repository"
    for count in range(1, len(parts) + 1):
        try:
            mode = Path(root, *parts[:count]).lstat().st_mode
        except OSError:
            return _ABSENT
        if not stat.S_ISDIR(mode):
            return "a link stands in its place" if stat.S_ISLNK(mode) else "a file stands in its place"
    return "" if any(name != ".git" for name in _names(Path(root, path))) else _ABSENT


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names, no paths
    except OSError:
        return []


def _listed(program: str, root: str, path: str, timeout_seconds: float) -> git.Listed | None:
    """Return what git lists in a submodule; None when it can't, or would have to look outside of the root for it."""
    top = Path(root, path)
    tree, outer = git.find_work_tree(str(top)), git.find_work_tree(str(top.parent))
    if tree is None or outer is None or tree.top != top:
        return None
    is_own = tree.git_folder == top / ".git" and _leads_below(tree.common_folder, tree.git_folder)
    homes = [folder / "modules" for folder in (outer.git_folder, outer.common_folder)]
    is_kept = any(_leads_below(tree.git_folder, home) and _leads_below(tree.common_folder, home) for home in homes)
    return git.list_files(program, str(top), timeout_seconds) if is_own or is_kept else None


def _leads_below(path: Path, home: Path) -> bool:
    """Return whether a path really is, or is below, what another one says."""
    real, real_home = os.path.realpath(path), os.path.realpath(home.parent)
    return Path(real).is_relative_to(Path(real_home, home.name))
