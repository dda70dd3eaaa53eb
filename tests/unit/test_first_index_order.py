"""What of a large first index is parsed before the rest."""

from ctxcode.model.source import FileStamp, SourceFile
from ctxcode.session.index.order import foremost_first, in_parts


def source(path: str, size: int = 10) -> SourceFile:
    return SourceFile(path, "c", FileStamp(0, 0, size, 0))


def paths(files: list[SourceFile]) -> list[str]:
    return [file.path for file in files]


def test_code_near_the_top_comes_before_what_is_deep_and_before_tests() -> None:
    given = [source(path) for path in ("drivers/net/wan/a.c", "docs/b.c", "tests/c.c", "kernel/fork.c", "main.c")]
    assert ["main.c", "kernel/fork.c", "drivers/net/wan/a.c", "docs/b.c", "tests/c.c"] == paths(foremost_first(given))


def test_a_part_is_either_code_or_aside_of_it() -> None:
    given = [source("main.c"), source("kernel/fork.c"), source("tests/c.c")]
    assert [["main.c", "kernel/fork.c"], ["tests/c.c"]] == [paths(part) for part in in_parts(given)]


def test_what_stands_near_the_top_is_not_left_to_the_end_of_a_large_part() -> None:
    given = [source(f"m{number:02}.c", 6_000_000) for number in range(7)]
    assert [["m00.c", "m01.c", "m02.c"], ["m03.c", "m04.c", "m05.c"], ["m06.c"]] == list(map(paths, in_parts(given)))


def test_nothing_has_no_parts() -> None:
    assert [] == in_parts([])
