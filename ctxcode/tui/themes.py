"""Themes from files: read from the installed package or the checkout, every colour validated on load."""

import tomllib
from dataclasses import fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.css.constants import VALID_STYLE_FLAGS
from textual.theme import Theme

from ctxcode.model.errors import SettingsError
from ctxcode.tui.terminal.ground import Ground
from ctxcode.tui.terminal.setup import AUTO

DEFAULT_THEME = "ember"
GROUND_THEMES = {Ground.DARK: DEFAULT_THEME, Ground.LIGHT: "paper"}
"""What is used for a terminal's background when no theme was chosen."""

ROLES = (
    "muted",
    "faint",
    "ctx-pin-sticky",
    "ctx-pin-leased",
    "ctx-pin-ephemeral",
    "ctx-scaffold",
    "ctx-retrieved",
    "ctx-history",
    "ctx-anchor",
    "ctx-excluded",
    "ctx-suggested",
    "meter-free",
    "meter-reserve",
    "diff-add",
    "diff-remove",
    "user-block",
    "selected-row",
    "inline-code",
    "syntax-keyword",
    "syntax-string",
    "syntax-comment",
    "syntax-name",
    "syntax-number",
)
"""Variables every theme defines beside Textual's own roles."""

_REQUIRED = (
    "name",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "foreground",
    "background",
    "surface",
    "panel",
)
_COMPARE = "Compare it with one that ships with ctxcode."
_SHARES = ("luminosity_spread", "text_alpha")
"""Keys that take a number from 0 to 1."""
_NOT_COLOURS = frozenset({"name", "dark", "variables", *_SHARES})
_WORDS = ("-text-style", "-style")


def theme_folder() -> Traversable:
    """Return where the themes are: inside an installed package, else at the top of the checkout."""
    packaged = files("ctxcode") / "_data" / "themes"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[2] / "themes"


def parsed_theme(text: str, source: str) -> Theme:
    """Return a theme from TOML.

    Raises SettingsError naming ``source`` for broken TOML, an unknown or missing key or role, or a bad value.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"The theme {source!r} is not valid TOML: {error}.", "Correct or remove the file."
        ) from error
    known = {field.name for field in fields(Theme)} - {"ansi"}
    variables = table.get("variables", {})
    if not isinstance(variables, dict) or not isinstance(table.get("dark", True), bool):
        raise SettingsError(f"The theme {source!r} has no table [variables], or 'dark' is not true or false.", _COMPARE)
    missing = [key for key in _REQUIRED if key not in table] + [role for role in ROLES if role not in variables]
    unknown = [key for key in table if key not in known]
    if missing or unknown:
        wrong = f"lacks {missing[0]!r}" if missing else f"has the unknown key {unknown[0]!r}"
        raise SettingsError(f"The theme {source!r} {wrong}.", _COMPARE)
    colours = {key: value for key, value in table.items() if key not in _NOT_COLOURS}
    colours |= {key: value for key, value in variables.items() if not key.endswith(_WORDS)}
    for key, value in colours.items():
        _check_colour(source, key, value)
    for key in _SHARES:
        _check_share(source, key, table.get(key, 1.0))
    for key, value in variables.items():
        if key.endswith(_WORDS):
            _check_words(source, key, value)
    return Theme(**table)


def _check_colour(source: str, key: str, value: object) -> None:
    try:
        Color.parse(str(value))
    except ColorParseError as error:
        message = f"The theme {source!r} gives {key!r} the colour {value!r}, which is none."
        raise SettingsError(message, "Write it as #rrggbb.") from error


def _check_share(source: str, key: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise SettingsError(f"The theme {source!r} gives {key!r} the value {value!r}.", "Write a number from 0 to 1.")


def _check_words(source: str, key: str, value: object) -> None:
    words = value.split() if isinstance(value, str) else []
    if not words or not VALID_STYLE_FLAGS.issuperset(words) or ("none" in words and len(words) > 1):
        message = f"The theme {source!r} gives {key!r} the style {value!r}, which is none."
        raise SettingsError(message, "Write none, or some of bold, dim, italic, underline, reverse and strike.")


def theme_names(user_folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of the themes, the default first, the user's own last; each is its file's name too."""
    names = sorted(_names_in(theme_folder()), key=lambda name: (name != DEFAULT_THEME, name))
    own = _names_in(user_folder) if user_folder is not None and user_folder.is_dir() else []
    return (*names, *sorted(name for name in own if name not in {*names, AUTO}))


def taken_names(user_folder: Path | None) -> tuple[str, ...]:
    """Return the names of the user's own themes that cannot be chosen, because they mean another one."""
    own = _names_in(user_folder) if user_folder is not None and user_folder.is_dir() else []
    return tuple(sorted({*own} & {*_names_in(theme_folder()), AUTO}))


def _names_in(folder: Traversable) -> list[str]:
    # What is no file, a pipe for one, would never end to be read.
    files_there = (entry for entry in folder.iterdir() if entry.name.endswith(".toml") and entry.is_file())
    return [entry.name.removesuffix(".toml") for entry in files_there]


def loaded_theme(name: str, user_folder: Path | None = None) -> Theme:
    """Return a theme by its name. Raises SettingsError for a user's file that is broken or can't be read."""
    if user_folder is None or name in _names_in(theme_folder()):
        return shipped_theme(name)
    path = user_folder / f"{name}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The theme {str(path)!r} can't be read: {error}.", "Mend or remove the file.") from error
    return replace(parsed_theme(text, str(path)), name=name)


def shipped_theme(name: str) -> Theme:
    """Return a theme that ships with ctxcode."""
    entry = theme_folder() / f"{name}.toml"
    return parsed_theme(entry.read_text(encoding="utf-8"), entry.name)
