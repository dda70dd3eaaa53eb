"""What each setting's value may be: one reader for each key, which raises ValueError that says what it should be."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.plan import ContextMode

if TYPE_CHECKING:
    from ctxcode.action.loop_guard import LoopProfile


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


class InnerValueError(ValueError):
    """One value of a table is off."""

    def __init__(self, name: str, wanted: str, value: object) -> None:
        super().__init__(wanted)
        self.name = name
        self.value = value


def _table(value: object) -> dict[str, str]:
    """Return a table of texts by dotted names, which TOML reads as tables within the table."""
    flat: dict[str, object] = {}
    for name, inner in value.items() if isinstance(value, dict) else [("", None)]:
        flat |= {f"{name}.{key}": keys for key, keys in inner.items()} if isinstance(inner, dict) else {name: inner}
    texts = {name: keys for name, keys in flat.items() if isinstance(keys, str) and keys.strip() and len(keys) < 200}
    if len(texts) < len(flat):
        wrong = next(name for name in flat if name not in texts)
        if not wrong:
            raise ValueError('a table of texts: [keys] and below it chat.context = "f4"')
        raise InnerValueError(wrong, 'a key such as "f4" (take the line out to have the usual one)', flat[wrong])
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
    profiles = []
    for pattern, given in value.items():
        try:
            profiles.append((str(pattern), profile_of(given)))
        except ValueError as error:
            raise InnerValueError(f'"{pattern}"', str(error), given) from error
    return tuple(profiles)


def _dollars(value: object) -> float:
    try:
        amount = float(value.strip().removeprefix("$") if isinstance(value, str) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        amount = 0.0
    if isinstance(value, bool) or not 0 < amount <= 1_000_000:
        raise ValueError("an amount of US dollars above 0")
    return amount


READERS: dict[str, Callable[[object], object]] = {
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
    "semantic": _truth,
    "embedding_model": _text,
    "withhold_secrets": _truth,
    "theme": _name,
    "plain": _truth,
    "bell": _truth,
    "workers": _whole(1, 64),
    "loops": _loops,
    "keys": _table,
}
