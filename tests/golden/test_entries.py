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


HOSTILE = {
    "a number of very many digits": ("Cargo.toml", f"edition = {'9' * 5_000}\n"),
    "very long": ("package.json", f'{{"bin": "./tool.js", "description": "{"long " * 60_000}"}}'),
    "of very deep tables": ("Cargo.toml", f"[{'a.' * 100}a]\n"),
    "nested deeply": ("package.json", "[" * 100_000),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_manifest_that_makes_no_sense_says_nothing(tmp_path: Path, kind: str) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    path, text = HOSTILE[kind]
    folder.write(path, text)
    folder.write("tool.js", "export function tool() {}\n")
    folder.write("src/lib.rs", "pub fn offered() {}\n")
    folder.refresh()
    assert [] == list(entry_points(folder.index, folder.workspace, ()))
    folder.close()


def test_of_very_many_commands_of_a_package_the_first_are_looked_for(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    missing = ",".join(f'"absent{number}": "./absent.js"' for number in range(60))
    folder.write("package.json", f'{{"bin": {{{missing}, "tool": "./tool.js"}}}}')
    folder.write("tool.js", "export function tool() {}\n")
    folder.refresh()
    assert [] == list(entry_points(folder.index, folder.workspace, ()))
    folder.close()
