import logging
from pathlib import Path

from ctxcode.cli.log_file import LogFile


def written(path: Path, words: str) -> None:
    handler = LogFile(path)
    handler.emit(logging.LogRecord("ctxcode", logging.ERROR, "", 0, words, None, None))
    handler.close()


def test_nothing_is_made_before_there_is_something_to_say(tmp_path: Path) -> None:
    LogFile(tmp_path / "state" / "ctxcode.log").close()
    assert [] == list(tmp_path.iterdir())


def test_a_record_comes_behind_those_before(tmp_path: Path) -> None:
    path = tmp_path / "state" / "ctxcode.log"
    written(path, "first \udcff")
    written(path, "second")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert ["first \\udcff", "second"] == [line.partition("ERROR ctxcode: ")[2] for line in lines]


def test_a_large_log_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ctxcode.log"
    written(path, "x" * 1_000_001)
    written(path, "new")
    assert path.read_text(encoding="utf-8").endswith("ERROR ctxcode: new\n")
    assert 1_000_001 < (tmp_path / "ctxcode.old.log").stat().st_size


def test_a_log_that_can_not_be_written_disturbs_nobody(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", encoding="utf-8")
    written(tmp_path / "state" / "ctxcode.log", "nowhere")
    (tmp_path / "ctxcode.log").mkdir()
    written(tmp_path / "ctxcode.log", "nowhere either")
    assert "a file" == (tmp_path / "state").read_text(encoding="utf-8")
    assert [] == list((tmp_path / "ctxcode.log").iterdir())
