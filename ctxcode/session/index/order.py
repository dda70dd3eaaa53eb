"""In which order the files of a first index are parsed that is published while it grows."""

from collections.abc import Iterable

from ctxcode.model.naming.folder import is_aside_path
from ctxcode.model.source import SourceFile

_PART_BYTES = 16_000_000
"""A parser has an order of its own, and workers begin at both ends of what they are given."""


def foremost_first(files: Iterable[SourceFile]) -> list[SourceFile]:
    """Return first what is asked about first: the product's code, and of that what stands near the top."""
    return sorted(files, key=lambda file: (is_aside_path(file.path), file.path.count("/")))


def in_parts(files: Iterable[SourceFile]) -> list[list[SourceFile]]:
    """Return the files in parts, each of which a parser may do in any order: none has code and what is aside of it."""
    parts: list[list[SourceFile]] = []
    room, was_aside = 0, None
    for file in files:
        is_aside = is_aside_path(file.path)
        if room <= 0 or is_aside is not was_aside:
            parts.append([])
            room, was_aside = _PART_BYTES, is_aside
        parts[-1].append(file)
        room -= file.stamp.size
    return parts
