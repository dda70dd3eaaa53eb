"""The values of a repository's ``.env`` files: read only so that they can be withheld wherever else they stand."""

import os
import re
import stat

_NAMES = (".env", ".env.local", ".env.development", ".env.production", ".env.test")
_LARGEST_BYTES = 64_000
_LINE = re.compile(r"\s*+(?:export\s++)?+([A-Za-z_][A-Za-z0-9_]*+)\s*+[=:](.*)")


def environment_file_values(root: str) -> list[tuple[str, str]]:
    """Return the variables of the ``.env`` files right below ``root``; what can't be read is passed over."""
    found: list[tuple[str, str]] = []
    for name in _NAMES:
        for line in _text(f"{root}/{name}").splitlines():
            match = _LINE.match(line)
            if match is not None:
                found.append((match.group(1), _unquoted(match.group(2).strip())))
    return found


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.partition(" #")[0].rstrip()


def _text(path: str) -> str:
    """Return a small regular file's text; empty for anything else. Never waits on a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_BYTES:
            return ""
        return os.read(handle, _LARGEST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(handle)
