"""Which files a question says by their name beside their folder's, as who says "gzip middleware" or "redis backend"."""

from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import PurePosixPath

from ctxcode.model.naming.words import stems_of
from ctxcode.retrieval.place.folder import SPEAKS_FOR_FOLDER

_NEAREST_FOLDERS = 2
"""Folders above a file: those farther out are of everything."""

Pair = tuple[str, str]
"""Stems of a question that stand near each other, in that order."""


def says_place(path: str, stems: AbstractSet[str], pairs: AbstractSet[Pair]) -> bool:
    """Return whether a question says all of a file's name, and a word of it near one of its nearest folders.

    ``stems`` are the question's words, ``pairs`` those that stand near each other in it. A file that speaks for its
    folder is called as that.
    """
    name, folders = _name_and_folders(path)
    if not name or not name <= stems:
        return False
    return any((word, other) in pairs or (other, word) in pairs for word in name for other in folders)


@lru_cache(maxsize=8_192)
def _name_and_folders(path: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of a file's name without its ending, and those of the folders next above it."""
    parts = PurePosixPath(path)
    names = [parts.name.rpartition(".")[0] or parts.name, *(folder.name for folder in parts.parents)]
    if names[0].lower() in SPEAKS_FOR_FOLDER:
        del names[0]
    return stems_of(names[0]), stems_of(" ".join(names[1 : 1 + _NEAREST_FOLDERS]))
