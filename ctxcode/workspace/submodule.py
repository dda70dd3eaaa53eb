"""All that git lists below a folder, in the submodules that are checked out there as well, and in theirs.

What is a submodule says git's index, and where it stands is its path: ``.gitmodules`` is never read. A submodule is
entered through real folders only, and only when git keeps its repository where it keeps those of submodules; every
other one is told with the reason. Each is listed by a git of its own, under the same guards.
"""

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ctxcode.model.source import SkippedFile, SkipReason
from ctxcode.workspace import git

_MOST_SUBMODULES = 1_000
_MOST_SECONDS = 60.0
"""For all submodules together; the folder itself has its own time."""
_ABSENT = "a submodule that is not checked out: run 'git submodule update --init'"
_UNPLAIN_PARTS = frozenset({"", ".", "..", ".git"})


@dataclass(slots=True)
class Trees:
    """What git lists below a folder, in its own work tree and in those of submodules; paths relative to the folder."""

    paths: set[str]
    """As ``Listed`` has them, without the submodules themselves."""
    prefixes: list[str] = field(default_factory=lambda: [""])
    """Of each work tree that is listed: empty for the folder's own, the path of a submodule and a slash."""
    closed: dict[str, str] = field(default_factory=dict)
    """The submodules that are not listed, with the reason."""

    @property
    def skipped(self) -> list[SkippedFile]:
        """Return the submodules that are not listed, as a scan tells them."""
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
        elif (inner := git.list_files(program, f"{root}/{path}", seconds)) is None:
            found.closed[path] = "git can't list it: see what 'git status' says there"
        else:
            found.prefixes.append(f"{path}/")
            found.paths.update(f"{path}/{name}" for name in inner.paths - inner.submodules)
            pending += _below(f"{path}/", inner.submodules)
    return found


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
    top = Path(root, path)
    tree, outer = git.find_work_tree(str(top)), git.find_work_tree(str(top.parent))
    if tree is None or outer is None:
        return "its .git leads nowhere"
    if tree.top != top:
        return _ABSENT
    is_own = tree.git_folder == top / ".git" and _leads_below(tree.common_folder, tree.git_folder)
    homes = [folder / "modules" for folder in (outer.git_folder, outer.common_folder)]
    is_kept = any(_leads_below(tree.git_folder, home) and _leads_below(tree.common_folder, home) for home in homes)
    return "" if is_own or is_kept else "its .git leads elsewhere: open it by itself"


def _leads_below(path: Path, home: Path) -> bool:
    """Return whether a path really is, or is below, what another one says."""
    real, real_home = os.path.realpath(path), os.path.realpath(home.parent)
    return Path(real).is_relative_to(Path(real_home, home.name))
