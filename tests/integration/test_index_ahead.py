"""What is published before all files are looked at: what is changed again after a moment, and what came or went."""

import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

import pytest
from indexed_folder import TOOLS, IndexedFolder, contents

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.pool import ParseOutcome, ParsePool
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.telling import Named, StoredGraph
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.model.ids import SymbolId
from ctxcode.model.source import Guess, IndexReport, Scan
from ctxcode.workspace.files import FolderWorkspace, open_workspace


class NotedPool(ParsePool):
    """Notes what it is asked to parse."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, workers=1)
        self.parsed: list[str] = []

    def parse(self, paths: Sequence[tuple[str, str]], *, written: Collection[str] = ()) -> Iterator[ParseOutcome]:
        self.parsed += [path for path, _ in paths]
        return super().parse(paths, written=written)


@dataclass
class DisturbedTree:
    """A work tree in which something happens between the quick look and the scan."""

    workspace: FolderWorkspace
    happens: Callable[[], object] = lambda: None
    stands_still: bool = False
    """The file system's clock: what was written after the quick look has the stamp it had then."""
    guessed: Guess | None = None

    def scan(self) -> Scan:
        self.happens()
        found = self.workspace.scan()
        if self.guessed is None or not self.stands_still:
            return found
        before = {file.path: file for file in self.guessed.changed}
        return replace(found, files=tuple(before.get(file.path, file) for file in found.files), snapshot=b"")

    def guess(self) -> Guess | None:
        self.guessed = self.workspace.guess()
        return self.guessed

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

    def refresh(self, note_ahead: Callable[[], None] = lambda: None) -> IndexReport:
        return self.folder.indexing.refresh(
            lambda _done, _total, _phase: None, lambda: False, is_awaited=True, note_ahead=note_ahead
        )


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
        folder.write("c.kt", "open class A\nclass C\n")
        folder.refresh()
        pool.parsed.clear()
        yield Followed(folder, trees[0], pool)
        folder.close()


def test_preparing_parses_one_file_once_unless_something_else_is_wanted(followed: Followed) -> None:
    indexing, parsed = followed.folder.indexing, list[list[str]]()
    for is_wanted in (lambda: True, lambda: False, lambda: False):
        indexing.prepare(is_wanted)
        parsed.append([*followed.pool.parsed])
    assert [[], ["a.py"], ["a.py"]] == parsed


def test_a_file_that_is_edited_again_can_be_asked_for_before_all_others_are_looked_at(followed: Followed) -> None:
    seen: list[tuple[str, list[str]]] = []
    followed.tree.happens = lambda: seen.append(("scan", followed.names("a.py")))
    followed.folder.write("a.py", "def a(): pass\ndef more(): pass\n")

    report = followed.refresh(lambda: seen.append(("ahead", followed.names("a.py"))))

    assert [("ahead", ["a", "more"]), ("scan", ["a", "more"])] == seen
    assert (1, ["a.py"]) == (report.parsed, followed.pool.parsed)
    assert followed.folder.index.stats().revision == report.revision


def test_what_changes_once_more_meanwhile_is_parsed_once_more(followed: Followed) -> None:
    followed.folder.write("a.py", "def first(): pass\n")
    followed.tree.happens = lambda: followed.folder.write("a.py", "def second(): pass\ndef third(): pass\n")

    report = followed.refresh()

    assert (1, ["a.py", "a.py"]) == (report.parsed, followed.pool.parsed)
    assert ["second", "third"] == followed.names("a.py")


def test_what_changes_within_one_tick_of_the_clock_is_parsed_once_more(followed: Followed) -> None:
    followed.tree.stands_still = True
    followed.folder.write("a.py", "def first(): pass\n")
    followed.tree.happens = lambda: followed.folder.write("a.py", "def other(): pass\n")

    followed.refresh()

    assert ["other"] == followed.names("a.py")


def test_what_vanishes_meanwhile_is_not_indexed(followed: Followed) -> None:
    followed.folder.write("a.py", "def first(): pass\n")
    followed.tree.happens = lambda: (followed.folder.root / "a.py").unlink(missing_ok=True)

    report = followed.refresh()

    assert (1, 2) == (report.removed, report.files)
    assert [] == followed.names("a.py")


def test_what_only_the_scan_finds_comes_after(followed: Followed) -> None:
    ahead: list[list[str]] = []
    followed.folder.write("a.py", "def first(): pass\n")
    followed.folder.write("new.py", "def new(): pass\n")

    report = followed.refresh(lambda: ahead.append([*followed.names("a.py"), *followed.names("new.py")]))

    assert [["first"]] == ahead
    assert (2, ["a.py", "new.py"]) == (report.parsed, followed.pool.parsed)
    assert (["first"], ["new"]) == (followed.names("a.py"), followed.names("new.py"))


def test_what_changed_comes_ahead_where_all_have_to_be_joined_too(followed: Followed) -> None:
    ahead: list[list[str]] = []
    followed.folder.write("c.kt", "open class A\nclass C : A()\n")

    report = followed.refresh(lambda: ahead.append(followed.names("c.kt")))

    assert ([["A", "C"]], 1) == (ahead, report.parsed)
    assert "inherits" in {edge.kind for edge in followed.folder.index.edges_of(SymbolId("c.kt::C"))}


def test_a_file_written_anew_with_what_it_held_changes_nothing(followed: Followed) -> None:
    ahead: list[bool] = []
    before = followed.folder.index.stats()
    followed.folder.write("a.py", "def a(): pass\n")

    report = followed.refresh(lambda: ahead.append(True))

    assert ([], 0) == (ahead, report.parsed)
    assert before == followed.folder.index.stats()


def test_what_the_scan_finds_after_a_change_that_is_not_joined_yet_is_joined_with_it_once_it_is_settled(
    tmp_path: Path,
) -> None:
    trees, is_settling = list[DisturbedTree](), Event()

    def disturbed(workspace: FolderWorkspace) -> DisturbedTree:
        trees.append(DisturbedTree(workspace))
        return trees[0]

    def update_behind(
        stored: StoredGraph,
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        named: Named,
        mentioning: Mentioning,
        *,
        is_patient: bool,
    ) -> PackedGraph | None:
        is_tried = is_patient and is_settling.is_set()
        return update_graph(stored, changed, facts, named, mentioning) if is_tried else None

    tools = replace(TOOLS, update_graph=update_behind)
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache", is_kept=True, seen_through=disturbed, tools=tools)
    folder.write("a.py", "from b import *\n\ndef use(): added()\n")
    folder.write("b.py", "def b(): pass\n")
    folder.write("c.py", "def c(): pass\n")
    folder.refresh()
    folder.write("b.py", "def b(): pass\ndef added(): pass\n")
    trees[0].happens = lambda: folder.write("c.py", "def other(): pass\n")
    ahead: list[bool] = []
    report = folder.indexing.refresh(
        lambda *_: None, lambda: False, is_awaited=True, note_ahead=lambda: ahead.append(True)
    )
    assert ([True], False) == (ahead, report.is_settled)

    is_settling.set()
    folder.indexing.settle()

    fresh = IndexedFolder(folder.root, tmp_path / "fresh")
    fresh.refresh()
    assert contents(fresh.index) == contents(folder.index)
    assert "b.py::added" in {edge.target for edge in folder.index.edges_of(SymbolId("a.py::use"))}
    for each in (fresh, folder):
        each.close()


def paths(guess: Guess | None) -> list[str]:
    return [file.path for file in guess.changed] if guess is not None else []


def test_nothing_is_guessed_before_a_scan_nor_where_nothing_changed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("")
    workspace = open_workspace(str(tmp_path), language_of)

    assert workspace.guess() is None
    workspace.scan()
    assert workspace.guess() is None


def test_a_guess_is_what_a_scan_finds_then(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("")
    workspace = open_workspace(str(tmp_path), language_of)
    workspace.scan()
    (tmp_path / "b.py").write_text("x = 1\n")

    guess = workspace.guess()

    assert ["b.py"] == paths(guess)
    assert guess is not None
    assert workspace.scan().files == guess.scan.files


def test_a_file_that_is_gone_is_not_guessed_at_nor_are_many(tmp_path: Path) -> None:
    names = [f"m{number}.py" for number in range(8)]
    for name in names:
        (tmp_path / name).write_text("")
    workspace = open_workspace(str(tmp_path), language_of)
    workspace.scan()
    (tmp_path / names[0]).unlink()
    (tmp_path / names[1]).write_text("x = 1\n")
    assert [names[1]] == paths(workspace.guess())

    for name in names:
        (tmp_path / name).write_text("x = 2\n")
    assert [] == paths(workspace.guess())


def test_what_a_folder_leads_to_that_has_become_a_link_is_not_guessed_at(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root / "inner", outside):
        folder.mkdir(parents=True)
        (folder / "a.py").write_text("")
    workspace = open_workspace(str(root), language_of)
    workspace.scan()
    (root / "inner").rename(tmp_path / "was")
    (root / "inner").symlink_to(outside)
    (outside / "a.py").write_text("secret = 1\n")

    assert [] == paths(workspace.guess())


def an_hour_later() -> int:
    return time.time_ns() + 3_600 * 10**9


@pytest.fixture
def settled(tmp_path: Path) -> FolderWorkspace:
    """Return a work tree of git whose listing is known, and was for an hour."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("*_local.py\n")
    (tmp_path / "sub").mkdir()
    for name in ("a.py", "b.py", "sub/c.py"):
        (tmp_path / name).write_text(f"def {name[-4]}(): pass\n")
    workspace = replace(open_workspace(str(tmp_path), language_of), clock_ns=an_hour_later)
    workspace.scan()
    workspace.settle()
    return workspace


def agrees_with_a_scan(workspace: FolderWorkspace, guess: Guess | None) -> bool:
    return guess is not None and replace(guess.scan, snapshot=b"") == replace(workspace.scan(), snapshot=b"")


@pytest.mark.parametrize("name", ["new.py", "sub/new.ts", "a.pyi"])
def test_a_file_that_came_is_guessed(settled: FolderWorkspace, name: str) -> None:
    Path(settled.info.root, name).write_text("x = 1\n")

    guess = settled.guess()

    assert [name] == paths(guess)
    assert agrees_with_a_scan(settled, guess)
    assert settled.guess() is None


def test_a_file_that_went_or_was_renamed_is_guessed(settled: FolderWorkspace) -> None:
    root = Path(settled.info.root)
    (root / "sub/c.py").unlink()
    guess = settled.guess()
    assert guess is not None
    assert ([], ["a.py", "b.py"]) == (guess.changed, [file.path for file in guess.scan.files])
    assert agrees_with_a_scan(settled, guess)

    (root / "a.py").rename(root / "sub/renamed.py")
    guess = settled.guess()
    assert ["sub/renamed.py"] == paths(guess)
    assert agrees_with_a_scan(settled, guess)


def test_a_file_of_gits_that_went_is_guessed_and_so_is_that_it_is_back(settled: FolderWorkspace) -> None:
    root = Path(settled.info.root)
    subprocess.run(["git", "-C", str(root), "add", "b.py"], check=True)
    settled.scan()
    text = (root / "b.py").read_text()
    (root / "b.py").unlink()
    guess = settled.guess()
    assert guess is not None
    assert ([], ["a.py", "sub/c.py"]) == (guess.changed, [file.path for file in guess.scan.files])
    assert agrees_with_a_scan(settled, guess)

    (root / "b.py").write_text(text)
    guess = settled.guess()
    assert ["b.py"] == paths(guess)
    assert agrees_with_a_scan(settled, guess)


@pytest.mark.parametrize("name", ["b.py", "sub/c.py", "data.bin", ".env", "tool"])
def test_what_git_tracks_and_goes_and_comes_back_is_as_a_first_look_finds_it(
    settled: FolderWorkspace, name: str
) -> None:
    file, text = Path(settled.info.root, name), "#!/usr/bin/env python3\n"
    file.write_text(text)
    subprocess.run(["git", "-C", settled.info.root, "add", "-f", name], check=True)
    settled.scan()
    settled.settle()
    for _ in range(2):
        file.unlink()
        assert first_look(settled) == replace(settled.scan(), snapshot=b"")
        settled.settle()
        file.write_text(text)
        assert first_look(settled) == replace(settled.scan(), snapshot=b"")
        settled.settle()


def first_look(workspace: FolderWorkspace) -> Scan:
    return replace(open_workspace(workspace.info.root, language_of).scan(), snapshot=b"")


@pytest.mark.parametrize("name", ["notes_local.py", ".env", "id_rsa.py", "data.bin"])
def test_what_is_ignored_or_in_no_language_is_no_file_that_came(settled: FolderWorkspace, name: str) -> None:
    Path(settled.info.root, name).write_text("x = 1\n")

    guess = settled.guess()

    assert [] == paths(guess)
    assert guess is None or agrees_with_a_scan(settled, guess)


def test_neither_many_files_nor_folders_are_guessed(settled: FolderWorkspace) -> None:
    root = Path(settled.info.root)
    for number in range(6):
        (root / f"new{number}.py").write_text("x = 1\n")
    assert settled.guess() is None
    assert len(settled.scan().files) == 9

    (root / "more").mkdir()
    (root / "more/d.py").write_text("x = 1\n")
    assert settled.guess() is None
    assert len(settled.scan().files) == 10


def test_what_came_and_what_went_can_be_asked_for_before_all_others_are_looked_at(tmp_path: Path) -> None:
    trees: list[DisturbedTree] = []

    def disturbed(workspace: FolderWorkspace) -> DisturbedTree:
        trees.append(DisturbedTree(workspace))
        return trees[0]

    def refresh() -> IndexReport:
        report = folder.indexing.refresh(
            lambda _done, _total, _phase: None, lambda: False, is_awaited=True, note_ahead=note
        )
        folder.workspace.settle()
        return report

    def note() -> None:
        ahead.append(sorted(module.path for module in folder.index.modules()))

    ahead = list[list[str]]()
    subprocess.run(["git", "init", "-q", str(tmp_path / "root")], check=True)
    folder = IndexedFolder(
        tmp_path / "root", tmp_path / "cache", clock_ns=an_hour_later, is_kept=True, seen_through=disturbed
    )
    folder.write("a.py", "from b import b\ndef a(): b()\n")
    folder.write("b.py", "def b(): pass\n")
    folder.refresh()

    folder.write("new.py", "from a import a\ndef new(): a()\n")
    came = refresh()
    (folder.root / "b.py").unlink()
    went = refresh()
    (folder.root / "new.py").unlink()
    trees[0].happens = lambda: folder.write("new.py", "def again(): pass\n")
    back = refresh()

    assert [["a.py", "b.py", "new.py"], ["a.py", "new.py"], ["a.py"]] == ahead
    assert [(1, 0), (0, 1), (1, 0)] == [(report.parsed, report.removed) for report in (came, went, back)]
    fresh = IndexedFolder(tmp_path / "root", tmp_path / "fresh")
    fresh.refresh()
    assert contents(fresh.index) == contents(folder.index)
    folder.close()
    fresh.close()
