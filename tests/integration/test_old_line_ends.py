"""Files whose lines end in carriage returns alone."""

from pathlib import Path

import pytest
from command import run_here

from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.model.source import SkipReason

_SOURCE = "def whole():\r    return 1\r\rdef other():\r    return whole()\r"


def test_such_a_file_is_listed_and_not_parsed_as_one_line(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    repository.mkdir()
    (repository / "old.py").write_bytes(_SOURCE.encode())
    (repository / "new.py").write_text("def new(): pass\n")
    listed = run_here(tmp_path, "index", str(repository)).out
    assert "skipped old.py: line-ends (its lines end in carriage returns alone)\n" in listed
    found = run_here(tmp_path, "refs", "whole", folder=repository)
    assert "1 file could not be read" in found.out + found.err


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (_SOURCE, SkipReason.LINE_ENDS),
        (_SOURCE.replace("\r", "\r\n"), None),
        (_SOURCE.replace("\r", "\n"), None),
        (_SOURCE + "\n", None),
        ("a = 1\r", None),
        ("a = 1\rb = 2", SkipReason.LINE_ENDS),
        ("a = 1\r\r\r", None),
        ("", None),
        ("a = 1\r" * 30_000, SkipReason.LINE_ENDS),
    ],
)
def test_what_has_another_line_end_or_one_line_is_read(tmp_path: Path, source: str, reason: SkipReason | None) -> None:
    (tmp_path / "a.py").write_bytes(source.encode())
    assert take_in(str(tmp_path.resolve()), "a.py").reason is reason
