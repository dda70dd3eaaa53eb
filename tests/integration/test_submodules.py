"""Submodules and linked work trees, made by a real git: what is in them is part of the repository."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from file_clock import let_the_clock_move
from indexed_folder import IndexedFolder

from ctxcode.codegraph.languages import language_of
from ctxcode.model.errors import RefusedPathError, RepositoryError
from ctxcode.model.source import Scan
from ctxcode.workspace.edits.editor import FolderEditor
from ctxcode.workspace.edits.vault import Vault
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.git import git_folders
from ctxcode.workspace.submodule import list_trees

HOUR_NS = 3_600_000_000_000
ABSENT = "a submodule that is not checked out: run 'git submodule update --init'"
SETTINGS = {"user.name": "t", "user.email": "t@example.org", "protocol.file.allow": "always"}
GIT = ["git", *(word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}"))]


def git(folder: Path, *words: str) -> None:
    subprocess.run([*GIT, "-C", str(folder), *words], check=True, capture_output=True)


def commit(folder: Path, *paths: str) -> None:
    """Make a repository of a folder, or go on with it, with these files and all that is there."""
    folder.mkdir(exist_ok=True)
    git(folder, "init", "--quiet")
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"def {Path(path).stem}_work():\n    pass\n")
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "x")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the repository ``root`` and those of its submodules: git takes half a second for them."""
    made = tmp_path_factory.mktemp("made")
    commit(made / "inner", "core.py")
    commit(made / "part", "tool.py")
    (made / "part/.gitignore").write_text("*.gen.py\nmade/\n")
    git(made / "part", "submodule", "add", "../inner", "deep/inner")
    commit(made / "part")
    root = made / "root"
    commit(root, "main.py")
    git(root, "submodule", "add", "../part", "lib.js")
    commit(root)
    git(root, "submodule", "update", "--init", "--recursive")
    return made


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """Return a repository with the submodule ``lib.js``, in which is the submodule ``deep/inner``."""
    shutil.copytree(made, tmp_path, symlinks=True, dirs_exist_ok=True)
    for config in tmp_path.rglob("config"):
        # Where a submodule comes from is written with its whole path.
        config.write_text(config.read_text().replace(str(made), str(tmp_path)))
    return tmp_path / "root"


def an_hour_later() -> int:
    """Read the clock at a time when everything written now has long settled."""
    return time.time_ns() + HOUR_NS


def opened(root: Path) -> FolderWorkspace:
    return replace(open_workspace(str(root), language_of), clock_ns=an_hour_later)


def paths(scan: Scan) -> list[str]:
    return [file.path for file in scan.files]


def told(scan: Scan) -> dict[str, str]:
    return {skipped.path: skipped.detail for skipped in scan.skipped}


WHOLE = ["lib.js/deep/inner/core.py", "lib.js/tool.py", "main.py"]


def test_what_is_in_submodules_and_theirs_is_part_of_the_repository(root: Path) -> None:
    workspace = opened(root)
    scan = workspace.scan()
    assert (WHOLE, {}) == (paths(scan), told(scan))
    assert {"", "lib.js", "lib.js/deep/inner"} == workspace.memory.folders
    others = [".gitmodules", "lib.js/.gitignore", "lib.js/.gitmodules"]
    assert sorted([*WHOLE, *others]) == list(workspace.file_paths())
    assert "core_work" in workspace.read_text("lib.js/deep/inner/core.py")


def test_each_submodule_has_its_own_rules_and_new_files(root: Path) -> None:
    (root / ".gitignore").write_text("*.tmp.py\n")
    for path in ("a.gen.py", "b.tmp.py", "lib.js/c.gen.py", "lib.js/d.tmp.py", "lib.js/made/e.py"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("")
    assert sorted(["a.gen.py", "lib.js/d.tmp.py", *WHOLE]) == paths(opened(root).scan())


def test_a_submodule_that_is_not_checked_out_is_told(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(root), "half")
    half = tmp_path / "half"
    assert (["main.py"], {"lib.js": ABSENT}) == (paths(opened(half).scan()), told(opened(half).scan()))
    git(half, "submodule", "update", "--init")
    scan = opened(half).scan()
    assert (["lib.js/tool.py", "main.py"], {"lib.js/deep/inner": ABSENT}) == (paths(scan), told(scan))


def test_a_work_tree_beside_the_repository_has_its_own_submodules(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    assert {"lib.js": ABSENT} == told(opened(tree).scan())
    git(tree, "submodule", "update", "--init", "--recursive")
    scan = opened(tree).scan()
    assert (WHOLE, {}) == (paths(scan), told(scan))


def test_a_work_tree_of_a_bare_repository_is_listed_by_git(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")
    tree = tmp_path / "tree"
    git(tmp_path / "bare.git", "worktree", "add", "--quiet", str(tree))
    (tmp_path / "bare.git/info").mkdir(exist_ok=True)
    (tmp_path / "bare.git/info/exclude").write_text("private.py\n")
    (tree / "private.py").write_text("")
    assert ["main.py"] == paths(opened(tree).scan())
    common = str(tmp_path / "bare.git")
    assert [common, f"{common}/worktrees/tree"] == [os.path.realpath(folder) for folder in git_folders(str(tree))]
    assert "tree" == opened(tree).info.branch


def test_a_repository_without_files_is_refused_with_a_way_out(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")
    for place in (tmp_path / "bare.git", root / ".git"):
        with pytest.raises(RepositoryError, match="without files") as caught:
            opened(place)
        assert "git worktree add" in caught.value.hint


def test_a_submodule_opened_by_itself_is_a_repository(root: Path) -> None:
    assert ["deep/inner/core.py", "tool.py"] == paths(opened(root / "lib.js").scan())


def test_a_repository_nobody_added_is_told_inside_a_submodule_too(root: Path) -> None:
    commit(root / "lib.js/other", "x.py")
    assert {"lib.js/other": "a repository of its own: open it by itself"} == told(opened(root).scan())


CHANGES: tuple[Callable[[Path], object], ...] = (
    lambda root: (root / "lib.js/tool.py").write_text("def other(): pass\n"),
    lambda root: (root / "lib.js/new.py").write_text(""),
    lambda root: (root / "lib.js/deep/inner/new.py").write_text(""),
    lambda root: (root / "lib.js/deep/inner/core.py").unlink(),
    lambda root: (root / "lib.js/.gitignore").write_text("tool.py\n"),
    lambda root: (root / ".git/modules/lib.js/info/exclude").write_text("new.py\n"),
    lambda root: git(root / "lib.js", "rm", "--cached", "tool.py"),
    lambda root: git(root, "submodule", "deinit", "--force", "lib.js"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_in_a_submodule_is_noticed(root: Path, change: Callable[[Path], object]) -> None:
    snapshot = opened(root).scan().snapshot
    assert snapshot
    assert opened(root).is_as_in(snapshot)
    let_the_clock_move(root.parent)
    change(root)
    assert not opened(root).is_as_in(snapshot)


def test_a_submodule_that_is_checked_out_later_is_noticed(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(root), "half")
    snapshot = opened(tmp_path / "half").scan().snapshot
    assert opened(tmp_path / "half").is_as_in(snapshot)
    git(tmp_path / "half", "submodule", "update", "--init")
    assert not opened(tmp_path / "half").is_as_in(snapshot)


def test_folders_a_submodule_ignores_are_left_out_when_they_are_many(root: Path) -> None:
    for number in range(300):
        (root / f"lib.js/made/m{number}").mkdir(parents=True)
    snapshot = opened(root).scan().snapshot
    assert snapshot
    let_the_clock_move(root.parent)
    (root / "lib.js/made/m7/new.py").write_text("")
    assert opened(root).is_as_in(snapshot)


def test_the_index_follows_a_submodule(root: Path, tmp_path: Path) -> None:
    folder = IndexedFolder(root, tmp_path / "cache", clock_ns=an_hour_later)
    assert 3 == folder.refresh().parsed
    (root / "lib.js/tool.py").write_text("from core import core_work\n\ndef renewed():\n    core_work()\n")
    assert 1 == folder.refresh().parsed
    assert ["lib.js/tool.py"] == [symbol.path for symbol in folder.index.symbols_named("renewed")]
    git(root, "submodule", "deinit", "--force", "lib.js")
    assert 2 == folder.refresh().removed
    folder.close()


def test_a_file_of_a_submodule_is_edited_and_gits_own_is_not(root: Path, tmp_path: Path) -> None:
    editor = FolderEditor(str(root), Vault(tmp_path / "vault"))
    assert b"tool_work" in (editor.image("lib.js/tool.py").data or b"")
    with pytest.raises(RefusedPathError):
        editor.image("lib.js/.git")


def trap(root: Path, tmp_path: Path) -> str:
    (tmp_path / "trap").write_text(f"#!/bin/sh\necho fired >> {tmp_path}/fired\n")
    (tmp_path / "trap").chmod(0o755)
    for name in ("core.fsmonitor", "filter.trap.clean", "core.sshCommand"):
        git(root / "lib.js", "config", name, str(tmp_path / "trap"))
    (root / "lib.js/.gitattributes").write_text("*.py filter=trap\n")
    os.utime(root / "lib.js/tool.py", (1, 1))
    return str(tmp_path / "fired")


def test_nothing_that_a_submodules_configuration_names_is_run(root: Path, tmp_path: Path) -> None:
    fired = trap(root, tmp_path)
    assert WHOLE == paths(opened(root).scan())
    assert not os.path.lexists(fired)
    subprocess.run([*GIT, "-C", str(root / "lib.js"), "ls-files", "-co"], check=False, capture_output=True)
    assert os.path.lexists(fired)


def lead_elsewhere(root: Path) -> None:
    (root / "lib.js/.git").write_text(f"gitdir: {root.parent}/private/.git\n")


def lead_to_the_outer_one(root: Path) -> None:
    (root / "lib.js/.git").write_text("gitdir: ../.git\n")


def share_what_is_elsewhere(root: Path) -> None:
    (root / ".git/modules/lib.js/commondir").write_text(f"{root.parent}/private/.git\n")


def keep_it_elsewhere(root: Path) -> None:
    shutil.rmtree(root / ".git/modules/lib.js")
    (root / ".git/modules/lib.js").symlink_to(root.parent / "private/.git")


def link_its_folder(root: Path) -> None:
    (root / "lib.js").rename(root.parent / "moved")
    (root / "lib.js").symlink_to(root.parent / "private")


def link_gits_own(root: Path) -> None:
    (root / "lib.js/.git").unlink()
    (root / "lib.js/.git").symlink_to(root.parent / "private/.git")


def put_a_file_there(root: Path) -> None:
    shutil.rmtree(root / "lib.js")
    (root / "lib.js").write_text("x\n")


def break_it(root: Path) -> None:
    (root / ".git/modules/lib.js/HEAD").write_bytes(b"\xff\x00")


LIES = (
    lead_elsewhere,
    lead_to_the_outer_one,
    share_what_is_elsewhere,
    keep_it_elsewhere,
    link_gits_own,
    break_it,
)


@pytest.mark.parametrize("lie", LIES)
def test_a_submodule_whose_repository_is_not_in_its_place_is_walked(
    root: Path, tmp_path: Path, lie: Callable[[Path], None]
) -> None:
    commit(tmp_path / "private", "secret.py", "tool.py")
    lie(root)
    (root / "lib.js/a.gen.py").write_text("")
    assert (WHOLE, {}) == (paths(opened(root).scan()), told(opened(root).scan()))
    assert not [path for path in opened(root).file_paths() if "secret" in path or ".gen." in path]


@pytest.mark.parametrize(("lie", "said"), [(link_its_folder, "a link"), (put_a_file_there, "a file")])
def test_what_stands_in_the_place_of_a_submodule_is_told(
    root: Path, tmp_path: Path, lie: Callable[[Path], None], said: str
) -> None:
    commit(tmp_path / "private", "secret.py", "tool.py")
    lie(root)
    assert (["main.py"], {"lib.js": f"{said} stands in its place"}) == (
        paths(opened(root).scan()),
        told(opened(root).scan()),
    )
    assert [".gitmodules", "main.py"] == list(opened(root).file_paths())


@pytest.mark.parametrize("place", ["../private", "/etc", "../../etc", ".git/modules"])
def test_where_gitmodules_says_a_submodule_is_leads_nowhere(root: Path, tmp_path: Path, place: str) -> None:
    commit(tmp_path / "private", "secret.py")
    (root / ".gitmodules").write_text(f'[submodule "lib.js"]\n\tpath = {place}\n\turl = ext::sh -c x\n\tupdate = !x\n')
    scan = opened(root).scan()
    assert (WHOLE, {}) == (paths(scan), told(scan))


def test_submodules_that_take_too_long_are_told(root: Path) -> None:
    program = opened(root).git_program
    assert program is not None
    moments = iter([0.0, 1.0, 61.0])
    trees = list_trees(program, str(root), lambda: next(moments))
    assert trees is not None
    assert ["", "lib.js/"] == trees.prefixes
    assert ["lib.js/deep/inner"] == list(trees.closed)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_files_of_another_user_are_listed_by_git(root: Path) -> None:
    (root / ".git/info/exclude").write_text("private.py\n")
    (root / "private.py").write_text("")
    for folder, _, names in os.walk(root):
        for place in (folder, *(os.path.join(folder, name) for name in names)):  # noqa: PTH118 - as walked
            os.chown(place, 65534, 65534)
    own = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    refused = subprocess.run(["git", "-C", str(root), "status"], check=False, capture_output=True, env=own)
    assert refused.returncode
    assert WHOLE == paths(opened(root).scan())
