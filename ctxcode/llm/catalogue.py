"""Models by name: what is known of each, where it is reached, and what to suggest to someone who has none set up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from ctxcode.llm.counting.tokens import tokenizer_for
from ctxcode.llm.price_list import (
    ModelFacts,
    answering_models,
    facts_of,
    is_listed,
    is_provider,
    nearest_models,
    provider_of,
)
from ctxcode.llm.providers import PROVIDERS, Endpoint, endpoint_for, set_keys, suggestions
from ctxcode.model.conversation import ModelInfo, ModelOffer
from ctxcode.model.errors import ModelError, ModelUnknownError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from ctxcode.llm.aside.embedder import EmbedderAside
    from ctxcode.llm.aside.model import ModelAside
    from ctxcode.llm.aside.process import ModelProcess
    from ctxcode.llm.litellm_model import LitellmModel
    from ctxcode.llm.offered.models import Named, Servers
    from ctxcode.llm.retry import Deadlines, RetryPolicy
    from ctxcode.model.chat import ModelChunk, ModelRequest

NAVIGATOR = "navigator"
NAVIGATOR_INFO = ModelInfo(
    name=NAVIGATOR,
    context_tokens=128_000,
    max_output_tokens=4_096,
    tokenizer="o200k_base",
    is_known=True,
    input_cost_per_token=0.0,
    output_cost_per_token=0.0,
)
UNKNOWN_CONTEXT_TOKENS = 8_192
UNKNOWN_OUTPUT_TOKENS = 4_096
OLLAMA_CONTEXT_TOKENS = 16_384
"""Asked of Ollama unless the user says otherwise: it reserves memory for the whole window."""
_MAX_NAME_CHARS = 200


class NamedModel(Protocol):
    """A model, as far as the catalogue needs to look at it."""

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        ...


class StreamingModel(NamedModel, Protocol):
    """What the catalogue hands out."""

    def stream(self, request: "ModelRequest") -> "AsyncGenerator[ModelChunk, None]":
        """Yield text chunks, then one ReplyEnd."""
        ...


class Catalogue:
    """Opens models; the environment is the one the user started ctxcode with, copied once."""

    def __init__(  # noqa: PLR0913 - keywords only
        self,
        *,
        api_base: str | None,
        context_tokens: int | None,
        tools: bool | None = None,
        environment: Mapping[str, str],
        navigator: Callable[[], StreamingModel],
        deadlines: "Deadlines | None" = None,
        retry: "RetryPolicy | None" = None,
        process: "ModelProcess | None" = None,
    ) -> None:
        """Take an address, a context length and whether models get tools, each None for whatever is known.

        With a ``process`` models are called from there, without one from here.
        """
        self._api_base = api_base
        self._earlier = ""
        """The address the session that goes on had."""
        self._context_tokens = context_tokens
        self._tools = tools
        self._environment = MappingProxyType(dict(environment))
        self._navigator = navigator
        self._deadlines = deadlines
        self._retry = retry
        self._process = process
        self._servers: Servers | None = None

    def open(self, name: str, api_base: str | None = None) -> StreamingModel:
        """Return a model; ``navigator`` is the offline responder. Reads the price list once (40 ms), imports nothing.

        ``api_base`` is the session's address, which counts where none is given now: what went to a server on this
        machine does not go to the provider of the same name because an option was left out. None leaves it as it is.

        Raises ModelUnknownError for a name that can't be one.
        """
        return self._navigator() if name.strip() == NAVIGATOR else self._model(name.strip(), api_base)

    def _model(self, name: str, api_base: str | None) -> "LitellmModel | ModelAside":
        _check_name(name)
        self._earlier = self._earlier if api_base is None else api_base
        facts = facts_of(name)
        endpoint = self.endpoint(name)
        from ctxcode.llm.litellm_model import LitellmModel  # noqa: PLC0415 - brings asyncio; looking does not need it
        from ctxcode.llm.retry import PATIENT, Deadlines  # noqa: PLC0415 - as the next

        deadlines = self._deadlines or (PATIENT if _is_slow_to_begin(endpoint, facts) else Deadlines())
        info = self._info(name, endpoint, facts)
        if self._process is None:
            return LitellmModel(info, endpoint, facts, deadlines=deadlines, retry=self._retry)
        from ctxcode.llm.aside.messages import Known  # noqa: PLC0415 - as above
        from ctxcode.llm.aside.model import ModelAside  # noqa: PLC0415 - as above

        return ModelAside(Known(info, endpoint, facts, deadlines, self._retry), self._process)

    def choose(self, name: str, api_base: str | None = None) -> StreamingModel:
        """Return a model as ``open`` does, and find out whether its provider is one where the price list has none.

        litellm is asked then, which may block for seconds: call it in a thread. A provider that is not known to it is
        known by the address alone, if at all.

        Raises ModelUnknownError for a name that can't be one, and for a provider that is none.
        """
        if name.strip() == NAVIGATOR:
            return self._navigator()
        model = self._model(name.strip(), api_base)
        _check_provider(model)
        return model

    def embedder(self, name: str, cleared: Callable[[str], str]) -> "EmbedderAside":
        """Return an embedding model; ``cleared`` takes secrets out of what is sent. Nothing is started yet.

        Raises ModelUnknownError for a name that can't be one.
        """
        name = name.strip()
        _check_name(name)
        from ctxcode.llm.aside.embedder import EmbedderAside  # noqa: PLC0415 - as in open
        from ctxcode.llm.aside.messages import Known  # noqa: PLC0415 - as in open
        from ctxcode.llm.aside.process import ModelProcess  # noqa: PLC0415 - as in open
        from ctxcode.llm.retry import EMBEDDING  # noqa: PLC0415 - as in open

        endpoint = self.endpoint(name)
        known = Known(self._info(name, endpoint, None), endpoint, None, self._deadlines or EMBEDDING, None)
        return EmbedderAside(known, self._process or ModelProcess(), cleared)

    def info(self, name: str) -> ModelInfo:
        """Return what is known of a model without opening it. Raises ModelUnknownError like ``open``."""
        name = name.strip()
        if name == NAVIGATOR:
            return NAVIGATOR_INFO
        _check_name(name)
        return self._info(name, self.endpoint(name), facts_of(name))

    def offers(self, typed: str, used: Sequence[str], limit: int) -> tuple[ModelOffer, ...]:
        """Return the models a few typed letters may mean, nearest first; ``used`` are those used here.

        Asks the servers on this machine what they list, which may block for a second: call it in a thread.
        """
        from ctxcode.llm.offered.models import OFFLINE, Named, Servers, listed, ranked, used_here  # noqa: PLC0415 - rare

        self._servers = self._servers or Servers()
        names = [name for name in used if name != NAVIGATOR]
        provider = provider_of(names[0]) if names else ""
        address = self._api_base or self._earlier
        keyed = {one.name for one in PROVIDERS.values() if endpoint_for(one.name, None, self._environment).api_key}
        served = self._servers.models(address, provider)
        # What a server that was given lists is all it has.
        keyed = keyed if not address else set() if served else {provider}
        priced = listed(answering_models(), frozenset(keyed), frozenset(PROVIDERS)) if typed or not address else ()
        named = (*used_here(used), *served, Named(NAVIGATOR, OFFLINE), *priced)
        return tuple(self._offer(one) for one in ranked(named, typed, limit))

    def _offer(self, one: "Named") -> ModelOffer:
        if one.name == NAVIGATOR:
            return ModelOffer(NAVIGATOR_INFO, one.origin)
        endpoint = self.endpoint(one.name)
        is_elsewhere = endpoint.api_base is not None and (bool(self._api_base or self._earlier) or endpoint.is_local)
        return ModelOffer(
            self._info(one.name, endpoint, facts_of(one.name)),
            one.origin,
            endpoint.key_variables[0] if endpoint.is_missing_key and endpoint.key_variables else "",
            endpoint.shown_address if is_elsewhere else "",
        )

    def endpoint(self, name: str) -> Endpoint:
        """Return where a model's requests would go and which key they would carry."""
        return endpoint_for(provider_of(name), self._api_base or self._earlier or None, self._environment)

    def suggestions(self) -> tuple[str, ...]:
        """Return how to use the keys that are set, one line each."""
        return suggestions(self._environment)

    def set_keys(self) -> tuple[str, ...]:
        """Return the names of the environment variables that hold some provider's key."""
        return set_keys(self._environment)

    def notices(self, model: NamedModel) -> tuple[str, ...]:
        """Import what a model needs and return what the user should know; blocks, so call it in a thread."""
        from ctxcode.llm import litellm_library  # noqa: PLC0415 - only after the first paint
        from ctxcode.llm.offered.local_servers import local_servers  # noqa: PLC0415 - only after the first paint

        if model.info.name == NAVIGATOR:
            return (*(server.notice for server in local_servers()), *self.suggestions())
        (litellm_library if self._process is None else self._process).load()
        try:
            _check_provider(self._model(model.info.name, None))
        except ModelUnknownError as error:
            return (f"{error} {error.hint}".strip(),)
        endpoint = self.endpoint(model.info.name)
        lines = []
        if endpoint.is_missing_key:
            lines.append(f"{model.info.name} needs a key: {endpoint.key_variables[0]} is not set.")
        if not model.info.is_known:
            lines.append(
                f"The context length of {model.info.name} is not known: {model.info.context_tokens:,} tokens "
                "are assumed. Say it with context_tokens in settings.toml or CTXCODE_CONTEXT."
            )
        return tuple(lines)

    def prepare(self, model: NamedModel) -> None:
        """Have ready soon what a model's next call would wait for; returns at once."""
        if self._process is not None and model.info.name != NAVIGATOR:
            self._process.prepare()

    def let_go(self) -> None:
        """End what ``notices`` may be waiting for; the next call starts it again."""
        if self._process is not None:
            self._process.close()

    async def close(self) -> None:
        """Close connections kept open between calls."""
        from ctxcode.llm import litellm_library  # noqa: PLC0415 - brings asyncio

        await litellm_library.close_clients()
        self.let_go()

    def _info(self, name: str, endpoint: Endpoint, facts: ModelFacts | None) -> ModelInfo:
        context = self._context_tokens or (facts.context_tokens if facts else None)
        if endpoint.provider.startswith("ollama") and self._context_tokens is None:
            context = min(context or OLLAMA_CONTEXT_TOKENS, OLLAMA_CONTEXT_TOKENS)
        prices = facts.prices if facts else None
        info = ModelInfo(
            name=name,
            context_tokens=context or UNKNOWN_CONTEXT_TOKENS,
            max_output_tokens=(facts.max_output_tokens if facts else None) or UNKNOWN_OUTPUT_TOKENS,
            tokenizer=tokenizer_for(name),
            is_known=context is not None,
            input_cost_per_token=prices.prompt if prices else None,
            output_cost_per_token=prices.completion if prices else None,
            supports_tools=self._supports_tools(endpoint, facts),
        )
        return replace(info, max_output_tokens=min(info.max_output_tokens, info.context_tokens))

    def _supports_tools(self, endpoint: Endpoint, facts: ModelFacts | None) -> bool:
        """Return the user's word, else the price list's; a model it does not know is trusted to have tools.

        Not so ``ollama/…``: litellm would write the tools into the prompt there (``ollama_chat/…`` has them).
        """
        if self._tools is not None:
            return self._tools
        return facts.supports_tools if facts is not None else endpoint.provider != "ollama"


def _check_name(name: str) -> None:
    """Raise ModelUnknownError for what can't be a model string: litellm would only say so at the first call."""
    hint = (
        "Use a litellm model string such as gpt-5.1, anthropic/claude-sonnet-4-5 or ollama_chat/NAME; or 'navigator'."
    )
    if not name or len(name) > _MAX_NAME_CHARS or not name.isprintable() or any(letter.isspace() for letter in name):
        raise ModelUnknownError(f"{name[:60]!r} can't be a model's name.", hint)
    provider, slash, model = name.partition("/")
    if slash:
        if not provider or not model:
            raise ModelUnknownError(f"{name!r} can't be a model's name.", hint)
        return
    if is_listed(name) or name.startswith("ft:"):
        return
    near = nearest_models(name)
    did_you_mean = f"Did you mean {', '.join(near)}? " if near else ""
    raise ModelUnknownError(
        f"No provider is known for the model {name!r}.",
        f"{did_you_mean}Write the provider before it: openai/{name}, ollama_chat/{name}, …",
    )


def _check_provider(model: "LitellmModel | ModelAside") -> None:
    """Raise ModelUnknownError for a provider that is none; litellm is asked where the price list does not know it."""
    provider = provider_of(model.info.name)
    if provider and provider not in PROVIDERS and not is_provider(provider):
        try:
            model.check()
        except ModelUnknownError:
            raise
        except ModelError:
            # litellm can't be asked now; the first question will tell.
            return


def _is_slow_to_begin(endpoint: Endpoint, facts: ModelFacts | None) -> bool:
    return endpoint.is_local or (facts is not None and facts.is_reasoning)
