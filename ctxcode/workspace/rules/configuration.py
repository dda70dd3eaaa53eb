"""Where git finds rules that stand in no repository: the user's own configuration, and the files it leads to.

Read only to tell what git will open and when that changes; what it means is for git to say.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

LIMIT_BYTES = 2_000_000
"""A configuration that is no shorter, with those that it names, is not followed to its end."""
_MOST_CONFIGURATIONS = 100
_MOST_NAMES = 1_000
_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
_NAMING = re.compile(
    rb'(?im)^(?:\xef\xbb\xbf)?(?:[ \t\r]*\[(?:"(?:\\.|[^"\\\n])*"|[^]"\n])*\])*'
    rb"[ \t\r]*(?:path|excludesfile)[ \t\r]*=[ \t\r]*"
)
"""What stands before the name of a file of rules, or of more configuration."""
_PIECE = re.compile(rb'\\\r?\n|\\[^\n]|\\|"|[#;]|\r?\n|[^\\"#;\r\n]+|\r')
_ESCAPED = {b"\\n": b"\n", b"\\t": b"\t", b"\\b": b"\b"}


class UserRules(NamedTuple):
    """The user's own files that git reads for any repository; some may be missing."""

    environment: Mapping[str, str]
    """What tells git of them."""
    configurations: tuple[Path, ...]
    rules: tuple[Path, ...]
    """Where ignored paths stand if no configuration says another place."""

    @property
    def home(self) -> str:
        """What ``~`` means; empty where nothing says so."""
        return self.environment.get("HOME", "")


NO_USER = UserRules({"GIT_CONFIG_GLOBAL": os.devnull}, (), ())
"""With it git reads nobody's."""


def user_rules(environment: Mapping[str, str]) -> UserRules:
    """Return where git looks for the user's own configuration and rules.

    Relative places are left out: they would be looked for in the repository.
    """
    told = {name: environment[name] for name in _VARIABLES if Path(environment.get(name, "")).is_absolute()}
    if "GIT_CONFIG_GLOBAL" in environment:
        told.setdefault("GIT_CONFIG_GLOBAL", os.devnull)
    home = told.get("HOME", "")
    folder = told.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    places = [Path(folder, "git/config")] * bool(folder) + [Path(home, ".gitconfig")] * bool(home)
    if "GIT_CONFIG_GLOBAL" in told:
        places = [Path(told["GIT_CONFIG_GLOBAL"])]
    return UserRules(told, tuple(places), (Path(folder, "git/ignore"),) if folder else ())


def named_in(configurations: Iterable[Path], top: Path, home: str) -> Iterator[Path]:
    """Yield the paths at which git may look for the files that configurations name, and those that these name.

    A relative name is one beside the configuration, or below ``top``. Not all of them where they are very many.
    """
    pending, seen = list(configurations), set[Path]()
    left_bytes, left_names = LIMIT_BYTES, _MOST_NAMES
    while pending and len(seen) < _MOST_CONFIGURATIONS:
        place = pending.pop()
        if place not in seen:
            seen.add(place)
            text = start_of(place, left_bytes)
            names = list(islice(names_in(text), left_names))
            left_bytes, left_names = left_bytes - len(text), left_names - len(names)
            named = [folder / _expanded(name, home) for name in names for folder in dict.fromkeys((place.parent, top))]
            yield from named
            pending += named


def names_in(configuration: bytes) -> Iterator[str]:
    """Yield the files that a configuration names, as they are written there."""
    at = 0
    while begin := _NAMING.search(configuration, at):
        value, at = _value(configuration, begin.end())
        if value and b"\0" not in value:
            yield os.fsdecode(value)


def _value(configuration: bytes, at: int) -> tuple[bytes, int]:
    """Return a value without its quotes, escapes and comment, and where it ends."""
    value, blanks, is_quoted = list[bytes](), b"", False
    while (piece := _PIECE.match(configuration, at)) is not None:
        text = piece[0]
        if text.endswith(b"\n") and not text.startswith(b"\\"):
            break
        at = piece.end()
        if text == b'"':
            is_quoted = not is_quoted
        elif text in (b"#", b";") and not is_quoted:
            break
        elif not text.startswith(b"\\"):
            kept = text if is_quoted else text.rstrip(b" \t\r")
            if kept:
                value += [blanks, kept]
                blanks = b""
            blanks += text[len(kept) :]
            continue
        elif not text.endswith(b"\n"):
            text = _ESCAPED.get(text, text[1:])
            value += [blanks, text]
            blanks = b""
    return b"".join(value), at


def _expanded(name: str, home: str) -> str:
    if name == "~" or name.startswith("~/"):
        return home + name[1:]
    return os.path.expanduser(name) if name.startswith("~") else name  # noqa: PTH111 - never raises


def start_of(path: Path, limit_bytes: int) -> bytes:
    """Return what a regular file begins with; nothing of anything else. Never waits on a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(handle, limit_bytes) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(handle)
