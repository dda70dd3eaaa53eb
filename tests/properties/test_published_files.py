"""The files of a publication: made of those of the one before they are as if they were read alone."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.symbol import LanguageCount
from ctxcode.store.index.graph import PublishedFile
from ctxcode.store.index.published import PublishedFiles

NAMES = ["a.py", "B.py", "b.ts", "d/a.py", "d/b.py", "e/b.ts"]
SAID = st.tuples(st.sampled_from(["python", "typescript"]), st.integers(0, 2), st.sampled_from(["m", "n"]))
TREES = st.dictionaries(st.sampled_from(NAMES), st.tuples(SAID, st.booleans()))


def published(trees: list[dict[str, tuple[tuple[str, int, str], bool]]]) -> list[dict[str, bytes]]:
    """Return what is stored of trees one after the other; a file that is said to change gets another row."""
    rows: dict[str, tuple[tuple[str, int, str], int]] = {}
    blobs, free = list[dict[str, bytes]](), 1
    for tree in trees:
        for path, (said, changes) in tree.items():
            if changes or rows.get(path, (None, 0))[0] != said:
                rows[path], free = (said, free), free + 1
        files = [
            PublishedFile(rows[path][1], path, language, symbols, module)
            for path, ((language, symbols, module), _) in sorted(tree.items())
        ]
        blobs.append({"files": msgspec.msgpack.encode(files)})
    return blobs


def told(files: PublishedFiles) -> tuple[object, ...]:
    return files.list, dict(files.number_of_path), dict(files.number_of_row), files.languages, files.paths_by_name


@given(st.lists(TREES, min_size=1, max_size=5))
def test_files_after_changes_are_as_if_they_were_read_alone(
    trees: list[dict[str, tuple[tuple[str, int, str], bool]]],
) -> None:
    files: PublishedFiles | None = None
    for blobs in published(trees):
        before, files = files, PublishedFiles(blobs, files)
        assert told(PublishedFiles(blobs)) == told(files)
        if before is not None and files.has_modules_of(before):
            assert [file[1:] for file in before.list] == [file[1:] for file in files.list]


def test_languages_are_counted_and_those_without_files_left_out() -> None:
    first, second = published(
        [
            {"a.py": (("python", 2, "m"), True), "b.ts": (("typescript", 1, "n"), True)},
            {"a.py": (("python", 3, "m"), True), "d/a.py": (("python", 0, "m"), True)},
        ]
    )
    before = PublishedFiles(first)
    assert (LanguageCount("python", 1, 2), LanguageCount("typescript", 1, 1)) == before.languages
    assert (LanguageCount("python", 2, 3),) == PublishedFiles(second, before).languages
