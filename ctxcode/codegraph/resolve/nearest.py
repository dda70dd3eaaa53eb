"""Of several files in which something is called alike, the one that is meant: the nearest.

Repositories hold many projects: examples, services, editions. Each of them means its own by a name that all have.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence


class Nearest:
    """Which of several files of one name a file means: the nearest.

    Near is what shares more of the folders at the top. To ask costs what a path is deep, however many files there are.
    """

    def __init__(self, paths: Sequence[str], is_aside: Sequence[bool]) -> None:
        self._paths, self._is_aside = paths, is_aside
        self._below: dict[Hashable, dict[str, tuple[int, int]]] = {}
        """By name: folders to the first file below them, and how many there are."""

    def of(self, name: Hashable, files: Iterable[int], asking: int) -> int | None:
        """Return the file that is meant; of equally near ones the first of the product's own comes first.

        The files of a name are asked for once; None if there are none.
        """
        return self._found(name, files, asking)[0]

    def only(self, name: Hashable, files: Iterable[int], asking: int) -> int | None:
        """Return the same, None where several are equally near or none shares a folder."""
        file, count, shares = self._found(name, files, asking)
        return file if count == 1 and shares else None

    def _found(self, name: Hashable, files: Iterable[int], asking: int) -> tuple[int | None, int, bool]:
        below = self._below.get(name)
        if below is None:
            below = self._below[name] = {}
            for file in sorted(files, key=lambda file: self._is_aside[file]):
                for folder in folders_above(self._paths[file]):
                    first, count = below.get(folder, (file, 0))
                    below[folder] = first, count + 1
        for folder in folders_above(self._paths[asking]):
            if folder in below:
                return *below[folder], bool(folder)
        return None, 0, False


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders above a file, the innermost first and the top of the tree last; none of those deep down."""
    parts = path.split("/", _DEEPEST)[:-1]
    for length in range(len(parts), -1, -1):
        yield "/".join(parts[:length])


def shared_folders(folder: str, path: str) -> int:
    """Return how many folders above a file are those of a folder, from the top down."""
    shared = 0
    for one, other in zip(folder.split("/") if folder else (), path.split("/")[:-1], strict=False):
        if one != other:
            break
        shared += 1
    return shared


class NamedAfter:
    """Which of several files of one name a test of that name is about."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._in: dict[Hashable, dict[str, list[int]]] = {}
        """By name: what folders are called to the places of the files in them; of names that many have."""

    def place(self, name: Hashable, files: Sequence[int], test: int) -> int | None:
        """Return the place in a name's list of files of the one that is meant; None where that is not plain.

        It shares most folders with the test, from the top down or, where tests mirror the product, from the file up.
        """
        if len(files) < 2:
            return 0 if files else None
        paths, folder = self._paths, self._paths[test].rpartition("/")[0]
        upwards = [part for part in folder.split("/")[::-1] if part.strip("_") not in _OF_TESTS]
        places: Sequence[int] = range(len(files))
        if len(files) > _MOST_ALIKE:
            places = self._called(name, files).get(upwards[0] if upwards else "", ())
        if not 0 < len(places) <= _MOST_ALIKE:
            return None
        mirrored, counts = "/".join(upwards), dict[int, int]()
        for place in places:
            path = paths[files[place]]
            inside_out = "/".join(path.split("/")[-2::-1]) + "/"
            counts[place] = shared_folders(folder, path) + shared_folders(mirrored, inside_out)
        most = max(counts.values())
        nearest_ones = [place for place, count in counts.items() if count == most]
        return nearest_ones[0] if most and len(nearest_ones) == 1 else None

    def _called(self, name: Hashable, files: Sequence[int]) -> dict[str, list[int]]:
        known = self._in.get(name)
        if known is None:
            known = self._in[name] = {}
            for place, file in enumerate(files):
                known.setdefault(self._paths[file].rpartition("/")[0].rpartition("/")[2], []).append(place)
        return known


_DEEPEST = 50
"""Folders below one another that are told apart."""
_OF_TESTS = frozenset({"test", "tests", "spec", "specs"})
_MOST_ALIKE = 50
"""Of more files of a name only those are compared whose folder is called as the test's."""
