"""Several versions of ctxcode on one repository: each has its own index, and none is told what another one made."""

import os
import stat
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.codegraph.isolation.program import start_program
from ctxcode.codegraph.pool import ParsePool
from ctxcode.model.errors import UpdatedError
from ctxcode.store.index.database import versioned_folder

OF_ANOTHER_VERSION = """
from ctxcode.codegraph import languages
languages.FACTS_VERSION += 1
from ctxcode.codegraph.worker import main
main()
"""
WEEKS = 20 * 24 * 3600


def of_version(home: Path, versions: str, *, is_kept: bool = False) -> IndexedFolder:
    place = home / "cache" / versioned_folder(versions)
    return IndexedFolder(home / "root", place, versions=versions, is_kept=is_kept)


def test_two_versions_leave_each_other_their_index(tmp_path: Path) -> None:
    with ExitStack() as opened:
        old, new = of_version(tmp_path, "old"), of_version(tmp_path, "new")
        opened.callback(old.close)
        opened.callback(new.close)
        old.write("a.py", "def f(): pass\n")
        assert [1, 1, 0, 0] == [each.refresh().parsed for each in (old, new, old, new)]
        old.write("b.py", "def g(): pass\n")
        assert [1, 1, 0, 0] == [each.refresh().parsed for each in (old, new, old, new)]


def test_what_was_not_written_for_weeks_goes_when_another_version_works(tmp_path: Path) -> None:
    old, recent, new = (of_version(tmp_path, versions) for versions in ("old", "recent", "new"))
    for each in (old, recent):
        each.write("a.py", "def f(): pass\n")
        each.refresh()
        each.close()
    for file in old.cache.iterdir():
        os.utime(file, (time.time() - WEEKS, time.time() - WEEKS))
    beside = old.cache.parent / "vectors"
    beside.mkdir()
    os.utime(beside, (time.time() - WEEKS, time.time() - WEEKS))
    new.refresh()
    new.indexing.tidy()
    new.close()
    assert {recent.cache.name, new.cache.name, "vectors"} == {path.name for path in old.cache.parent.iterdir()}


def test_all_folders_made_for_an_index_are_private(tmp_path: Path) -> None:
    folder = of_version(tmp_path / "home", "test")
    folder.refresh()
    folder.close()
    made = [folder.cache, folder.cache.parent]
    assert [0o700, 0o700] == [stat.S_IMODE(each.stat().st_mode) for each in made]


def test_a_worker_that_makes_other_facts_is_not_asked_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): pass\n")
    program = subprocess.Popen(
        [sys.executable, "-c", OF_ANOTHER_VERSION], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with ParsePool(tmp_path, workers=1, programs=[program]) as pool:
        with pytest.raises(UpdatedError, match="was updated while this one runs"):
            list(pool.parse([("a.py", "python")]))
        assert program.wait() is not None
    with ParsePool(tmp_path, workers=1, programs=[start_program()]) as pool:
        assert [True] == [outcome.facts is not None for outcome in pool.parse([("a.py", "python")])]
