"""One line of an ignore file, as git reads it. Entry point: ``rule_of``.

All is bytes: to git ``?`` stands for one byte of a name, whatever letter that is a part of.
"""

import re
import string
from itertools import groupby
from typing import NamedTuple

_CLASSES = {
    name: frozenset(members.encode())
    for name, members in {
        b"alnum": string.ascii_letters + string.digits,
        b"alpha": string.ascii_letters,
        b"blank": " \t",
        b"cntrl": "".join(map(chr, [*range(32), 127])),
        b"digit": string.digits,
        b"graph": string.ascii_letters + string.digits + string.punctuation,
        b"lower": string.ascii_lowercase,
        b"print": string.ascii_letters + string.digits + string.punctuation + " ",
        b"punct": string.punctuation,
        b"space": " \t\n\r",
        b"upper": string.ascii_uppercase,
        b"xdigit": string.hexdigits,
    }.items()
}
_ITEM = re.compile(rb"\[:([^]]*):\]|(\\.|[^\\])(?:-(\\.|[^]\\]))?", re.DOTALL)
"""One item of a set: the name of a class, or a byte, maybe the first of a range, and the range's last one."""
_SPECIAL = re.compile(rb"[*?[\\]")
_SLASH = frozenset(b"/")
_STAR, _ONE, _NONE = b"*", b"[^/]", b"(?!)"
_SOME_FOLDERS = b"(?:[^/]*/)*"

_Segment = list[bytes]
"""What stands between two slashes: an expression for each byte, and stars."""


class Rule(NamedTuple):
    """Which paths a line is about, and what it says of them."""

    expression: bytes
    """Of a whole path from the folder the rules stand in, or of its last name; without a slash at the end."""
    is_of_names: bool
    ignores: bool
    is_for_folders: bool
    """Whether it is about folders only."""


def rule_of(line: bytes) -> Rule | None:
    """Return what a line says; None of one that is about no path: a comment, an empty or a broken one."""
    if line.startswith(b"#"):
        return None
    plain = line.rstrip(b" ")
    # A backslash before it keeps one space, unless that backslash is itself behind another.
    is_kept = plain != line and (len(plain) - len(plain.rstrip(b"\\"))) % 2
    text = plain + b" " if is_kept else plain
    pattern = text.removeprefix(b"!")
    inner = pattern.removesuffix(b"/")
    is_of_names = b"/" not in inner
    whole = inner.removeprefix(b"/")
    # Two stars right behind what is written out are about folders wherever in a name they stand: so does git take them.
    plainly = b"" if is_of_names else _SPECIAL.split(whole, maxsplit=1)[0]
    segments = _segments(whole.removeprefix(plainly))
    if segments is None or not whole:
        return None
    expression = _name(segments[0]) if is_of_names else re.escape(plainly) + _placed(segments)
    return Rule(expression, is_of_names, ignores=pattern == text, is_for_folders=pattern != inner)


def _segments(pattern: bytes) -> list[_Segment] | None:
    """Return what a pattern has between its slashes; None when it is broken."""
    segments: list[_Segment] = [[]]
    place = 0
    while place < len(pattern):
        byte = pattern[place : place + 1]
        place += 1
        if byte == b"[":
            found = _set(pattern, place)
            if found is None:
                return None
            piece, place = found
        elif byte == b"\\":
            byte = pattern[place : place + 1]
            if not byte:
                return None
            piece = re.escape(byte)
            place += 1
        else:
            piece = _STAR if byte == b"*" else _ONE if byte == b"?" else re.escape(byte)
        if byte == b"/":
            segments.append([])
        else:
            segments[-1].append(piece)
    return segments


def _set(pattern: bytes, start: int) -> tuple[bytes, int] | None:
    """Return the expression of a set, and where it ends, given where it begins; None when it is broken."""
    is_negated = pattern[start : start + 1] in (b"!", b"^")
    place = first = start + is_negated
    members = set[int]()
    while place == first or pattern[place : place + 1] != b"]":
        item = _ITEM.match(pattern, place)
        if item is None or (item[1] is not None and item[1] not in _CLASSES):
            return None
        if item[1] is not None:
            members |= _CLASSES[item[1]]
        else:
            begin, end = item[2][-1], (item[3] or item[2])[-1]
            members.update((begin,), range(begin, end + 1))
        place = item.end()
    # No set holds a slash, nor does what is not in one.
    members = members | _SLASH if is_negated else members - _SLASH
    listed = b"".join([b"\\x%02x" % member for member in sorted(members)])
    return (b"[^%s]" % listed if is_negated else b"[%s]" % listed if listed else _NONE), place + 1


def _name(segment: _Segment) -> bytes:
    """Return the expression of one name.

    What stands between two stars may be the first that fits, always: so no name takes long.
    """
    runs = [b"".join(run) for is_star, run in groupby(segment, _STAR.__eq__) if not is_star]
    if _STAR not in segment:
        return b"".join(runs)
    begin = b"" if segment[0] == _STAR else runs.pop(0)
    end = b"" if segment[-1] == _STAR else runs.pop()
    return begin + b"".join([b"(?>[^/]*?%s)" % run for run in runs]) + b"[^/]*" + end


def _placed(segments: list[_Segment]) -> bytes:
    """Return the expression of a path; two stars alone between slashes stand for any folders."""
    groups: list[list[bytes]] = [[]]
    for segment in segments:
        if len(segment) > 1 and set(segment) == {_STAR}:
            groups.append([])
        else:
            groups[-1].append(_name(segment))
    first, *others = groups
    if not others:
        return b"/".join(first)
    *inner, last = others
    begin = b"/".join([*first, b""])
    between = b"".join([b"(?>%s?%s/)" % (_SOME_FOLDERS, b"/".join(group)) for group in inner if group])
    return begin + between + (_SOME_FOLDERS + b"/".join(last) if last else b".*")
