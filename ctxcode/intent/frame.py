"""Places in pasted text: traceback frames of several languages, compilers' locations, diffs' file headers."""

import re

from ctxcode.model.retrieval import Mention, MentionKind

_MOST_FRAMES = 30

_PATH = r"[^\s\"'`()<>\[\]{}|,;:*?]{1,240}"
_PYTHON = re.compile(r'File "([^"\n]{1,400})", line (\d{1,7})(?:, in ([\w<>.]{1,200}))?')
_JAVA = re.compile(r"\bat ([\w.$/]{1,300})\(([\w$]{1,120}\.(?:java|kt|scala|groovy)):(\d{1,7})\)")
_SCRIPT = re.compile(
    rf"\bat (?:async |new )?([\w$.<>]{{1,200}}) \((?:file://)?({_PATH}\.[A-Za-z]\w{{0,7}}):(\d{{1,7}})(?::\d+)?\)"
)
_FILE = rf"{_PATH}\.[A-Za-z]\w{{0,7}}"
_PYTEST = re.compile(
    rf"^({_FILE}):(\d{{1,7}}): (?:in ([\w<>]{{1,200}})|(?:[\w.]{{0,100}}(?:Error|Exception|Exit|Interrupt)\b.*)?)$",
    re.MULTILINE,
)
_LOCATED = re.compile(rf"(?:[A-Za-z]:[\\/])?({_FILE}):(\d{{1,7}})(?!\w)")
_BRACKETED = re.compile(rf"({_FILE})(?:\(|:\[|: \()(\d{{1,7}})(?:, ?\d{{1,5}})?[)\]]")
_WORDED = re.compile(rf"({_FILE})(?::|[\"'`]?,? (?:on |at )?)line (\d{{1,7}})")
_HEADED = re.compile(rf"^({_FILE})[ \t]*$|^[ \t]{{1,8}}(\d{{1,7}}):\d{{1,6}}[ \t]+\S", re.MULTILINE)
"""A linter's file, and below it the places in that: ``12:5  error  …``."""
_RUST = re.compile(
    r"^[ \t]*\d{1,4}:[ \t]+(?:0x[0-9a-f]+ - )?([\w<][^\n]{0,300}::[^\n]{1,200})$(?!\n[ \t]+at )", re.MULTILINE
)
_GENERIC = re.compile(r"(?:::)?<[^<>\n]{0,200}>(?=::|$| as |>)|::h[0-9a-f]{16}$|::\{\{closure\}\}")
_AS_TRAIT = re.compile(r"<([\w:]{1,200}) as [\w:]{1,200}>")
_JAVAS_OWN = ("java.", "javax.", "jdk.", "sun.", "kotlin.", "scala.")
_RUSTS_OWN = frozenset({"std", "core", "alloc", "rust_begin_unwind", "test"})
_DIFF_GIT = re.compile(r"^diff --git a/(\S{1,300}) b/(\S{1,300})", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d{1,7})(?:,(\d{1,6}))? \+\d+(?:,\d+)? @@([^\n]{0,300})", re.MULTILINE)
_DEFINED = re.compile(
    r"(?:def|class|func|fn|function|interface|struct|trait|enum)\s+(?:\([^)]*\)\s*)?([^\W\d][\w$]*)|([^\W\d][\w$]*)\s*\("
)
_MOST_CONTEXT = 100
"""Unchanged lines of a hunk that are read before its first change."""
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
    """Return the places a text points at with a line, nearest to the failure first, at most thirty."""
    # Python prints the innermost call last, the others first.
    python = [_line(*found.groups()) for pattern in (_PYTHON, _PYTEST) for found in pattern.finditer(text)]
    rest = _blanked(_PYTEST, _blanked(_PYTHON, text))
    java = [
        (found.start(), _line(_java_path(found[1], found[2]), found[3], found[1]))
        for found in _JAVA.finditer(rest)
        if not found[1].startswith(_JAVAS_OWN)
    ]
    rest = _blanked(_JAVA, rest)
    script = [(found.start(), _line(found[2], found[3], found[1])) for found in _SCRIPT.finditer(rest)]
    rest = _blanked(_SCRIPT, rest)
    located = [
        (found.start(), _line(found[1], found[2]))
        for pattern in (_LOCATED, _BRACKETED, _WORDED)
        for found in pattern.finditer(rest)
        if not found[1].startswith("/rustc/")
    ]
    others = sorted([*java, *script, *located, *_headed(rest), *_rust(rest)], key=lambda placed: placed[0])
    places = [*reversed(python[-_MOST_FRAMES:]), *(place for _, place in others)]
    meant = [place for place in places if place.text and (place.line > 0 or place.name)]
    return list(dict.fromkeys(meant))[:_MOST_FRAMES]


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with what a pattern finds taken out, everything else where it was."""
    return pattern.sub(lambda found: " " * len(found.group()), text)


def _headed(text: str) -> list[tuple[int, Mention]]:
    """Return the places a linter tells below the name of their file, with where they stand in the text."""
    path, placed = "", list[tuple[int, Mention]]()
    for found in _HEADED.finditer(text):
        if found[1]:
            path = found[1]
        elif path:
            placed.append((found.start(), _line(path, found[2])))
    return placed


def _rust(text: str) -> list[tuple[int, Mention]]:
    """Return the functions of a backtrace without places, ``4: crate::module::Type<T>::name``, as names."""
    placed = list[tuple[int, Mention]]()
    for found in _RUST.finditer(text):
        name, before = found[1].strip(), ""
        while name != before:
            before, name = name, _GENERIC.sub("", _AS_TRAIT.sub(r"\1", name))
        parts = name.split("::")
        if parts[0] not in _RUSTS_OWN and len(parts) > 1 and all(part.isidentifier() for part in parts):
            dotted = ".".join(parts[1:] if len(parts) > 2 else parts)
            placed.append((found.start(), Mention(MentionKind.IDENTIFIER, dotted, is_explicit=True, name=parts[-1])))
    return placed


def diff_places(text: str) -> list[Mention]:
    """Return what a pasted diff changes, in its order: its hunks where it has any, else its files; at most thirty."""
    paths = [(found.start(), path) for found in _DIFF_GIT.finditer(text) for path in found.groups()]
    if "@@" in text:
        paths += [(found.start(), found[1].strip()) for found in _DIFF_SIDE.finditer(text)]
    files = [(at, clean_path(path)) for at, path in sorted(paths) if path != "/dev/null" and "." in path]
    hunks = [
        _hunk(found, before[-1], text)
        for found in _HUNK.finditer(text)
        if (before := [path for at, path in files if at < found.start()])
    ]
    covered = {hunk.text for hunk in hunks}
    named = [Mention(MentionKind.PATH, path, is_explicit=True) for _, path in files if path and path not in covered]
    return list(dict.fromkeys([*hunks, *named]))[:_MOST_FRAMES]


def _hunk(found: re.Match[str], path: str, text: str) -> Mention:
    """Return the place of a hunk: its first changed line as the file was before, and the definition around it."""
    body = text[found.end() + 1 : found.end() + 20_000].split("\n", _MOST_CONTEXT)[:_MOST_CONTEXT]
    changed = next((at for at, line in enumerate(body) if line.startswith(("-", "+"))), 0)
    # What is added belongs to the line it stands behind.
    context = changed - body[changed].startswith("+")
    defined = _DEFINED.search(found[3])
    name = (defined[1] or defined[2]) if defined else ""
    return Mention(MentionKind.LINE, path, line=max(int(found[1]) + context, 1), is_explicit=True, name=name)


def _line(path: str, number: str, name: str | None = "") -> Mention:
    name = _last(name or "")
    name = name if name.isidentifier() else ""
    return Mention(MentionKind.LINE, clean_path(path.lstrip("@")), line=int(number), is_explicit=True, name=name)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _java_path(method: str, file: str) -> str:
    """Return ``com/x/Bar.java`` for ``com.x.Bar.run`` in ``Bar.java``; a module prefix ends with a slash."""
    package = method.rpartition("/")[2].split(".")[:-2]
    return "/".join([*package, file])
