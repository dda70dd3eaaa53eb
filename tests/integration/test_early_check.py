"""Whether an index is up to date, checked while everything else loads."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder
from tmux_terminal import private_home

from ctxcode.bootstrap.application import open_application
from ctxcode.bootstrap.edits import undo_folder
from ctxcode.bootstrap.index.ahead import EarlyCheck
from ctxcode.bootstrap.index.early import useful_workers
from ctxcode.bootstrap.index.opening import index_place
from ctxcode.settings.directory import directories, repository_key
from ctxcode.workspace.files import FolderWorkspace

ASKED = """
import os, sys
from pathlib import Path
from ctxcode.bootstrap.index.ahead import start_check
check = start_check(Path("tree"), dict(os.environ))
snapshot = sys.stdin.buffer.read()
print("none" if check is None else [check.holds(snapshot), check.holds(snapshot)])
"""
"""Asks twice: only the first answer is news."""

KILLED = """
import os, sys
from pathlib import Path
from ctxcode.model.edit.change import FileWrite, bytes_digest
from ctxcode.workspace.edits.editor import FolderEditor
from ctxcode.workspace.edits.vault import Vault
sys.addaudithook(lambda event, about: os._exit(9) if event == "os.remove" and "pending" in str(about[0]) else None)
old = Path(sys.argv[1], "a.py").read_bytes()
FolderEditor(sys.argv[1], Vault(Path(sys.argv[2]))).write([FileWrite("a.py", bytes_digest(old), b"new\\n")])
"""


class Unchanged(EarlyCheck):
    """A check that has found nothing changed."""

    def __init__(self) -> None:
        super().__init__(0, -1)

    def holds(self, snapshot: bytes) -> bool:
        return True


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
    folder = IndexedFolder(home / "tree", index_place(cache), clock_ns=lambda: time.time_ns() + 10**11)
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


def test_what_an_interrupted_edit_leaves_is_looked_at_again(tmp_path: Path) -> None:
    root, environment = tmp_path / "tree", private_home(tmp_path)
    root.mkdir()
    (root / "a.py").write_text("old\n")

    def is_believed() -> bool:
        workspace = open_application(root, overrides={}, environment=environment, check=Unchanged()).adapters.workspace
        assert isinstance(workspace, FolderWorkspace)
        return workspace.is_known_as_in(b"what the check saw")

    assert is_believed()
    kept = undo_folder(directories(environment), root)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(root), str(kept)], check=False)
    assert (9, "new\n") == (ended.returncode, (root / "a.py").read_text())
    assert not is_believed()
    assert "old\n" == (root / "a.py").read_text()
    assert is_believed()
