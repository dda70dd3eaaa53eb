"""The user's settings as the app shows them, and the file in which it keeps a choice."""

import re
from collections.abc import Mapping
from pathlib import Path

from ctxcode.model.check import SettingRow
from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.errors import SettingsError
from ctxcode.settings.directory import directories
from ctxcode.settings.file import file_text, parsed
from ctxcode.settings.settings import ENVIRONMENT, PROJECT_FILE, SETTING_NAMES, file_values, settings_told


def setting_rows(
    root: Path, *, overrides: Mapping[str, object], environment: Mapping[str, str]
) -> tuple[SettingRow, ...]:
    """Return every setting in force with where it was set, and a repository's file that is left out.

    Raises SettingsError for what is wrong with the user's own.
    """
    settings, told = settings_told(root, overrides=overrides, environment=environment)
    user_file = directories(environment).config / "settings.toml"
    variables = {key: name for name, key in ENVIRONMENT.items() if environment.get(name, "").strip()}
    origins = dict.fromkeys(file_values(user_file, is_project=False), f"your {user_file.name}")
    if not told:
        origins |= dict.fromkeys(file_values(root / PROJECT_FILE, is_project=True), f"the repository's {PROJECT_FILE}")
    origins |= variables
    origins |= {key: "the command line" for key, value in overrides.items() if value is not None}
    rows = [SettingRow(name, _shown(getattr(settings, name)), origins.get(name, "")) for name in SETTING_NAMES]
    return (*rows, SettingRow(PROJECT_FILE, "left out", told)) if told else tuple(rows)


def _shown(value: object) -> str:
    """Return a setting's value in a few words."""
    match value:
        case None:
            return ""
        case StrategySetting():
            return value.name
        case Mapping():
            return ", ".join(f"{key} {text}" for key, text in value.items())
        case tuple():
            return ", ".join(str(pattern) for pattern, _ in value)
    return str(value)


def remember(key: str, value: str, path: Path) -> None:
    """Write one setting into the user's file, leaving every other line as it is.

    Raises SettingsError when the file can't be read or written.
    """
    text = file_text(path, is_project=False)
    parsed(text, path)
    line = f"{key} = {_quoted(value)}"
    lines = text.splitlines()
    # Only above the first table's heading is a key the file's own.
    top = next((at for at, row in enumerate(lines) if row.lstrip().startswith("[")), len(lines))
    known = next(
        (at for at, row in enumerate(lines[:top]) if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", row)), None
    )
    if known is not None:
        lines[known] = line
    else:
        lines.insert(0, line)
    made = "\n".join(lines) + "\n"
    parsed(made, path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(made, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise SettingsError(
            f"{key} is {value!r} for now, but {str(path)!r} can't be written: {error}", f"Write `{line}` into it."
        ) from error


def _quoted(value: str) -> str:
    """Return a text as TOML writes it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
