"""Places in pasted text: traceback frames of several languages, compilers' locations, diffs' file headers."""

import re

from ctxcode.model.retrieval import Mention, MentionKind

_MOST_FRAMES = 12

_PATH = r"[^\s\"'`()<>\[\]{}|,;:*?]{1,240}"
_PYTHON = re.compile(r'File "([^"\n]{1,400})", line (\d{1,7})(?:, in ([\w<>.]{1,200}))?')
_JAVA = re.compile(r"\bat ([\w.$/]{1,300})\(([\w$]{1,120}\.(?:java|kt|scala|groovy)):(\d{1,7})\)")
_SCRIPT = re.compile(
    rf"\bat (?:async |new )?([\w$.<>]{{1,200}}) \((?:file://)?({_PATH}\.[A-Za-z]\w{{0,7}}):(\d{{1,7}})(?::\d+)?\)"
)
_LOCATED = re.compile(rf"(?:[A-Za-z]:[\\/])?({_PATH}\.[A-Za-z]\w{{0,7}}):(\d{{1,7}})(?!\w)")
_VISUAL = re.compile(rf"({_PATH}\.[A-Za-z]\w{{0,7}})\((\d{{1,7}})(?:,\d{{1,5}})?\)")
_WORDED = re.compile(rf"({_PATH}\.[A-Za-z]\w{{0,7}})[\"'`]?,? (?:on |at )?line (\d{{1,7}})")
_DIFF_GIT = re.compile(r"^diff --git a/(\S{1,300}) b/(\S{1,300})", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d{1,7})(?:,(\d{1,6}))? \+\d+(?:,\d+)? @@([^\n]{0,300})", re.MULTILINE)
_DEFINED = re.compile(
    r"(?:def|class|func|fn|function|interface|struct|trait|enum)\s+(?:\([^)]*\)\s*)?([^\W\d][\w$]*)|([^\W\d][\w$]*)\s*\("
)
_DIFF_CONTEXT = 3
"""Unchanged lines a diff shows before the first change of a hunk."""
_DIFF_SIDE = re.compile(r"^(?:\+\+\+|---) (?:[ab]/)?([^\t\n]{1,300})", re.MULTILINE)


def clean_path(path: str) -> str:
    """Return a path as the index writes it: forward slashes, no scheme, no leading ``./``."""
    path = path.replace("\\", "/")
    path = re.sub(r"^(?:file|webpack|webpack-internal):(?=/)", "", path)
    path = re.sub(r"/{2,}", "/", path)
    while path.startswith("./"):
        path = path[2:]
    return path.strip()


def frames(text: str) -> list[Mention]:
    """Return the places a text points at with a line, nearest to the failure first, at most twelve."""
    python = [_line(path, number, name) for path, number, name in _PYTHON.findall(text)]
    java = [_line(_java_path(method, file), number, method) for method, file, number in _JAVA.findall(text)]
    rest = _JAVA.sub(" ", _PYTHON.sub(" ", text))
    script = [_line(path, number, name) for name, path, number in _SCRIPT.findall(rest)]
    rest = _SCRIPT.sub(" ", rest)
    located = sorted(
        (found.start(), found[1], found[2])
        for pattern in (_LOCATED, _VISUAL, _WORDED)
        for found in pattern.finditer(rest)
    )
    # Python prints the innermost call last, the others first.
    places = [*reversed(python[-_MOST_FRAMES:]), *java, *script, *(_line(path, number) for _, path, number in located)]
    return list(dict.fromkeys(place for place in places if place.text and place.line > 0))[:_MOST_FRAMES]


def diff_places(text: str) -> list[Mention]:
    """Return what a pasted diff changes, in its order: its hunks where it has any, else its files; at most twelve."""
    paths = [(found.start(), path) for found in _DIFF_GIT.finditer(text) for path in found.groups()]
    if "@@" in text:
        paths += [(found.start(), found[1].strip()) for found in _DIFF_SIDE.finditer(text)]
    files = [(at, clean_path(path)) for at, path in sorted(paths) if path != "/dev/null" and "." in path]
    hunks = [
        _hunk(found, before[-1])
        for found in _HUNK.finditer(text)
        if (before := [path for at, path in files if at < found.start()])
    ]
    covered = {hunk.text for hunk in hunks}
    named = [Mention(MentionKind.PATH, path, is_explicit=True) for _, path in files if path and path not in covered]
    return list(dict.fromkeys([*hunks, *named]))[:_MOST_FRAMES]


def _hunk(found: re.Match[str], path: str) -> Mention:
    """Return the place of a hunk: its first changed line as the file was before, and the definition around it."""
    context = _DIFF_CONTEXT if int(found[2] or 1) > 2 * _DIFF_CONTEXT and int(found[1]) > 1 else 0
    defined = _DEFINED.search(found[3])
    name = (defined[1] or defined[2]) if defined else ""
    return Mention(MentionKind.LINE, path, line=max(int(found[1]) + context, 1), is_explicit=True, name=name)


def _line(path: str, number: str, name: str = "") -> Mention:
    name = _last(name)
    name = name if name.isidentifier() else ""
    return Mention(MentionKind.LINE, clean_path(path.lstrip("@")), line=int(number), is_explicit=True, name=name)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _java_path(method: str, file: str) -> str:
    """Return ``com/x/Bar.java`` for ``com.x.Bar.run`` in ``Bar.java``; a module prefix ends with a slash."""
    package = method.rpartition("/")[2].split(".")[:-2]
    return "/".join([*package, file])
