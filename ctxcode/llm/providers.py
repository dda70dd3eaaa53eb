"""Where each provider's key and address come from, and which server a model name leads to.

Everything is read from the environment the user started ctxcode with, never from the process's current one: what a
repository's files put there later must not move a key to another server.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

PLACEHOLDER_KEY = "no-key-needed"


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider as litellm names it."""

    name: str
    """What stands before the slash of a model string."""
    key_variables: tuple[str, ...] = ()
    """Environment variables that may hold the key, best first."""
    address_variables: tuple[str, ...] = ()
    default_address: str | None = None
    """None where litellm builds the address itself."""
    needs_key: bool = True
    example: str = ""
    """A model string to suggest when a key is set."""


_PROVIDERS = (
    Provider(
        "openai",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        "https://api.openai.com/v1",
        example="gpt-5.1",
    ),
    Provider(
        "anthropic",
        ("ANTHROPIC_API_KEY",),
        ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE"),
        "https://api.anthropic.com",
        example="anthropic/claude-sonnet-4-5",
    ),
    Provider("gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), ("GEMINI_API_BASE",), example="gemini/gemini-2.5-flash"),
    Provider(
        "openrouter",
        ("OPENROUTER_API_KEY",),
        ("OPENROUTER_API_BASE",),
        "https://openrouter.ai/api/v1",
        example="openrouter/openai/gpt-4o",
    ),
    Provider(
        "mistral",
        ("MISTRAL_API_KEY",),
        ("MISTRAL_API_BASE", "MISTRAL_AZURE_API_BASE"),
        "https://api.mistral.ai/v1",
        example="mistral/mistral-large-latest",
    ),
    Provider("deepseek", ("DEEPSEEK_API_KEY",), ("DEEPSEEK_API_BASE",), example="deepseek/deepseek-chat"),
    Provider(
        "groq",
        ("GROQ_API_KEY",),
        ("GROQ_API_BASE",),
        "https://api.groq.com/openai/v1",
        example="groq/llama-3.3-70b-versatile",
    ),
    Provider("xai", ("XAI_API_KEY",), ("XAI_API_BASE",), example="xai/grok-4"),
    Provider("together_ai", ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"), ("TOGETHER_AI_API_BASE",)),
    Provider("cerebras", ("CEREBRAS_API_KEY",), ("CEREBRAS_API_BASE",)),
    Provider("fireworks_ai", ("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"), ("FIREWORKS_API_BASE",)),
    Provider("azure", ("AZURE_API_KEY", "AZURE_OPENAI_API_KEY"), ("AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT")),
    Provider("litellm_proxy", ("LITELLM_PROXY_API_KEY",), ("LITELLM_PROXY_API_BASE",), needs_key=False),
    Provider(
        "hosted_vllm", ("HOSTED_VLLM_API_KEY",), ("HOSTED_VLLM_API_BASE",), "http://127.0.0.1:8000/v1", needs_key=False
    ),
    Provider("lm_studio", ("LM_STUDIO_API_KEY",), ("LM_STUDIO_API_BASE",), "http://127.0.0.1:1234/v1", needs_key=False),
    Provider("llamafile", (), ("LLAMAFILE_API_BASE",), "http://127.0.0.1:8080/v1", needs_key=False),
    Provider(
        "ollama", ("OLLAMA_API_KEY",), ("OLLAMA_API_BASE", "OLLAMA_HOST"), "http://127.0.0.1:11434", needs_key=False
    ),
    Provider(
        "ollama_chat",
        ("OLLAMA_API_KEY",),
        ("OLLAMA_API_BASE", "OLLAMA_HOST"),
        "http://127.0.0.1:11434",
        needs_key=False,
    ),
)
PROVIDERS: Mapping[str, Provider] = {provider.name: provider for provider in _PROVIDERS}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one model's requests go."""

    provider: str
    """Empty when neither the name nor the price list tells."""
    api_base: str | None
    """None: litellm knows the provider's address."""
    api_key: str | None
    key_variables: tuple[str, ...]
    needs_key: bool
    """False also for an address the user gave: whatever stands there may do without."""

    @property
    def is_local(self) -> bool:
        """The address is on this machine."""
        return self.api_base is not None and is_local_address(self.api_base)

    @property
    def is_missing_key(self) -> bool:
        """A call would be refused for want of a key."""
        return self.needs_key and self.api_key is None

    @property
    def sent_key(self) -> str | None:
        """What to send: a server that needs none gets a placeholder, because clients insist on sending something."""
        if self.api_key is None and not self.needs_key and self.api_base is not None:
            return PLACEHOLDER_KEY
        return self.api_key

    @property
    def shown_address(self) -> str:
        """The address as a message may show it: without user name, password and query."""
        return shown_address(self.api_base) if self.api_base else (self.provider or "the provider")


def endpoint_for(provider: str, api_base: str | None, environment: Mapping[str, str]) -> Endpoint:
    """Return where a provider's models are reached, from an explicit address or the given environment."""
    known = PROVIDERS.get(provider)
    if known is None:
        return Endpoint(provider, api_base or None, _generic_key(provider, environment), (), needs_key=False)
    address = api_base or _first(known.address_variables, environment)
    if address and known.name.startswith("ollama"):
        address = _ollama_address(address)
    key = _first(known.key_variables, environment)
    needs_key = known.needs_key and not address
    return Endpoint(provider, address or known.default_address, key, known.key_variables, needs_key)


def suggestions(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return one line per key that is set, saying how to use it; a key alone never selects a model."""
    lines = []
    for provider in _PROVIDERS:
        variable = next((name for name in provider.key_variables if environment.get(name, "").strip()), None)
        if variable and provider.example:
            lines.append(f"{variable} is set: ctxcode --model {provider.example}")
    return tuple(lines)


def set_keys(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the variables that hold some provider's key, never the keys."""
    variables = (name for provider in _PROVIDERS for name in provider.key_variables)
    return tuple(dict.fromkeys(name for name in variables if environment.get(name, "").strip()))


def is_local_address(address: str) -> bool:
    """Return whether a URL leads to this machine."""
    from ipaddress import ip_address  # noqa: PLC0415 - a model that has an address only
    from urllib.parse import urlsplit  # noqa: PLC0415 - a model that has an address only

    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        return False


def shown_address(address: str) -> str:
    """Return a URL's scheme, host, port and path."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - a model that has an address only

    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the given address"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path.rstrip('/')}"


def _first(names: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((value for name in names if (value := environment.get(name, "").strip())), None)


def _generic_key(provider: str, environment: Mapping[str, str]) -> str | None:
    """Return the key of a provider that is not in the table, from the variable litellm would look at."""
    name = re.sub(r"[^A-Z0-9]+", "_", provider.upper())
    return _first((f"{name}_API_KEY",), environment) if name else None


def _ollama_address(value: str) -> str:
    """Return Ollama's own notations (``0.0.0.0``, ``host:port``) as a URL a client can use."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - a model that has an address only

    address = value if "://" in value else f"http://{value}"
    try:
        parts = urlsplit(address)
        port = parts.port or (11434 if "://" not in value else None)
    except ValueError:
        return address
    host = parts.hostname or "localhost"
    host = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - a server's notation, no address to bind
    shown_host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown_host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
