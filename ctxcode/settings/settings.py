"""Everything that can be set, and where each value comes from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.errors import SettingsError
from ctxcode.model.plan import ContextMode
from ctxcode.settings.directory import directories
from ctxcode.settings.file import file_text, line_of, parsed
from ctxcode.settings.value import READERS, InnerValueError

if TYPE_CHECKING:
    from ctxcode.action.loop_guard import LoopProfile


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
    semantic: bool = True
    """Whether questions are compared with code by meaning too, not by words only."""
    embedding_model: str | None = None
    """A litellm embedding model that compares by meaning; None for the word vectors that come with ctxcode."""
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
class _Origin:
    """Where a value was written, for error messages."""

    sentence: str
    """``'/home/ann/.config/ctxcode/settings.toml', line 3``."""
    action: str


_SHOWN_CHARS = 80
PROJECT_FILE = ".ctxcode.toml"
PROJECT_KEYS = frozenset({"mode", "budget_tokens", "theme"})
"""What a repository's file may set."""
_COULD_SET = f"what it could set ({', '.join(sorted(PROJECT_KEYS))}) is as you have it."

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
    "CTXCODE_SEMANTIC": "semantic",
    "CTXCODE_EMBEDDING_MODEL": "embedding_model",
    "CTXCODE_WITHHOLD_SECRETS": "withhold_secrets",
    "CTXCODE_THEME": "theme",
    "CTXCODE_PLAIN": "plain",
    "CTXCODE_BELL": "bell",
    "CTXCODE_WORKERS": "workers",
    "CTXCODE_LOOPS": "loops",
}
"""Environment variable to key; an empty variable counts as not set."""
SETTING_NAMES = tuple(field.name for field in fields(Settings))
"""Every key, in the order they are documented."""


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
        if key not in READERS:
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


def settings_told(
    root: Path, *, overrides: Mapping[str, object], environment: Mapping[str, str]
) -> tuple[Settings, str]:
    """Return the settings in force where somebody is there to be told, and what there is to tell; empty for nothing.

    A repository's file is anybody's, so that a broken one must not keep people out: it is left out as a whole. It may
    have asked for less than they do themselves (``mode``, ``budget_tokens``), so that is said too.

    Raises SettingsError for what is wrong with the user's own.
    """
    try:
        return settings_for(root, overrides=overrides, environment=environment), ""
    except SettingsError as error:
        own = load_settings(
            user_file=directories(environment).config / "settings.toml",
            project_file=None,
            environment=environment,
            overrides=overrides,
        )
        return own, f"{error}. The file is left out: {_COULD_SET} {error.hint}"


def file_values(path: Path, *, is_project: bool) -> dict[str, object]:
    """Return what a settings file sets, checked; nothing when there is none. Raises SettingsError."""
    text = file_text(path, is_project=is_project)
    if not text.strip():
        return {}
    values = {}
    for key, value in parsed(text, path).items():
        origin = _Origin(f"{str(path)!r}, line {line_of(key, text)}", f"Edit {str(path)!r}.")
        if key not in READERS:
            raise _unknown(key, origin, PROJECT_KEYS if is_project else READERS)
        if is_project and key not in PROJECT_KEYS:
            raise SettingsError(
                f"{origin.sentence}: {_shown(key)} can't be set by a repository, only by you",
                "Remove the line; set it in your own settings file, the environment or on the command line.",
            )
        values[key] = _checked(key, value, origin)
    return values


def _unknown(key: str, origin: _Origin, known: Iterable[str] | None = None) -> SettingsError:
    from difflib import get_close_matches  # noqa: PLC0415 - on the way to an error only

    names = sorted(READERS if known is None else known)
    near = get_close_matches(key, names, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? {origin.action}" if near else f"Known are: {', '.join(names)}. {origin.action}"
    return SettingsError(f"{origin.sentence}: there is no setting {_shown(key)}", hint)


def _shown(value: object) -> str:
    """Return a value as it is written in a message: a file may hold very long ones."""
    return repr(value) if len(repr(value)) <= _SHOWN_CHARS else f"{repr(value)[: _SHOWN_CHARS - 1]}…"


def _checked(key: str, value: object, origin: _Origin) -> object:
    try:
        return READERS[key](value)
    except ValueError as error:
        if isinstance(error, InnerValueError):
            key, value = f"{key}.{error.name}", error.value
        raise SettingsError(
            f"{origin.sentence}: {key} should be {error}, not {_shown(value)}", origin.action
        ) from error
