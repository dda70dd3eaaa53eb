"""Where an item stands, in the room there is for it."""

from ctxcode.tui.glyphs import Glyphs

_TAIL = 10
_FEWEST_OF_FOLDER = 6
"""Cells of a cut folder's name that are worth showing, with the sign of what is cut and the slash."""
_NO_NAMES = frozenset({"index", "__init__", "mod", "lib", "main", "init", "page", "route", "package"})
"""What files are called that stand for their folder."""


def fitting_place(where: str, cells: int, glyphs: Glyphs) -> str:
    """Return of ``path:line`` as many of the last folders as fit; empty where not even the line does.

    A file's name that says nothing gives way to the end of its folder's.
    """
    if _cells(where) <= cells:
        return where
    room = cells - len(glyphs.ellipsis)
    ends = [where[at:] for at, letter in enumerate(where) if letter == "/"]
    # A file's name alone is seen to be no path.
    name = ends[-1][1:] if ends and _cells(ends[-1]) <= cells + 1 else ""
    tail = next((glyphs.ellipsis + end for end in ends[:-1] if _cells(end) <= room), name)
    is_telling = "/" in tail or tail.partition(".")[0] not in _NO_NAMES
    if tail and (is_telling or cells - _cells(name) < _FEWEST_OF_FOLDER):
        return tail
    if cells >= _TAIL:
        # The end of a path tells namesakes apart better than a line alone.
        return glyphs.ellipsis + next(end for at in range(len(where)) if _cells(end := where[at:]) <= room)
    _, colon, line = where.rpartition(":")
    return f":{line}" if colon and len(line) < cells else ""


def _cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - for paths of other letters only

    return cell_len(text)
