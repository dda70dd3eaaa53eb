"""Of several files in which something is called alike, the one that is meant: the nearest.

Repositories hold many projects: examples, services, editions. Each of them means its own by a name that all have.
"""

from collections.abc import Sequence


def nearest(paths: Sequence[str], files: Sequence[int], asking: int, is_aside: Sequence[bool]) -> int:
    """Return the place in a list of files of the one that stands nearest to an asking one.

    Near is what shares more of the folders at the top. Of equally near ones the first of the product's own comes first.
    """
    folder = paths[asking].rpartition("/")[0]

    def distance(place: int) -> tuple[int, bool]:
        return -shared_folders(folder, paths[files[place]]), is_aside[files[place]]

    return min(range(len(files)), key=distance)


def shared_folders(folder: str, path: str) -> int:
    """Return how many folders above a file are those of a folder, from the top down."""
    shared = 0
    for one, other in zip(folder.split("/") if folder else (), path.split("/")[:-1], strict=False):
        if one != other:
            break
        shared += 1
    return shared


def named_after(paths: Sequence[str], files: Sequence[int], test: int) -> int | None:
    """Return the place in a list of files of the one that a test of their name is about; None where that is not plain.

    It shares most folders with the test, from the top down or, where tests mirror the product, from the file up.
    """
    if len(files) < 2:
        return 0 if files else None
    folder = paths[test].rpartition("/")[0]
    upwards = [part for part in folder.split("/")[::-1] if part.strip("_") not in _OF_TESTS]
    places: Sequence[int] = range(len(files))
    if len(files) > _MOST_ALIKE:
        beside = f"/{upwards[0]}" if upwards else "/"
        places = [place for place in places if f"/{paths[files[place]]}".rpartition("/")[0].endswith(beside)]
    if not 0 < len(places) <= _MOST_ALIKE:
        return None
    mirrored, counts = "/".join(upwards), dict[int, int]()
    for place in places:
        path = paths[files[place]]
        counts[place] = shared_folders(folder, path) + shared_folders(mirrored, "/".join(path.split("/")[-2::-1]) + "/")
    most = max(counts.values())
    nearest_ones = [place for place, count in counts.items() if count == most]
    return nearest_ones[0] if most and len(nearest_ones) == 1 else None


_OF_TESTS = frozenset({"test", "tests", "spec", "specs"})
_MOST_ALIKE = 50
"""Of more files of a name only those are compared whose folder is called as the test's."""
