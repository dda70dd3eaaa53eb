"""Opening a repository runs nothing it contains."""

import os
import shutil
import subprocess
from pathlib import Path
from threading import Thread

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import open_workspace
from ctxcode.workspace.git import find_git, list_files

HOSTILE_CONFIG = """
[core]
    fsmonitor = {trap}
    hooksPath = {hooks}
    sshCommand = {trap}
    pager = {trap}
    editor = {trap}
    alternateRefsCommand = {trap}
[filter "trap"]
    clean = {trap}
    smudge = {trap}
    process = {trap}
    required = true
[diff]
    external = {trap}
[diff "trap"]
    textconv = {trap}
[credential]
    helper = {trap}
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::{trap}
    promisor = true
"""


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """Return a repository whose every hook touches a file, and that file."""
    root, sentinel = tmp_path / "repository", tmp_path / "fired"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    subprocess.run(["git", "init", str(root)], check=True, capture_output=True)
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho fired >> {sentinel}\n", encoding="utf-8")
    trap.chmod(0o755)
    for name in ("post-index-change", "post-checkout", "fsmonitor-watchman", "pre-commit"):
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
    (root / "a.py").write_text("x = 1\n", encoding="utf-8")
    (root / ".gitattributes").write_text("*.py filter=trap diff=trap\n", encoding="utf-8")
    subprocess.run(["git", "-C", str(root), "add", "a.py"], check=True, capture_output=True)
    config = root / ".git" / "config"
    config.write_text(
        config.read_text(encoding="utf-8") + HOSTILE_CONFIG.format(trap=trap, hooks=hooks), encoding="utf-8"
    )
    os.utime(root / "a.py", (1, 1))
    return root, sentinel


def test_the_trap_fires_when_nobody_guards(hostile: tuple[Path, Path]) -> None:
    root, sentinel = hostile
    subprocess.run(["git", "-C", str(root), "ls-files", "-co"], check=False, capture_output=True)
    assert sentinel.exists()


def test_opening_and_scanning_fires_no_trap(hostile: tuple[Path, Path]) -> None:
    root, sentinel = hostile
    workspace = open_workspace(str(root), language_of)
    program = find_git(str(root), os.environ["PATH"])
    assert program is not None
    assert ({".gitattributes", "a.py"}, set()) == list_files(program, str(root))
    assert ["a.py"] == [file.path for file in workspace.scan().files]
    assert not sentinel.exists()


def test_git_variables_of_the_environment_lead_nowhere(
    hostile: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, sentinel = hostile
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(tmp_path / "trap"))
    assert ["a.py"] == [file.path for file in open_workspace(str(root), language_of).scan().files]
    assert not sentinel.exists()


def test_a_git_program_inside_the_repository_is_never_chosen(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    for folder in (root / "bin", tmp_path / "safe"):
        folder.mkdir(parents=True)
        (folder / "git").write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / "git").chmod(0o755)
    (tmp_path / "linked").symlink_to(root / "bin")
    search = os.pathsep.join([str(root / "bin"), str(tmp_path / "linked"), ".", "", "bin", str(tmp_path / "safe")])
    assert str(tmp_path / "safe" / "git") == find_git(str(root), search)


def test_a_git_program_above_an_opened_subfolder_is_never_chosen(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for folder in (root / "bin", tmp_path / "safe"):
        folder.mkdir()
        (folder / "git").write_text("#!/bin/sh\n")
        (folder / "git").chmod(0o755)
    (root / "part").mkdir()
    search = os.pathsep.join([str(root / "bin"), str(tmp_path / "safe")])
    assert str(tmp_path / "safe" / "git") == find_git(str(root / "part"), search)


def test_a_broken_repository_is_walked(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff\x00\x1b[31m")
    (tmp_path / "a.py").write_text("", encoding="utf-8")
    workspace = open_workspace(str(tmp_path), language_of)
    assert ["a.py"] == [file.path for file in workspace.scan().files]
    assert "" == workspace.info.branch
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/feat/\u202eevil\u200b\n")
    assert "feat/\u202eevil\u200b" == open_workspace(str(tmp_path), language_of).info.branch


def test_a_work_tree_that_points_elsewhere_shows_nothing_of_it(tmp_path: Path) -> None:
    other, root = tmp_path / "other", tmp_path / "repository"
    other.mkdir()
    (other / "private.py").write_text("", encoding="utf-8")
    subprocess.run(["git", "init", str(root)], check=True, capture_output=True)
    (root / "a.py").write_text("", encoding="utf-8")
    subprocess.run(["git", "-C", str(root), "config", "core.worktree", str(other)], check=True, capture_output=True)
    assert ["a.py"] == [file.path for file in open_workspace(str(root), language_of).scan().files]


def test_a_head_that_is_a_pipe_does_not_hang(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert "" == open_workspace(str(tmp_path), language_of).info.branch


_READ_BY_GIT = [
    ".gitignore",
    *(f".git/{name}" for name in ("info/exclude", "config", "HEAD", "index", "commondir")),
    *(f".git/{name}" for name in ("info/sparse-checkout", "packed-refs", "objects/info/alternates")),
]


@pytest.mark.parametrize("is_pipe", [True, False])
@pytest.mark.parametrize("name", _READ_BY_GIT)
def test_git_is_not_started_where_it_would_wait_or_fill_memory(
    hostile: tuple[Path, Path], name: str, *, is_pipe: bool
) -> None:
    root, sentinel = hostile
    (root / name).unlink(missing_ok=True)
    if is_pipe:
        os.mkfifo(root / name)
    else:
        (root / name).touch()
        os.truncate(root / name, 1 << 40)
    assert None is list_files(str(root.parent / "trap"), str(root))
    assert not sentinel.exists()
    assert ["a.py"] == [file.path for file in open_workspace(str(root), language_of).scan().files]


@pytest.mark.parametrize("name", [".git", ".git/commondir", ".git/HEAD"])
def test_a_place_that_is_no_text_leads_nowhere(hostile: tuple[Path, Path], name: str) -> None:
    root, _ = hostile
    if name == ".git":
        shutil.rmtree(root / name)
    (root / name).write_bytes(b"gitdir: a\0b\n")
    workspace = open_workspace(str(root), language_of)
    assert ["a.py"] == [file.path for file in workspace.scan().files]
    assert "a.py" in workspace.file_paths()
    assert (root / "a.py").read_text(encoding="utf-8") == workspace.read_text("a.py")


@pytest.mark.parametrize(
    "lines",
    [
        "[core]\n\texcludesFile = {pipe}\n",
        '[Include] Path="pipe" # of more\n',
        '[includeIf "gitdir:/"]\n  path = ../more\n',
    ],
)
def test_git_is_not_started_where_its_configuration_leads_to_a_pipe(hostile: tuple[Path, Path], lines: str) -> None:
    root, sentinel = hostile
    os.mkfifo(root / ".git/pipe")
    (root / "more").write_text("[core]\nexcludesfile=.git/pipe\n", encoding="utf-8")
    with (root / ".git/config").open("a", encoding="utf-8") as config:
        config.write(lines.format(pipe=root / ".git/pipe"))
    assert None is list_files(str(root.parent / "trap"), str(root))
    assert not sentinel.exists()


def test_git_is_stopped_where_it_waits_on_a_pipe_below(tmp_path: Path) -> None:
    subprocess.run(["git", "init", str(tmp_path)], check=True, capture_output=True)
    pipe = tmp_path / "inner/deep/.gitignore"
    pipe.parent.mkdir(parents=True)
    (tmp_path / "inner/a.py").touch()
    os.mkfifo(pipe)
    program = find_git(str(tmp_path), os.environ["PATH"])
    assert program is not None
    listed: list[object] = []
    listing = Thread(target=lambda: listed.append(list_files(program, str(tmp_path), 3_600)), daemon=True)
    listing.start()
    listing.join(20)
    assert [None] == listed
    assert ["inner/a.py"] == [file.path for file in open_workspace(str(tmp_path), language_of).scan().files]


def test_rules_that_are_said_to_be_nowhere_are_no_pipe(tmp_path: Path) -> None:
    subprocess.run(["git", "init", str(tmp_path)], check=True, capture_output=True)
    subprocess.run(["git", "-C", str(tmp_path), "config", "core.excludesFile", os.devnull], check=True)
    (tmp_path / "a.py").touch()
    program = find_git(str(tmp_path), os.environ["PATH"])
    assert program is not None
    listed = list_files(program, str(tmp_path))
    assert listed is not None
    assert {"a.py"} == listed.paths
