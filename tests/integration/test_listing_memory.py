"""When git is asked again what there is: only when its answer can be another one."""

import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import FolderWorkspace, open_workspace

HOUR_NS = 3_600_000_000_000


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for path in ("a.py", "sub/b.py", "sub/deep/c.py", ".gitignore"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x = 1\n" if path.endswith(".py") else "*.log\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    return root


@pytest.fixture
def asked(root: Path) -> Path:
    """Return the file in which each listing leaves a line."""
    return root.parent / "asked"


@pytest.fixture
def workspace(root: Path, asked: Path) -> FolderWorkspace:
    """Return a workspace that has scanned once, by its clock an hour later, with a git that counts."""
    program = root.parent / "git"
    real = shlex.quote(str(shutil.which("git")))
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *" -s "*) echo asked >> {shlex.quote(str(asked))};; esac\nexec {real} "$@"\n'
    )
    program.chmod(0o755)
    opened = open_workspace(str(root), language_of)
    later = replace(opened, git_program=str(program), clock_ns=lambda: time.time_ns() + HOUR_NS)
    assert later.scan().snapshot
    return later


def times_asked(asked: Path) -> int:
    return asked.read_text().count("\n")


def saved_in_place(root: Path) -> None:
    (root / "sub/b.py").write_text("y = 22\n")


def saved_by_renaming(root: Path) -> None:
    (root / "sub/new").write_text("y = 22\n")
    (root / "sub/new").replace(root / "sub/b.py")


@pytest.mark.parametrize("save", [saved_in_place, saved_by_renaming])
def test_a_saved_file_is_seen_without_asking_git(
    root: Path, asked: Path, workspace: FolderWorkspace, save: Callable[[Path], None]
) -> None:
    before = workspace.scan()
    assert times_asked(asked) == 1
    save(root)
    after = workspace.scan()
    assert times_asked(asked) == 1
    assert [one.path for one, other in zip(before.files, after.files, strict=True) if one != other] == ["sub/b.py"]
    assert after.files == open_workspace(str(root), language_of).scan().files


def new_file(root: Path) -> None:
    (root / "sub/new.py").write_text("")


def gone_file(root: Path) -> None:
    (root / "sub/b.py").unlink()


def file_becomes_folder(root: Path) -> None:
    gone_file(root)
    (root / "sub/b.py").mkdir()
    (root / "sub/b.py/d.py").write_text("")


def new_folder(root: Path) -> None:
    (root / "sub/deep/deeper").mkdir()
    (root / "sub/deep/deeper/d.py").write_text("")


def other_rules(root: Path) -> None:
    (root / ".gitignore").write_text("deep/\n")


def new_rules(root: Path) -> None:
    (root / "sub/.gitignore").write_text("b.py\n")


def rules_elsewhere(root: Path) -> None:
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/exclude").write_text("deep/\n")


def no_longer_tracked(root: Path) -> None:
    (root / "sub/.gitignore").write_text("")
    git(root, "rm", "-q", "--cached", "sub/b.py")
    (root / ".git/info/exclude").write_text("b.py\n")


@pytest.mark.parametrize(
    "change",
    [
        new_file,
        gone_file,
        file_becomes_folder,
        new_folder,
        other_rules,
        new_rules,
        rules_elsewhere,
        no_longer_tracked,
    ],
)
def test_what_comes_goes_or_is_ruled_otherwise_has_git_asked_again(
    root: Path, asked: Path, workspace: FolderWorkspace, change: Callable[[Path], None]
) -> None:
    change(root)
    assert workspace.scan().files == open_workspace(str(root), language_of).scan().files
    assert times_asked(asked) == 2
