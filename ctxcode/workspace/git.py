"""The one place that runs git, and only verbs that run nothing a repository supplies.

A repository's own configuration can name programs (a file monitor, hooks, filters, text converters). ``ls-files`` with
the guards below runs none of them; ``status`` and ``diff`` run clean filters whatever the guards, so they are not here.
"""

import os
import stat
import subprocess
from pathlib import Path

_GUARDS = (
    "--no-optional-locks",
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "diff.external=",
    "-c",
    "log.showSignature=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "credential.helper=",
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}
_TIMEOUT_SECONDS = 30
_HEAD_LIMIT_BYTES = 4096


def find_git(root: str, search_path: str) -> str | None:
    """Return the absolute path of a git program outside the work tree that holds ``root``, or None.

    ``search_path`` is the user's PATH; relative entries and entries inside the repository are passed over.
    """
    real_root = outermost_folder(root)
    for folder in search_path.split(os.pathsep):
        if not Path(folder).is_absolute():
            continue
        program = os.path.realpath(Path(folder) / "git")
        if not _is_below(program, real_root) and Path(program).is_file() and os.access(program, os.X_OK):
            return program
    return None


def outermost_folder(root: str) -> str:
    """Return the real path of all that the repository's authors wrote: the git work tree around ``root``, or itself."""
    work_tree = find_work_tree(os.path.realpath(root))
    return os.path.realpath(work_tree[0] if work_tree else root)


def list_files(git: str, root: str) -> bytes | None:
    """Return tracked and not ignored paths below ``root``, each ended by NUL; None when git can't tell.

    Paths are relative to ``root``. A path may be listed twice and may be gone. The work tree is the one the files are
    in, whatever the repository's configuration calls so.
    """
    return _listed(git, root, ("-c", "-o"))


def list_ignored(git: str, root: str) -> frozenset[str] | None:
    """Return the ignored paths below ``root``, whole folders once, with a slash; None when git can't tell."""
    listing = _listed(git, root, ("-o", "-i", "--directory"))
    return None if listing is None else frozenset(os.fsdecode(name) for name in listing.split(b"\0") if name)


def rule_places(root: str) -> list[str]:
    """Return the absolute paths outside ``root`` that decide, when they change, what is listed or ignored.

    Files that are not there are spoken for by their folder. Raises OSError when ``root`` is in no work tree, or when
    its configuration leads to other files.
    """
    work_tree = find_work_tree(root)
    if work_tree is None:
        raise FileNotFoundError(root)
    top, git_folder = work_tree
    common = git_folder / (_first_line(git_folder / "commondir") or ".")
    configuration = (common / "config").read_bytes().lower()
    if b"include" in configuration or b"excludesfile" in configuration:
        raise FileNotFoundError(root)
    places = [git_folder / "index", common, common / "config", common / "info", common / "info" / "exclude"]
    above = Path(root)
    while above != top:
        above = above.parent
        places += [above, above / ".gitignore"]
    return [str(place) for place in places if place.exists()]


def _listed(git: str, root: str, which: tuple[str, ...]) -> bytes | None:
    work_tree = find_work_tree(root)
    if work_tree is None or _would_wait(root, *work_tree):
        return None
    arguments = [git, *_GUARDS, "-C", root, "ls-files", *which, "--exclude-standard", "-z"]
    environment = {**_ENVIRONMENT, "PATH": str(Path(git).parent), "GIT_WORK_TREE": str(work_tree[0])}
    try:
        done = subprocess.run(
            arguments,
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _would_wait(root: str, top: Path, git_folder: Path) -> bool:
    """Whether git would wait on a pipe or read a device where it expects rules; of folders below only time tells."""
    for path in (Path(root, ".gitignore"), top / ".gitignore", git_folder / "config", git_folder / "info" / "exclude"):
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return True
    return False


def find_work_tree(root: str) -> tuple[Path, Path] | None:
    """Return the top of the git work tree that holds ``root`` and its folder with ``HEAD``; None outside git.

    Follows the ``gitdir:`` of a ``.git`` file.
    """
    start = Path(root)
    for folder in (start, *start.parents):
        entry = folder / ".git"
        try:
            mode = entry.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            return folder, entry
        if stat.S_ISREG(mode):
            first = _first_line(entry)
            is_pointer = first.startswith("gitdir:")
            return (folder, folder / first.removeprefix("gitdir:").strip()) if is_pointer else None
    return None


def git_folder(root: str) -> str | None:
    """Return the folder with the repository's git configuration; None outside git."""
    work_tree = find_work_tree(root)
    return None if work_tree is None else str(work_tree[1])


def read_branch(git_folder: Path) -> str:
    """Return the branch name or the first seven digits of a detached commit; empty when it can't be told.

    Reads ``HEAD`` itself: no process is started.
    """
    first = _first_line(git_folder / "HEAD")
    if first.startswith("ref:"):
        name = first.removeprefix("ref:").strip().removeprefix("refs/heads/")
        return name if name.isprintable() else ""
    is_commit = len(first) >= 40 and all(digit in "0123456789abcdef" for digit in first)
    return first[:7] if is_commit else ""


def _first_line(path: Path) -> str:
    """Return a small regular file's first line; empty for anything else. Never waits on a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        text = os.read(handle, _HEAD_LIMIT_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(handle)
    return text.splitlines()[0].strip() if text.strip() else ""


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")
