"""What a second scan of the same work tree sees: the same as a first."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from folders_beside import folders_beside

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.aside.folders import FoldersAside
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.ignore import Walk


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path in ("a.py", "sub/b.py", "sub/deep/c.py", "other/d.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1\n")
    return tmp_path


@pytest.fixture
def folders() -> Iterator[FoldersAside]:
    with folders_beside() as beside:
        yield beside


def paths(workspace: FolderWorkspace) -> list[str]:
    return [file.path for file in workspace.scan().files]


def scanned(tree: Path) -> FolderWorkspace:
    """Return a workspace that has seen the tree often enough to remember it."""
    workspace = open_workspace(str(tree), language_of)
    for _ in range(3):
        workspace.scan()
    return workspace


def test_scans_agree_after_every_kind_of_change(tree: Path) -> None:
    workspace = scanned(tree)

    def agrees() -> bool:
        return workspace.scan() == open_workspace(str(tree), language_of).scan()

    assert agrees()
    (tree / "sub/new.py").write_text("")
    assert agrees()
    (tree / "sub/deep/c.py").write_text("y = 22\n")
    assert agrees()
    (tree / "a.py").unlink()
    assert agrees()
    (tree / "other").rename(tree / "renamed")
    assert agrees()
    (tree / "sub/.gitignore").write_text("deep/\n")
    assert agrees()
    (tree / "sub/.gitignore").write_text("new.py\n")
    assert agrees()
    (tree / "sub/.gitignore").unlink()
    assert agrees()
    (tree / "renamed/d.py").rename(tree / "renamed/d.txt")
    assert agrees()


def remove(tree: Path, *paths: str) -> None:
    for path in paths:
        (tree / path).unlink()


def put_link(tree: Path, path: str, other: str) -> None:
    """Put a link in the place of a file or folder."""
    (tree / path).rename(tree / "aside")
    (tree / path).symlink_to(tree / other)


def writing(path: str, text: str) -> Callable[[Path], object]:
    return lambda tree: (tree / path).write_text(text)


CHANGES: tuple[Callable[[Path], object], ...] = (
    lambda _: None,
    writing("sub/deep/c.py", "y = 22\n"),
    writing("we[i]rd/*.py", "g = 7\n"),
    writing("sub/x.log.py", "h = 8\n"),
    writing("build.py", "i = 9\n"),
    writing("sub/ü.py", "j = 10\n"),
    writing("sub/script", "#!/usr/bin/env python3\n"),
    writing("sub/plain", "nothing\n"),
    writing("sub/notes.txt", "nothing\n"),
    lambda tree: subprocess.run(["git", "-C", str(tree), "add", "-f", "sub/x.log.py"], check=True),
    lambda tree: remove(tree, "sub/script", "sub/plain", "sub/notes.txt", "sub/x.log.py"),
    lambda tree: remove(tree, "other/d.py"),
    writing("other/d.py", "k = 11\n"),
    writing("b.py", "z = 3\n"),
    lambda tree: (tree / "b.py").rename(tree / "sub/b.py"),
    writing("notes", "#!/usr/bin/env ruby\n"),
    writing("tool", "no more\n"),
    lambda tree: remove(tree, "a.py"),
    lambda tree: (tree / "a.py").mkdir(),
    writing("a.py/e.py", "e = 5\n"),
    lambda tree: put_link(tree, "sub/b.py", "other/d.py"),
    lambda tree: remove(tree, "aside"),
    lambda tree: put_link(tree, "other", "sub"),
    lambda tree: remove(tree, "sub/deep/c.py"),
    writing(".gitignore", "sub/\n"),
)


def test_looks_at_what_git_lists_agree_after_every_kind_of_change(tree: Path, folders: FoldersAside) -> None:
    (tree / "tool").write_text("#!/usr/bin/env python3\n")
    (tree / "notes").write_text("none\n")
    (tree / ".gitignore").write_text("*.log.py\n/build*\n")
    (tree / "we[i]rd").mkdir()
    (tree / "we[i]rd/f.py").write_text("f = 6\n")
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    subprocess.run(["git", "-C", str(tree), "add", "other", "sub/b.py"], check=True)

    def fresh() -> FolderWorkspace:
        return open_workspace(str(tree), language_of)

    an_hour_later = replace(fresh(), clock_ns=lambda: time.time_ns() + 3_600 * 10**9)
    for _ in range(3):
        an_hour_later.scan()
    beside = replace(fresh(), clock_ns=an_hour_later.clock_ns, aside=folders)
    guessing = replace(fresh(), clock_ns=an_hour_later.clock_ns)

    def agree() -> bool:
        beside.settle()
        guessing.settle()
        guessing.guess()
        looks = [replace(workspace.scan(), snapshot=b"") for workspace in (an_hour_later, beside, guessing, fresh())]
        return looks[0] == looks[1] == looks[2] == looks[3]

    def holds() -> bool:
        return an_hour_later.is_as_in(an_hour_later.scan().snapshot)

    for change in CHANGES:
        change(tree)
        assert (True, True, True) == (agree(), agree(), holds())


def test_after_an_edit_git_is_not_asked_again(tree: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    for folder in (tree, *[path for path in tree.rglob("*") if path.is_dir()]):
        os.utime(folder, (1, 1))
    later = time.time_ns() + 3_600 * 10**9
    edited = replace(open_workspace(str(tree), language_of), clock_ns=lambda: later)
    os.utime(tree / "a.py", ns=(later, later))
    listings = []
    for _ in range(2):
        assert b"" == edited.scan().snapshot
        edited.settle()
        assert edited.memory.listed is not None
        listings.append(edited.memory.listed[0])
    assert listings[0] is listings[1]


def test_an_edit_of_an_old_ignore_file_counts_though_its_folder_did_not_change(tree: Path) -> None:
    rules = tree / ".gitignore"
    rules.write_text("other/\n")
    walk = aged_walk(tree)
    assert sorted(walk.listings) == ["", "sub/", "sub/deep/"]

    rules.write_text("sub/b.py\n")

    again = Walk(str(tree), walk.listings)
    assert [".gitignore", "a.py", "other/d.py", "sub/deep/c.py"] == sorted(again.paths())


def test_a_settled_folder_is_not_listed_again(tree: Path) -> None:
    walk = aged_walk(tree)

    again = Walk(str(tree), walk.listings)

    assert sorted(["a.py", "sub/b.py", "sub/deep/c.py", "other/d.py"]) == sorted(again.paths())
    assert all(again.listings[prefix] is listing for prefix, listing in walk.listings.items())
    assert ["", "other/", "sub/", "sub/deep/"] == sorted(again.listings)


def test_a_folder_that_changed_just_now_is_listed_each_time(tree: Path) -> None:
    fresh = Walk(str(tree), {})

    assert 4 == len(list(fresh.paths()))
    assert {} == fresh.listings


def aged_walk(tree: Path) -> Walk:
    """Return a finished walk that took the folders for old: by its clock it is an hour later."""
    walk = Walk(str(tree), {}, clock_ns=lambda: time.time_ns() + 3_600_000_000_000)
    list(walk.paths())
    return walk
