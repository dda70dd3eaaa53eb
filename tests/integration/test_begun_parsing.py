"""What is parsed while the work tree is still being looked at: files that were changed lately and are changed again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.pool import ParseOutcome, ParsePool
from ctxcode.model.source import Scan, SourceFile
from ctxcode.workspace.files import FolderWorkspace, open_workspace


class NotedPool(ParsePool):
    """Notes what it is asked to parse."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, workers=1)
        self.parsed: list[str] = []

    def parse(self, paths: Sequence[tuple[str, str]]) -> Iterator[ParseOutcome]:
        self.parsed += [path for path, _ in paths]
        return super().parse(paths)


@dataclass
class DisturbedTree:
    """A work tree in which something happens between the quick look and the scan."""

    workspace: FolderWorkspace
    happens: Callable[[], object] = lambda: None
    looked: list[tuple[str, ...]] = field(default_factory=list)

    def scan(self) -> Scan:
        self.happens()
        return self.workspace.scan()

    def changed_again(self) -> tuple[SourceFile, ...]:
        found = self.workspace.changed_again()
        self.looked.append(tuple(file.path for file in found))
        return found

    def is_as_in(self, snapshot: bytes) -> bool:
        return self.workspace.is_as_in(snapshot)


@dataclass
class Followed:
    """An index that is refreshed often, and what can be seen of that."""

    folder: IndexedFolder
    tree: DisturbedTree
    pool: NotedPool

    def names(self, path: str) -> list[str]:
        return [symbol.qualname for symbol in self.folder.index.symbols_in(path)][1:]


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    trees: list[DisturbedTree] = []

    def disturbed(workspace: FolderWorkspace) -> DisturbedTree:
        trees.append(DisturbedTree(workspace))
        return trees[0]

    with NotedPool(tmp_path / "root") as pool:
        folder = IndexedFolder(tmp_path / "root", tmp_path / "cache", pool=pool, is_kept=True, seen_through=disturbed)
        folder.write("a.py", "def a(): pass\n")
        folder.write("b.py", "def b(): pass\n")
        folder.refresh()
        pool.parsed.clear()
        trees[0].looked.clear()
        yield Followed(folder, trees[0], pool)
        folder.close()


def test_a_file_that_is_edited_again_is_parsed_before_all_others_are_looked_at(followed: Followed) -> None:
    begun: list[list[str]] = []
    followed.tree.happens = lambda: begun.append([*followed.tree.looked[-1]])
    followed.folder.write("a.py", "def a(): pass\ndef more(): pass\n")

    report = followed.folder.refresh()

    assert [["a.py"]] == begun
    assert (1, ["a.py"]) == (report.parsed, followed.pool.parsed)
    assert ["a", "more"] == followed.names("a.py")


def test_what_changes_once_more_meanwhile_is_parsed_once_more(followed: Followed) -> None:
    followed.folder.write("a.py", "def first(): pass\n")
    followed.tree.happens = lambda: followed.folder.write("a.py", "def second(): pass\ndef third(): pass\n")

    report = followed.folder.refresh()

    assert (1, ["a.py", "a.py"]) == (report.parsed, followed.pool.parsed)
    assert ["second", "third"] == followed.names("a.py")


def test_what_vanishes_meanwhile_is_not_indexed(followed: Followed) -> None:
    followed.folder.write("a.py", "def first(): pass\n")
    followed.tree.happens = lambda: (followed.folder.root / "a.py").unlink(missing_ok=True)

    report = followed.folder.refresh()

    assert (0, 1, 1) == (report.parsed, report.removed, report.files)
    assert [] == followed.names("a.py")


def test_files_found_only_by_the_scan_are_parsed_beside_what_was_begun(followed: Followed) -> None:
    followed.folder.write("a.py", "def first(): pass\n")
    followed.folder.write("new.py", "def new(): pass\n")

    report = followed.folder.refresh()

    assert (2, ["a.py", "new.py"]) == (report.parsed, followed.pool.parsed)
    assert (["first"], ["new"]) == (followed.names("a.py"), followed.names("new.py"))


def test_a_quick_look_finds_nothing_before_a_scan_nor_where_nothing_changed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("")
    workspace = open_workspace(str(tmp_path), language_of)

    assert () == workspace.changed_again()
    workspace.scan()
    assert () == workspace.changed_again()

    (tmp_path / "b.py").write_text("x = 1\n")
    (tmp_path / "a.py").unlink()
    assert ["b.py"] == [file.path for file in workspace.changed_again()]
    assert workspace.changed_again() == workspace.scan().files
