"""What is published at once where a change means something to many files, and how the rest follows."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from indexed_folder import IndexedFolder, contents
from sample_repository import write_sample

from ctxcode.bootstrap.aside.indexing import IndexingAside
from ctxcode.bootstrap.index.opening import index_place, indexing_for, open_index
from ctxcode.codegraph.languages import language_of
from ctxcode.model.ids import SymbolId
from ctxcode.model.source import IndexReport
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.workspace.files import open_workspace

MANY = 60


def an_hour_later() -> int:
    return time.time_ns() + 3_600 * 10**9


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    """Return an index of a package in which everything is called ``shop.…`` for its ``__init__.py``."""
    made = IndexedFolder(tmp_path / "root", tmp_path / "cache", clock_ns=an_hour_later, is_kept=True)
    made.write("shop/__init__.py", "from .price import total\n")
    made.write("shop/price.py", "def total(): pass\n")
    made.write("shop/cart.py", "from shop import total\n\ndef pay(): total()\n")
    made.refresh()
    yield made
    made.close()


def awaited(folder: IndexedFolder) -> IndexReport:
    """Refresh as for a question that waits; what may follow the answer has not been done."""
    return folder.indexing.refresh(lambda _done, _total, _phase: None, lambda: False, is_awaited=True)


def built_anew(folder: IndexedFolder) -> dict[str, object]:
    fresh = IndexedFolder(folder.root, folder.cache.with_name("fresh"))
    fresh.refresh()
    told = contents(fresh.index)
    fresh.close()
    return told


def rewritten(folder: IndexedFolder) -> None:
    (folder.root / "shop/__init__.py").unlink()
    folder.write("shop/cart.py", "from shop.price import total\n\ndef added(): pass\n\ndef pay(): total()\n")


def test_what_changed_is_known_at_once_and_all_else_once_it_is_settled(folder: IndexedFolder) -> None:
    rewritten(folder)

    report = awaited(folder)

    assert not report.is_settled
    assert ["shop/cart.py", "shop/price.py"] == sorted(module.path for module in folder.index.modules())
    symbols = folder.index.symbols_in("shop/cart.py")[1:]
    assert [("added", 3), ("pay", 5)] == [(symbol.name, symbol.start_line) for symbol in symbols]
    folder.indexing.settle()
    assert built_anew(folder) == contents(folder.index)


def test_edges_that_are_not_settled_have_a_revision_of_their_own(folder: IndexedFolder) -> None:
    rewritten(folder)

    report, early = awaited(folder), folder.index.stats()
    folder.workspace.settle()
    folder.indexing.settle()
    settled, told = folder.index.stats(), folder.indexing.unchanged()

    assert report.revision == early.revision != settled.revision
    assert told is not None
    assert (settled.revision, settled.edges, True) == (told.revision, told.edges, told.is_settled)


def test_edges_to_what_is_gone_go_with_it(folder: IndexedFolder) -> None:
    assert folder.index.edges_of(SymbolId("shop/price.py::total"))
    (folder.root / "shop/price.py").unlink()
    (folder.root / "shop/__init__.py").unlink()

    assert not awaited(folder).is_settled
    assert {edge.kind for edge in folder.index.edges_of(SymbolId("shop/cart.py::pay"))} <= {"contains"}


def test_what_nobody_has_settled_is_left_by_the_next_refresh_and_settled_behind_it(folder: IndexedFolder) -> None:
    rewritten(folder)
    awaited(folder)

    report = awaited(folder)

    assert (False, 0) == (report.is_settled, report.parsed)
    folder.indexing.settle()
    assert built_anew(folder) == contents(folder.index)


@pytest.mark.parametrize("looks", [0, 1, 3, 6])
def test_settling_ends_when_something_else_is_wanted_and_loses_nothing(folder: IndexedFolder, looks: int) -> None:
    rewritten(folder)
    early = awaited(folder)
    left = iter(range(looks))

    folder.indexing.settle(lambda: next(left, None) is None)

    assert early.revision == folder.index.stats().revision
    folder.write("shop/price.py", "def total(): pass\n\ndef late(): total()\n")
    report = awaited(folder)
    assert (False, 1) == (report.is_settled, report.parsed)
    assert "late" in [symbol.name for symbol in folder.index.symbols_in("shop/price.py")]
    folder.indexing.settle()
    assert built_anew(folder) == contents(folder.index)


def test_a_command_does_not_answer_from_what_is_not_settled(folder: IndexedFolder) -> None:
    rewritten(folder)
    awaited(folder)
    command = IndexedFolder(folder.root, folder.cache)

    report = command.refresh()

    assert report.is_settled
    assert built_anew(folder) == contents(command.index)
    folder.indexing.settle()
    assert contents(command.index) == contents(folder.index)
    command.close()


def test_much_is_joined_before_it_is_published(folder: IndexedFolder) -> None:
    (folder.root / "shop/__init__.py").unlink()
    for number in range(MANY):
        folder.write(f"shop/more{number}.py", "from shop.price import total\n")

    assert awaited(folder).is_settled


@pytest.fixture
def aside(tmp_path: Path) -> Iterator[IndexingAside]:
    workspace, cache = open_workspace(str(write_sample(tmp_path / "shop")), language_of), tmp_path / "cache"
    folder = tmp_path / "shop/late"
    folder.mkdir()
    for name in ("__init__", "one", "two"):
        (folder / f"{name}.py").write_text(f"def {name}(): pass\n")
    made = IndexingAside(indexing_for(workspace, open_index(cache), 1), workspace, index_place(cache), 1)
    made.refresh(lambda _done, _total, _phase: None, lambda: False)
    (folder / "__init__.py").unlink()
    yield made
    made.close()


def refreshed(aside: IndexingAside) -> IndexReport:
    return aside.refresh(lambda _done, _total, _phase: None, lambda: False)


def test_preparing_changes_nothing_and_what_is_edited_then_is_followed(folder: IndexedFolder) -> None:
    before = contents(folder.index)
    kept = IndexedFolder(folder.root, folder.cache, clock_ns=an_hour_later, is_kept=True)
    kept.indexing.prepare(lambda: False)
    assert before == contents(kept.index)
    folder.write("shop/cart.py", "from shop import total\n\ndef paid(): total()\n")
    assert 1 == awaited(kept).parsed
    assert built_anew(folder) == contents(kept.index)
    kept.close()


def test_preparing_looks_at_no_file_where_there_is_no_index(tmp_path: Path) -> None:
    made = IndexedFolder(tmp_path / "root", tmp_path / "cache", is_kept=True)
    made.indexing.prepare(lambda: False)
    assert (None, 0) == (made.workspace.memory.last_scan, made.index.stats().symbols)
    made.close()


def wait_until_another(early: IndexReport, cache: Path) -> SqliteIndex:
    index, deadline, pause = open_index(cache), time.monotonic() + 30, Event()
    while index.stats().revision == early.revision and time.monotonic() < deadline:
        pause.wait(0.02)
    return index


def test_the_process_settles_by_itself(aside: IndexingAside, tmp_path: Path) -> None:
    early, process = refreshed(aside), aside.process_id
    index = wait_until_another(early, tmp_path / "cache")

    report = refreshed(aside)

    assert (False, True, process) == (early.is_settled, report.is_settled, aside.process_id)
    assert report.revision == index.stats().revision != early.revision


def test_what_a_process_that_is_gone_did_not_settle_is_settled_by_the_next(
    aside: IndexingAside, tmp_path: Path
) -> None:
    early = aside.refresh(lambda _done, _total, phase: aside.rest() if phase == "scanning" else None, lambda: False)
    aside.close()

    late = refreshed(aside)
    wait_until_another(late, tmp_path / "cache")

    assert (False, False, True) == (early.is_settled, late.is_settled, refreshed(aside).is_settled)
    assert late.revision == early.revision
