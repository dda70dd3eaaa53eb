"""Places in pasted diffs: git's in all its forms, Mercurial's, Subversion's, ``diff -u`` and plain ``diff``."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from ctxcode.intent.path import clean_path
from ctxcode.model.retrieval import Mention, MentionKind

_MOST_PLACES = 30
_MOST_CONTEXT = 100
"""Unchanged lines of a hunk that are read before its first change."""
_NAME = r'"(?:[^"\\\n]|\\.){1,400}"|[^\t\r\n]{1,300}'
_GIT = re.compile(r"^diff --git ([^\r\n]{1,800})", re.MULTILINE)
_TWO_NAMES = re.compile(r'("(?:[^"\\\n]|\\.){1,400}"|\S{1,300}) ("(?:[^"\\\n]|\\.){1,400}"|\S{1,300})')
_ONE_NAME_TWICE = re.compile(r"([a-z]/([^\n]{1,300})) ([a-z]/\2)")
_COMBINED = re.compile(rf"^diff --(?:cc|combined) ({_NAME})", re.MULTILINE)
_SIDES = re.compile(rf"^--- ({_NAME})[^\n]{{0,200}}\n\+\+\+ ({_NAME})", re.MULTILINE)
_ONE_SIDE = re.compile(r"^(?:\+\+\+|---) [ab]/([^\t\n]{1,300})", re.MULTILINE)
_HUNK = re.compile(
    r"^(@@{1,8}) -(\d{1,7})(?:,\d{1,6})?(?: -\d{1,7}(?:,\d{1,6})?){0,6} \+(\d{1,7})(?:,\d{1,6})? @@{1,8}([^\n]{0,300})",
    re.MULTILINE,
)
_HUNK_NEXT = re.compile(r"[^\n]{0,200}\n@@ -")
_OPTIONS = r"(?:'?-\S{1,60} ){0,8}"
_FILE = r'(?:"(?:[^"\\\n]|\\.){1,400}"|(?=\S{0,300}[./])\S{1,300})'
_NORMAL_HEAD = re.compile(rf"(?:\$ )?diff {_OPTIONS}({_FILE} {_FILE})[ \t\r]*")
_NORMAL_HUNK = re.compile(r"(\d{1,7})(?:,\d{1,7})?[acd]\d{1,7}(?:,\d{1,7})?[ \t\r]*")
"""``12,14c12``, ``12,14d11``, ``11a12,14``: the first number is of the file as it was before."""
_NORMAL_LINES = ("<", ">", "---", "\\")
_DEFINED = re.compile(
    r"(?:def|class|func|fn|function|interface|struct|trait|enum)\s+(?:\([^)]*\)\s*)?([^\W\d][\w$]*)|([^\W\d][\w$]*)\s*\("
)
_BEGINS = re.compile(
    rf"^([ \t>]{{0,12}})(?:diff --git |diff {_OPTIONS}{_FILE} {_FILE}[ \t\r]*$|@@ -|--- [ab]/)", re.MULTILINE
)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_SIGNS = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
_PREFIXES = frozenset({"ab", "iw", "ci", "cw", "ow", "ba", "wi", "ic", "wc", "wo"})
"""What git writes before both names: ``a/`` and ``b/``, or for what it compares: index, work tree, commit, object."""


def diff_places(text: str) -> list[Mention]:
    """Return what a pasted diff changes, in its order: its hunks where it has any, else its files; at most thirty."""
    if "@@" not in text and "diff " not in text:
        return []
    text = _unquoted(text)
    files = sorted(_files(text), key=lambda found: found[0])
    starts = [at for at, _ in files]
    hunks = [
        _hunk(found, files[before - 1][1], text)
        for found in _HUNK.finditer(text)
        if (before := bisect_left(starts, found.start()))
    ]
    normal = list(_normal_places(text)) if "diff " in text else []
    hunks += [place for place in normal if place.line]
    covered = {hunk.text for hunk in hunks}
    named = [Mention(MentionKind.PATH, path, is_explicit=True) for _, path in files if path and path not in covered]
    named += [place for place in normal if not place.line and place.text not in covered]
    return list(dict.fromkeys([*hunks, *named]))[:_MOST_PLACES]


def normal_names(line: str, following: str) -> str:
    """Return both names in the line above the hunks of a diff in the normal format; empty for other lines."""
    head = _NORMAL_HEAD.fullmatch(line) if _NORMAL_HUNK.fullmatch(following) else None
    return head[1] if head is not None else ""


def is_normal_line(line: str) -> bool:
    """Tell whether a line below that one belongs to the hunks."""
    return line.startswith(_NORMAL_LINES) or _NORMAL_HUNK.fullmatch(line) is not None


def _normal_places(text: str) -> Iterator[Mention]:
    """Yield files and hunks of diffs in the normal format; as in others, a hunk is of the later of two names."""
    path = ""
    for line, following in pairwise([*text.split("\n"), ""]):
        if names := _TWO_NAMES.fullmatch(normal_names(line, following)):
            paths = list(_both(names[1], names[2]))
            path = paths[-1] if paths else ""
            yield from (Mention(MentionKind.PATH, each, is_explicit=True) for each in paths)
        elif path and (hunk := _NORMAL_HUNK.fullmatch(line)):
            yield Mention(MentionKind.LINE, path, line=max(int(hunk[1]), 1), is_explicit=True)
        elif not is_normal_line(line):
            path = ""


def _unquoted(text: str) -> str:
    """Return a text whose diff is set in, as in a list, or quoted, as in a mail, without what stands before it."""
    margins = [found[1] for found in _BEGINS.finditer(text)]
    if not margins or not all(margins):
        return text
    return re.sub(f"^{re.escape(margins[0])}", "", text, flags=re.MULTILINE)


def _files(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a text names files that a diff is of, and their paths; of two names the later one last."""
    for found in _GIT.finditer(text):
        names = _ONE_NAME_TWICE.fullmatch(found[1]) or _TWO_NAMES.fullmatch(found[1])
        if names is not None:
            yield from ((found.start(), path) for path in _both(names[1], names.group(names.lastindex or 1)))
    for found in _COMBINED.finditer(text):
        yield found.start(), clean_path(_plain(found[1]))
    if "@@" in text:
        in_pairs = set[int]()
        for found in _SIDES.finditer(text):
            in_pairs.update((found.start(1), found.start(2)))
            is_sure = _HUNK_NEXT.match(text, found.end()) is not None
            yield from ((found.start(), path) for path in _both(found[1], found[2]) if "." in path or is_sure)
        for found in _ONE_SIDE.finditer(text):
            if found.start() + 4 not in in_pairs:
                yield found.start(), clean_path(found[1])


def _both(*names: str) -> Iterator[str]:
    """Yield the paths of both sides, without what git writes before them; none for what is not there."""
    before, after = map(_plain, names)
    if _has_prefixes(before, after):
        before, after = (name if name == "/dev/null" else name[2:] for name in (before, after))
    for path in (before, after):
        if path != "/dev/null":
            yield clean_path(path)


def _has_prefixes(before: str, after: str) -> bool:
    heads = [name[0] for name in (before, after) if name != "/dev/null" and name[1:2] == "/"]
    there = [name for name in (before, after) if name != "/dev/null"]
    if len(heads) < len(there):
        return False
    return "".join(heads) in _PREFIXES or (len(heads) == 1 and heads[0] in "ab")


def _plain(name: str) -> str:
    """Return a name as it is: git writes what is no ASCII in quotes, as the numbers of its bytes."""
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return name.strip()
    data = _ESCAPED.sub(lambda found: _byte(found[1]), name[1:-1].encode())
    return data.decode("utf-8", "replace")


def _byte(code: bytes) -> bytes:
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _SIGNS.get(code, code)


def _hunk(found: re.Match[str], path: str, text: str) -> Mention:
    """Return the place of a hunk: its first changed line and the definition around it.

    The line is the one of the file as it was before; where several were, of what became of them.
    """
    columns = len(found[1]) - 1
    body = text[found.end() + 1 : found.end() + 20_000].split("\n", _MOST_CONTEXT)[:_MOST_CONTEXT]
    signs = (line[:columns].strip(" ") for line in body)
    changed, sign = next(((at, sign) for at, sign in enumerate(signs) if sign and not sign.strip("+-")), (0, ""))
    # What is added belongs to the line it stands behind.
    context = changed - (columns == 1 and sign == "+")
    defined = _DEFINED.search(found[4])
    name = (defined[1] or defined[2]) if defined else ""
    start = int(found[2] if columns == 1 else found[3])
    return Mention(MentionKind.LINE, path, line=max(start + context, 1), is_explicit=True, name=name)
