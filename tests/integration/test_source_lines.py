"""The lines of files as plans read them."""

from pathlib import Path

from ctxcode.codegraph.languages import language_of
from ctxcode.session.plans.lines import KeptLines, SourceLines, digests
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
