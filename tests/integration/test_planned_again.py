"""What a request is planned from is found once, however often it is planned."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.intent.prompt import parse_prompt
from ctxcode.session.strategy.past import Past

QUERY = parse_prompt("where is the cart emptied?")
MANIFEST = '[project.scripts]\n{} = "cart:empty_cart"\n'
CODE, CHANGED = "def empty_cart():\n    pass\n", "def main():\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    indexed.write("cart.py", CODE)
    indexed.refresh()
    yield indexed
    indexed.close()


def test_the_same_query_is_looked_up_once(folder: IndexedFolder) -> None:
    past = Past()
    assert past.retrieved(QUERY, folder.index) is past.retrieved(QUERY, folder.index)


def test_so_is_one_with_a_slip_of_the_keyboard(folder: IndexedFolder) -> None:
    for name in ("backoff", "backoff_again"):
        folder.write(f"{name}.py", f"def {name}():\n    pass\n")
    folder.refresh()
    past, query = Past(), parse_prompt("what is the bakcoff of a cart")
    found = past.retrieved(query, folder.index)
    assert "“bakcoff” as “backoff”" in found.notice
    assert past.retrieved(query, folder.index) is found


def test_words_people_know_are_no_slips(folder: IndexedFolder) -> None:
    for name in ("decode", "decode_again"):
        folder.write(f"{name}.py", f"def {name}():\n    pass\n")
    folder.refresh()
    assert folder.index.nearest_word("decide") == "decode"
    assert not Past().retrieved(parse_prompt("who shall decide about the cart"), folder.index).notice


def test_a_changed_index_is_asked_again(folder: IndexedFolder) -> None:
    past = Past()
    before = past.retrieved(QUERY, folder.index)
    folder.write("shop.py", "def empty_all_carts():\n    pass\n")
    folder.refresh()
    after = past.retrieved(QUERY, folder.index)
    assert before.id != after.id
    assert {"empty_cart", "empty_all_carts"} <= {entry.symbol.name for entry in after.entries}


def test_only_the_last_few_queries_are_kept(folder: IndexedFolder) -> None:
    past = Past()
    first = past.retrieved(QUERY, folder.index)
    for number in range(8):
        past.retrieved(parse_prompt(f"what does cart{number} do?"), folder.index)
    again = past.retrieved(QUERY, folder.index)
    assert first is not again
    assert first == again


@dataclass
class ChangingTexts:
    """Texts of a folder whose code is changed and indexed when the first of them is read."""

    folder: IndexedFolder
    is_changed: bool = False

    def read_text(self, path: str) -> str:
        if not self.is_changed:
            self.is_changed = True
            self.folder.write("cart.py", CHANGED)
            self.folder.refresh()
        return self.folder.workspace.read_text(path)


def landmarks_of(past: Past, folder: IndexedFolder) -> list[str]:
    return [f"{one.name}: {why.subject}" for one, why in past.landmarks(folder.index, folder.workspace, 3)]


def test_landmarks_are_looked_for_once(folder: IndexedFolder) -> None:
    folder.write("pyproject.toml", MANIFEST.format("empty"))
    folder.refresh()
    past = Past()
    first = past.landmarks(folder.index, folder.workspace, 3)
    assert first
    assert first is past.landmarks(folder.index, folder.workspace, 3)
    assert first == Past().landmarks(folder.index, folder.workspace, 3)


def test_a_manifest_that_comes_says_something_else_and_goes_makes_others_landmarks_before_it_is_indexed(
    folder: IndexedFolder,
) -> None:
    past = Past()
    assert ["empty_cart: "] == landmarks_of(past, folder)
    for name in ("empty", "clear"):
        folder.write("pyproject.toml", MANIFEST.format(name))
        assert [f"empty_cart: runs as {name}"] == landmarks_of(past, folder)
    (folder.root / "pyproject.toml").unlink()
    assert ["empty_cart: "] == landmarks_of(past, folder)


def test_so_does_changed_code(folder: IndexedFolder) -> None:
    past = Past()
    assert ["empty_cart: "] == landmarks_of(past, folder)
    folder.write("cart.py", CHANGED)
    folder.refresh()
    assert ["main: entry point"] == landmarks_of(past, folder)


def test_landmarks_of_code_that_changes_while_they_are_looked_for_are_not_kept(folder: IndexedFolder) -> None:
    past = Past()
    past.landmarks(folder.index, ChangingTexts(folder), 3)
    folder.write("cart.py", CODE)
    folder.refresh()
    assert ["empty_cart: "] == landmarks_of(past, folder)
