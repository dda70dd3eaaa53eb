"""Folders looked at by another process: the same answer, or none."""

import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from folders_beside import folders_beside

from ctxcode.codegraph.languages import language_of
from ctxcode.workspace.aside.folders import FoldersAside, Times, altered
from ctxcode.workspace.files import open_workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a", "b/c"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def times(root: Path) -> Times:
    stats = {name: (root / name).stat() for name in ("", "a/", "b/", "b/c/")}
    return [(name, (status.st_mtime_ns, status.st_ctime_ns)) for name, status in stats.items()]


@pytest.mark.parametrize("is_shared", [False, True])
def test_it_finds_what_is_found_here(root: Path, *, is_shared: bool) -> None:
    known = times(root)
    with folders_beside() as beside:
        beside.learn(str(root), known)
        assert beside.begin(known, is_shared=is_shared)
        assert [] == beside.altered()
        os.utime(root / "b/c", (5, 5))
        (root / "a").rmdir()
        assert beside.begin(known, is_shared=is_shared)
        assert altered(known, str(root)) == beside.altered()


def test_half_of_what_is_shared_is_looked_at_here(root: Path) -> None:
    known = times(root)
    asked, asking = os.pipe()
    answers, answering = os.pipe()
    nothing = b"\x90"
    with os.fdopen(asking, "wb") as told, os.fdopen(answers, "rb") as heard:
        beside = FoldersAside(told, heard)
        beside.learn(str(root), known)
        (root / "a").rmdir()
        (root / "b/c").rmdir()
        os.write(answering, len(nothing).to_bytes(4, "big") + nothing)
        assert beside.begin(known, is_shared=True)
        assert altered(known[:2], str(root)) == beside.altered()
    os.close(asked)
    os.close(answering)


def test_it_says_nothing_of_what_it_has_not_learnt(root: Path) -> None:
    with folders_beside() as beside:
        beside.learn(str(root), times(root))
        assert not beside.begin(times(root))
        assert beside.altered() is None


def test_what_nobody_took_is_no_answer_to_the_next_question(root: Path) -> None:
    known = times(root)
    with folders_beside() as beside:
        beside.learn(str(root), known)
        assert beside.begin(known)
        (root / "a").rmdir()
        assert beside.begin(known)
        assert altered(known, str(root)) == beside.altered()


def test_it_learns_while_nobody_has_taken_a_long_answer(root: Path) -> None:
    gone = [(f"a-folder-that-is-not-there/{number}/", (1, 1)) for number in range(20_000)]
    with folders_beside() as beside:
        beside.learn(str(root), gone)
        assert beside.begin(gone)
        beside.learn(str(root), other := [*gone])
        assert beside.begin(other)
        assert altered(other, str(root)) == beside.altered()


def test_names_that_are_no_text_are_not_learnt(root: Path) -> None:
    known = [("\udcff/", (1, 1))]
    with folders_beside() as beside:
        beside.learn(str(root), known)
        assert not beside.begin(known)


def test_without_the_other_process_folders_are_looked_at_here(root: Path) -> None:
    known = times(root)
    asked, asking = os.pipe()
    answers, answering = os.pipe()
    with os.fdopen(asking, "wb", buffering=0) as told, os.fdopen(answers, "rb") as heard:
        beside = FoldersAside(told, heard)
        beside.learn(str(root), known)
        os.close(answering)
        assert beside.begin(known)
        assert beside.altered() is None
        os.close(asked)
        beside.learn(str(root), known)
        assert not beside.begin(known)


def test_a_scan_asks_for_the_folders_git_listed_once_it_has_settled(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "a/x.py").write_text("x = 1\n")
    with folders_beside() as beside:
        workspace = replace(
            open_workspace(str(root), language_of), aside=beside, clock_ns=lambda: time.time_ns() + 10**13
        )
        workspace.scan()
        workspace.settle()
        assert workspace.memory.listed is not None
        assert beside.begin(workspace.memory.listed[1].inside)
        assert [] == beside.altered()
