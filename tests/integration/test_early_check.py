"""Whether an index is up to date, checked while everything else loads."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder
from tmux_terminal import private_home

from ctxcode.bootstrap.index.early import useful_workers
from ctxcode.settings.directory import directories, repository_key

ASKED = """
import os, sys
from pathlib import Path
from ctxcode.bootstrap.index.ahead import start_check
check = start_check(Path("tree"), dict(os.environ))
snapshot = sys.stdin.buffer.read()
print("none" if check is None else [check.holds(snapshot), check.holds(snapshot)])
"""
"""Asks twice: only the first answer is news."""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or useful_workers() < 2, reason="the check is made by a copy of the process on another core"
)


def asked(home: Path, snapshot: bytes) -> str:
    run = subprocess.run(
        [sys.executable, "-c", ASKED], input=snapshot, capture_output=True, check=True, cwd=home, env=private_home(home)
    )
    assert not run.stderr
    return run.stdout.decode().strip()


def settled_folder(home: Path) -> IndexedFolder:
    """Return a folder indexed long after its files were written."""
    cache = directories(private_home(home)).cache / repository_key(home / "tree")
    folder = IndexedFolder(home / "tree", cache, clock_ns=lambda: time.time_ns() + 10**11)
    folder.write("pkg/a.py", "def one():\n    return 1\n")
    folder.refresh()
    return folder


def noted(folder: IndexedFolder) -> bytes:
    seen = folder.index.last_seen()
    assert seen is not None
    return seen.snapshot


def test_an_unchanged_work_tree_is_told_once(tmp_path: Path) -> None:
    folder = settled_folder(tmp_path)
    assert "[True, False]" == asked(tmp_path, noted(folder))
    assert "[False, False]" == asked(tmp_path, b"what another scan saw")


def test_nothing_is_told_of_a_work_tree_that_changed(tmp_path: Path) -> None:
    folder = settled_folder(tmp_path)
    folder.write("pkg/b.py", "def two():\n    return 2\n")
    assert "[False, False]" == asked(tmp_path, noted(folder))


def test_an_index_that_is_damaged_or_missing_tells_nothing(tmp_path: Path) -> None:
    folder = settled_folder(tmp_path)
    snapshot = noted(folder)
    folder.index.close()
    (folder.cache / "index.db").write_bytes(b"no database at all" * 300)
    assert "[False, False]" == asked(tmp_path, snapshot)
    (folder.cache / "index.db").unlink()
    assert "none" == asked(tmp_path, snapshot)
