"""Files whose names don't tell their language: what runs a script, and what begins PHP, stands in the first line."""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:\S*/)?([a-z]+)[\d.]*(?:[ \t\r\n]|\Z)")
_SUFFIXES = {
    b"python": ".py",
    b"pypy": ".py",
    b"sh": ".sh",
    b"bash": ".sh",
    b"zsh": ".sh",
    b"ksh": ".sh",
    b"dash": ".sh",
    b"node": ".js",
    b"nodejs": ".js",
    b"bun": ".ts",
    b"deno": ".ts",
    b"ruby": ".rb",
    b"lua": ".lua",
    b"luajit": ".lua",
    b"php": ".php",
}
_FOR_EDITORS = (
    rb"#[^\n]*(?:-\*-[ \t]*(?:mode:[ \t]*)?(?:shell-script|sh)\b|\bshellcheck[ \t]+shell=(?:ba|da|k)?sh\b"
    rb"|\bvim?:[^\n]*\b(?:ft|filetype|syntax)=(?:ba|k|z)?sh\b)"
)
"""What tells editors, and who checks it, that something is read by a shell, in its first line."""
_OTHERS = (
    (re.compile(rb"\s*<\?php\b"), ".php"),
    (re.compile(rb"#(?:compdef|autoload)\b"), ".sh"),
    (re.compile(_FOR_EDITORS), ".sh"),
)
_ENDINGS = (".inc", ".module", ".install", ".theme", ".engine", ".profile", ".test")
"""Those that PHP has beside its own, as others have."""
_READ_BYTES = 128


def may_be_script(path: str) -> bool:
    """Return whether a file's name says nothing of its language: it has no dot, or an ending of many languages."""
    return path.endswith(_ENDINGS) or not (path.endswith("/") or "." in path.rpartition("/")[2])


@dataclass(slots=True)
class Scripts:
    """What the first lines of a folder's files say; a file is read again only when it has changed."""

    root: str
    seen: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """Path to (time of the last change, time of the last status change, ending)."""

    def times(self, paths: Iterable[str]) -> list[tuple[str, tuple[int, int]]]:
        """Return the paths that could be looked at, with the times of their last change and status change."""
        return [(path, self.seen[path][:2]) for path in paths if path in self.seen]

    def suffix(self, path: str) -> str:
        """Return the ending a file would have by its first line; empty for what is no script."""
        whole = f"{self.root}/{path}"
        try:
            status = os.lstat(whole)
        except OSError:
            return ""
        times = status.st_mtime_ns, status.st_ctime_ns
        known = self.seen.get(path)
        if known is None or known[:2] != times:
            known = self.seen[path] = (*times, _suffix(whole) if stat.S_ISREG(status.st_mode) else "")
        return known[2]


def _suffix(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        start = os.read(descriptor, _READ_BYTES)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    found = _SHEBANG.match(start)
    if found is not None:
        return _SUFFIXES.get(found[1], "")
    return next((suffix for pattern, suffix in _OTHERS if pattern.match(start)), "")
