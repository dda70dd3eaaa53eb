"""How a later process tells that nothing has changed, and that something has."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from file_clock import let_the_clock_move
from indexed_folder import IndexedFolder

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.snapshot import snapshot_of

HOUR_NS = 3_600_000_000_000


def an_hour_later() -> int:
    """Read the clock at a time when everything written now has long settled."""
    return time.time_ns() + HOUR_NS


@pytest.fixture(params=["folder", "git"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for path in ("a.py", "sub/b.py", "sub/deep/c.py", "notes.dat", "sub/.gitignore", "run"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x = 1\n")
    (root / "empty" / "inside").mkdir(parents=True)
    if request.param == "git":
        git(root, "init", "--quiet")
        git(root, "add", "a.py", "sub")
    return root


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a git repository with a folder to open, and an ignored one in that."""
    top = tmp_path / "top"
    for path in ("part/a.py", "part/made/x.log", "part/made/deep/y.log", ".gitignore"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text("*.log\n" if path == ".gitignore" else "x = 1\n")
    git(top, "init", "--quiet")
    return top


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def opened(tree: Path) -> FolderWorkspace:
    return replace(open_workspace(str(tree), language_of), clock_ns=an_hour_later)


def rewrite(tree: Path) -> None:
    (tree / "a.py").write_text("x = 2\n")


def rewrite_with_the_old_time(tree: Path) -> None:
    status = (tree / "a.py").stat()
    (tree / "a.py").write_text("x = 2\n")
    os.utime(tree / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))


def replace_by_link(tree: Path) -> None:
    (tree / "a.py").unlink()
    (tree / "a.py").symlink_to(tree / "sub/b.py")


CHANGES: tuple[Callable[[Path], object], ...] = (
    rewrite,
    rewrite_with_the_old_time,
    replace_by_link,
    lambda tree: (tree / "a.py").unlink(),
    lambda tree: (tree / "a.py").rename(tree / "z.py"),
    lambda tree: (tree / "sub/new.py").write_text(""),
    lambda tree: (tree / "empty/new.py").write_text(""),
    lambda tree: (tree / "empty/inside/new.py").write_text(""),
    lambda tree: (tree / "empty/inside").rmdir(),
    lambda tree: (tree / "sub").rename(tree / "other"),
    lambda tree: (tree / "sub/.gitignore").write_text("deep/\n"),
    lambda tree: (tree / "notes.dat").rename(tree / "notes.py"),
    lambda tree: (tree / "a.py").chmod(0o600),
    lambda tree: (tree / "run").write_text("#!/bin/sh\n"),
)


def test_the_folders_of_a_work_tree_that_has_not_changed_are_followed(tree: Path) -> None:
    snapshot, later = opened(tree).scan().snapshot, opened(tree)
    assert later.is_as_in(snapshot)
    assert {"", "sub", "sub/deep"} == later.memory.folders


@pytest.mark.parametrize("change", CHANGES)
def test_every_kind_of_change_is_noticed(tree: Path, change: Callable[[Path], object]) -> None:
    snapshot = opened(tree).scan().snapshot
    assert opened(tree).is_as_in(snapshot)
    let_the_clock_move(tree.parent)
    change(tree)
    assert not opened(tree).is_as_in(snapshot)
    again = opened(tree).scan().snapshot
    assert opened(tree).is_as_in(again)


RULES: tuple[Callable[[Path], object], ...] = (
    lambda top: (top / ".gitignore").write_text("*.log\na.py\n"),
    lambda top: (top / ".gitignore").unlink(),
    lambda top: (top / ".git/info/exclude").write_text("a.py\n"),
    lambda top: git(top, "add", "--force", "part/made/x.log"),
    lambda top: (top / "part/made/new.py").write_text(""),
    lambda top: (top / "part/made/deep/new.py").write_text(""),
    lambda top: (top / ".git").rename(top / "no-git"),
)


@pytest.mark.parametrize("change", RULES)
def test_what_changes_what_git_lists_is_noticed(repository: Path, change: Callable[[Path], object]) -> None:
    part = repository / "part"
    snapshot = opened(part).scan().snapshot
    assert opened(part).is_as_in(snapshot)
    let_the_clock_move(repository.parent)
    change(repository)
    assert not opened(part).is_as_in(snapshot)


def test_the_branch_is_the_one_of_the_last_look(repository: Path) -> None:
    workspace = opened(repository)
    git(repository, "checkout", "-q", "-b", "other")
    assert "other" != workspace.info.branch
    workspace.is_as_in(b"")
    assert "other" == workspace.info.branch


def test_folders_git_ignores_are_left_out_when_they_are_many(repository: Path) -> None:
    (repository / ".gitignore").write_text("modules/\n")
    for number in range(300):
        (repository / f"modules/m{number}").mkdir(parents=True)
    snapshot = opened(repository).scan().snapshot
    let_the_clock_move(repository.parent)
    (repository / "modules/m7/new.py").write_text("")
    assert opened(repository).is_as_in(snapshot)
    (repository / "part/made/deep/new.py").write_text("")
    assert not opened(repository).is_as_in(snapshot)


def test_rules_that_stand_in_other_files_give_no_snapshot(repository: Path) -> None:
    git(repository, "config", "core.excludesFile", "elsewhere")
    assert not opened(repository).scan().snapshot


def test_what_changed_a_moment_ago_may_change_again_and_gives_no_snapshot(tree: Path) -> None:
    assert not open_workspace(str(tree), language_of).scan().snapshot


def test_a_file_that_went_a_moment_ago_gives_no_snapshot_until_its_folder_has_settled(tree: Path) -> None:
    workspace = opened(tree)
    assert workspace.scan().snapshot
    (tree / "sub/b.py").unlink()
    later = an_hour_later()
    os.utime(tree / "sub", ns=(later, later))
    assert b"" == replace(workspace, clock_ns=lambda: later + 1).scan().snapshot
    settled = replace(workspace, clock_ns=lambda: later + HOUR_NS)
    assert settled.scan().snapshot
    assert replace(opened(tree), clock_ns=settled.clock_ns).scan() == settled.scan()


def test_a_scan_that_remembers_gives_the_same_snapshot(tree: Path) -> None:
    workspace = opened(tree)
    assert workspace.scan().snapshot == workspace.scan().snapshot


def test_what_is_no_snapshot_says_no(tree: Path) -> None:
    snapshot = opened(tree).scan().snapshot
    for broken in (b"", b"nonsense", snapshot[:-9], snapshot + b"\0", b"\x95\x02\x90\xc4\x00\x90\xc4\x00"):
        assert not opened(tree).is_as_in(broken)


def test_a_name_that_is_no_unicode_gives_no_snapshot(tree: Path) -> None:
    try:
        (tree / os.fsdecode(b"bad\xff")).mkdir()
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    assert not opened(tree).scan().snapshot


_SEEN_BY_ANOTHER = """
import sys, time
from dataclasses import replace
from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.files import open_workspace
workspace = replace(open_workspace(sys.argv[1], language_of), clock_ns=lambda: time.time_ns() + 3_600_000_000_000)
sys.stdout.buffer.write(workspace.scan().snapshot)
"""


def test_what_a_process_saw_that_takes_names_for_other_text_says_nothing(tree: Path) -> None:
    (tree / "שלום.py").write_text("x = 1\n")
    seen = dict[str, bytes]()
    for is_unicode in ("1", "0"):
        plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": is_unicode}
        command = [sys.executable, "-c", _SEEN_BY_ANOTHER, str(tree)]
        seen[is_unicode] = subprocess.run(command, env=os.environ | plain, check=True, capture_output=True).stdout
    assert seen["0"]
    assert (True, False) == (opened(tree).is_as_in(seen["1"]), opened(tree).is_as_in(seen["0"]))


def test_an_unchanged_folder_is_not_scanned_again_and_reported_as_before(tree: Path, tmp_path: Path) -> None:
    first = IndexedFolder(tree, tmp_path / "cache", clock_ns=an_hour_later)
    built = first.refresh()
    first.close()
    second = IndexedFolder(tree, tmp_path / "cache", clock_ns=an_hour_later)
    again = second.refresh()
    assert [] == second.phases
    assert (3, 0) == (built.parsed, again.parsed)
    assert replace(built, parsed=0, seconds=0.0) == replace(again, seconds=0.0)

    let_the_clock_move(tmp_path)
    rewrite(tree)
    assert (1, 3) == (second.refresh().parsed, len(second.index.modules()))
    assert second.phases
    second.close()


def test_a_note_of_another_publication_is_not_believed(tree: Path, tmp_path: Path) -> None:
    folder = IndexedFolder(tree, tmp_path / "cache", clock_ns=an_hour_later)
    folder.refresh()
    with folder.index.open_writer() as writer:
        seen = folder.index.last_seen()
        assert seen is not None
        writer.note_seen(seen._replace(publication="999"))
    assert folder.index.last_seen() is None
    assert 0 == folder.refresh().parsed
    noted = folder.index.last_seen()
    assert noted is not None
    assert noted[:2] == seen[:2]
    folder.close()


@pytest.mark.parametrize("year", [2300, 2440, 1902])
def test_a_file_of_another_age_is_indexed_and_followed(tree: Path, tmp_path: Path, year: int) -> None:
    moment = (year - 1970) * 31_556_952 * 10**9
    folder = IndexedFolder(tree, tmp_path / "cache", clock_ns=an_hour_later)
    for text in ("x = 1\n", "def made(): pass\n", "def made(): pass\ndef more(): pass\n"):
        (tree / "a.py").write_text(text)
        os.utime(tree / "a.py", ns=(moment, moment))
        folder.refresh()
        assert text.count("def") == len([name for name in ("made", "more") if folder.index.symbols_named(name)])
        assert 0 == folder.refresh().parsed
    folder.close()


def test_times_that_are_no_numbers_of_64_bits_give_no_snapshot() -> None:
    assert b"" == snapshot_of([("", (-(1 << 64), 0))], [], [], [])
