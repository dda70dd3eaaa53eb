"""Which files a repository says are generated, or not: ``linguist-generated`` in its ``.gitattributes``.

Code hosts fold such files away by the same mark. All is read as git reads it, and git is not asked: what git makes of
attributes can name programs.
"""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ctxcode.workspace.rules.configuration import start_of
from ctxcode.workspace.rules.pattern import rule_of

_NAME = ".gitattributes"
_BELOW = f"/{_NAME}"
_MARK = b"linguist-generated"
_ANSWERS = {_MARK: True, _MARK + b"=true": True, b"-" + _MARK: False, _MARK + b"=false": False}
_ABOUT = re.compile(rb"[-!]?linguist-generated(?:=|\Z)")
_LINE = re.compile(rb'[ \t]*("(?:[^"\\]|\\.)*"|[^\s"]\S*)[ \t]+(.*)')
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_LIMIT_BYTES = 1 << 20
"""A file that is no shorter says nothing."""
_MOST_FILES = 200
_MOST_LINES = 200
"""About generated files, in all; of a file with more the last ones, which are the ones that decide."""

_LONGEST_BYTES = 4_096
"""No path is longer."""

Times = tuple[int, int]
"""Nanoseconds of the last changes of content and of status."""


class _Line(NamedTuple):
    matches: re.Pattern[bytes]
    is_of_names: bool
    says: bool | None
    """None for neither: ``!linguist-generated``."""


class _File(NamedTuple):
    """What one file of attributes says."""

    below: str
    """Prefix of the paths it is about."""
    above: bytes
    """What stands before such a path, seen from the file's folder."""
    lines: tuple[_Line, ...]
    """The last one first."""


class Marks:
    """What a repository's attributes say of its files."""

    def __init__(self, files: Iterable[_File] = ()) -> None:
        """Take the files, those of outer folders first."""
        self._files = tuple(reversed([file for file in files if file.lines]))
        self.may_say_written = any(line.says is False for file in self._files for line in file.lines)
        """Whether it is said of any path."""

    def says_generated(self, path: str) -> bool:
        """Return whether a path, relative to the root, is said to be generated."""
        return self._said(path) is True

    def says_written(self, path: str) -> bool:
        """Return whether it is said not to be generated."""
        return self.may_say_written and self._said(path) is False

    def _said(self, path: str) -> bool | None:
        """Return what is said: the innermost folder decides."""
        for below, above, lines in self._files:
            if not path.startswith(below):
                continue
            whole = above + os.fsencode(path[len(below) :])
            name = whole.rpartition(b"/")[2]
            for line in lines:
                if line.matches.fullmatch(name if line.is_of_names else whole):
                    return line.says
        return None


@dataclass(slots=True)
class Attributes:
    """The files of attributes of a listing; they are read again when one of them has changed."""

    marks: Marks = field(default_factory=Marks)
    """The same object while nothing has changed."""
    times: list[tuple[str, Times]] = field(default_factory=list)
    """Of each file below the root that is there."""
    _paths: Iterable[str] | None = None
    _names: tuple[str, ...] = ()
    _above_times: list[tuple[str, Times]] = field(default_factory=list)

    def now(self, root: str, paths: Iterable[str], above: Iterable[str] = ()) -> Marks:
        """Return what is said of a listing; ``above`` are absolute paths of files outside, the outermost first."""
        if paths is not self._paths:
            found = [path for path in paths if path.endswith(_NAME) and (path == _NAME or path.endswith(_BELOW))]
            self._names = tuple(sorted(found, key=lambda path: (path.count("/"), path))[:_MOST_FILES])
            self._paths = paths
        times, above_times = _times(root, self._names), _times("", above)
        if (times, above_times) != (self.times, self._above_times):
            self.times, self._above_times = times, above_times
            self.marks = Marks(_read(root, times, above_times))
        return self.marks


def attributes_above(root: str, top: str) -> list[str]:
    """Return the absolute paths of attributes between a folder and the work tree's top above it, outermost first."""
    folders = [folder for folder in Path(root).parents if folder.is_relative_to(top)]
    return [str(folder / _NAME) for folder in reversed(folders)]


def _times(root: str, names: Iterable[str]) -> list[tuple[str, Times]]:
    """Return the times of the plain files among some; links are none, for git neither."""
    found = list[tuple[str, Times]]()
    for name in names:
        try:
            status = os.lstat(f"{root}/{name}" if root else name)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            found.append((name, (status.st_mtime_ns, status.st_ctime_ns)))
    return found


def _read(root: str, inside: Iterable[tuple[str, Times]], above: Iterable[tuple[str, Times]]) -> list[_File]:
    files, left = list[_File](), _MOST_LINES
    for place, _ in above:
        relative = Path(root).relative_to(Path(place).parent)
        files.append(_File("", os.fsencode(relative.as_posix()) + b"/", _lines_of(place, left)))
        left -= len(files[-1].lines)
    for name, _ in inside:
        files.append(_File(name.removesuffix(_NAME), b"", _lines_of(f"{root}/{name}", left)))
        left -= len(files[-1].lines)
    return files


def _lines_of(place: str, most: int) -> tuple[_Line, ...]:
    """Return what a file says of generated files, the last line first."""
    text = start_of(Path(place), _LIMIT_BYTES)
    if _MARK not in text or len(text) == _LIMIT_BYTES:
        return ()
    found = (_line_of(line) for line in reversed(text.removeprefix(b"\xef\xbb\xbf").split(b"\n")) if _MARK in line)
    return tuple(islice((line for line in found if line is not None), max(0, most)))


def _line_of(text: bytes) -> _Line | None:
    """Return what a line says; None of one that is not about generated files, and of one git takes for none."""
    parts = _LINE.match(text)
    if parts is None or parts[1].startswith((b"#", b"!", b"[attr]")):
        return None
    said = [word for word in parts[2].split() if _ABOUT.match(word)]
    pattern = _unquoted(parts[1])
    rule = rule_of(pattern) if said and len(pattern) <= _LONGEST_BYTES else None
    if rule is None or rule.is_for_folders:
        return None
    return _Line(re.compile(rule.expression, re.DOTALL), rule.is_of_names, _ANSWERS.get(said[-1]))


def _unquoted(pattern: bytes) -> bytes:
    """Return a pattern as it is meant: with quotes around it may hold spaces, and bytes by their numbers."""
    if not pattern.startswith(b'"'):
        return pattern
    return _ESCAPE.sub(_byte, pattern[1:-1])


def _byte(escaped: "re.Match[bytes]") -> bytes:
    code = escaped[1]
    return bytes([int(code, 8)]) if len(code) == 3 else _ESCAPED.get(code, code)
