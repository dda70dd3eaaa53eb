"""The commands that a package of Python installs."""

import re
from collections.abc import Iterator

from ctxcode.session.look.commands.reading import said, toml
from ctxcode.session.ports import FileTexts

_TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))
_OPTION = "console_scripts"
_PAIR = re.compile(r"(?<![\w.-])([\w.-]++)\s*+=\s*+([\w.]++:[\w.]++)")
"""``name = module:function``, as it stands in strings."""
_BEFORE = "'\"]):=, \t\r\n"
"""What stands between the option and its list, or its lines."""
_END = re.compile(r"[\[\]]|\"\"\"")
_LONGEST = 10_000
"""A list of commands in letters."""


def python_commands(workspace: FileTexts, folder: str) -> list[tuple[str, str]]:
    """Return the (name, ``module:function``) pairs that the package in a folder installs as commands, by name."""
    found: dict[str, str] = dict(_set_up(workspace, folder))
    lines = _configured(workspace, folder).splitlines()
    found.update((name.strip(), target.strip()) for name, sign, target in (row.partition("=") for row in lines) if sign)
    manifest = toml(workspace, f"{folder}pyproject.toml")
    for place in _TABLES:
        found.update(_pairs(manifest, place))
    return sorted(found.items())


def _set_up(workspace: FileTexts, folder: str) -> list[tuple[str, str]]:
    """Return what ``setup.py`` lists in so many words."""
    text = said(workspace, f"{folder}setup.py")
    at = text.find(_OPTION)
    rest = text[at + len(_OPTION) :][:_LONGEST].lstrip(_BEFORE).removeprefix("[") if at >= 0 else ""
    end = _END.search(rest)
    return _PAIR.findall(rest[: end.start()] if end is not None else rest)


def _configured(workspace: FileTexts, folder: str) -> str:
    """Return the commands ``setup.cfg`` lists, a line each."""
    text = said(workspace, f"{folder}setup.cfg")
    if _OPTION not in text.lower():
        return ""
    import configparser  # noqa: PLC0415 - few repositories have one

    written = configparser.ConfigParser(interpolation=None)
    try:
        written.read_string(text)
        return written.get("options.entry_points", _OPTION, fallback="")
    except configparser.Error:
        return ""


def _pairs(manifest: object, place: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in place:
        manifest = manifest.get(key) if isinstance(manifest, dict) else None
    for name, target in manifest.items() if isinstance(manifest, dict) else ():
        if isinstance(target, str):
            yield str(name), target.partition("[")[0].strip()
