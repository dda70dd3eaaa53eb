"""The one place that runs git, and only verbs that run nothing a repository supplies.

A repository's own configuration can name programs (a file monitor, hooks, filters, text converters). ``ls-files`` with
the guards below runs none of them; ``status`` and ``diff`` run clean filters whatever the guards, so they are not here.
The user's own configuration is read, for the rules it leads to: the guards stand above it as well.
"""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ctxcode.workspace.rules.configuration import LIMIT_BYTES, NO_USER, UserRules, named_in, start_of, user_rules

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
    # Microsoft's git runs what this names.
    "-c",
    "core.virtualFilesystem=",
    "-c",
    "diff.external=",
    "-c",
    "log.showSignature=false",
    "-c",
    "protocol.allow=never",
    # Where an older git fetches what is missing, it begins with a copy of this, whatever the protocol.
    "-c",
    "fetch.bundleURI=",
    "-c",
    "credential.helper=",
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    # An older git does not know the first, and a configuration can allow single protocols.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TRACE2": "0",
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}
_TIMEOUT_SECONDS = 30.0
_AT_EASE_SECONDS = 0.2
"""Git lists most folders in less; for longer it lists many, or waits on what is no file."""
_FOLDERS_AT_ONCE = 2_000
"""So many are looked at before git is asked again whether it is done."""
_LARGEST_BYTES = 1 << 30
"""Of a file git reads whole; an index of ten million files has as many."""
_HEAD_LIMIT_BYTES = 4096
_HEADS = "refs/heads/"
_KEPT_ELSEWHERE = ".invalid"
"""What ``HEAD`` names where references are kept in tables."""
_REBASING = ("rebase-merge", "rebase-apply")
_UNTRACKED = "? "
_SUBMODULE_MODE = "160000"


class Listed(NamedTuple):
    """What git lists below a folder, relative to it."""

    paths: set[str]
    """Tracked and not ignored ones; some may be gone. A repository git does not track ends with a slash."""
    submodules: set[str]
    """Those of the paths that stand for a commit of another repository, whether it is checked out or not."""


class WorkTree(NamedTuple):
    """Where files are checked out, and what git knows of them."""

    top: Path
    git_folder: Path
    """The folder with ``HEAD``."""

    @property
    def common_folder(self) -> Path:
        """The folder with the configuration, the rules and the hooks; one for all linked work trees."""
        return self.git_folder / (_first_line(self.git_folder / "commondir") or "")


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


def is_gits_own(path: str, root: str) -> bool:
    """Return whether a path below ``root`` is in the repository's own folder, whatever that is called.

    Some file systems take letters of either case for the same.
    """
    return path.lower().startswith(tuple(map(str.lower, _own_among_files(root))))


def may_run(program: str, root: str) -> bool:
    """Return whether a program that ``find_git`` found still lies outside the work tree that holds ``root``."""
    return not _is_below(program, outermost_folder(root))


def outermost_folder(root: str) -> str:
    """Return the real path of all that the repository's authors wrote: the git work tree around ``root``, or itself."""
    work_tree = find_work_tree(os.path.realpath(root))
    return os.path.realpath(work_tree[0] if work_tree else root)


def list_files(
    git: str, root: str, timeout_seconds: float = _TIMEOUT_SECONDS, only: Collection[str] = ()
) -> Listed | None:
    """Return tracked and not ignored paths below ``root``, all or some of them; None when git can't tell.

    The work tree is the one the files are in, whatever the repository's configuration calls so.
    """
    # With its tag in front no name can pass for the mode and hash of another.
    listing = _listed(git, root, ("-s", "-o", "-t"), timeout_seconds, only)
    if listing is None:
        return None
    paths, submodules = set[str](), set[str]()
    for entry in os.fsdecode(listing).split("\0"):
        if entry.startswith(_UNTRACKED):
            paths.add(entry.removeprefix(_UNTRACKED))
        elif entry:
            about, _, path = entry.partition("\t")
            paths.add(path)
            if about[2:8] == _SUBMODULE_MODE:
                submodules.add(path)
    return Listed(without_own(paths, root), submodules)


def without_own(paths: set[str], root: str) -> set[str]:
    """Return the paths that are not in the repository's own folder, where that stands among its files.

    So it does where a bare repository is kept beside its work trees, and a ``.git`` file says where.
    """
    own = _own_among_files(root)
    return {path for path in paths if not path.startswith(own)} if own else paths


def _own_among_files(root: str) -> tuple[str, ...]:
    """Return the repository's own folders below ``root`` but for a ``.git``, relative to it, each with a slash."""
    plain = f"{root}/.git"
    is_plain = os.path.isdir(plain) and not os.path.islink(plain)  # noqa: PTH112, PTH114 - for each file read
    if is_plain and not os.path.lexists(f"{plain}/commondir"):
        return ()
    folders = {os.path.relpath(os.path.realpath(folder), root) for folder in git_folders(root)}
    return tuple(f"{folder}/" for folder in folders if not {".git", ".."}.intersection(folder.split("/")))


def list_ignored(git: str, root: str) -> frozenset[str] | None:
    """Return the ignored paths below ``root``, whole folders once, with a slash; None when git can't tell."""
    listing = _listed(git, root, ("-o", "-i", "--directory"), _TIMEOUT_SECONDS)
    return None if listing is None else frozenset(os.fsdecode(name) for name in listing.split(b"\0") if name)


def rule_places(root: str) -> list[str]:
    """Return the absolute paths outside ``root`` that decide what is listed or ignored; some may be missing.

    Raises OSError when ``root`` is in no work tree, or when its configuration leads to other files.
    """
    work_tree = find_work_tree(root)
    if work_tree is None:
        raise FileNotFoundError(root)
    top, git_folder = work_tree
    common = work_tree.common_folder
    for path in (common / "config", git_folder / "config.worktree"):
        configuration = start_of(path, LIMIT_BYTES).lower()
        is_whole = len(configuration) < LIMIT_BYTES
        if not is_whole or b"[include" in configuration or b"excludesfile" in configuration:
            raise FileNotFoundError(root)
    places = [git_folder / "index", git_folder, common, common / "config", git_folder / "config.worktree"]
    places += [common / "info", common / "info" / "exclude"]
    above = Path(root)
    while above != top:
        above = above.parent
        places += [above, above / ".gitignore"]
    user = user_rules(os.environ)
    places += [*user.configurations, *user.rules, *named_in(user.configurations, top, user.home)]
    return [str(place) for place in dict.fromkeys(places)]


def entries_above(root: str) -> list[str]:
    """Return the absolute paths that make, when they come to be, a folder that is in no work tree part of one."""
    start = Path(root)
    return [str(folder / ".git") for folder in (start, *start.parents)]


def _listed(
    git: str, root: str, which: tuple[str, ...], timeout_seconds: float, only: Collection[str] = ()
) -> bytes | None:
    work_tree, user = find_work_tree(root), user_rules(os.environ)
    if work_tree is None or _would_wait(root, work_tree, user):
        return None
    if _are_endless(user, work_tree.top):
        user = NO_USER
    arguments = [git, *_GUARDS, "-C", root, "ls-files", *which, "--exclude-standard", "-z", "--", *only]
    # Told where both are, git looks for neither, and also answers where the files belong to another user: what it
    # refuses there for are the programs a configuration can name, and none of them is run.
    places = {"GIT_WORK_TREE": str(work_tree.top), "GIT_DIR": str(work_tree.git_folder)}
    environment = {**_ENVIRONMENT, "PATH": str(Path(git).parent), **places}
    deadline = time.monotonic() + timeout_seconds
    # A configuration of the user's that git can't read is no reason to know nothing of the repository.
    for own in (NO_USER,) if user is NO_USER else (user, NO_USER):
        listing, code = _output(arguments, {**environment, **own.environment}, root, deadline)
        if listing is None or not code:
            return listing
    return None


def _output(
    arguments: list[str], environment: Mapping[str, str], root: str, deadline: float
) -> tuple[bytes | None, int]:
    """Return what git writes and how it ends; nothing when it can't be run or would wait."""
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            arguments, env=environment, cwd="/", stdin=nothing, stdout=subprocess.PIPE, stderr=nothing, process_group=0
        )
    except OSError:
        return None, 0
    with process:
        try:
            listing = _read_out(process, _waiting_in(root), deadline)
        finally:
            if process.returncode is None:
                _stop(process)
    return listing, process.returncode


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Kill a git and what it has begun: one that it fetches with would go on waiting without it."""
    if sys.platform == "win32":
        process.kill()
    else:
        # One that has just ended is none to macOS.
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _read_out(process: "subprocess.Popen[bytes]", waiting: Iterator[bool], deadline: float) -> bytes | None:
    """Return what git writes; None when it takes too long, or there is a folder in which it would wait for ever.

    Only a git that takes its time is suspected of having come to one.
    """
    while (seconds := deadline - time.monotonic()) > 0:
        try:
            return process.communicate(timeout=min(seconds, _AT_EASE_SECONDS))[0]
        except subprocess.TimeoutExpired:
            if any(islice(waiting, _FOLDERS_AT_ONCE)):
                return None
    return None


def _waiting_in(root: str) -> Iterator[bool]:
    """Yield for each folder below whether git would wait there; folders that git would not enter are among them."""
    pending = [root]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                inside = list(entries)
        except OSError:
            continue
        yield any(entry.name == ".gitignore" and _is_endless(Path(entry.path)) for entry in inside)
        pending += [entry.path for entry in inside if entry.name != ".git" and entry.is_dir(follow_symlinks=False)]


def _would_wait(root: str, tree: WorkTree, user: UserRules) -> bool:
    """Whether git would wait on a pipe or read a device where it expects text, before it enters a folder below."""
    top, git_folder = tree
    common = tree.common_folder
    configurations = [common / "config", git_folder / "config.worktree"]
    read = [Path(root, ".gitignore"), top / ".gitignore", common / "info" / "exclude", *configurations]
    read += [git_folder / name for name in ("HEAD", "index", "commondir", "info/sparse-checkout")]
    read += [common / name for name in ("packed-refs", "objects/info/alternates")]
    return any(map(_is_endless, (*read, *named_in(configurations, top, user.home))))


def _are_endless(user: UserRules, top: Path) -> bool:
    """Whether git would wait on one of the user's own files."""
    named = named_in(user.configurations, top, user.home)
    return any(map(_is_endless, (*user.configurations, *user.rules, *named)))


def _is_endless(path: Path) -> bool:
    """Whether a path leads to what git would wait on, or take into memory until there is none."""
    try:
        status = path.stat()
    except OSError:
        return False
    if stat.S_ISREG(status.st_mode):
        return status.st_size > _LARGEST_BYTES
    return not stat.S_ISDIR(status.st_mode) and os.path.realpath(path) != os.devnull


def find_work_tree(root: str) -> WorkTree | None:
    """Return the git work tree that holds ``root``; None outside git. Follows the ``gitdir:`` of a ``.git`` file."""
    start = Path(root)
    for folder in (start, *start.parents):
        entry = folder / ".git"
        try:
            mode = entry.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            return WorkTree(folder, entry)
        if stat.S_ISREG(mode):
            first = _first_line(entry)
            is_pointer = first.startswith("gitdir:")
            return WorkTree(folder, folder / first.removeprefix("gitdir:").strip()) if is_pointer else None
    return None


def holds_no_work_tree(folder: str) -> bool:
    """Return whether a folder is a bare repository, or the ``.git`` of one that is not."""
    place = Path(folder)
    head = _first_line(place / "HEAD")
    is_head = head.startswith("ref:") or (len(head) >= 40 and head.isalnum())
    return is_head and (place / "objects").is_dir() and (place / "refs").is_dir() and not (place / ".git").exists()


def git_folders(root: str) -> tuple[str, ...]:
    """Return the folders with the repository's git configuration and hooks: the common one, then the work tree's own.

    They are one but in a linked work tree; none outside git.
    """
    tree = find_work_tree(root)
    return () if tree is None else tuple(dict.fromkeys(map(str, (tree.common_folder, tree.git_folder))))


def read_branch(git_folder: Path) -> str:
    """Return the branch name or the first seven digits of a detached commit; empty when it can't be told.

    While a branch is rebased it is that one, and said to be.

    A branch may be called anything: what is hostile in it is made visible where it is shown. Reads ``HEAD`` itself: no
    process is started.
    """
    first = _first_line(git_folder / "HEAD")
    if first.startswith("ref:"):
        name = first.removeprefix("ref:").strip().removeprefix(_HEADS)
        return "" if name == _KEPT_ELSEWHERE else name
    is_commit = len(first) >= 40 and all(digit in "0123456789abcdef" for digit in first)
    rebased = next(filter(None, (_first_line(git_folder / name / "head-name") for name in _REBASING)), "")
    if is_commit and rebased.startswith(_HEADS):
        return f"{rebased.removeprefix(_HEADS)} (rebasing)"
    return first[:7] if is_commit else ""


def _first_line(path: Path) -> str:
    """Return a small regular file's first line; empty for anything else, and for no text. Never waits on a pipe."""
    text = start_of(path, _HEAD_LIMIT_BYTES).decode("utf-8", "replace")
    return text.splitlines()[0].strip() if text.strip() and "\0" not in text else ""


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")
