"""Files are compared with the index only where one of both is another than when they agreed."""

from ctxcode.model.source import FileStamp, SourceFile
from ctxcode.session.index.comparing import Agreement, is_in_language
from ctxcode.store.index.seen import KnownFile


def found(path: str, stamp: int = 1, language: str = "python") -> SourceFile:
    return SourceFile(path, language, FileStamp(stamp, stamp, 1, 1))


def known(row: int, language: str = "python", *, is_skipped: bool = False) -> KnownFile:
    return KnownFile(row, FileStamp(1, 1, 1, 1), f"hash {row}", language, is_skipped)


def agreed(files: list[SourceFile], rows: dict[str, KnownFile]) -> Agreement:
    agreement = Agreement()
    assert files == agreement.apart(files, rows, ())
    for file in files:
        agreement.note(file, rows[file.path])
    return agreement


def test_what_agreed_is_not_compared_again() -> None:
    files, rows = [found("a.py"), found("b.py")], {"a.py": known(1), "b.py": known(2, is_skipped=True)}
    agreement = agreed(files, rows)
    assert [] == agreement.apart(files, rows, ())
    assert ({"a.py": 1, "b.py": 2}, {"a.py": 1}) == (agreement.rows, agreement.kept)


def test_another_find_or_other_knowledge_is_compared_and_agrees_no_more() -> None:
    files, rows = [found("a.py"), found("b.py"), found("c.py")], {path: known(1) for path in ("a.py", "b.py", "c.py")}
    agreement = agreed(files, rows)
    now = [found("a.py", stamp=2), files[1], files[2], found("d.py")]
    assert [now[0], now[1], now[3]] == agreement.apart(now, {**rows, "b.py": known(7)}, ())
    assert {"c.py": 1} == agreement.rows


def test_what_came_or_went_between_others_leaves_them_in_agreement() -> None:
    files, rows = [found("a.py"), found("b.py"), found("c.py")], {path: known(1) for path in ("a.py", "b.py", "c.py")}
    agreement = agreed(files, rows)
    came = found("aa.py")
    assert [came] == agreement.apart([files[0], came, files[2]], rows, ())
    assert {"a.py": 1, "c.py": 1} == agreement.rows


def test_what_is_suspected_is_compared_though_it_looks_the_same() -> None:
    files, rows = [found("a.py"), found("b.py")], {"a.py": known(1), "b.py": known(2)}
    agreement = agreed(files, rows)
    assert [files[1]] == agreement.apart(files, rows, {"b.py"})


def test_nothing_agrees_that_nobody_knows_any_more() -> None:
    files, rows = [found("a.py"), found("b.py")], {"a.py": known(1), "b.py": known(2)}
    agreement = agreed(files, rows)
    assert [files[0]] == agreement.apart(files, {"b.py": rows["b.py"]}, ())


def test_a_file_that_is_read_in_another_language_keeps_it() -> None:
    header, other = found("a.h", language="cpp"), known(1, "objc")
    assert is_in_language(header, other)
    assert not is_in_language(found("a.py"), other)
    assert {"a.h": "objc"} == agreed([header], {"a.h": other}).otherwise
