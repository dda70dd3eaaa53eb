"""Which files are parsed first: of a first index that is published while it grows, and before there is an edit."""

from collections import Counter
from collections.abc import Collection, Iterable

from ctxcode.model.naming.folder import is_aside_path
from ctxcode.model.source import SourceFile

_PART_BYTES = 16_000_000
"""A parser has an order of its own, and workers begin at both ends of what they are given."""

_USUAL_BYTES = 1_000
"""A smaller file may say nothing that takes more than its own words to be joined."""


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


def usual_file(files: Collection[SourceFile]) -> SourceFile | None:
    """Return a small file of the language that most of some files are of; None where there is none."""
    languages = Counter([file.language for file in files])
    if not languages:
        return None
    language = min(languages, key=lambda name: (-languages[name], name))
    usual = [file for file in files if file.language == language]
    return min(usual, key=lambda file: (file.stamp.size < _USUAL_BYTES, file.stamp.size, file.path))
