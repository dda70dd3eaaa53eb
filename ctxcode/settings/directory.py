"""The folders ctxcode keeps its own files in."""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ctxcode.model.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Directories:
    """Where ctxcode keeps its own files; nothing is created by asking."""

    config: Path
    """``settings.toml`` and the user's themes."""
    data: Path
    """Conversations."""
    cache: Path
    """Indexes; can be deleted at any time."""
    state: Path
    """Logs."""


def directories(environment: Mapping[str, str]) -> Directories:
    """Return the user's folders for ctxcode: the XDG ones, or those of Windows. Relative values are ignored.

    Raises SettingsError when nothing says where the user's files are.
    """

    def folder(variable: str, below_home: str) -> Path:
        path = Path(environment.get(variable, ""))
        return (path if path.is_absolute() else _home(environment) / below_home) / "ctxcode"

    if sys.platform == "win32":
        local, roaming = folder("LOCALAPPDATA", "AppData/Local"), folder("APPDATA", "AppData/Roaming")
        return Directories(roaming, local / "data", local / "cache", local / "state")
    return Directories(
        folder("XDG_CONFIG_HOME", ".config"),
        folder("XDG_DATA_HOME", ".local/share"),
        folder("XDG_CACHE_HOME", ".cache"),
        folder("XDG_STATE_HOME", ".local/state"),
    )


def _home(environment: Mapping[str, str]) -> Path:
    """Return the user's home. Raises SettingsError for an empty one, and for a relative one: in the repository."""
    told = environment.get("HOME") or environment.get("USERPROFILE")
    # What is asked for nobody's home, where HOME is empty, tells the root of all files.
    home = told or ("" if "HOME" in environment else os.path.expanduser("~"))  # noqa: PTH111 - never raises
    if not Path(home).is_absolute():
        raise SettingsError(f"{home!r} is no home folder", "Set HOME to the absolute path of yours.")
    return Path(home)


def repository_key(root: Path) -> str:
    """Return a folder name for a repository: its base name and a digest of its real path."""
    # OpenSSL is slow to load, and not every command needs a key.
    from hashlib import blake2b  # noqa: PLC0415

    real = os.path.realpath(root)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(real).name).strip("-.")[:40] or "root"
    return f"{name}-{blake2b(os.fsencode(real), digest_size=6).hexdigest()}"
