"""A vocabulary that was never prepared is prepared in a process of its own, and counts are the same."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxcode.llm.aside.pipes import started
from ctxcode.llm.aside.vocabulary import CounterAside
from ctxcode.llm.counting.quick_tokens import QuickCounter
from ctxcode.llm.counting.tokens import TiktokenCounter
from ctxcode.model.errors import CtxcodeError

if TYPE_CHECKING:
    import subprocess

EXACT = TiktokenCounter("cl100k_base")


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_the_other_process_prepares_what_this_one_would(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert 2 == QuickCounter(EXACT, here).count("hello world")
    assert 2 == CounterAside(EXACT, there).count("hello world")
    assert files(here) == files(there)


def test_what_is_prepared_is_not_prepared_again(tmp_path: Path) -> None:
    QuickCounter(EXACT, tmp_path).count("")
    before = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert 2 == CounterAside(EXACT, tmp_path).count("hello world")
    assert before == {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}


def test_what_an_earlier_version_kept_is_removed(tmp_path: Path) -> None:
    others = ("cl100k_base-223921b76ee9-4-11.plain", "cl100k_base-older.ranks", "o200k_base-446a9538cb6c.ranks")
    for name in others:
        (tmp_path / name).write_bytes(b"x")
    QuickCounter(EXACT, tmp_path).count("")
    assert ["cl100k_base-223921b76ee9.ranks", others[2]] == sorted(file.name for file in tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert 2 == CounterAside(EXACT, tmp_path / "file" / "below").count("hello world")


def test_a_vocabulary_that_is_not_there_is_told_by_who_counts(tmp_path: Path) -> None:
    counter = CounterAside(TiktokenCounter("cl100k_base", folder=tmp_path / "nowhere"), tmp_path / "kept")
    with pytest.raises(CtxcodeError, match="can't be read"):
        counter.count("hello")


def test_what_was_begun_is_not_begun_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def noted(program: str, *, niceness: int = 0) -> "subprocess.Popen[bytes]":
        begun.append(program)
        return started(program, niceness=niceness)

    monkeypatch.setattr("ctxcode.llm.aside.vocabulary.started", noted)
    counter = CounterAside(EXACT, tmp_path)
    counter.begin()
    counter.begin()
    assert 2 == counter.count("hello world")
    assert 1 == len(begun)
    assert ["cl100k_base-223921b76ee9.ranks"] == sorted(file.name for file in tmp_path.iterdir())
