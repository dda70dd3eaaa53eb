"""A folder that becomes part of a repository, or is none any more, is followed like any other change."""

import os
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from file_clock import let_the_clock_move

from ctxcode.codegraph.languages import language_of
from ctxcode.model.errors import RefusedPathError
from ctxcode.workspace.edits.editor import FolderEditor
from ctxcode.workspace.edits.vault import Vault
from ctxcode.workspace.files import FolderWorkspace, open_workspace

HOUR_NS = 3_600_000_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder without git, two below one that may get it; what git alone leaves out is in it."""
    root = tmp_path / "above/work"
    (root / "lib").mkdir(parents=True)
    for name in ("a.py", "hidden.py", "lib/b.py"):
        (root / name).write_text("x = 1\n")
    return root


def init(folder: Path) -> None:
    """Make a folder a repository, on a branch, that hides a file without saying so in the folder."""
    subprocess.run(["git", "init", "-q", "-b", "trunk", folder], check=True)
    (folder / ".git/info/exclude").write_text("hidden.py\n")


def opened(root: Path) -> FolderWorkspace:
    return replace(open_workspace(str(root), language_of), clock_ns=lambda: time.time_ns() + HOUR_NS)


def state(workspace: FolderWorkspace) -> tuple[list[str], list[str], bool, str]:
    """Return what is indexed, what may be named, whether git is there and which branch."""
    found = [file.path for file in workspace.scan().files]
    names = [path for path in workspace.file_paths() if path.endswith(".py")]
    return found, names, workspace.info.is_git, workspace.info.branch


ALL = ["a.py", "hidden.py", "lib/b.py"]
WITHOUT = (ALL, ALL, False, "")
WITHIN = (["a.py", "lib/b.py"], ["a.py", "lib/b.py"], True, "trunk")


@pytest.mark.parametrize("place", [".", ".."])
def test_a_session_follows_git_that_comes_and_goes_and_comes_back(root: Path, place: str) -> None:
    workspace, top = opened(root), root / place
    assert WITHOUT == state(workspace)
    for _ in range(2):
        init(top)
        assert WITHIN == state(workspace) == state(opened(root))
        shutil.rmtree(top / ".git")
        assert WITHOUT == state(workspace) == state(opened(root))
    init(top)
    assert WITHIN == state(workspace)
    (top / ".git").rename(root.parent / "kept")
    assert WITHOUT == state(workspace)
    (root.parent / "kept").rename(top / ".git")
    assert WITHIN == state(workspace)


@pytest.mark.parametrize("place", [".", ".."])
def test_a_later_process_notices_that_git_has_come_or_gone(root: Path, place: str) -> None:
    before = opened(root).scan().snapshot
    assert opened(root).is_as_in(before)
    let_the_clock_move(root.parent.parent)
    init(root / place)
    assert not opened(root).is_as_in(before)
    within = opened(root).scan().snapshot
    later = opened(root)
    assert later.is_as_in(within)
    assert (True, "trunk") == (later.info.is_git, later.info.branch)
    let_the_clock_move(root.parent.parent)
    shutil.rmtree(root / place / ".git")
    assert not later.is_as_in(within)
    assert (False, "") == (later.info.is_git, later.info.branch)


def test_where_git_could_not_tell_it_is_asked_each_time(root: Path) -> None:
    init(root)
    without = replace(opened(root), git_program=None)
    assert (ALL, b"") == ([file.path for file in without.scan().files], without.scan().snapshot)
    assert [(".git", "no-answer")] == [(skipped.path, skipped.reason) for skipped in without.scan().skipped]
    (root / ".git/index").write_bytes(b"DIRC broken")
    broken = opened(root).scan()
    assert (ALL, b"") == ([file.path for file in broken.files], broken.snapshot)
    assert [(".git", "no-answer")] == [(skipped.path, skipped.reason) for skipped in broken.skipped]


def test_a_repository_that_is_kept_elsewhere_behind_a_link_is_asked(root: Path) -> None:
    init(root)
    (root / ".git").rename(root.parent / "kept.git")
    (root / ".git").symlink_to("../kept.git")
    assert WITHIN == state(opened(root))
    snapshot = opened(root).scan().snapshot
    assert opened(root).is_as_in(snapshot)
    let_the_clock_move(root.parent)
    (root.parent / "kept.git/info/exclude").write_text("")
    assert not opened(root).is_as_in(snapshot)


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_repository_that_is_kept_among_the_files_is_none_of_them(root: Path, *, is_asked: bool) -> None:
    init(root)
    (root / ".git").rename(root / ".bare")
    (root / ".git").write_text("gitdir: ./.bare\n")
    (root / ".bare/hooks").mkdir(exist_ok=True)
    (root / ".bare/hooks/run.py").write_text("")
    workspace = opened(root) if is_asked else replace(opened(root), git_program=None)
    assert (WITHIN if is_asked else (ALL, ALL, True, "trunk")) == state(workspace)
    for place in (".bare/config", ".BARE/config", "./.bare/hooks/run.py", "linked"):
        (root / "linked").unlink(missing_ok=True)
        (root / "linked").symlink_to(".bare/config")
        with pytest.raises(RefusedPathError, match="belongs to git"):
            workspace.read_text(place)
        with pytest.raises(RefusedPathError, match="belongs to git"):
            FolderEditor(str(root), Vault(root.parent / "data")).image(place)
    (root / ".bare/more.py").write_text("")
    assert (WITHIN if is_asked else (ALL, ALL, True, "trunk")) == state(workspace)


def test_a_branch_that_is_kept_in_a_table_is_not_made_up(root: Path) -> None:
    init(root)
    (root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert "" == opened(root).info.branch


def test_a_program_that_a_new_repository_holds_is_not_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, fired = root.parent / "bin/git", root.parent / "fired"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {fired}\n")
    program.chmod(0o755)
    with monkeypatch.context() as context:
        context.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        workspace = opened(root)
    assert str(program) == workspace.git_program
    init(root.parent)
    assert ALL == [file.path for file in workspace.scan().files]
    assert not fired.exists()


@pytest.mark.parametrize("place", [".", ".."])
def test_who_follows_is_told_that_git_has_come_and_gone(root: Path, place: str) -> None:
    workspace, stop = opened(root), threading.Event()
    late = threading.Timer(60, stop.set)
    late.daemon = True
    late.start()
    workspace.scan()
    told = workspace.follow(stop)
    next(told)

    def is_told(*, is_git: bool) -> bool:
        return any(state(workspace)[2] == is_git for _ in told)

    init(root / place)
    assert is_told(is_git=True)
    shutil.rmtree(root / place / ".git")
    assert is_told(is_git=False)
    stop.set()
