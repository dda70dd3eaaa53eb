"""The index of the full-screen app is refreshed in a process of its own, with the outcome it would have in this one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Timer
from threading import enumerate as enumerate_threads

import pytest
from sample_repository import write_sample
from tmux_terminal import wait_until_gone

from ctxcode.bootstrap.aside.index_process import paced
from ctxcode.bootstrap.aside.indexing import IndexingAside
from ctxcode.bootstrap.index.early import useful_workers
from ctxcode.bootstrap.index.opening import index_place, indexing_for, open_index
from ctxcode.codegraph.languages import language_of
from ctxcode.llm.aside.pipes import BEHIND
from ctxcode.model.errors import IndexingError
from ctxcode.model.source import IndexReport
from ctxcode.workspace.files import FolderWorkspace, open_workspace


@pytest.fixture
def shop(tmp_path: Path) -> FolderWorkspace:
    return open_workspace(str(write_sample(tmp_path / "shop")), language_of)


@pytest.fixture
def aside(shop: FolderWorkspace, tmp_path: Path) -> Iterator[IndexingAside]:
    cache = tmp_path / "cache"
    made = IndexingAside(indexing_for(shop, open_index(cache), 1), shop, index_place(cache), 1)
    yield made
    made.close()


def silent(_done: int, _total: int, _phase: str) -> None:
    """Show no progress."""


def write_many(shop: FolderWorkspace) -> None:
    """Write so many new files that the process which reads them is not kept."""
    for number in range(201):
        Path(shop.info.root, f"novelty_{number}.py").write_text(f"x = {number}\n")


def refreshed(indexing: IndexingAside) -> IndexReport:
    return indexing.refresh(silent, lambda: False)


def test_it_reports_and_stores_what_indexing_here_does(
    aside: IndexingAside, shop: FolderWorkspace, tmp_path: Path
) -> None:
    phases: list[str] = []
    report = aside.refresh(lambda _done, _total, phase: phases.append(phase), lambda: False)
    here = open_index(tmp_path / "here")
    expected = indexing_for(shop, here, 1).refresh(silent, lambda: False)
    assert (expected.revision, expected.files, expected.edges) == (report.revision, report.files, report.edges)
    assert here.stats() == open_index(tmp_path / "cache").stats()
    assert ["scanning", "parsing", "resolving", "storing"] == list(dict.fromkeys(phases))


@pytest.mark.skipif(sys.platform == "win32", reason="no niceness there")
def test_keys_come_before_the_process_that_indexes(aside: IndexingAside, shop: FolderWorkspace) -> None:
    refreshed(aside)
    Path(shop.info.root, "novelty.py").write_text("x = 1\n")
    refreshed(aside)
    assert aside.process_id is not None
    own = os.getpriority(os.PRIO_PROCESS, os.getpid())
    assert max(own, BEHIND) == os.getpriority(os.PRIO_PROCESS, aside.process_id)


def test_an_edit_is_read_by_the_process_that_read_the_last_one(aside: IndexingAside, shop: FolderWorkspace) -> None:
    processes = set()
    refreshed(aside)
    for number in range(2):
        Path(shop.info.root, "novelty.py").write_text(f"x = {number}\n")
        assert 1 == refreshed(aside).parsed
        processes.add(aside.process_id)
    assert 1 == len(processes - {None})


def test_what_is_changed_again_can_be_asked_for_before_the_answer(
    aside: IndexingAside, shop: FolderWorkspace, tmp_path: Path
) -> None:
    index, novelty = open_index(tmp_path / "cache"), Path(shop.info.root, "novelty.py")
    seen: list[list[str]] = []
    refreshed(aside)
    for text in ("x = 1\n", "def early(): pass\n"):
        novelty.write_text(text)
        aside.refresh(
            silent,
            lambda: False,
            note_ahead=lambda: seen.append([symbol.name for symbol in index.symbols_in("novelty.py")]),
        )
    assert [["novelty", "early"]] == seen


def test_the_process_that_follows_the_first_edit_is_there_before_it(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    write_many(shop)
    refreshed(aside)
    read_all = aside.process_id
    deadline, pause = time.monotonic() + 30, Event()
    while (prepared := aside.process_id) is None and time.monotonic() < deadline:
        pause.wait(0.02)
    Path(shop.info.root, "novelty_7.py").write_text("def late(): pass\n")
    assert 1 == refreshed(aside).parsed
    assert (None, prepared) == (read_all, aside.process_id)


def kill(process: int) -> None:
    """End a child of this process; whoever owns it still hears how it ended."""
    os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)


def followed(aside: IndexingAside, before: int | None) -> int | None:
    """Return the process that is there once another one was."""
    deadline, pause = time.monotonic() + 30, Event()
    while aside.process_id in {None, before} and time.monotonic() < deadline:
        pause.wait(0.02)
    return aside.process_id


def test_who_comes_back_after_the_process_has_ended_for_want_of_work_finds_another(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    aside.prepare()
    assert aside.process_id is None
    refreshed(aside)
    ended = aside.process_id
    assert ended is not None
    aside.prepare()
    assert ended == aside.process_id
    kill(ended)
    aside.prepare()
    aside.prepare()
    prepared = followed(aside, ended)
    Path(shop.info.root, "novelty.py").write_text("def late(): pass\n")
    assert 1 == refreshed(aside).parsed
    assert ended != prepared == aside.process_id


def test_a_process_that_rests_is_not_prepared_and_goes_on_with_the_next_refresh(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    aside.rest()
    refreshed(aside)
    process = aside.process_id
    assert process is not None
    aside.rest()
    kill(process)
    aside.prepare()
    assert process == aside.process_id
    Path(shop.info.root, "novelty.py").write_text("def late(): pass\n")
    assert 1 == refreshed(aside).parsed
    aside.rest()
    Path(shop.info.root, "novelty.py").write_text("def later(): pass\n")
    assert 1 == refreshed(aside).parsed


def test_it_rests_when_that_is_said_while_it_is_looked_whether_there_is_something_to_do(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    refreshed(aside)
    process = aside.process_id
    assert process is not None
    Path(shop.info.root, "novelty.py").write_text("def late(): pass\n")
    phases = list[str]()

    def note(_done: int, _total: int, phase: str) -> None:
        if not phases:
            aside.rest()
        phases.append(phase)

    aside.refresh(note, lambda: False)
    kill(process)
    aside.prepare()
    assert process == aside.process_id


def test_what_waits_to_be_started_is_not_started_when_it_is_to_rest(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    write_many(shop)
    before = set(enumerate_threads())
    refreshed(aside)
    waiting = [thread for thread in set(enumerate_threads()) - before if isinstance(thread, Timer)]
    aside.rest()
    for thread in waiting:
        thread.join()
    assert (1, None) == (len(waiting), aside.process_id)


def test_who_follows_edits_again_where_nothing_has_changed_finds_a_process(
    aside: IndexingAside, shop: FolderWorkspace, tmp_path: Path
) -> None:
    refreshed(aside)
    here, deadline, pause = indexing_for(shop, open_index(tmp_path / "cache"), 1), time.monotonic() + 30, Event()
    while here.unchanged() is None and time.monotonic() < deadline:
        refreshed(aside)
        pause.wait(0.02)
    process = aside.process_id
    assert process is not None
    aside.rest()
    kill(process)
    refreshed(aside)
    aside.prepare()
    assert process != followed(aside, process)


@pytest.mark.skipif(sys.platform != "linux", reason="the children of a process are read from /proc")
def test_one_parser_and_what_looks_at_folders_are_kept_for_the_next_edit_and_end_with_the_process(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    def children() -> list[str]:
        process = aside.process_id
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()

    refreshed(aside)
    kept: list[list[str]] = []
    for number in range(3):
        Path(shop.info.root, "novelty.py").write_text(f"x = {number}\n")
        assert 1 == refreshed(aside).parsed
        kept.append(children())
    assert [kept[0]] * 3 == kept
    assert 1 + (useful_workers() > 1) == len(kept[0])
    aside.close()
    wait_until_gone([int(child) for child in kept[0]])


def test_a_process_that_is_to_be_prepared_is_not_started_after_the_app_has_closed_it(
    aside: IndexingAside, shop: FolderWorkspace
) -> None:
    write_many(shop)
    refreshed(aside)
    aside.close()
    waiting = [thread for thread in enumerate_threads() if isinstance(thread, Timer)]
    for thread in waiting:
        thread.join()
    assert aside.process_id is None


def test_for_an_index_that_takes_much_memory_nothing_is_loaded_ahead(shop: FolderWorkspace, tmp_path: Path) -> None:
    cache, before = tmp_path / "cache", set(enumerate_threads())
    indexing = indexing_for(shop, open_index(cache), 1)
    with closing(IndexingAside(indexing, shop, index_place(cache), 1, most_prepared=10)) as aside:
        write_many(shop)
        assert refreshed(aside).symbols > 10
        waiting = [thread for thread in set(enumerate_threads()) - before if isinstance(thread, Timer)]
        assert ([], None) == (waiting, aside.process_id)


def test_a_process_that_dies_is_told_and_replaced(aside: IndexingAside) -> None:
    def kill(_done: int, _total: int, phase: str) -> None:
        if phase == "parsing" and aside.process_id is not None:
            os.kill(aside.process_id, signal.SIGKILL)

    with pytest.raises(IndexingError, match="signal 9"):
        aside.refresh(kill, lambda: False)
    assert refreshed(aside).is_complete


@pytest.mark.parametrize("is_running", [False, True])
def test_a_folder_that_is_gone_is_named(aside: IndexingAside, shop: FolderWorkspace, *, is_running: bool) -> None:
    if is_running:
        refreshed(aside)
    shutil.rmtree(shop.info.root)
    with pytest.raises(IndexingError, match=r"The folder '.*shop' is gone|'.*shop' does not exist"):
        refreshed(aside)


def test_a_branch_that_was_switched_to_is_known_after_a_refresh(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "shop")
    subprocess.run(["git", "-C", str(root), "init", "-b", "main"], check=True, capture_output=True)
    shop, cache = open_workspace(str(root), language_of), tmp_path / "cache"
    with closing(IndexingAside(indexing_for(shop, open_index(cache), 1), shop, index_place(cache), 1)) as aside:
        refreshed(aside)
        before = shop.info.branch
        subprocess.run(["git", "-C", str(root), "checkout", "-b", "other"], check=True, capture_output=True)
        (root / "late.py").write_text("x = 1\n")
        refreshed(aside)
    assert ("main", "other") == (before, shop.info.branch)


def test_what_nobody_waits_for_is_cancelled_and_the_next_refresh_is_not(aside: IndexingAside) -> None:
    aside.refresh(silent, lambda: True)
    assert refreshed(aside).is_complete


def test_a_damaged_index_is_built_anew(aside: IndexingAside, tmp_path: Path) -> None:
    files = refreshed(aside).files
    aside.close()
    place = index_place(tmp_path / "cache")
    for side in place.glob("index.db-*"):
        side.unlink()
    (place / "index.db").write_bytes(b"no database at all" * 300)
    assert files == refreshed(aside).parsed


def test_an_app_that_was_updated_while_it_runs_is_told_to_start_again(shop: FolderWorkspace, tmp_path: Path) -> None:
    place = index_place(tmp_path / "cache").with_name("index-of-before")
    before = IndexingAside(indexing_for(shop, open_index(tmp_path / "cache"), 1), shop, place, 1)
    with pytest.raises(IndexingError, match="was updated while this one runs") as caught:
        refreshed(before)
    assert "start it again" in caught.value.hint
    before.close()
    assert not place.exists()


def test_the_folders_it_found_are_followed_here(aside: IndexingAside, shop: FolderWorkspace) -> None:
    refreshed(aside)
    assert {"", "shop"} <= shop.memory.folders


def test_progress_is_told_at_the_beginning_of_each_phase_and_then_now_and_again() -> None:
    now, told = 0.0, []
    note = paced(lambda done, _total, phase: told.append((done, phase)), lambda: now)
    for done in range(100):
        note(done, 100, "parsing")
        now += 0.01
    note(100, 100, "storing")
    assert [
        (0, "parsing"),
        (20, "parsing"),
        (40, "parsing"),
        (60, "parsing"),
        (80, "parsing"),
        (100, "storing"),
    ] == told
