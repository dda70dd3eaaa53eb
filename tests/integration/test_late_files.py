"""Files whose parsing takes too long are tried once more, and only once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.codegraph.pool import ParsePool
from ctxcode.model.source import IndexReport

LARGE = "def f7():\n" + "".join(f"    a = g(a, [{number}, {number // 2}])\n" for number in range(60_000))
"""Takes fifty times as long as a small file with all that is prepared for its language; the limit is between them."""
USER = "from large import f7\n\n\ndef use():\n    return f7()\n"
TOO_SHORT, TIME_ENOUGH = 0.25, 120.0


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    opened = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    opened.write("large.py", LARGE)
    opened.write("use.py", USER)
    yield opened
    opened.close()


def refreshed(folder: IndexedFolder, timeout_seconds: float, *, is_awaited: bool = False) -> IndexReport:
    with ParsePool(folder.root, workers=1, timeout_seconds=timeout_seconds) as pool:
        folder.pool = pool
        return folder.indexing.refresh(lambda *_: None, lambda: False, is_awaited=is_awaited)


def skipped(report: IndexReport) -> dict[str, str]:
    return {file.path: file.reason.value for file in report.skipped}


def test_a_file_that_took_too_long_is_read_when_there_is_time(folder: IndexedFolder, tmp_path: Path) -> None:
    first = refreshed(folder, TOO_SHORT)
    assert {"large.py": "parser-timeout"} == skipped(first)
    second = refreshed(folder, TIME_ENOUGH)
    assert ({}, 1) == (skipped(second), second.parsed)
    fresh = IndexedFolder(folder.root, tmp_path / "other")
    expected = refreshed(fresh, TIME_ENOUGH)
    fresh.close()
    assert (expected.revision, expected.symbols, expected.edges) == (second.revision, second.symbols, second.edges)
    assert first.edges < second.edges
    assert 0 == refreshed(folder, TIME_ENOUGH).parsed


def test_a_file_that_takes_too_long_twice_is_not_tried_again_until_it_changes(folder: IndexedFolder) -> None:
    refreshed(folder, TOO_SHORT)
    assert {"large.py": "parser-hang"} == skipped(refreshed(folder, TOO_SHORT))
    folder.write("other.py", "x = 1\n")
    third = refreshed(folder, TIME_ENOUGH)
    assert ({"large.py": "parser-hang"}, 1) == (skipped(third), third.parsed)
    folder.write("large.py", f"{LARGE}\nx = 1\n")
    assert {"large.py": "parser-timeout"} == skipped(refreshed(folder, TOO_SHORT))


def test_who_waits_for_an_answer_does_not_wait_for_a_second_try(folder: IndexedFolder) -> None:
    refreshed(folder, TOO_SHORT)
    folder.write("other.py", "x = 1\n")
    awaited = refreshed(folder, TOO_SHORT, is_awaited=True)
    assert ({"large.py": "parser-timeout"}, 1) == (skipped(awaited), awaited.parsed)
    assert {} == skipped(refreshed(folder, TIME_ENOUGH))
