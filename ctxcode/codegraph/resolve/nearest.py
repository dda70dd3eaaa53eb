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
