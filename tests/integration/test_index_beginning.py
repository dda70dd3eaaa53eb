"""A folder of nearly the same files as an indexed one begins with what is known of those."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from command import run_here
from indexed_folder import IndexedFolder, contents

from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.store.index.alike.beginning import begin_as_most_alike
from ctxcode.store.index.database import IndexDatabase
from ctxcode.store.index.seen import INDEX_FILE

FILES = {
    "shop/cart.py": "from shop.price import Price\n\nclass Cart:\n    def total(self, it: Price): return it.net()\n",
    "shop/price.py": "class Price:\n    def net(self): return 1\n",
    "shop/till.py": "from shop.cart import Cart\n\ndef pay(): Cart().total(None)\n",
    "web/app.ts": "export function show(): void {}\n",
    "made.min.js": "a" * 6_000,
}
WORDS = ("cart", "total", "net", "show", "rebate")


@pytest.fixture
def first(tmp_path: Path) -> Iterator[IndexedFolder]:
    """Return a folder with its index."""
    made = IndexedFolder(tmp_path / "first", tmp_path / "caches/first")
    for path, text in FILES.items():
        made.write(path, text)
    made.refresh()
    made.indexing.tidy()
    yield made
    made.close()


@pytest.fixture
def second(first: IndexedFolder, tmp_path: Path) -> Iterator[IndexedFolder]:
    """Return a folder of the same files, without an index."""
    shutil.copytree(first.root, tmp_path / "second")
    made = IndexedFolder(tmp_path / "second", tmp_path / "caches/second")
    yield made
    made.close()


def begun(folder: IndexedFolder, *others: Path) -> bool:
    """Begin a folder's index as the most alike of others; return whether there was one."""
    root = str(folder.workspace.info.root)
    own = IndexDatabase(folder.cache, folder.versions)
    return begin_as_most_alike(own, others, lambda path: take_in(root, path).content_hash)


def test_nothing_is_parsed_again_and_all_is_as_in_an_index_of_its_own(
    first: IndexedFolder, second: IndexedFolder
) -> None:
    before = contents(first.index, WORDS)
    assert begun(second, first.cache)
    report = second.refresh()
    assert (0, 0) == (report.parsed, report.removed)
    assert before == contents(second.index, WORDS) == contents(first.index, WORDS)
    assert [skipped.path for skipped in report.skipped] == ["made.min.js"]
    assert 0 == second.refresh().parsed


def test_what_differs_is_parsed_and_what_is_missing_goes(
    first: IndexedFolder, second: IndexedFolder, tmp_path: Path
) -> None:
    second.write("shop/price.py", "class Price:\n    def net(self): return self.rebate()\n    def rebate(self): ...\n")
    second.write("shop/new.py", "from shop.price import Price\ndef rebate(): Price().rebate()\n")
    (second.root / "web/app.ts").unlink()
    assert begun(second, first.cache)
    report = second.refresh()
    assert (2, 1) == (report.parsed, report.removed)
    anew = IndexedFolder(second.root, tmp_path / "caches/anew")
    anew.refresh()
    assert contents(anew.index, WORDS) == contents(second.index, WORDS)
    anew.close()


def test_the_most_alike_is_taken_and_none_that_is_not_alike(first: IndexedFolder, tmp_path: Path) -> None:
    other = IndexedFolder(tmp_path / "other", tmp_path / "caches/other")
    for path, text in FILES.items():
        other.write(path, "" if path == "shop/price.py" else text)
    other.refresh()
    third = IndexedFolder(tmp_path / "third", tmp_path / "caches/third")
    for path in FILES:
        third.write(path, f"x = '{path}'\n")
    assert not begun(third, first.cache, other.cache)
    for path, text in FILES.items():
        third.write(path, text)
    os.utime(first.cache / INDEX_FILE, (1, 1))
    assert begun(third, other.cache, tmp_path / "caches/none", first.cache)
    assert 0 == third.refresh().parsed
    for folder in (other, third):
        folder.close()


def damage(folder: IndexedFolder) -> None:
    place = folder.cache / INDEX_FILE
    data = place.read_bytes()
    place.write_bytes(data[: len(data) // 2] + b"\xff" * (len(data) // 2))


def suspect(folder: IndexedFolder) -> None:
    (folder.cache / f"{INDEX_FILE}.suspect").touch()


def left_unfinished(folder: IndexedFolder) -> None:
    with closing(sqlite3.connect(folder.cache / INDEX_FILE, isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = '3' WHERE key = 'pending'")


def of_other_versions(folder: IndexedFolder) -> None:
    with closing(sqlite3.connect(folder.cache / INDEX_FILE, isolation_level=None)) as connection:
        connection.execute("UPDATE meta SET value = 'others' WHERE key = 'versions'")


def without_a_table(folder: IndexedFolder) -> None:
    with closing(sqlite3.connect(folder.cache / INDEX_FILE, isolation_level=None)) as connection:
        connection.execute("DROP TABLE listing")


def replaced_by_text(folder: IndexedFolder) -> None:
    (folder.cache / INDEX_FILE).write_text("no database")


@pytest.mark.parametrize(
    "spoil", [damage, suspect, left_unfinished, of_other_versions, without_a_table, replaced_by_text]
)
def test_what_can_not_be_relied_on_is_passed_over_and_stays_as_it_is(
    first: IndexedFolder, second: IndexedFolder, spoil: Callable[[IndexedFolder], None]
) -> None:
    expected = contents(first.index, WORDS)
    first.close()
    spoil(first)
    before = (first.cache / INDEX_FILE).read_bytes()
    begun(second, first.cache)
    assert second.refresh().files == len(FILES) - 1
    assert before == (first.cache / INDEX_FILE).read_bytes()
    assert expected == contents(second.index, WORDS)


def test_an_index_that_has_begun_is_left_alone(first: IndexedFolder, second: IndexedFolder) -> None:
    second.write("web/app.ts", "")
    assert len(FILES) - 1 == second.refresh().parsed
    before = contents(second.index)
    assert not begun(second, first.cache)
    assert before == contents(second.index)


def test_who_reads_meanwhile_finds_all_of_it_or_nothing(first: IndexedFolder, second: IndexedFolder) -> None:
    assert not second.index.stats().revision
    assert begun(second, first.cache)
    assert first.index.stats() == second.index.stats()
    second.refresh()
    assert contents(first.index, WORDS) == contents(second.index, WORDS)


def test_another_work_tree_and_a_moved_repository_are_there_at_once(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(tmp_path / "one")]
    for path, text in FILES.items():
        (tmp_path / "one" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "one" / path).write_text(text)
    for words in (
        ("init", "-q"),
        ("add", "."),
        ("commit", "-qm", "x"),
        ("worktree", "add", "-q", str(tmp_path / "two")),
    ):
        subprocess.run([*git, *words], check=True)
    home = tmp_path / "home"
    home.mkdir()
    assert 4 == run_here(home, "index", str(tmp_path / "one"), "--format", "json").json()["parsed"]
    told = run_here(home, "index", str(tmp_path / "two"), "--format", "json").json()
    assert (0, 4) == (told["parsed"], told["files"])
    (tmp_path / "one").rename(tmp_path / "three")
    shown = run_here(home, "symbol", "Cart.total", folder=tmp_path / "three")
    assert "shop/cart.py:4" in shown.out
    told = run_here(home, "index", str(tmp_path / "three"), "--format", "json").json()
    assert 0 == told["parsed"]
