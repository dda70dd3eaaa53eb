"""Which strategies there are, and one made from its settings: what ships, and what other packages bring."""

import difflib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, cast, get_origin, get_type_hints

from ctxcode.context.strategies.dual_track import DualTrack
from ctxcode.context.strategies.entity_state import EntityState
from ctxcode.context.strategies.port import GROUP, ContextStrategy, setting_values
from ctxcode.context.strategies.rolling_summary import RollingSummary
from ctxcode.context.strategies.semantic_window import SemanticWindow
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.model.engine.strategy import StrategyRow, StrategySetting
from ctxcode.model.errors import SettingsError, UsageError
from ctxcode.session.strategy.worker import Loaded, loaded

BUILT_IN: Mapping[str, type[ContextStrategy]] = {
    SlidingWindow.name: SlidingWindow,
    RollingSummary.name: RollingSummary,
    EntityState.name: EntityState,
    SemanticWindow.name: SemanticWindow,
    DualTrack.name: DualTrack,
}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_SUMMARY_CHARS = 120


@dataclass(frozen=True, slots=True)
class StrategyPlugin:
    """A strategy another package offers."""

    name: str
    package: str
    load: Callable[[], object]
    """Imports the package; may raise anything."""


@dataclass(slots=True)
class StrategyCatalogue:
    """The strategies that can be chosen."""

    setting: StrategySetting = field(default_factory=StrategySetting)
    find_plugins: Callable[[], Sequence[StrategyPlugin]] = tuple
    _plugins: dict[str, Loaded] | None = None

    def open(self, name: str) -> ContextStrategy:
        """Return a strategy with the settings the user gave it.

        Raises UsageError for a name that is not there or a plug-in that can't be used, SettingsError for settings it
        does not take.
        """
        kind = BUILT_IN.get(name) or self._plugin(name)
        return _made(name, kind, self._values(name, kind))

    def rows(self, current: ContextStrategy) -> tuple[StrategyRow, ...]:
        """Return every strategy, those that ship first."""
        found = [
            StrategyRow(
                name, _summary(kind), name == current.name, settings=settings_words(self._sample(name, current))
            )
            for name, kind in BUILT_IN.items()
        ]
        for name, made in self._found().items():
            kind, wrong = _checked(name, made)
            row = StrategyRow(name, wrong, is_usable=False)
            if kind is not None:
                usual = settings_words(self._sample(name, current))
                row = StrategyRow(name, _summary(kind), name == current.name, settings=usual)
            found.append(row)
        return tuple(found)

    def _sample(self, name: str, current: ContextStrategy) -> ContextStrategy | None:
        if name == current.name:
            return current
        try:
            return self.open(name)
        except (SettingsError, UsageError):
            return None

    def _plugin(self, name: str) -> type[ContextStrategy]:
        found = self._found()
        if name not in found:
            names = [*BUILT_IN, *found]
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(names)}."
            raise UsageError(f"There is no strategy {name!r}." if name else "Which strategy?", hint)
        kind, wrong = _checked(name, found[name])
        if kind is None:
            raise UsageError(f"The strategy {name!r} can't be used: {wrong}.", "Ask its author, or uninstall it.")
        return kind

    def _found(self) -> dict[str, Loaded]:
        if self._plugins is None:
            offers = [plugin for plugin in self.find_plugins() if plugin.name not in BUILT_IN]
            self._plugins = {plugin.name: loaded(plugin.load, plugin.package) for plugin in offers}
        return self._plugins

    def _values(self, name: str, kind: type[ContextStrategy]) -> dict[str, object]:
        """Return what the settings say for a strategy: its own table, and for the others what they share with it."""
        known = {row.name for row in _fields(kind)}
        names = {
            *BUILT_IN,
            *(self._found() if any(isinstance(v, Mapping) for v in self.setting.values.values()) else ()),
        }
        tables = {key for key in self.setting.values if key in names - known}
        values = {key: value for key, value in self.setting.values.items() if key not in tables}
        if name != self.setting.name:
            values = {key: value for key, value in values.items() if key in known}
        own = self.setting.values.get(name) if name in tables else None
        if own is not None and not isinstance(own, Mapping):
            raise SettingsError(
                f"[strategy]: {name!r} should be a table", f"Write [strategy.{name}] above its settings."
            )
        return {**values, **(own or {})}


def settings_words(strategy: ContextStrategy | None) -> str:
    """Return a strategy's settings: ``threshold 10, folds 5``."""
    if strategy is None:
        return ""
    pairs = setting_values(strategy).items()
    return ", ".join(f"{name} {value}" for name, value in pairs if isinstance(value, int | float | str) and value != "")


def _fields(kind: type[Any]) -> tuple[Any, ...]:
    return fields(kind)


def _summary(kind: type[Any]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0][:_SUMMARY_CHARS]


def _checked(name: str, found: Loaded) -> tuple[type[ContextStrategy] | None, str]:
    """Return what a plug-in brought if it can be used, else why not."""
    kind = found.value
    if found.wrong:
        return None, found.wrong
    if not isinstance(kind, type) or not is_dataclass(kind):
        return None, f"{found.package} offers no dataclass under {GROUP!r}"
    if getattr(kind, "name", None) != name or not _NAME.fullmatch(name):
        return None, f"it calls itself {getattr(kind, 'name', None)!r:.60}; names are like 'my-strategy'"
    for method in ("compose", "on_turn_complete"):
        if not inspect.iscoroutinefunction(getattr(kind, method, None)):
            return None, f"its {method!r} is no async method"
    without = [row.name for row in fields(kind) if row.default is MISSING and row.default_factory is MISSING]
    if without:
        return None, f"its setting {without[0]!r} has no default"
    if not _summary(kind):
        return None, "it has no docstring that says what it does"
    return cast("type[ContextStrategy]", kind), ""


def _read(strategy: str, key: str, value: object, hint: object) -> object:
    """Return a setting's value as its field wants it. Raises SettingsError."""
    origin = get_origin(hint) or hint
    if origin is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if origin is tuple and isinstance(value, list):
        return tuple(value)
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        fits = isinstance(value, Mapping)
    else:
        fits = (
            isinstance(origin, type) and isinstance(value, origin) and not (origin is int and isinstance(value, bool))
        )
    if not fits:
        wanted = getattr(origin, "__name__", str(origin))
        names = {
            "int": "a whole number",
            "float": "a number",
            "str": "a text",
            "bool": "true or false",
            "dict": "a table",
        }
        raise SettingsError(
            f"[strategy]: {key!r} of {strategy!r} should be {names.get(wanted, wanted)}, not {value!r:.80}",
            "Edit settings.toml.",
        )
    return value


def _made(name: str, kind: type[ContextStrategy], values: Mapping[str, object]) -> ContextStrategy:
    hints = get_type_hints(kind)
    known = [row.name for row in _fields(kind)]
    given: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]!r}?" if near else f"It has: {', '.join(known) or 'no settings'}."
            raise SettingsError(f"[strategy]: {name!r} has no setting {key!r}", f"{hint} Edit settings.toml.")
        given[key] = _read(name, key, value, hints[key])
    try:
        return kind(**given)
    except ValueError as error:
        raise SettingsError(f"[strategy]: {name!r} refuses its settings: {error}", "Edit settings.toml.") from error
