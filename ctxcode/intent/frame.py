"""Places in pasted text: traceback frames of several languages, compilers' locations, diffs' file headers."""

import re

from ctxcode.model.retrieval import Mention, MentionKind

_MOST_FRAMES = 12

_PATH = r"[^\s\"'`()<>\[\]{}|,;:*?]{1,240}"
_PYTHON = re.compile(r'File "([^"\n]{1,400})", line (\d{1,7})')
_JAVA = re.compile(r"\bat ([\w.$/]{1,300})\(([\w$]{1,120}\.(?:java|kt|scala|groovy)):(\d{1,7})\)")
_LOCATED = re.compile(rf"(?:[A-Za-z]:[\\/])?({_PATH}\.[A-Za-z]\w{{0,7}}):(\d{{1,7}})(?!\w)")
_VISUAL = re.compile(rf"({_PATH}\.[A-Za-z]\w{{0,7}})\((\d{{1,7}})(?:,\d{{1,5}})?\)")
_WORDED = re.compile(rf"({_PATH}\.[A-Za-z]\w{{0,7}})[\"'`]?,? (?:on |at )?line (\d{{1,7}})")
_DIFF_GIT = re.compile(r"^diff --git a/(\S{1,300}) b/(\S{1,300})", re.MULTILINE)
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
    python = [_line(path, number) for path, number in _PYTHON.findall(text)]
    java = [_line(_java_path(method, file), number) for method, file, number in _JAVA.findall(text)]
    rest = _JAVA.sub(" ", _PYTHON.sub(" ", text))
    located = sorted(
        (found.start(), found[1], found[2])
        for pattern in (_LOCATED, _VISUAL, _WORDED)
        for found in pattern.finditer(rest)
    )
    # Python prints the innermost call last, the others first.
    places = [*reversed(python[-_MOST_FRAMES:]), *java, *(_line(path, number) for _, path, number in located)]
    return list(dict.fromkeys(place for place in places if place.text and place.line > 0))[:_MOST_FRAMES]


def diff_files(text: str) -> list[Mention]:
    """Return the files of a pasted diff, in its order, at most twelve."""
    paths = [path for pair in _DIFF_GIT.findall(text) for path in pair]
    if "@@" in text:
        paths += [path.strip() for path in _DIFF_SIDE.findall(text)]
    named = dict.fromkeys(clean_path(path) for path in paths if path != "/dev/null" and "." in path)
    return [Mention(MentionKind.PATH, path, is_explicit=True) for path in named if path][:_MOST_FRAMES]


def _line(path: str, number: str) -> Mention:
    return Mention(MentionKind.LINE, clean_path(path.lstrip("@")), line=int(number), is_explicit=True)


def _java_path(method: str, file: str) -> str:
    """Return ``com/x/Bar.java`` for ``com.x.Bar.run`` in ``Bar.java``; a module prefix ends with a slash."""
    package = method.rpartition("/")[2].split(".")[:-2]
    return "/".join([*package, file])
