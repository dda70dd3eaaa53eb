"""What ``ctxcode index`` says of files with syntax errors."""

import json
from pathlib import Path

from command import run_here


def _broken(folder: Path, files: int) -> Path:
    folder.mkdir()
    (folder / "whole.py").write_text("def whole(): pass\n")
    for number in range(files):
        (folder / f"n{number:02}.py").write_text("def f(:\n    x = = 1\n" + "y = ) (\n" * (number % 4))
    return folder


def test_files_with_syntax_errors_are_told_with_their_number_changed_or_not(tmp_path: Path) -> None:
    repository = _broken(tmp_path / "shop", 2)
    for _ in range(2):
        listed = run_here(tmp_path, "index", str(repository)).out
        assert "2 files with syntax errors; around them less is known:\n  n01.py: " in listed
    told = json.loads(run_here(tmp_path, "index", str(repository), "--format", "json").out)["syntax_errors"]
    assert (2, ["n01.py", "n00.py"]) == (told["files"], [each["path"] for each in told["most"]])
    assert all(each["errors"] > 0 for each in told["most"])
    (repository / "n01.py").write_text("def f(): pass\n")
    (repository / "n00.py").unlink()
    assert "syntax errors" not in run_here(tmp_path, "index", str(repository)).out


def test_of_many_such_files_those_with_most_errors_are_told(tmp_path: Path) -> None:
    repository = _broken(tmp_path / "shop", 104)
    listed = run_here(tmp_path, "index", str(repository)).out
    assert "104 files with syntax errors" in listed
    assert "  … 94 more; --format json lists the 100 with most errors\n" in listed
    told = json.loads(run_here(tmp_path, "index", str(repository), "--format", "json").out)["syntax_errors"]
    assert (104, 100) == (told["files"], len(told["most"]))
