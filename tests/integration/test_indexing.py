"""Refreshing an index: real files, real parsers, real SQLite."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

import pytest
from indexed_folder import TOOLS, IndexedFolder, contents

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.paths import cheapest_path
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.telling import Named, StoredGraph
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.model.ids import SymbolId
from ctxcode.model.source import SkipReason
from ctxcode.model.symbol import EdgeKind
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.index.seen import INDEX_FILE

FILES = {
    "a.py": "def f(): pass\n",
    "b.py": "from a import f\ndef g(): f()\n",
    "c.rs": "fn h() {}\n",
    "notes.dat": "nothing\n",
}
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for path, text in FILES.items():
        indexed.write(path, text)
    yield indexed
    indexed.close()


def names(folder: IndexedFolder) -> list[str]:
    return [entry.path for entry in folder.index.modules()]


def test_the_first_refresh_parses_everything_and_the_second_nothing(folder: IndexedFolder) -> None:
    first = folder.refresh()
    assert (3, 3, 0, 1, True) == (first.files, first.parsed, first.removed, first.other_files, first.is_complete)
    assert (("python", 2), ("rust", 1)) == first.languages
    assert ["scanning", "parsing", "resolving", "storing"] == list(dict.fromkeys(folder.phases))
    folder.phases.clear()
    second = folder.refresh()
    # Where the first took long the files are old enough by now to be told by their times alone.
    assert (3, 0) == (second.files, second.parsed)
    assert folder.phases in (["scanning"], [])
    assert (first.revision, first.symbols, first.edges) == (second.revision, second.symbols, second.edges)


def test_only_what_changed_is_parsed_and_everything_is_joined_again(folder: IndexedFolder) -> None:
    folder.refresh()
    folder.write("a.py", "def renamed(): pass\n")
    report = folder.refresh()
    assert (1, 3) == (report.parsed, report.files)
    assert () == folder.index.symbols_named("f")
    edges = folder.index.edges_of(SymbolId("b.py::g"))
    assert ["b.py"] == [edge.source for edge in edges]


def test_a_touched_file_is_compared_by_content_and_not_parsed(folder: IndexedFolder) -> None:
    first = folder.refresh()
    os.utime(folder.root / "a.py", (1, 1))
    second = folder.refresh()
    assert (0, first.revision) == (second.parsed, second.revision)
    assert 0 == folder.refresh().parsed


def test_deleted_and_renamed_files_leave_nothing_behind(folder: IndexedFolder) -> None:
    folder.refresh()
    (folder.root / "a.py").rename(folder.root / "z.py")
    (folder.root / "c.rs").unlink()
    report = folder.refresh()
    assert (["b.py", "z.py"], 2, 1) == (names(folder), report.removed, report.parsed)
    assert [] == list(folder.index.search([("h", 1.0)]))


def test_equal_trees_have_equal_revisions_wherever_they_are(folder: IndexedFolder, tmp_path: Path) -> None:
    other = IndexedFolder(tmp_path / "elsewhere", tmp_path / "cache2")
    for path, text in reversed(FILES.items()):
        other.write(path, text)
    first, second = folder.refresh(), other.refresh()
    assert first.revision == second.revision
    assert contents(folder.index, ("f", "pass")) == contents(other.index, ("f", "pass"))
    other.write("a.py", "def f(): return 1\n")
    assert first.revision != other.refresh().revision
    other.close()


def test_files_no_parser_takes_are_listed_and_not_tried_again(folder: IndexedFolder) -> None:
    folder.write("minified.js", "var a=1;" * 2000)
    folder.write("binary.py", "a\0b")
    folder.write(".env", "KEY=1")
    first = folder.refresh()
    expected = [(".env", SkipReason.SECRET), ("binary.py", SkipReason.BINARY), ("minified.js", SkipReason.MINIFIED)]
    assert expected == [(skipped.path, skipped.reason) for skipped in first.skipped]
    assert first.files == first.parsed
    os.utime(folder.root / "binary.py", (1, 1))
    second = folder.refresh()
    assert (0, first.skipped, 3) == (second.parsed, second.skipped, second.files)
    folder.write("binary.py", "x = 1\n")
    assert (1, 4) == ((third := folder.refresh()).parsed, third.files)


def test_what_a_build_wrote_is_listed_and_parsed_once_its_source_is_gone(folder: IndexedFolder) -> None:
    folder.write("src/cart.ts", "export function total(): number { return 1 }\n")
    folder.write("lib/cart.js", "export function total() { return 1 }\n")
    report = folder.refresh()

    assert [("lib/cart.js", SkipReason.GENERATED, "says the same as src/cart.ts")] == [
        (row.path, row.reason, row.detail) for row in report.skipped
    ]
    (folder.root / "src/cart.ts").unlink()
    assert (1, ()) == ((again := folder.refresh()).parsed, again.skipped)


def cancelled_after(calls: int) -> Callable[[], bool]:
    remaining = iter(range(calls))
    return lambda: next(remaining, None) is None


def test_a_cancelled_refresh_keeps_what_it_parsed_and_the_next_does_the_rest(folder: IndexedFolder) -> None:
    for number in range(20):
        folder.write(f"m{number:02}.py", f"def f{number}(): pass\n")
    first = folder.refresh(cancelled_after(5))
    assert (False, first.parsed) == (first.is_complete, len(names(folder)))
    assert 0 < first.parsed < 23
    second = folder.refresh()
    assert (True, 23 - first.parsed, 23) == (second.is_complete, second.parsed, second.files)


def test_of_a_cancelled_refresh_it_is_known_how_much_is_missing(folder: IndexedFolder) -> None:
    for number in range(20):
        folder.write(f"m{number:02}.py", f"def f{number}(): pass\n")
    first = folder.refresh(cancelled_after(5))
    stats = folder.index.stats()
    assert (23 - first.parsed, False) == (stats.pending, stats.is_whole)
    assert folder.refresh().is_complete
    assert folder.index.stats().is_whole


def test_what_is_left_of_a_cancelled_refresh_may_be_gone(folder: IndexedFolder) -> None:
    for number in range(20):
        folder.write(f"m{number:02}.py", f"def f{number}(): pass\n")
    folder.refresh(cancelled_after(5))
    for path in {path.name for path in folder.root.iterdir()} - set(names(folder)):
        (folder.root / path).unlink()
    assert (0, True) == (folder.refresh().parsed, folder.index.stats().is_whole)


def make_large(folder: IndexedFolder) -> None:
    """Write what is parsed in several batches, each of which seems to take long."""
    # It stands first: after a block, Python's grammar looks at each line of it for all that are left.
    comment = f"# {'x' * 70}\n" * 1_400
    for number in range(30):
        folder.write(f"n{number:02}.py", f"{comment}from a import f\ndef g(): f()\ndef h(): g()\n")
    seconds = count(step=20)
    folder.clock = lambda: float(next(seconds))


def test_a_large_index_is_there_before_it_is_whole(folder: IndexedFolder) -> None:
    make_large(folder)
    seen = list[tuple[int, int, int]]()

    def look(done: int, total: int, phase: str) -> None:
        del done, total, phase
        stats = folder.index.stats()
        if stats.revision:
            # Which files come first is the workers' business, even where they stand.
            called = [SymbolId(f"n{number:02}.py::g") for number in range(30)]
            edges = [edge for each in called for edge in folder.index.edges_of(each)]
            callers = [edge for edge in edges if edge.kind is EdgeKind.CALLS and edge.target in called]
            seen.append((stats.files, stats.pending, len(callers)))

    report = folder.indexing.refresh(look, lambda: False, is_awaited=True)
    files, pending, callers = seen[0]
    assert 33 == files + pending
    assert 0 < callers <= files < 33
    assert seen == sorted(seen)
    assert (33, True, True) == (report.files, report.is_complete, folder.index.stats().is_whole)


def test_of_a_large_index_the_code_is_there_before_its_tests(folder: IndexedFolder) -> None:
    make_large(folder)
    for number in range(10):
        (folder.root / f"n{number:02}.py").rename(folder.root / f"b{number:02}_test.py")
    seen = list[list[str]]()

    def look(done: int, total: int, phase: str) -> None:
        del done, total, phase
        if folder.index.stats().pending:
            seen.append([path for path in names(folder) if path.endswith("_test.py")])

    folder.indexing.refresh(look, lambda: False, is_awaited=True)
    assert [] == seen[0]
    assert 10 == len([path for path in names(folder) if path.endswith("_test.py")])


def test_whoever_shows_a_large_index_hears_when_more_of_it_is_there(folder: IndexedFolder) -> None:
    make_large(folder)
    told = list[tuple[str, int]]()

    def look(done: int, total: int, phase: str) -> None:
        del done, total
        if not told or told[-1][0] != phase:
            told.append((phase, folder.index.stats().symbols))

    folder.indexing.refresh(look, lambda: False, is_awaited=True)
    more = [symbols for (before, _), (phase, symbols) in pairwise(told) if (before, phase) == ("resolving", "parsing")]
    assert more
    assert [0, *more] == sorted({0, *more})


def test_whoever_builds_the_same_large_index_meanwhile_loses_nothing(folder: IndexedFolder) -> None:
    make_large(folder)
    other = IndexedFolder(folder.root, folder.cache)
    found = list[dict[str, object]]()

    def build_it_too(done: int, total: int, phase: str) -> None:
        del done, total, phase
        if folder.index.stats().pending and not found:
            other.refresh()
            found.append(contents(other.index))

    report = folder.indexing.refresh(build_it_too, lambda: False, is_awaited=True)
    assert (33, True) == (report.files, folder.index.stats().is_whole)
    assert found == [contents(folder.index)]
    other.close()


@pytest.mark.parametrize("is_awaited", [False, True])
def test_what_another_process_publishes_meanwhile_is_no_damage(folder: IndexedFolder, *, is_awaited: bool) -> None:
    for number in range(3):
        folder.write(f"c{number}.py", f"from a import f\ndef c{number}(): f()\n")
    folder.refresh()
    other = IndexedFolder(folder.root, folder.cache)
    is_over = list[bool]()

    def edit_and_index_too(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "resolving" and not is_over:
            is_over.append(True)
            folder.write("c1.py", "from a import f\ndef other(): f()\n")
            other.refresh()

    folder.write("a.py", "def g(): pass\n")
    folder.indexing.refresh(edit_and_index_too, lambda: False, is_awaited=is_awaited)
    folder.refresh()
    fresh = IndexedFolder(folder.root, folder.cache.with_name("fresh"))
    fresh.refresh()
    assert contents(fresh.index) == contents(folder.index)
    assert [] == list(folder.cache.rglob("*.damaged"))
    for each in (other, fresh):
        each.close()


def test_what_another_process_removes_while_a_change_is_joined_is_looked_at_again(folder: IndexedFolder) -> None:
    folder.refresh()
    other = IndexedFolder(folder.root, folder.cache)
    is_over = list[bool]()

    def update(
        stored: StoredGraph,
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        named: Named,
        mentioning: Mentioning,
        *,
        is_patient: bool,
    ) -> PackedGraph | None:
        made = update_graph(stored, changed, facts, named, mentioning, is_patient=is_patient)
        if not is_over:
            is_over.append(True)
            folder.write("a.py", "def h(): pass\n")
            other.refresh()
        return made

    waiting = IndexedFolder(folder.root, folder.cache, is_kept=True, tools=replace(TOOLS, update_graph=update))
    folder.write("a.py", "def g(): pass\n")
    report = waiting.refresh()
    assert ([True], 2, 0) == (is_over, waiting.phases.count("scanning"), report.parsed)
    assert contents(other.index) == contents(waiting.index)
    for each in (other, waiting):
        each.close()


def test_what_a_killed_refresh_wrote_is_used_by_the_next(folder: IndexedFolder) -> None:
    def die(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "resolving":
            raise KeyboardInterrupt

    folder.refresh()
    folder.write("a.py", "def new(): pass\n")
    with pytest.raises(KeyboardInterrupt):
        folder.indexing.refresh(die, lambda: False)
    assert ["a.py::f"] == [found.id for found in folder.index.symbols_named("f")]
    report = folder.refresh()
    assert (0, ["a.py::new"]) == (report.parsed, [found.id for found in folder.index.symbols_named("new")])


def test_what_an_awaited_refresh_parsed_is_written_with_its_publication(tmp_path: Path) -> None:
    def die(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "storing":
            raise KeyboardInterrupt

    folder = IndexedFolder(tmp_path / "tree", tmp_path / "kept", is_kept=True)
    folder.write("a.py", "def f(): pass\n")
    folder.refresh()
    folder.write("a.py", "def new(): pass\n")
    with pytest.raises(KeyboardInterrupt):
        folder.indexing.refresh(die, lambda: False, is_awaited=True)
    report = folder.refresh()
    assert (1, ["a.py::new"]) == (report.parsed, [found.id for found in folder.index.symbols_named("new")])
    folder.close()


def test_readers_see_the_old_index_until_the_new_one_is_whole(folder: IndexedFolder) -> None:
    folder.refresh()
    before = contents(folder.index)
    folder.write("a.py", "def new(): pass\nclass K: pass\n")
    seen: list[object] = []

    def look(done: int, total: int, phase: str) -> None:
        del done, total
        if phase in {"resolving", "storing"}:
            seen.append(contents(folder.index))

    folder.indexing.refresh(look, lambda: False)
    assert [before, before] == seen
    assert ["a.py::K"] == [found.id for found in folder.index.symbols_named("K")]


def test_threads_may_ask_while_the_index_is_refreshed(folder: IndexedFolder) -> None:
    folder.refresh()
    failures: list[BaseException] = []
    stop = threading.Event()

    def ask() -> None:
        try:
            while not stop.is_set():
                hits = folder.index.search([("def", 1.0), ("f", 1.0)])
                folder.index.symbols_at([hit.node for hit in hits])
                folder.index.modules()
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(3):
        folder.write("a.py", f"def f(): return {number}\n")
        folder.refresh()
    stop.set()
    for thread in threads:
        thread.join(timeout=30)
    assert [] == failures


def test_an_index_can_be_opened_while_another_process_begins_it(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    other = sqlite3.connect(cache / INDEX_FILE, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE other (x)")
    timer = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert "" == SqliteIndex(cache, versions="test", find_path=cheapest_path).stats().revision
    timer.join()
    other.close()


def test_two_processes_may_refresh_the_same_index(folder: IndexedFolder) -> None:
    for number in range(60):
        folder.write(f"m{number:02}.py", f"from a import f\ndef f{number}(): f()\n")
    script = (
        "import sys; from pathlib import Path; from indexed_folder import IndexedFolder\n"
        "folder = IndexedFolder(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "print(folder.refresh().revision); folder.close()\n"
    )
    arguments = [sys.executable, "-c", script, str(folder.root), str(folder.cache)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    runs = [
        subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for _ in range(3)
    ]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [("", 0)] * 3 == [(error, run.returncode) for (_, error), run in zip(outputs, runs, strict=True)]
    report = folder.refresh()
    assert {report.revision} == {output.strip() for output, _ in outputs}
    assert (0, 63, True) == (report.parsed, report.files, folder.index.is_sound())
