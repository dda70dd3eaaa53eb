"""What litellm's bundled price list says of models, read from its file without importing litellm."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import strftime

_FILE_NAME = "model_prices_and_context_window_backup.json"
_ANSWERING_MODES = frozenset({"chat", "completion", "responses"})
_TIER_KEY = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per token."""

    prompt: float
    completion: float
    cached_prompt: float | None = None
    """For prompt tokens the provider had kept from an earlier request."""
    cache_write: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, *, cached: int = 0, written: int = 0) -> float:
        """Return a request's cost in dollars; ``cached`` and ``written`` are parts of ``prompt_tokens``."""
        cached = min(cached, prompt_tokens)
        written = min(written, prompt_tokens - cached)
        cached_price = self.prompt if self.cached_prompt is None else self.cached_prompt
        write_price = self.prompt if self.cache_write is None else self.cache_write
        prompt = (prompt_tokens - cached - written) * self.prompt + cached * cached_price + written * write_price
        return prompt + completion_tokens * self.completion


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the list says of one model."""

    provider: str
    context_tokens: int | None
    """Longest request; None where the list does not say."""
    max_output_tokens: int | None
    prices: Prices | None
    is_reasoning: bool = False
    """It may think in silence for minutes before it answers."""
    supports_tools: bool = False
    long_prices: tuple[int, Prices] | None = None
    """(more prompt tokens than this, prices then) for models that charge long requests differently."""

    def prices_for(self, prompt_tokens: int) -> Prices | None:
        """Return the prices a request of this length is charged at."""
        if self.long_prices is not None and prompt_tokens > self.long_prices[0]:
            return self.long_prices[1]
        return self.prices


@cache
def _entries() -> Mapping[str, Mapping[str, object]]:
    """Return the list (about 4,000 models, 40 ms to read); empty when it is missing or broken."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    try:
        data = json.loads((Path(spec.origin).parent / _FILE_NAME).read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {name: entry for name, entry in data.items() if name != "sample_spec" and isinstance(entry, dict)}


def facts_of(name: str) -> ModelFacts | None:
    """Return what the list says of a model string; None when it does not know it, or knows it as no chat model."""
    entries = _entries()
    provider, _, bare = name.partition("/")
    entry = entries.get(name)
    if entry is None and bare:
        found = entries.get(bare)
        entry = found if found is not None and _text(found, "litellm_provider") == provider else None
    if entry is None or _text(entry, "mode") not in _ANSWERING_MODES:
        return None
    return ModelFacts(
        _text(entry, "litellm_provider"),
        _count(entry, "max_input_tokens") or _count(entry, "max_tokens"),
        _count(entry, "max_output_tokens") or _count(entry, "max_tokens"),
        _prices(entry, ""),
        entry.get("supports_reasoning") is True,
        entry.get("supports_function_calling") is True,
        _long_prices(entry),
    )


def provider_of(name: str) -> str:
    """Return the provider a model string names or the list files it under; empty when unknown."""
    provider, slash, _ = name.partition("/")
    if slash:
        return provider
    entry = _entries().get(name)
    return _text(entry, "litellm_provider") if entry is not None else ""


def is_listed(name: str) -> bool:
    """Return whether a name stands in the list, whatever it is a model for."""
    return name in _entries()


def is_provider(name: str) -> bool:
    """Return whether the list has chat models of a provider; it has not those of every provider there is."""
    answering = ((known, entry) for known, entry in _entries().items() if _text(entry, "mode") in _ANSWERING_MODES)
    return any(known.startswith(f"{name}/") or _text(entry, "litellm_provider") == name for known, entry in answering)


@cache
def answering_models() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the chat models in the list by provider, without those that are switched off by now."""
    today = strftime("%Y-%m-%d")
    found: dict[str, list[str]] = {}
    for name, entry in _entries().items():
        is_over = "" < _text(entry, "deprecation_date") <= today
        if _text(entry, "mode") in _ANSWERING_MODES and not is_over and not name.startswith("ft:"):
            found.setdefault(_text(entry, "litellm_provider"), []).append(name)
    return {provider: tuple(names) for provider, names in found.items()}


def nearest_models(name: str, limit: int = 3) -> tuple[str, ...]:
    """Return the chat models whose names are most like one that is not known."""
    from difflib import get_close_matches  # noqa: PLC0415 - for a name that is wrong only

    entries = _entries()
    chat = [known for known, entry in entries.items() if _text(entry, "mode") == "chat" and known.count("/") < 2]
    return tuple(get_close_matches(name, chat, n=limit, cutoff=0.6))


def _prices(entry: Mapping[str, object], suffix: str) -> Prices | None:
    prompt = _price(entry, f"input_cost_per_token{suffix}")
    completion = _price(entry, f"output_cost_per_token{suffix}")
    if prompt is None or completion is None:
        return None
    cached = _price(entry, f"cache_read_input_token_cost{suffix}")
    written = _price(entry, f"cache_creation_input_token_cost{suffix}")
    return Prices(prompt, completion, cached, written)


def _long_prices(entry: Mapping[str, object]) -> tuple[int, Prices] | None:
    thresholds = sorted(int(match[1]) for key in entry if (match := _TIER_KEY.fullmatch(key)))
    for threshold in thresholds:
        prices = _prices(entry, f"_above_{threshold}k_tokens")
        if prices is not None:
            return threshold * 1_000, prices
    return None


def _text(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _count(entry: Mapping[str, object], key: str) -> int | None:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return int(value)


def _price(entry: Mapping[str, object], key: str) -> float | None:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return float(value)
