"""What the user's own git configuration may decide, and what neither it nor a repository can make git do."""

import os
import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from file_clock import let_the_clock_move
from tmux_terminal import wait_until_gone

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.git import list_files

HOUR_NS = 3_600_000_000_000
REAL_GIT = str(shutil.which("git"))
SOMEBODY = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")


def git(folder: Path, *words: str) -> str:
    """Run git there, as somebody."""
    return subprocess.run(
        ["git", *SOMEBODY, "-c", "protocol.file.allow=always", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return somebody's home, in which nothing is set."""
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def root(home: Path) -> Path:
    """Return a repository of theirs."""
    root = home.parent / "work"
    root.mkdir()
    for name in ("a.py", "mine.py", "theirs.py"):
        (root / name).write_text("x = 1\n")
    (root / ".gitignore").write_text("theirs.py\n")
    git(root, "init", "-q", "-b", "trunk")
    return root


def opened(root: Path) -> FolderWorkspace:
    return replace(open_workspace(str(root), language_of), clock_ns=lambda: time.time_ns() + HOUR_NS)


def paths(workspace: FolderWorkspace) -> list[str]:
    return [file.path for file in workspace.scan().files]


@pytest.mark.parametrize("name", [".config/git/ignore", ".gitconfig", ".config/git/config", "mine", "more"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_pipe_among_the_files_of_the_user_costs_their_rules_only(
    root: Path, home: Path, name: str, kind: str
) -> None:
    (home / ".gitconfig").write_text("[core]\nexcludesFile = ~/mine\n[include]\npath = more\n")
    (home / ".config/git/ignore").write_text("mine.py\n")
    (home / name).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(home / name)
    else:
        (home / name).symlink_to("/dev/zero")
    listed = list_files(REAL_GIT, str(root), timeout_seconds=20)
    assert listed is not None
    assert {"a.py", "mine.py", ".gitignore"} == listed.paths


@pytest.mark.parametrize("text", ["[core\n", "[core]\nexcludesFile = ~nobody-at-all/mine\n", "\0"])
def test_a_configuration_of_the_user_that_git_refuses_costs_their_rules_only(root: Path, home: Path, text: str) -> None:
    (home / ".gitconfig").write_text(text)
    assert ["a.py", "mine.py"] == paths(opened(root))


def test_a_relative_place_is_never_looked_for_in_the_repository(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "set/git").mkdir(parents=True)
    (root / "set/git/ignore").write_text("a.py\n")
    (root / "told").write_text("[core]\nexcludesFile = set/git/ignore\n")
    for name, value in {"XDG_CONFIG_HOME": "set", "HOME": ".", "GIT_CONFIG_GLOBAL": "told"}.items():
        monkeypatch.setenv(name, value)
    assert ["a.py", "mine.py"] == paths(opened(root))


def test_rules_of_the_user_hold_in_submodules_and_not_where_there_is_no_git(root: Path, home: Path) -> None:
    (home / ".config/git/ignore").write_text("mine.py\n")
    other = root.parent / "other"
    other.mkdir()
    (other / "b.py").write_text("")
    git(other, "init", "-q")
    git(other, "add", "b.py")
    git(other, "commit", "-q", "-m", "x")
    git(root, "submodule", "--quiet", "add", str(other), "lib")
    (root / "lib/mine.py").write_text("")
    assert ["a.py", "lib/b.py"] == paths(opened(root))
    shutil.rmtree(root / ".git")
    assert ["a.py", "lib/b.py", "lib/mine.py", "mine.py"] == paths(opened(root))


def test_many_folders_only_the_user_ignores_are_not_looked_at_again(root: Path, home: Path) -> None:
    (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    (home / "mine").write_text("made/\n")
    for number in range(300):
        (root / f"made/m{number}").mkdir(parents=True)
    snapshot = opened(root).scan().snapshot
    let_the_clock_move(root.parent)
    (root / "made/m7/new.py").write_text("")
    assert snapshot
    assert opened(root).is_as_in(snapshot)
    (home / "mine").write_text("")
    assert not opened(root).is_as_in(snapshot)


def test_a_session_that_goes_on_takes_over_what_the_user_changes(root: Path, home: Path) -> None:
    workspace = opened(root)
    assert ["a.py", "mine.py"] == paths(workspace)
    (home / "mine").write_text("mine.py\n")
    git(root, "config", "--global", "core.excludesFile", "~/mine")
    assert ["a.py"] == paths(workspace)
    (home / "mine").write_text("a.py\n")
    assert ["mine.py"] == paths(workspace)
    (home / ".gitconfig").unlink()
    assert ["a.py", "mine.py"] == paths(workspace)


def test_nothing_that_git_has_begun_goes_on_after_it(root: Path) -> None:
    program, begun = root.parent / "git", root.parent / "begun"
    program.write_text(f"#!/bin/sh\n{shutil.which('sleep')} 600 &\necho $! > {begun}\nwait\n")
    program.chmod(0o755)
    assert list_files(str(program), str(root), timeout_seconds=0.5) is None
    wait_until_gone([int(begun.read_text())])


@pytest.mark.parametrize("is_old", [True, False])
def test_what_the_user_allows_lets_no_repository_start_a_program(root: Path, home: Path, *, is_old: bool) -> None:
    fired, trap, program = root.parent / "fired", root.parent / "trap", root.parent / "git"
    trap.write_text(f"#!/bin/sh\necho fired >> {fired}\n")
    # What a git does that has never heard of the variable.
    program.write_text(f'#!/bin/sh\nunset {"GIT_NO_LAZY_FETCH" if is_old else "NOTHING"}\nexec {REAL_GIT} "$@"\n')
    for script in (trap, program):
        script.chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[protocol "ext"]\nallow = always\n[core]\nfsmonitor = {trap}\nhooksPath = {root.parent}\n'
        f"sshCommand = {trap}\npager = {trap}\n[alias]\nls-files = !{trap}\n[credential]\nhelper = {trap}\n"
    )
    for folder in ("kept", "far/deep"):
        (root / folder).mkdir(parents=True)
        (root / folder / "b.py").write_text("")
    git(root, "-c", "core.fsmonitor=false", "add", ".")
    git(root, "-c", "core.fsmonitor=false", "commit", "-q", "-m", "x")
    git(root, "-c", "core.fsmonitor=false", "sparse-checkout", "init", "--cone", "--sparse-index")
    git(root, "-c", "core.fsmonitor=false", "sparse-checkout", "set", "kept")
    tree = git(root, "rev-parse", "HEAD:far").strip()
    (root / f".git/objects/{tree[:2]}/{tree[2:]}").unlink()
    with (root / ".git/config").open("a") as configuration:
        configuration.write(
            "[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin\n"
            f'[remote "origin"]\nurl = "ext::{trap} x"\npromisor = true\n[protocol "ext"]\nallow = always\n'
        )
    fired.unlink(missing_ok=True)
    replace(opened(root), git_program=str(program)).scan()
    assert not fired.exists()
    subprocess.run(["git", "ls-files", "-co"], cwd=root, check=False, capture_output=True)
    assert fired.exists()
