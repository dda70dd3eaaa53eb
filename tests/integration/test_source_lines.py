"""The lines of files as plans read them."""

from pathlib import Path

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.model.canonical import text_hash
from ctxcode.model.errors import AbsentPathError
from ctxcode.model.source import content_hash
from ctxcode.session.plans.lines import KeptLines, ReadTexts, SourceLines, digests
from ctxcode.workspace.files import open_workspace


def test_a_file_is_read_once_and_when_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("a\nb\n", encoding="utf-8")
    lines = SourceLines(open_workspace(str(tmp_path), language_of), ["cart.py", "gone.py"])
    (tmp_path / "cart.py").write_text("c\n", encoding="utf-8")
    assert ["c", ""] == lines["cart.py"]
    (tmp_path / "cart.py").write_text("d\n", encoding="utf-8")
    assert ["c", ""] == lines["cart.py"]
    assert lines.get("gone.py") is None
    assert ["cart.py"] == list(lines)
    assert 1 == len(lines)


def test_a_file_is_told_from_what_was_indexed_of_it(tmp_path: Path) -> None:
    plain, let_in = (content_hash(b"a\n", is_written=each) for each in (False, True))
    known = {"same.py": plain, "let_in.py": let_in, "changed.py": plain, "gone.py": plain, "unread.py": ""}
    for path in known.keys() - {"gone.py"}:
        (tmp_path / path).write_bytes(b"b\n" if path == "changed.py" else b"a\n")
    (tmp_path / "unknown.txt").write_bytes(b"a\n")
    lines = SourceLines(open_workspace(str(tmp_path), language_of), [*known, "unknown.txt"], hashes=lambda _: known)
    assert set() == lines.changed
    assert {*known, "unknown.txt"} - {"gone.py"} == set(lines)
    assert {"changed.py"} == lines.changed


def test_no_other_file_is_there(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("a\n", encoding="utf-8")
    (tmp_path / "price.py").write_text("a\n", encoding="utf-8")
    lines = SourceLines(open_workspace(str(tmp_path), language_of), ["cart.py"])
    assert "price.py" not in lines
    assert {"cart.py"} == digests(lines, {"cart.py", "price.py"}).keys()


def test_a_file_that_says_the_same_has_the_same_lines() -> None:
    kept = KeptLines()
    first = kept.of("cart.py", "a\nb")
    assert first is kept.of("cart.py", "a\nb")
    assert ["a", "c"] == kept.of("cart.py", "a\nc")
    assert ["a", "b"] == kept.of("price.py", "a\nb")


def test_no_more_text_is_kept_than_there_is_room_for_and_the_newest_stays() -> None:
    kept = KeptLines(most_characters=10)
    one, other = kept.of("one.py", "12345"), kept.of("other.py", "12345")
    assert one is kept.of("one.py", "12345")
    kept.of("third.py", "1234")
    assert one is kept.of("one.py", "12345")
    assert other is not kept.of("other.py", "12345")


def test_a_text_that_is_too_long_to_be_kept_takes_no_room_from_others() -> None:
    kept = KeptLines(most_characters=10)
    one = kept.of("one.py", "12345")
    assert ["1" * 10, "2"] == kept.of("long.log", f"{'1' * 10}\n2")
    assert one is kept.of("one.py", "12345")


def test_a_text_that_changes_while_it_is_looked_at_is_known_as_it_was_first(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("a\n", encoding="utf-8")
    workspace = open_workspace(str(tmp_path), language_of)
    texts = ReadTexts(workspace)
    assert 0 == len(texts)
    assert "a\n" == texts.read_text("cart.py")
    (tmp_path / "cart.py").write_text("b\n", encoding="utf-8")
    assert "b\n" == texts.read_text("cart.py")
    assert text_hash("a\n") == texts["cart.py"]
    assert text_hash("b\n") == ReadTexts(workspace)["cart.py"]


def test_a_text_that_can_not_be_read_was_looked_for(tmp_path: Path) -> None:
    texts = ReadTexts(open_workspace(str(tmp_path), language_of))
    with pytest.raises(AbsentPathError):
        texts.read_text("gone.py")
    (tmp_path / "gone.py").write_text("a\n", encoding="utf-8")
    assert "a\n" == texts.read_text("gone.py")
    assert texts.get("gone.py") is None
    assert texts.get("away.py") is None
    assert ["gone.py", "away.py"] == list(texts)
