"""Small repositories with what of them starts a program or is offered to others, as data beside this test."""

import tomllib
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.session.look.entries import entry_points

CASES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases" / "entries").glob("*.toml"))
}


@pytest.mark.parametrize("name", CASES)
def test_where_a_project_is_entered_is_known(tmp_path: Path, name: str) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    for path, text in CASES[name]["files"].items():
        folder.write(path, text)
    folder.refresh()
    found = [f"{one.id}: {why}" for one, why in entry_points(folder.index, folder.workspace, ())]
    assert CASES[name]["entries"] == found
    folder.close()


@pytest.mark.parametrize("text", ["console_scripts" * 1_000, "console_scripts=[" + "a." * 100_000, "[console_scripts"])
def test_a_script_that_lists_no_commands_as_they_are_written_says_nothing(tmp_path: Path, text: str) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    folder.write("setup.py", f"text = '''{text}'''\n")
    folder.refresh()
    assert [] == list(entry_points(folder.index, folder.workspace, ()))
    folder.close()
