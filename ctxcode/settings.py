"""Typed settings, read once and passed on as plain values; and the folders ctxcode keeps its own files in.

Later layers win: defaults, the user's file, the repository's file, the environment, the command line. The repository's
file is written by whoever wrote the repository: it may set a few harmless keys and nothing that redirects or runs.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.errors import SettingsError
from ctxcode.model.plan import ContextMode

if TYPE_CHECKING:
    from ctxcode.action.loop_guard import LoopProfile

_LARGEST_FILE_BYTES = 256_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    model: str = "navigator"
    """A litellm model string, or ``navigator`` for the offline responder."""
    api_base: str | None = None
    """The endpoint's URL; None for the provider's own."""
    mode: ContextMode = ContextMode.LIGHT
    """How much is retrieved by itself: ``off``, ``light`` or ``heavy``."""
    budget_tokens: int = 8_000
    """The active context: everything but system prompt and tool schemas."""
    context_tokens: int | None = None
    """The context length of a model that is not known; None for a cautious guess."""
    output_reserve_tokens: int = 4_000
    """Kept free for the answer."""
    strategy: StrategySetting = field(default_factory=StrategySetting)
    """How the conversation is chosen that is sent: a name, or a table of ``name`` and the strategy's own settings."""
    tools: bool | None = None
    """Whether models are offered tools; None for those that are known to have them, or not known at all."""
    max_cost: float | None = None
    """Most US dollars a session may spend; None for no limit."""
    max_turns: int | None = None
    """Most turns a session may have; None for no limit."""
    sandbox: bool = True
    """Whether commands are confined with bubblewrap where it works."""
    command_seconds: int = 120
    """How long a command may run."""
    withhold_secrets: bool = True
    """Whether what looks like a key or password is taken out of everything that is sent."""
    theme: str | None = None
    """A theme's name; None or ``auto`` for the one that goes with the terminal's background."""
    plain: bool = False
    """ASCII in place of the other glyphs; also what NO_COLOR and TERM=linux lead to."""
    bell: bool = False
    """Ring the terminal's bell when an answer that took long has ended."""
    workers: int | None = None
    """Parser processes; None for what the machine has."""
    loops: "tuple[tuple[str, LoopProfile], ...]" = ()
    """Thresholds of the loop guard by model name pattern; the first that fits a model counts."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by the id of what they do; the user's own file only."""


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


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a value was written, for error messages."""

    sentence: str
    """``'/home/ann/.config/ctxcode/settings.toml', line 3``."""
    action: str


PROJECT_FILE = ".ctxcode.toml"
PROJECT_KEYS = frozenset({"mode", "budget_tokens", "theme"})
"""What a repository's file may set."""

ENVIRONMENT = {
    "CTXCODE_MODEL": "model",
    "CTXCODE_API_BASE": "api_base",
    "CTXCODE_MODE": "mode",
    "CTXCODE_BUDGET": "budget_tokens",
    "CTXCODE_CONTEXT": "context_tokens",
    "CTXCODE_OUTPUT_RESERVE": "output_reserve_tokens",
    "CTXCODE_STRATEGY": "strategy",
    "CTXCODE_TOOLS": "tools",
    "CTXCODE_MAX_COST": "max_cost",
    "CTXCODE_MAX_TURNS": "max_turns",
    "CTXCODE_SANDBOX": "sandbox",
    "CTXCODE_COMMAND_SECONDS": "command_seconds",
    "CTXCODE_WITHHOLD_SECRETS": "withhold_secrets",
    "CTXCODE_THEME": "theme",
    "CTXCODE_PLAIN": "plain",
    "CTXCODE_BELL": "bell",
    "CTXCODE_WORKERS": "workers",
    "CTXCODE_LOOPS": "loops",
}
"""Environment variable to key; an empty variable counts as not set."""


def load_settings(
    *,
    user_file: Path | None,
    project_file: Path | None,
    environment: Mapping[str, str],
    overrides: Mapping[str, object],
) -> Settings:
    """Return the settings in force; a missing file or an override of None says nothing.

    Raises SettingsError that names the place and what to do.
    """
    values: dict[str, object] = {}
    if user_file is not None:
        values |= file_values(user_file, is_project=False)
    if project_file is not None:
        values |= file_values(project_file, is_project=True)
    for variable, key in ENVIRONMENT.items():
        if text := environment.get(variable, "").strip():
            origin = _Origin(f"the environment variable {variable}", f"Change or unset {variable}.")
            values[key] = _checked(key, text, origin)
    for key, value in overrides.items():
        origin = _Origin("the command line", "`ctxcode --help` lists the options.")
        if key not in _READERS:
            raise _unknown(key, origin)
        if value is not None:
            values[key] = _checked(key, value, origin)
    return Settings(**values)  # type: ignore[arg-type]  # each value went through its field's reader


def settings_for(root: Path, *, overrides: Mapping[str, object], environment: Mapping[str, str]) -> Settings:
    """Return the settings in force for a repository. Raises SettingsError."""
    return load_settings(
        user_file=directories(environment).config / "settings.toml",
        project_file=root / PROJECT_FILE,
        environment=environment,
        overrides=overrides,
    )


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
    """Return the user's home. Raises SettingsError for a relative one: it would be a folder of the repository."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or os.path.expanduser("~"))  # noqa: PTH111 - never raises
    if not home.is_absolute():
        raise SettingsError(f"{str(home)!r} is no home folder", "Set HOME to the absolute path of yours.")
    return home


def repository_key(root: Path) -> str:
    """Return a folder name for a repository: its base name and a digest of its real path."""
    # OpenSSL is slow to load, and not every command needs a key.
    from hashlib import blake2b  # noqa: PLC0415

    real = os.path.realpath(root)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(real).name).strip("-.")[:40] or "root"
    return f"{name}-{blake2b(os.fsencode(real), digest_size=6).hexdigest()}"


def file_values(path: Path, *, is_project: bool) -> dict[str, object]:
    """Return what a settings file sets, checked; nothing when there is none. Raises SettingsError."""
    text = file_text(path, is_project=is_project)
    if not text.strip():
        return {}
    values = {}
    for key, value in parsed(text, path).items():
        origin = _Origin(f"{str(path)!r}, line {_line_of(key, text)}", f"Edit {str(path)!r}.")
        if key not in _READERS:
            raise _unknown(key, origin, PROJECT_KEYS if is_project else _READERS)
        if is_project and key not in PROJECT_KEYS:
            raise SettingsError(
                f"{origin.sentence}: {key!r} can't be set by a repository, only by you",
                f"Remove the line; set {key!r} in your own settings file, the environment or on the command line.",
            )
        values[key] = _checked(key, value, origin)
    return values


def file_text(path: Path, *, is_project: bool) -> str:
    """Return a settings file's text; empty when there is none. A repository's file may be no link and no pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if is_project:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
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
        raise SettingsError(
            f"{str(path)!r} is no valid TOML: {error}", "Mend that line or move the file away."
        ) from error
    except RecursionError as error:
        raise _unreadable(path, "it is nested too deeply") from error


def _line_of(key: str, text: str) -> int:
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), 1)


def _unknown(key: str, origin: _Origin, known: Iterable[str] | None = None) -> SettingsError:
    from difflib import get_close_matches  # noqa: PLC0415 - on the way to an error only

    names = sorted(_READERS if known is None else known)
    near = get_close_matches(key, names, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? {origin.action}" if near else f"Known are: {', '.join(names)}. {origin.action}"
    return SettingsError(f"{origin.sentence}: there is no setting {key!r}", hint)


def _checked(key: str, value: object, origin: _Origin) -> object:
    try:
        return _READERS[key](value)
    except ValueError as error:
        shown = repr(value) if len(repr(value)) <= 80 else f"{repr(value)[:79]}…"
        raise SettingsError(f"{origin.sentence}: {key} should be {error}, not {shown}", origin.action) from error


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 300 or not value.isprintable():
        raise ValueError("a short text")
    return value.strip()


_URL = r"(?=.{1,500}$)https?://([^\s\"'<>/@]*@)?(\[[0-9A-Fa-f:.]+\]|[^\s\"'<>/?#@:\[\]]+)(:\d{1,5})?([/?#][^\s\"'<>]*)?"
"""Scheme, user, host, port, and the rest: a client would ask for a malformed host only when the request is sent."""


def _url(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(_URL, value.strip()):
        raise ValueError("a URL that begins with http:// or https://")
    return value.strip()


def _name(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w .-]{0,59}", value.strip()):
        raise ValueError("a name of letters, digits, dots and dashes")
    return value.strip()


def _mode(value: object) -> ContextMode:
    text = value.strip().lower() if isinstance(value, str) else ""
    if text not in set(ContextMode):
        raise ValueError("one of " + ", ".join(ContextMode))
    return ContextMode(text)


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = value.strip().lower() if isinstance(value, str) else ""
    if text not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ValueError("true or false")
    return text in {"1", "true", "yes", "on"}


def _table(value: object) -> dict[str, str]:
    """Return a table of texts by dotted names, which TOML reads as tables within the table."""
    flat: dict[str, object] = {}
    for name, inner in value.items() if isinstance(value, dict) else [("", None)]:
        flat |= {f"{name}.{key}": keys for key, keys in inner.items()} if isinstance(inner, dict) else {name: inner}
    texts = {name: keys for name, keys in flat.items() if isinstance(keys, str) and keys.strip() and len(keys) < 200}
    if len(texts) < len(flat):
        raise ValueError('a table of texts: [keys] and below it chat.context = "f4"')
    return texts


def _whole(lowest: int, highest: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, str) and re.fullmatch(r"\d{1,3}(?:[_,]?\d{3})*|\d{1,9}", value.strip()):
            value = int(re.sub(r"[_,]", "", value))
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            raise ValueError(f"a whole number from {lowest:,} to {highest:,}")
        return value

    return read


def _strategy(value: object) -> StrategySetting:
    """Return a strategy's name and its own settings; which there are, the strategy says when it is made."""
    match value:
        case str():
            return StrategySetting(_name(value))
        case {"name": str(name), **rest}:
            return StrategySetting(_name(name), {str(key): row for key, row in rest.items()})
        case dict() if "name" not in value:
            return StrategySetting(values=value)
    raise ValueError("a strategy's name, or a table with one")


def _loops(value: object) -> "tuple[tuple[str, LoopProfile], ...]":
    """Return profiles of ``{pattern: {threshold: number}}``; the environment writes the same as TOML."""
    from ctxcode.action.loop_guard import profile_of  # noqa: PLC0415 - hardly anybody sets these

    if isinstance(value, str):
        import tomllib  # noqa: PLC0415 - for this one variable

        value = tomllib.loads(value)
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        raise ValueError("a table of model patterns, each with thresholds")
    return tuple((str(pattern), profile_of(given)) for pattern, given in value.items())


def _dollars(value: object) -> float:
    try:
        amount = float(value.strip().removeprefix("$") if isinstance(value, str) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        amount = 0.0
    if isinstance(value, bool) or not 0 < amount <= 1_000_000:
        raise ValueError("an amount of US dollars above 0")
    return amount


_READERS: dict[str, Callable[[object], object]] = {
    "model": _text,
    "api_base": _url,
    "mode": _mode,
    "budget_tokens": _whole(1, 2_000_000),
    "context_tokens": _whole(1_000, 20_000_000),
    "output_reserve_tokens": _whole(16, 1_000_000),
    "strategy": _strategy,
    "tools": _truth,
    "max_cost": _dollars,
    "max_turns": _whole(1, 1_000_000),
    "sandbox": _truth,
    "command_seconds": _whole(1, 86_400),
    "withhold_secrets": _truth,
    "theme": _name,
    "plain": _truth,
    "bell": _truth,
    "workers": _whole(1, 64),
    "loops": _loops,
    "keys": _table,
}
SETTING_NAMES = tuple(field.name for field in fields(Settings))
"""Every key, in the order they are documented."""
