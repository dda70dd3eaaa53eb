"""A settings file: its text and its TOML, neither trusted."""

import errno
import os
import re
import stat
from pathlib import Path

from ctxcode.model.errors import SettingsError

_LARGEST_FILE_BYTES = 256_000
_LONGEST_COMPLAINT = 160


def file_text(path: Path, *, is_project: bool) -> str:
    """Return a settings file's text; empty when there is none. A repository's file may be no link and no pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if is_project:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        is_link = is_project and error.errno == errno.ELOOP
        raise _unreadable(path, "it is a link" if is_link else error.strerror or str(error)) from error
    except ValueError as error:
        raise _unreadable(path, str(error)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _unreadable(path, "it is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(_LARGEST_FILE_BYTES + 1)
    if len(data) > _LARGEST_FILE_BYTES:
        raise _unreadable(path, f"it is larger than {_LARGEST_FILE_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _unreadable(path, f"line {line} is not UTF-8") from error


def _unreadable(path: Path, why: str) -> SettingsError:
    return SettingsError(f"the settings file {str(path)!r} can't be read: {why}", "Mend it or move it away.")


def parsed(text: str, path: Path) -> dict[str, object]:
    """Return a settings file's values as TOML has them. Raises SettingsError."""
    # Most starts read no file at all, and then need no parser.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        wrong = str(error)
        if len(wrong) > _LONGEST_COMPLAINT:
            # It may quote a key of the file, however long; the line stands at its end.
            wrong = f"{wrong[: _LONGEST_COMPLAINT // 2]}…{wrong[-_LONGEST_COMPLAINT // 2 :]}"
        raise SettingsError(
            f"{str(path)!r} is no valid TOML: {wrong}", "Mend that line or move the file away."
        ) from error
    except RecursionError as error:
        raise _unreadable(path, "it is nested too deeply") from error


def line_of(key: str, text: str) -> int:
    """Return the number of the line that sets a key, from 1; 1 when it is not found."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), 1)
