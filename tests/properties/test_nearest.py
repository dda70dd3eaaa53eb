"""Of several files of one name the nearest is meant, however it is looked for."""

from collections.abc import Sequence
from typing import overload

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.resolve.nearest import NamedAfter, Nearest, shared_folders

_PATHS = st.lists(st.sampled_from("ab"), max_size=4).map(lambda parts: "/".join([*parts, "x.py"]))
_FILES = st.lists(st.tuples(_PATHS, st.booleans()), min_size=1, max_size=8)


@given(_FILES, _PATHS)
def test_the_first_of_those_that_share_most_folders_is_meant(files: list[tuple[str, bool]], asking: str) -> None:
    paths, is_aside = [*[path for path, _ in files], asking], [*[aside for _, aside in files], False]
    folder = asking.rpartition("/")[0]
    ranks = [(-shared_folders(folder, path), aside, number) for number, (path, aside) in enumerate(files)]
    most = -min(ranks)[0]
    alike = [number for shared, _, number in ranks if -shared == most]

    nearest = Nearest(paths, is_aside)

    assert nearest.of("x", range(len(files)), len(files)) == min(ranks)[2]
    assert nearest.only("x", range(len(files)), len(files)) == (alike[0] if most and len(alike) == 1 else None)


def test_no_file_of_a_name_is_no_answer() -> None:
    nearest = Nearest(["a.py"], [False])

    assert nearest.of("x", (), 0) is None
    assert nearest.only("x", (), 0) is None


class _Counted(Sequence[str]):
    """Paths that count how often they are read."""

    def __init__(self, paths: list[str]) -> None:
        self._paths, self.read = paths, 0

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        self.read += 1
        return self._paths[index]


def test_each_of_many_projects_that_asks_reads_its_own_path_only() -> None:
    count = 1_000
    paths = _Counted([f"services/s{number}/util.py" for number in range(count)])
    nearest = Nearest(paths, [False] * count)

    found = [nearest.of("util", range(count), number) for number in range(count)]

    assert found == list(range(count))
    assert paths.read == 2 * count


def test_a_test_among_many_files_of_its_name_is_about_that_in_a_folder_called_as_its_own() -> None:
    product = [f"product/p{number}/util.py" for number in range(100)]
    tests = [f"tests/p{number}/test_util.py" for number in range(100)]
    named = NamedAfter([*product, *tests, "tests/test_util.py"])

    found = [named.place("util", range(100), 100 + number) for number in range(101)]

    assert found == [*range(100), None]
