"""The first index is written in batches: whatever comes in between, it is as one made at one go."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder, contents

from ctxcode.model.symbol import IndexStats, LanguageCount, ModuleEntry

WORDS = ("alpha", "beta", "shared", "number", "changed", "missing")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for number in range(12):
        indexed.write(f"m{number:02}.py", text_of(number))
    yield indexed
    indexed.close()


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxcode.session.index.indexing._BATCH_BYTES", 100)
    monkeypatch.setattr("ctxcode.session.index.indexing._LAST_BATCH_BYTES", 100)


def text_of(number: int, word: str = "beta") -> str:
    return f'def f{number}(alpha):\n    """Shared {word}."""\n    return "number {number}"\n'


def fresh(folder: IndexedFolder, cache: Path) -> dict[str, object]:
    """Return what an index says that was made at one go."""
    made = IndexedFolder(folder.root, cache)
    made.refresh()
    found = contents(made.index, WORDS)
    made.close()
    return found


def test_a_first_refresh_that_was_killed_is_gone_on_with(folder: IndexedFolder, tmp_path: Path) -> None:
    def die(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "resolving":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.indexing.refresh(die, lambda: False)
    folder.close()
    folder.write("m03.py", text_of(3, "changed"))
    (folder.root / "m04.py").unlink()
    again = IndexedFolder(folder.root, folder.cache)
    assert 1 == again.refresh().parsed
    assert fresh(folder, tmp_path / "other") == contents(again.index, WORDS)
    again.close()


def test_what_will_be_indexed_is_known_before_it_is_read(folder: IndexedFolder) -> None:
    looks: list[tuple[IndexStats, tuple[ModuleEntry, ...]]] = []

    def look(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "parsing" and not looks:
            looks.append((reader.index.stats(), reader.index.modules()))

    folder.write("web/large.js", "let x = 1;\n" * 9_000)
    folder.write("tests/test_m.py", text_of(50))
    reader = IndexedFolder(folder.root, folder.cache)
    assert () == reader.index.modules()
    folder.indexing.refresh(look, lambda: False)
    stats, modules = looks[0]
    assert ("", 14, 0, 0) == (stats.revision, stats.files, stats.symbols, stats.edges)
    assert (LanguageCount("python", 13, 0), LanguageCount("javascript", 1, 0)) == stats.languages
    after = reader.index.modules()
    assert [entry.path for entry in modules] == [entry.path for entry in after]
    assert [entry.is_test for entry in modules] == [entry.is_test for entry in after]
    assert "web/large.js" == max(modules, key=lambda entry: entry.rank).path
    assert {0} == {entry.symbols for entry in modules}
    assert reader.index.stats().revision
    reader.close()


def test_what_will_be_indexed_is_looked_at_again_after_a_refresh_that_was_killed(folder: IndexedFolder) -> None:
    seen: list[list[str]] = []

    def die(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "parsing":
            seen.append([entry.path for entry in reader.index.modules()])
            raise KeyboardInterrupt

    reader = IndexedFolder(folder.root, folder.cache)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            folder.indexing.refresh(die, lambda: False)
        (folder.root / "m03.py").unlink(missing_ok=True)
    assert {"m03.py"} == {*seen[0]} - {*seen[1]}
    reader.close()


def test_another_process_may_index_all_while_one_is_about_to(folder: IndexedFolder, tmp_path: Path) -> None:
    def overtake(done: int, total: int, phase: str) -> None:
        del done, total
        if phase == "resolving" and not other.phases:
            other.refresh()

    other = IndexedFolder(folder.root, folder.cache)
    folder.indexing.refresh(overtake, lambda: False)
    assert fresh(folder, tmp_path / "other") == contents(folder.index, WORDS)
    assert folder.index.is_sound()
    other.close()


def test_another_process_may_index_all_while_one_still_parses(folder: IndexedFolder, tmp_path: Path) -> None:
    def overtake() -> bool:
        if folder.phases.count("parsing") == 0 or other.phases:
            return False
        other.refresh()
        return False

    other = IndexedFolder(folder.root, folder.cache)
    folder.write("m05.py", text_of(5, "changed"))
    folder.refresh(overtake)
    assert fresh(folder, tmp_path / "other") == contents(folder.index, WORDS)
    assert folder.index.is_sound()
    other.close()
